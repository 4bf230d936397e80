import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { type TypeScriptFile, constantOf, eachNode, enclosingFunction } from '../../src/languages/typescript/index.js';
import { isSessionId } from '../_mcp/typescript/ids.js';
import { calledMember, isFunctionNode, isWithin, receiverOf, statementOf } from '../_mcp/typescript/nodes.js';
import { readOptions } from '../_mcp/typescript/options.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { statesAt } from './states.js';

export type Kinds = 'unknown-session-status';

/** Replies with 400 that a request with an unknown session id reaches. */
export const detectTypeScript: Detector<'typescript', Kinds> = (file, report, around) => ({
  end() {
    const code = sessionCode(file);
    if (!code.headerReads.some(({ fromResponse }) => !fromResponse)) return;
    const seen = new Set<ts.Node>();
    const literal = literalReplies(file);
    eachNode(file.tree, (node) => {
      const reply = badRequest(node, file);
      if (reply === undefined || seen.has(reply)) return;
      seen.add(reply);
      const fn = enclosingFunction(reply);
      if (fn === undefined || takesMessagesOnly(fn, file)) return;
      const { states, decided } = statesAt(reply, file, (path) => around.has(path));
      // A reply that known sessions get too is about something else.
      if (!decided || states.some(({ known }) => known) || !states.some(({ hasId }) => hasId)) return;
      const mixed = states.some(({ hasId }) => !hasId);
      const id = idText(fn, file);
      report.finding('unknown-session-status', file.span(reply), {
        lane: 'both',
        evidence: [
          mixed ? 'Requests without a session id and requests with an unknown one both get here.' : 'Only requests whose session id is unknown get here.',
        ],
        data: { mixed, express: literal.includes(reply) && isExpressReply(reply, file), index: literal.indexOf(reply), ...(id === undefined ? {} : { id }) },
      });
    });
  },
});

/** The route of the messages of HTTP+SSE: its clients do not open a new session for a status. */
function takesMessagesOnly(fn: ts.Node, file: TypeScriptFile): boolean {
  const dispatches = sessionCode(file).dispatches.filter((call) => isWithin(call, fn));
  return dispatches.length > 0 && dispatches.every((call) => calledMember(call) === 'handlePostMessage');
}

/** The call that answers 400, from its outermost part; `undefined` for other statuses and computed ones. */
function badRequest(node: ts.Node, file: TypeScriptFile): ts.Node | undefined {
  if (ts.isNewExpression(node) && node.expression.getText(file.tree).endsWith('Response')) return statusOption(node.arguments?.[1], file) ? node : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const method = calledMember(node);
  const is400 = (argument: ts.Node | undefined): boolean => argument !== undefined && constantOf(argument, file) === 400;
  if ((method === 'status' || method === 'code' || method === 'sendStatus' || method === 'writeHead') && is400(node.arguments[0])) return outermost(node);
  if ((method === 'json' || method === 'text') && (is400(node.arguments[1]) || statusOption(node.arguments[1], file))) return outermost(node);
  return undefined;
}

const statusOption = (node: ts.Node | undefined, file: TypeScriptFile): boolean => {
  const status = node === undefined ? undefined : readOptions(node, file).values.get('status');
  return status !== undefined && constantOf(status, file) === 400;
};

/** Whole replies with a literal 400 in source order, as the codemod counts them. */
function literalReplies(file: TypeScriptFile): readonly ts.Node[] {
  const found: ts.Node[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || outermost(node) !== node) return;
    for (let inner: ts.Node = node; ts.isCallExpression(inner) || ts.isPropertyAccessExpression(inner); inner = inner.expression) {
      const first = ts.isCallExpression(inner) ? inner.arguments[0] : undefined;
      if (
        ts.isCallExpression(inner) &&
        first !== undefined &&
        ts.isNumericLiteral(first) &&
        first.text === '400' &&
        /^(?:status|code|sendStatus|writeHead)$/.test(calledMember(inner) ?? '')
      ) {
        found.push(node);
        return;
      }
    }
  });
  return found;
}

/** `res.status(400).json(…)` for `res.status(400)`. */
function outermost(call: ts.CallExpression): ts.Node {
  let current: ts.Node = call;
  while (ts.isPropertyAccessExpression(current.parent) && ts.isCallExpression(current.parent.parent) && current.parent.parent.expression === current.parent)
    current = current.parent.parent;
  return current;
}

/** Can the statement be repeated with another status? Only for the response object of Express, in a statement of its own. */
function isExpressReply(reply: ts.Node, file: TypeScriptFile): boolean {
  if (!ts.isCallExpression(reply) || !/^(?:res|response|_res)\b/.test(reply.getText(file.tree))) return false;
  if (receiverOf(reply) === undefined) return false;
  let outer: ts.Node = reply.parent;
  while (ts.isVoidExpression(outer) || ts.isAwaitExpression(outer) || ts.isParenthesizedExpression(outer)) outer = outer.parent;
  return (ts.isExpressionStatement(outer) || ts.isReturnStatement(outer)) && statementOf(reply) !== undefined;
}

/** An expression of the function that has the session id: a variable, else the header read itself. */
function idText(fn: ts.Node, file: TypeScriptFile): string | undefined {
  let variable: string | undefined;
  let read: string | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined && isSessionId(node.initializer, file))
      variable ??= node.name.text;
    if (ts.isBindingElement(node) && ts.isIdentifier(node.name) && isSessionId(node.name, file)) variable ??= node.name.text;
    if (sessionCode(file).headerReads.some((entry) => entry.node === node) && ts.isExpression(node)) read ??= file.textOf(node);
    if (!isFunctionNode(node) || node === fn) ts.forEachChild(node, visit);
  };
  visit(fn);
  if (variable === undefined && isFunctionNode(fn))
    variable = fn.parameters.map(({ name }) => name).find((name): name is ts.Identifier => ts.isIdentifier(name) && isSessionId(name, file))?.text;
  return variable ?? read;
}
