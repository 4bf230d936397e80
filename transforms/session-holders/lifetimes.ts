import { ts } from 'ts-morph';
import { constantOf, declarationOf, eachNode, enclosingFunction, isFunctionNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { ancestor, calledMember, memberName, receiverOf, unwrap, unwrapAwait } from '../_mcp/typescript/nodes.js';
import { heldBy, serverClass, transportKind } from '../_mcp/typescript/sdk.js';
import { isNothing } from '../_mcp/typescript/options.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import type { Say } from './typescript.js';

const CLOSERS = /^(?:close|dispose|destroy|kill|end|quit|stop|disconnect|terminate|release)$/;

/** Things that live as long as a session or a server object, and what ends them. */
export function lifetimes(file: TypeScriptFile, say: Say): void {
  eachNode(file.tree, (node) => {
    if (ts.isBinaryExpression(node)) closeHook(node, file, say);
    if (!ts.isCallExpression(node)) return;
    reaper(node, file, say);
    listener(node, file, say);
  });
}

/** `transport.onclose = () => backend.close()`, where the same function has built the backend. */
function closeHook(node: ts.BinaryExpression, file: TypeScriptFile, say: Say): void {
  if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken || memberName(unwrap(node.left)) !== 'onclose') return;
  const handler = unwrap(node.right);
  const fn = enclosingFunction(node);
  if (!isFunctionNode(handler) || handler.body === undefined || fn === undefined || !/transport|server|session/i.test(node.left.getText(file.tree))) return;
  eachNode(handler.body, (inner) => {
    if (!ts.isCallExpression(inner) || !CLOSERS.test(calledMember(inner) ?? '')) return;
    const receiver = receiverOf(inner);
    const declared = receiver !== undefined && ts.isIdentifier(receiver) ? declarationOf(receiver, file)?.node : undefined;
    if (declared === undefined || !ts.isVariableDeclaration(declared) || declared.initializer === undefined || enclosingFunction(declared) !== fn) return;
    const made = unwrapAwait(declared.initializer);
    const builds = ts.isNewExpression(made)
      ? serverClass(made.expression, file) === undefined && transportKind(made.expression, file) === undefined
      : ts.isCallExpression(made) && /spawn|launch|open|connect|fork/i.test(made.expression.getText(file.tree));
    // One that is built for each request ends with it.
    const perRequest = sessionCode(file).transports.some(
      ({ node: own, options }) => own.pos >= fn.pos && own.end <= fn.end && options.values.get('sessionIdGenerator')?.getText(file.tree) === 'undefined',
    );
    if (perRequest || !builds || heldBy(declared.type, file) !== undefined || /server|transport/i.test(made.getText(file.tree).slice(0, 40))) return;
    // A child process per session is told where it is started.
    if (!(ts.isCallExpression(made) && made.expression.getText(file.tree) === 'spawn' && startsPerSession(made, file)))
      say('session-resource', declared, declared.name.getText(file.tree));
    say('close-hook', node.left, node.left.getText(file.tree));
  });
}

/** A sweep that spares what is marked as busy by one flag: two calls at once clear each other's mark. */
function reaper(call: ts.CallExpression, file: TypeScriptFile, say: Say): void {
  if (calledMember(call) !== undefined ? calledMember(call) !== 'setInterval' : call.expression.getText(file.tree) !== 'setInterval') return;
  const sweep = call.arguments[0] === undefined ? undefined : sweepOf(call.arguments[0], file);
  const text = sweep?.getText(file.tree) ?? '';
  if (sweep === undefined || !text.includes('.delete(') || !/(?:Date\.now\(\)|\bnow\w*)\s*-\s*\w+\.\w+/.test(text)) return;
  const flag = (/!\s*\w+\.(\w+)\s*&&/.exec(text) ?? /&&\s*!\s*\w+\.(\w+)/.exec(text) ?? /\bif\s*\(\s*\w+\.(\w+)\s*\)\s*\{?\s*continue/.exec(text))?.[1];
  if (flag === undefined) return;
  const writes: ts.BinaryExpression[] = [];
  eachNode(file.tree, (node) => {
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      memberName(unwrap(node.left)) === flag &&
      ancestor(node, (outer): outer is ts.IterationStatement => ts.isIterationStatement(outer, false)) === undefined
    )
      writes.push(node);
  });
  const clears = (node: ts.BinaryExpression): boolean => /^(?:undefined|null|false)$/.test(node.right.getText(file.tree));
  if (!writes.some(clears)) return;
  for (const node of writes) if (!clears(node)) say('busy-flag', node, flag, { related: [file.site(call, 'swept here')] });
}

/** The function that a timer runs: in place, by its name, or through one call. */
function sweepOf(argument: ts.Node, file: TypeScriptFile): ts.Node | undefined {
  const value = unwrap(argument);
  if (ts.isIdentifier(value)) return declarationOf(value, file)?.node;
  const body = isFunctionNode(value) ? value.body : undefined;
  if (body === undefined || body.getText(file.tree).includes('.delete(')) return value;
  let found: ts.Node | undefined;
  eachNode(body, (node) => {
    if (!ts.isCallExpression(node) || found !== undefined) return;
    const callee = unwrap(node.expression);
    const name = ts.isIdentifier(callee) ? callee.text : memberName(callee);
    if (name !== undefined) found = functionNamed(name, file);
  });
  return found;
}

/** A function or method of the file by its name. */
function functionNamed(name: string, file: TypeScriptFile): ts.Node | undefined {
  let found: ts.Node | undefined;
  eachNode(file.tree, (node) => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name?.getText(file.tree) === name) found ??= node;
  });
  return found;
}

/** `feed.on('change', …)` in a function that takes or builds a server: each server object adds a listener, and nothing takes it away. */
function listener(call: ts.CallExpression, file: TypeScriptFile, say: Say): void {
  const method = calledMember(call);
  const named = unwrap(call.expression);
  if (ts.isIdentifier(named) && /^(?:on[A-Z]|subscribe|watch|listen)/.test(named.text) && declarationOf(named, file)?.kind === 'import') {
    const last = call.arguments.at(-1);
    if (last !== undefined && isFunctionNode(unwrap(last)) && servesOne(call, file) && PUSHES.test(last.getText(file.tree)))
      say('listener-per-server', call, named.text);
    return;
  }
  if ((method !== 'on' && method !== 'addListener' && method !== 'addEventListener' && method !== 'subscribe') || call.arguments.length < 2) return;
  const receiver = receiverOf(call);
  const event = constantOf(call.arguments[0] as ts.Node, file);
  const callback = unwrap(call.arguments[1] as ts.Node);
  const fn = enclosingFunction(call);
  if (receiver === undefined || !ts.isIdentifier(receiver) || typeof event !== 'string' || !isFunctionNode(callback) || fn === undefined) return;
  const owner = declarationOf(receiver, file);
  const outside = owner?.kind === 'import' || (owner !== undefined && ts.isVariableDeclaration(owner.node) && enclosingFunction(owner.node) === undefined);
  if (!outside || receiver.text === 'process') return;
  if (
    !servesOne(call, file) ||
    !PUSHES.test(callback.getText(file.tree)) ||
    new RegExp(`\\b${receiver.text}\\.(?:off|removeListener|removeEventListener)\\(`).test(file.text)
  )
    return;
  say('listener-per-server', call, `${receiver.text}.${method}`);
}

const PUSHES = /\bsend\w*(?:Updated|Changed|Message)\(|\.notification\(/;

/** Is a call in a function that takes or builds a server: run once for each? */
function servesOne(call: ts.Node, file: TypeScriptFile): boolean {
  const fn = enclosingFunction(call);
  if (fn === undefined) return false;
  const takes = fn.parameters.some((parameter) => heldBy(parameter.type, file) === 'server');
  return takes || sessionCode(file).servers.some((server) => server.node.pos >= fn.pos && server.node.end <= fn.end);
}

/** Is a process started in the function that also opens a session: a transport with an id generator, or a session callback? */
export function startsPerSession(call: ts.CallExpression, file: TypeScriptFile): boolean {
  const fn = enclosingFunction(call);
  return (
    fn !== undefined &&
    sessionCode(file).transports.some(({ node, kind, options }) => {
      const generator = options.values.get('sessionIdGenerator');
      return enclosingFunction(node) === fn && (kind === 'sse' || (generator !== undefined && !isNothing(generator)));
    })
  );
}
