import { type FileChange, type Need, type Rewrite, type RewriteContext, type WorkItem, factsOf } from '../../src/core/index.js';
import { unknownNames } from './throws.js';

const SERVER = '@modelcontextprotocol/server';

/** Throws the error class of the SDK instead, with the same text. The code changes for clients of both eras. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const old = factsOf(context.facts, 'sdk-import').find((fact) => fact.sdk === 1 && item.files.includes(fact.site.file) && fact.form !== 'string');
  if (old !== undefined)
    return { outcome: 'refuse', reason: { why: 'this code still uses SDK v1', next: 'Run the SDK milestone first: --milestone sdk.', sites: [old.site] } };
  const changes: FileChange[] = [];
  const needs: Need[] = [];
  for (const path of item.files) {
    const file = context.file('typescript', path);
    if (file === undefined) continue;
    const edits = unknownNames(file).map(({ kind, error, message, uri }) => {
      const asResource = kind === 'missing-resource' && uri !== undefined;
      const names = asResource ? ['ResourceNotFoundError'] : ['ProtocolError', 'ProtocolErrorCode'];
      needs.push(...names.map((name): Need => ({ kind: 'import', file: path, module: SERVER, name })));
      const list = asResource ? `ResourceNotFoundError(${uri}, ` : 'ProtocolError(ProtocolErrorCode.InvalidParams, ';
      return { start: error.expression.getStart(file.tree), end: message.getStart(file.tree), text: list };
    });
    if (edits.length > 0) changes.push({ kind: 'edit', file: path, edits });
  }
  return {
    outcome: 'rewrite',
    changes,
    needs,
    todo: [],
    notes: ['An unknown tool, prompt or resource is answered with -32602 instead of -32603, in both eras and with the text as before.'],
  };
}
