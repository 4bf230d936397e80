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
