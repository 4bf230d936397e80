import { ts } from 'ts-morph';
import type { FileChange, Rewrite, RewriteContext, TextEdit, WorkItem } from '../../../src/core/index.js';
import { type TypeScriptFile, eachNode } from '../../../src/languages/typescript/index.js';
import { entryOf } from '../../_mcp/typescript/eras.js';
import { unwrap } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { sdkName } from '../../_mcp/typescript/sdk.js';

/** Calls of `createMcpHandler` that answer earlier revisions without a session: by default, or because `legacy: 'stateless'` says so. */
export function entriesForAll(file: TypeScriptFile): readonly ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || node.arguments.length === 0 || node.arguments.some(ts.isSpreadElement)) return;
    if (sdkName(unwrap(node.expression), file) === 'createMcpHandler' && entryOf(node, file)?.legacy === 'stateless') found.push(node);
  });
  return found;
}

/** Tells the entries of the item to refuse earlier revisions. `legacy` is the option of `createMcpHandler` of SDK v2 (`CreateMcpHandlerOptions`). */
export function rejectEarlier(item: WorkItem, context: RewriteContext): Rewrite {
  const changes = item.files.flatMap((path): readonly FileChange[] => {
    const file = context.file('typescript', path);
    return file === undefined ? [] : [{ kind: 'edit', file: path, edits: entriesForAll(file).map((call) => rejectEdit(call, file)) }];
  });
  return {
    outcome: 'rewrite',
    changes,
    needs: [],
    todo: [],
    notes: ['The entry serves the modern revision only: clients of 2025-11-25 and earlier get an error that names the versions.'],
  };
}

function rejectEdit(call: ts.CallExpression, file: TypeScriptFile): TextEdit {
  const option = `legacy: ${file.quote}reject${file.quote}`;
  const [factory, options] = call.arguments;
  if (options === undefined) {
    const at = factory?.end ?? call.end - 1;
    return { start: at, end: at, text: `, { ${option} }` };
  }
  const value = unwrap(options);
  const start = options.getStart(file.tree);
  if (!ts.isObjectLiteralExpression(value)) return { start, end: options.end, text: `{ ...${file.textOf(options)}, ${option} }` };
  const said = readOptions(value, file).properties.get('legacy');
  // A property that is spread in from elsewhere is overruled by one behind it.
  if (said !== undefined && value.properties.includes(said)) return { start: said.getStart(file.tree), end: said.end, text: option };
  const last = value.properties.at(-1);
  if (last === undefined) return { start, end: options.end, text: `{ ${option} }` };
  return { start: last.end, end: last.end, text: `, ${option}` };
}
