import { ts } from 'ts-morph';
import { type FileChange, type Need, type Rewrite, type RewriteContext, type TextEdit, type WorkItem, factsOf } from '../../src/core/index.js';
import { type TypeScriptFile, eachNode } from '../../src/languages/typescript/index.js';
import { type Placed, markerEdits, markerText } from '../_mcp/typescript/markers.js';
import { codeName, unknownNames } from './throws.js';

const CONCERN = 'unknown-name-error';

const SERVER = '@modelcontextprotocol/server';

/** Throws the error class of the SDK instead, with the same text. The code changes for clients of both eras. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const old = factsOf(context.facts, 'sdk-import').find((fact) => fact.sdk === 1 && item.files.includes(fact.site.file) && fact.form !== 'string');
  if (old !== undefined)
    return { outcome: 'refuse', reason: { why: 'this code still uses SDK v1', next: 'Run the SDK milestone first: --milestone sdk.', sites: [old.site] } };
  const changes: FileChange[] = [];
  const needs: Need[] = [];
  const todo: string[] = [];
  for (const path of item.files) {
    const file = context.file('typescript', path);
    if (file === undefined) continue;
    const places: Placed[] = [];
    const edits = unknownNames(file).flatMap(({ kind, error, code, message, uri }): readonly TextEdit[] => {
      if (code !== undefined) {
        if (!isCompared(code.name, file)) return recoded(code.node, file);
        const text = `throw it with \`ProtocolErrorCode.InvalidParams\`, and change what compares \`${code.name}\` in this file.`;
        places.push({ kind, text, offset: error.getStart(file.tree) });
        return [];
      }
      const asResource = kind === 'missing-resource' && uri !== undefined;
      const names = asResource ? ['ResourceNotFoundError'] : ['ProtocolError', 'ProtocolErrorCode'];
      needs.push(...names.map((name): Need => ({ kind: 'import', file: path, module: SERVER, name })));
      const list = asResource ? `ResourceNotFoundError(${uri}, ` : 'ProtocolError(ProtocolErrorCode.InvalidParams, ';
      return [{ start: error.expression.getStart(file.tree), end: message.getStart(file.tree), text: list }];
    });
    todo.push(...places.map((place) => `${path}: ${markerText(CONCERN, place)}`));
    edits.push(...markerEdits(file, CONCERN, places));
    if (edits.length > 0) changes.push({ kind: 'edit', file: path, edits });
  }
  return {
    outcome: todo.length > 0 ? 'scaffold' : 'rewrite',
    changes,
    needs,
    todo,
    notes: ['An unknown tool, prompt or resource is answered with -32602 instead of the code of before, in both eras and with the text as before.'],
  };
}

/** The code as it has to be: another member of the same list, or another number. */
function recoded(node: ts.Expression, file: TypeScriptFile): readonly TextEdit[] {
  if (ts.isPropertyAccessExpression(node)) return [{ ...file.span(node.name), text: 'InvalidParams' }];
  return [{ ...file.span(node), text: '-32602' }];
}

/** Does code of the file look for the code, which it would no longer find? */
function isCompared(name: string, file: TypeScriptFile): boolean {
  let found = false;
  eachNode(file.tree, (node) => {
    if (ts.isCaseClause(node)) found ||= codeName(node.expression, file) === name;
    if (ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText(file.tree)))
      found ||= [node.left, node.right].some((side) => codeName(side, file) === name);
  });
  return found;
}
