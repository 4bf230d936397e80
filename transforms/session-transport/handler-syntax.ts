import { ts } from 'ts-morph';
import { type TypeScriptFile, eachNode } from '../../src/languages/typescript/index.js';
import { localFunction } from '../_mcp/typescript/servers.js';
import { calledMember, isFunctionNode, isWithin, memberName, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';

const LOG_METHODS: ReadonlySet<string> = new Set(['log', 'info', 'warn', 'error', 'debug', 'trace', 'verbose']);

/** Does a branch answer the request, leave the handler, or throw? */
export function endsRequest(branch: ts.Statement): boolean {
  let found = false;
  eachNode(branch, (node) => {
    if (isFunctionNode(node)) return false;
    if (ts.isReturnStatement(node) || ts.isThrowStatement(node)) found = true;
    if (ts.isCallExpression(node) && /^(?:res|response|reply|ctx|c)$/.test(rootOf(node) ?? '')) found = true;
    return undefined;
  });
  return found;
}

/** The expression at the head of a chain of members. */
export function rootNode(node: ts.Node): ts.Node {
  let at = unwrap(node);
  while (ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at)) at = unwrap(at.expression);
  return at;
}

/** Name at the head of a chain, `res` of `res.status(400).json(…)`. */
export function rootOf(call: ts.CallExpression): string | undefined {
  let node: ts.Node = unwrap(call.expression);
  while (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isCallExpression(node)) node = unwrap(node.expression);
  return ts.isIdentifier(node) ? node.text : undefined;
}

/** `console.error(…)`, `logger.info(…)`, `req.log.warn(…)`: nothing but a log. */
export function isLogCall(call: ts.CallExpression): boolean {
  const method = calledMember(call);
  const receiver = receiverOf(call);
  if (method === undefined || receiver === undefined || !LOG_METHODS.has(method)) {
    const callee = unwrap(call.expression);
    return ts.isIdentifier(callee) && /^(?:log|debug|logger)$/.test(callee.text);
  }
  const name = ts.isIdentifier(receiver) ? receiver.text : memberName(receiver);
  return name !== undefined && /^(?:console|log|logger|\w*Logger|\w*Log)$/.test(name);
}

/** Does a variable exist outside of the outermost function around its use? */
export const isOuterVariable = (declaration: ts.Node, use: ts.Node): boolean => {
  let fn: ts.Node | undefined = use;
  let outermost: ts.Node | undefined;
  while (fn !== undefined) {
    if (isFunctionNode(fn)) outermost = fn;
    fn = fn.parent;
  }
  return outermost === undefined || !isWithin(declaration, outermost);
};

const READER = /^(?:read|parse|get|collect|load|receive)\w*(?:body|json|payload)$/i;

/** Does a call do nothing but read the body of the request: `readBody(req)`, `c.req.json()`, `request.text()`? */
export function isBodyRead(call: ts.CallExpression, file: TypeScriptFile): boolean {
  const method = calledMember(call);
  const callee = unwrap(call.expression);
  if (method !== undefined) {
    const owner = rootOf(call);
    return call.arguments.length === 0 && /^(?:json|text)$/.test(method) && owner !== undefined && /^(?:c|ctx|req|request)$/.test(owner);
  }
  if (!ts.isIdentifier(callee) || !call.arguments.some((argument) => /^_?(?:req|request)$/.test(argument.getText(file.tree)))) return false;
  const fn = localFunction(callee, file);
  if (fn?.body === undefined) return fn === undefined && READER.test(callee.text);
  return (
    /for await|\.on\(\s*['"](?:data|readable)|\.json\(\)|\.text\(\)/.test(fn.body.getText(file.tree)) &&
    !/\b(?:authorization|writeHead|statusCode|handleRequest)\b/.test(fn.body.getText(file.tree))
  );
}

/** Names of what may turn a caller away: the session id may stand for a login there. */
export const CHECKS = /auth|verif|allow|permi|limit|quota|check|valid|guard|assert|ensure|require/i;

/** Methods of an answer object that only build or send the answer. */
export const REPLIES: ReadonlySet<string> = new Set([
  'status',
  'json',
  'send',
  'end',
  'sendStatus',
  'writeHead',
  'set',
  'setHeader',
  'header',
  'type',
  'flushHeaders',
  'hijack',
  'code',
  'text',
  'body',
  'html',
  'newResponse',
  'throw',
]);

/** `chunks.push(chunk)`, `text += chunk`: all that a loop over a body does. */
export const isCollecting = (body: ts.Statement): boolean => /^\{?\s*(?:\w+\.push\([^;{}]*\)|\w+ \+= [^;{}]*);?\s*\}?$/.test(body.getText());

const HEADER_SETTERS: ReadonlySet<string> = new Set(['set', 'setHeader', 'header']);

/** Headers that the transport sets itself. */
const TRANSPORT_HEADERS = /^(?:mcp-session-id|content-type|cache-control|connection|x-accel-buffering)$/i;

/** `res.setHeader('x-region', region)` in front of the answer of the transport: unlike a header of an answer that the handler gives itself, clients lose it. */
export function isKeptHeader(call: ts.CallExpression, method: string, file: TypeScriptFile): boolean {
  const [name] = call.arguments;
  if (!HEADER_SETTERS.has(method) || name === undefined || (ts.isStringLiteralLike(name) && TRANSPORT_HEADERS.test(name.text))) return false;
  const statement = call.parent;
  if (!ts.isExpressionStatement(statement) || !ts.isBlock(statement.parent)) return false;
  const { statements } = statement.parent;
  const behind = statements.slice(statements.indexOf(statement) + 1);
  return !behind.some((next) => endsRequest(next) && !file.textOf(next).includes('handleRequest'));
}

/** Functions that only tell or count. */
const TELLS = /^(?:log|audit|track|record|count|trace|debug|print|report|emit|measure|observe|inc)/i;

/** Does a call ask somebody about the request: `assertAllowed(...)`, `limiter.consume(...)`, a function that is handed the request and may refuse or change it? */
export function asksSomebody(call: ts.CallExpression): boolean {
  if (isLogCall(call)) return false;
  const callee = unwrap(call.expression);
  const method = calledMember(call) ?? (ts.isIdentifier(callee) ? callee.text : '');
  if (TELLS.test(method)) return false;
  const handed = call.arguments.some((argument) => {
    const value = unwrap(argument);
    const holder = ts.isPropertyAccessExpression(value) && value.name.text === 'body' ? unwrap(value.expression) : value;
    return ts.isIdentifier(holder) && /^_?(?:req|res|request|response|reply|ctx|c)$/.test(holder.text);
  });
  return (handed && !/^(?:JSON|Object|Array|String|Boolean|Buffer)\b/.test(callee.getText())) || CHECKS.test(callee.getText());
}

/** The body on its way to the transport as `JSON.parse(req.body)`: who stands in front of the handler reads it just as well. What is put in or changed there is lost. */
export function isParsedBody(node: ts.Node): boolean {
  if (!ts.isCallExpression(node.parent) || calledMember(node.parent) !== 'handleRequest' || node.parent.arguments[2] !== node) return false;
  return isPlainBody(node);
}

function isPlainBody(node: ts.Node): boolean {
  const value = unwrap(node);
  if (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)) return true;
  if (ts.isConditionalExpression(value)) return isPlainBody(value.whenTrue) && isPlainBody(value.whenFalse);
  if (ts.isBinaryExpression(value))
    return value.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken && isPlainBody(value.left) && isPlainBody(value.right);
  if (!ts.isCallExpression(value)) return value.kind === ts.SyntaxKind.NullKeyword;
  return /^(?:JSON\.parse|String|\w+\.toString)$/.test(value.expression.getText()) && value.arguments.every(isPlainBody);
}

/** An option of a transport; the `handler` of a route object is none. */
export const isSessionCallback = (fn: ts.Node): boolean =>
  ts.isPropertyAssignment(fn.parent) && /^(?:on\w+|sessionIdGenerator)$/.test(fn.parent.name.getText());

/** Does a place stand in a callback of the session (opened, closed) and not in code that runs with each request? */
export function isInSessionCallback(node: ts.Node, handler: ts.Node): boolean {
  for (let at = node; at !== handler && at.parent !== undefined; at = at.parent) {
    if (!isFunctionNode(at)) continue;
    const { parent } = at;
    if (isSessionCallback(at) || (ts.isMethodDeclaration(at) && at.name.getText().startsWith('on'))) return true;
    if (ts.isBinaryExpression(parent) && parent.right === at && /^on(?:close|error|initialized)$/.test(memberName(unwrap(parent.left)) ?? '')) return true;
  }
  return false;
}
