import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { receiverOf, statementOf, unwrap, unwrapAwait } from '../../_mcp/typescript/nodes.js';
import { serverSource } from '../../_mcp/typescript/servers.js';
import { indentOf } from '../../_mcp/typescript/emit/edits.js';
import { handleFor } from './closing.js';
import { builderOf } from './factory.js';
import { type EntryPlan, type NoEntryPlan, BY_HAND, stop } from './model.js';
import { classBuilder } from './owner.js';
import { handleOfClass } from './owner-handle.js';
import { BUILD_METHOD } from './owner-text.js';
import { wireOf } from './wire.js';

/**
 * Plans how one connection to stdio becomes `serveStdio`, from the file alone; what only other files prove is named in the plan.
 * @param suffix keeps the names apart that several connections of one file get
 */
export function planEntry(connect: ts.CallExpression, file: TypeScriptFile, has: (path: string) => boolean, suffix = ''): EntryPlan | NoEntryPlan {
  const receiver = receiverOf(connect);
  const statement = statementOf(connect);
  if (receiver === undefined || statement === undefined) return stop('the connection could not be read', BY_HAND, file, connect);
  const wire = wireOf(connect, file);
  if (!wire.ok) return wire;
  const field = unwrap(receiver);
  const inClass = ts.isPropertyAccessExpression(field) && unwrap(field.expression).kind === ts.SyntaxKind.ThisKeyword;
  const builder = inClass ? classBuilder(field, connect, file, has) : builderOf(serverSource(receiver, file, has), receiver, connect, file, has, suffix);
  if (!builder.ok) return builder;

  const direct = directStatement(connect, statement);
  const handle = inClass ? handleOfClass(builder, file) : handleFor(builder, statement, direct === 'statement', file, suffix);
  if (!handle.ok) return handle;
  const factory = inClass ? `() => this.${BUILD_METHOD}()` : builder.expression;
  const call = `serveStdio(${factory}, { ${wire.options.join(', ')} })`;
  const marks = builder.todo.map((what) => `// TODO(unsession) stdio-entry/transport-connect: ${what}${file.eol}${indentOf(statement, file)}`);
  const served: TextEdit =
    direct === 'statement'
      ? { start: statement.getStart(file.tree), end: (statement as ts.ExpressionStatement).expression.end, text: marks.join('') + handle.before + call }
      : direct === 'return'
        ? { start: statement.getStart(file.tree), end: statement.end, text: `${marks.join('')}${handle.before}${call};` }
        : { start: connect.getStart(file.tree), end: connect.end, text: `Promise.resolve(void ${handle.before === '' ? call : `(${handle.before}${call})`})` };
  return {
    ok: true,
    edits: settled([...builder.edits, ...wire.edits, served], handle.edits),
    imports: [{ kind: 'import', file: file.path, module: '@modelcontextprotocol/server/stdio', name: 'serveStdio' }, ...handle.imports],
    todo: builder.todo,
    notes: [
      'The process serves clients of both eras: the first message decides. The server is built when it arrives, no longer at the start.',
      ...builder.notes,
    ],
    builder: builder.builder,
    member: builder.member,
    exported: builder.exported,
  };
}

/** Is the connection a statement of its own, the last `return` of its function, or a value that something else uses? */
function directStatement(connect: ts.CallExpression, statement: ts.Statement): 'statement' | 'return' | 'value' {
  if (ts.isExpressionStatement(statement) && unwrapAwait(statement.expression) === connect) return 'statement';
  if (!ts.isReturnStatement(statement) || statement.expression === undefined || unwrapAwait(statement.expression) !== connect) return 'value';
  const list = ts.isBlock(statement.parent) ? statement.parent : undefined;
  const fn = list?.parent;
  const asynchronous =
    fn !== undefined && ts.isFunctionLike(fn) && ts.canHaveModifiers(fn) && (ts.getModifiers(fn) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  return asynchronous && list?.statements.at(-1) === statement ? 'return' : 'value';
}

/** Joins removals that touch each other, and puts insertions that fall into a text that is written anew in front of it. */
function settled(edits: readonly TextEdit[], insertions: readonly TextEdit[]): readonly TextEdit[] {
  const list: TextEdit[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = list.at(-1);
    if (last?.text === '' && edit.text === '' && edit.start <= last.end)
      list[list.length - 1] = { start: last.start, end: Math.max(last.end, edit.end), text: '' };
    else list.push(edit);
  }
  for (const insertion of insertions) {
    const at = list.findIndex((edit) => edit.start <= insertion.start && insertion.start < edit.end);
    const covering = list[at];
    if (covering === undefined) list.push(insertion);
    else list[at] = { ...covering, text: covering.text === '' ? asLine(insertion.text) : insertion.text + covering.text };
  }
  return list;
}

/** `let entry;` and the indentation of what follows it, as a line of its own. */
function asLine(text: string): string {
  const [end, eol, indent] = /(\r?\n)([ \t]*)$/.exec(text) ?? ['', '\n', ''];
  return `${indent ?? ''}${text.slice(0, text.length - end.length)}${eol ?? '\n'}`;
}
