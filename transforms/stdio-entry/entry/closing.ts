import { ts } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { indentOf } from '../../_mcp/typescript/emit/edits.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { isWithin, receiverOf, statementOf } from '../../_mcp/typescript/nodes.js';
import { type Builder, type NoEntryPlan, stop } from './model.js';

/** How the entry is named where it is closed. */
export interface Handle {
  readonly ok: true;
  /** In front of `serveStdio(…)`: nothing, `const entry = ` or `entry = `. */
  readonly before: string;
  readonly edits: readonly TextEdit[];
  readonly imports: readonly ImportNeed[];
}

/** Lets the places that close the server close the entry: it closes the server that it built, and its stream. */
export function handleFor(builder: Builder, statement: ts.Statement, isStatement: boolean, file: TypeScriptFile, suffix = ''): Handle | NoEntryPlan {
  const { closings, home } = builder;
  if (closings.length === 0) return { ok: true, before: '', edits: [], imports: [] };
  const name = freeName(`entry${suffix}`, file);
  const near = isStatement && closings.every((call) => isWithin(call, statement.parent));
  const edits: TextEdit[] = [];
  for (const call of closings) {
    const receiver = receiverOf(call);
    if (receiver === undefined || (builder.keeps && !ts.isExpressionStatement(unwrapStatement(call))))
      return stop('it is not clear which server is closed here', 'Close what `serveStdio` returns.', file, call);
    edits.push(...(builder.keeps ? [alsoClosing(call, near ? name : `${name}?`, file)] : closing(call, receiver, near ? name : `${name}?`, file)));
  }
  if (near) return { ok: true, before: `const ${name} = `, edits, imports: [] };
  const indent = indentOf(home, file);
  const typed = file.isJavaScript ? `let ${name};` : `let ${name}: StdioServerHandle | undefined;`;
  const at = home.getStart(file.tree);
  return {
    ok: true,
    before: `${name} = `,
    edits: [...edits, { start: at, end: at, text: `${typed}${file.eol}${indent}` }],
    imports: file.isJavaScript ? [] : [handleType(file)],
  };
}

/** The type of what `serveStdio` returns. */
export const handleType = (file: TypeScriptFile): ImportNeed => ({
  kind: 'import',
  file: file.path,
  module: '@modelcontextprotocol/server/stdio',
  name: 'StdioServerHandle',
  typeOnly: true,
});

/** `server.close()` becomes `entry.close()`. What is chained to it runs also when no entry exists yet. */
export function closing(call: ts.CallExpression, receiver: ts.Node, handle: string, file: TypeScriptFile): readonly TextEdit[] {
  const chained = ts.isPropertyAccessExpression(call.parent) && call.parent.expression === call;
  const start = receiver.getStart(file.tree);
  const access = call.expression;
  const optional = ts.isPropertyAccessExpression(access) && access.questionDotToken !== undefined;
  const text = optional ? handle.replace(/\?$/, '') : handle;
  if (!chained || !handle.endsWith('?')) return [{ start, end: receiver.end, text }];
  return [
    { start, end: receiver.end, text: `(${text}` },
    { start: call.end, end: call.end, text: ' ?? Promise.resolve())' },
  ];
}

function alsoClosing(call: ts.CallExpression, handle: string, file: TypeScriptFile): TextEdit {
  const statement = statementOf(call) ?? call;
  const awaited = file.textOf(statement).startsWith('await') ? 'await ' : '';
  return { start: statement.end, end: statement.end, text: `${file.eol}${indentOf(statement, file)}${awaited}${handle}.close();` };
}

const unwrapStatement = (call: ts.Node): ts.Node => {
  let at = call.parent;
  while (ts.isAwaitExpression(at) || ts.isVoidExpression(at) || ts.isParenthesizedExpression(at)) at = at.parent;
  return at;
};
