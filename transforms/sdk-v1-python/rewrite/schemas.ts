import { argumentsOf } from '../../../src/languages/python/index.js';
import { sdkPaths } from '../../_mcp/python/paths.js';
import type { Pass } from './pass.js';

/** An empty schema of a tool gets its type: SDK 2.x refuses one that does not say that it is an object. Both majors take the longer form. */
export function nameSchemas(pass: Pass): void {
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    if (!callee || !sdkPaths(callee, pass.file).includes('mcp.types.Tool')) continue;
    const args = argumentsOf(call, pass.file);
    const value = (args.keyword('inputSchema') ?? args.keyword('input_schema'))?.value;
    if (value?.kind === 'dictionary' && value.children.length === 0) pass.edits.replace(value, '{"type": "object"}');
  }
}
