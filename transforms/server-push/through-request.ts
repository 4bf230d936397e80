import { ts } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../src/core/index.js';
import type { TypeScriptFile } from '../../src/languages/typescript/index.js';
import { pushOf } from '../_mcp/typescript/facts/push.js';
import { calledMember, nameText, unwrap } from '../_mcp/typescript/nodes.js';
import { contextAt } from './request-context.js';

/** A push through the server object that is sent through the context of its request instead. */
export interface Redirected {
  readonly edits: readonly TextEdit[];
  readonly needs: readonly ImportNeed[];
}

/**
 * Progress and log messages of a handler: `server.notification({ method: 'notifications/progress', … })` becomes `ctx.mcpReq.notify(…)`, log messages
 * become `ctx.mcpReq.log(level, data, logger)`, which looks at the level that the request carries. `undefined` when the place proves too little.
 */
export function throughRequest(call: ts.CallExpression, file: TypeScriptFile): Redirected | undefined {
  const push = pushOf(call, file);
  if (push?.through !== 'instance' || (push.what !== 'progress' && push.what !== 'logging') || call.questionDotToken !== undefined) return undefined;
  const access = contextAt(call, file);
  if (access === undefined) return undefined;
  const callee = file.span(call.expression);
  if (push.what === 'progress') {
    if (call.arguments.length !== 1) return undefined;
    return { edits: [...access.edits, { ...callee, text: `${access.request}.notify` }], needs: access.needs };
  }
  const list = logArguments(call, access.context, file);
  if (list === undefined) return undefined;
  const first = call.arguments[0];
  const last = call.arguments.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return {
    edits: [...access.edits, { ...callee, text: `${access.request}.log` }, { start: first.getStart(file.tree), end: last.end, text: list }],
    needs: access.needs,
  };
}

/** `level, data, logger` of a log message that is written in place. */
function logArguments(call: ts.CallExpression, context: string | undefined, file: TypeScriptFile): string | undefined {
  const [first, second] = call.arguments;
  if (first === undefined || call.arguments.length > 2) return undefined;
  const helper = calledMember(call) === 'sendLoggingMessage';
  // v1 takes the session beside the message; the context knows its own.
  if (second !== undefined && !(helper && context !== undefined && new RegExp(`^${context}\\??\\.sessionId$`).test(file.textOf(second)))) return undefined;
  const message = unwrap(first);
  if (!ts.isObjectLiteralExpression(message)) return undefined;
  const params = helper ? message : objectOf(message, 'params');
  if (params === undefined || hasComment(message, file)) return undefined;
  const parts = new Map<string, string>();
  for (const property of params.properties) {
    const name = nameText(property.name);
    if (name === undefined || !['level', 'data', 'logger'].includes(name)) return undefined;
    if (ts.isPropertyAssignment(property)) parts.set(name, file.textOf(property.initializer));
    else if (ts.isShorthandPropertyAssignment(property)) parts.set(name, property.name.text);
    else return undefined;
  }
  const level = parts.get('level');
  const data = parts.get('data');
  const logger = parts.get('logger');
  if (level === undefined || data === undefined) return undefined;
  return [level, data, ...(logger === undefined ? [] : [logger])].join(', ');
}

function objectOf(node: ts.ObjectLiteralExpression, name: string): ts.ObjectLiteralExpression | undefined {
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property) || nameText(property.name) !== name) continue;
    const value = unwrap(property.initializer);
    return ts.isObjectLiteralExpression(value) ? value : undefined;
  }
  return undefined;
}

/** A comment inside of a message would be lost. */
function hasComment(node: ts.Node, file: TypeScriptFile): boolean {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, file.textOf(node));
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia) return true;
  }
  return false;
}
