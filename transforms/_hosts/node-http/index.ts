import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../src/core/index.js';
import { type FunctionNode, type TypeScriptFile, declarationOf, eachNode, originOf } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, nameText, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { listenAddress } from '../address.js';
import { type AppKind, appBehind } from '../apps.js';
import { hostOf, remembered } from '../emit.js';
import { type HostFile, NOTHING_SERVED, type Served, handlerSymbol } from '../served.js';
import { type Branch, branchesOf, calledEntry } from './branches.js';

const MODULES = /^(?:node:)?(?:https?|http2)$/;
const BUILDERS: ReadonlySet<string> = new Set(['createServer', 'createSecureServer', 'Server']);

const server: AppKind = {
  builds: (_node, origin) => origin !== undefined && MODULES.test(origin.module) && BUILDERS.has(origin.name.split('.').at(-1) ?? ''),
  typed: (origin) => MODULES.test(origin.module) && /(?:^|\.)(?:Http2?Secure)?Server$/.test(origin.name),
  chained: new Set(['on', 'once', 'listen', 'setTimeout', 'addListener', 'unref']),
};

/** A function that answers what a Node server is asked, and the call that says so. */
export interface Listener {
  readonly call: ts.CallExpression | ts.NewExpression;
  readonly node: ts.Node;
  readonly fn: FunctionNode | undefined;
  readonly app: SymbolRef | undefined;
}

/** Request listeners of a file. What another framework makes (an Express application, `app.callback()`) is none. */
function listenersOf(file: TypeScriptFile): readonly Listener[] {
  const found: Listener[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    const built = server.builds(node, originOf(unwrap(node.expression), file), file);
    const method = ts.isCallExpression(node) ? calledMember(node) : undefined;
    const receiver = ts.isCallExpression(node) ? receiverOf(node) : undefined;
    const added =
      (method === 'on' || method === 'addListener') &&
      receiver !== undefined &&
      isRequestEvent(node.arguments?.[0]) &&
      appBehind(receiver, file, server) !== undefined;
    if (!built && !added) return;
    const argument = (node.arguments ?? []).find((candidate, index) => (added ? index === 1 : isListener(candidate, file)));
    if (argument === undefined || !isListener(argument, file)) return;
    const app = built ? appBehind(node, file, server) : receiver === undefined ? undefined : appBehind(receiver, file, server);
    found.push({ call: node, node: argument, fn: functionOf(argument, file), app: app?.symbol });
  });
  return found;
}

const isRequestEvent = (node: ts.Node | undefined): boolean =>
  node !== undefined && ts.isStringLiteralLike(unwrap(node)) && (unwrap(node) as ts.StringLiteral).text === 'request';

/** The function of this file behind a listener argument, `this.handle` and `bind` included. */
function functionOf(node: ts.Node, file: TypeScriptFile): FunctionNode | undefined {
  const value = unwrap(node);
  if (isFunctionNode(value)) return value;
  if (ts.isIdentifier(value)) return localFunction(value, file);
  if (ts.isCallExpression(value) && calledMember(value) === 'bind') {
    const receiver = receiverOf(value);
    return receiver === undefined ? undefined : functionOf(receiver, file);
  }
  if (!ts.isPropertyAccessExpression(value) || value.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  for (let owner: ts.Node | undefined = value.parent; owner !== undefined; owner = owner.parent) {
    if (!ts.isClassLike(owner)) continue;
    const member = owner.members.find((candidate) => nameText(candidate.name) === value.name.text);
    if (member !== undefined && ts.isMethodDeclaration(member)) return member;
    const held = member !== undefined && ts.isPropertyDeclaration(member) && member.initializer !== undefined ? unwrap(member.initializer) : undefined;
    return held !== undefined && isFunctionNode(held) ? held : undefined;
  }
  return undefined;
}

/** A function, or an imported name that says that it handles requests: an imported application must not be taken for a listener. */
function isListener(node: ts.Node, file: TypeScriptFile): boolean {
  if (functionOf(node, file) !== undefined) return true;
  const value = unwrap(node);
  if (!ts.isIdentifier(value) && !ts.isPropertyAccessExpression(value)) return false;
  const name = ts.isIdentifier(value) ? value.text : value.name.text;
  const imported = ts.isIdentifier(value) ? declarationOf(value, file)?.kind === 'import' : true;
  return imported && /^(?:handle\w*|\w*handler|\w*listener|on\w*request|serve\w*request)$/i.test(name);
}

const read = remembered((file, has): HostFile => {
  if (!/\bhttps?2?\b|node:https?/.test(file.text)) return NOTHING_SERVED;
  const served = listenersOf(file).flatMap((listener) => servedBy(listener, file, has));
  const listens: HostFile['listens'][number][] = [];
  eachNode(file.tree, (node) => {
    const receiver = ts.isCallExpression(node) && calledMember(node) === 'listen' ? receiverOf(node) : undefined;
    const app = receiver === undefined ? undefined : appBehind(receiver, file, server);
    // A server around an application of a framework is that framework's.
    if (app === undefined || !served.some((entry) => entry.app?.name === app.symbol.name)) return;
    listens.push({ node, app: app.symbol, ...listenAddress(node as ts.CallExpression, file) });
  });
  return { served, listens };
});

function servedBy(listener: Listener, file: TypeScriptFile, has: (path: string) => boolean): readonly Served[] {
  const { call, node, fn, app } = listener;
  const symbol = handlerSymbol(node, file, has);
  const common = { verbs: ['ALL'], pathNode: undefined, app, form: 'node', middleware: [], guards: [], parser: 'none' } as const;
  const whole = (path: string | undefined): Served => ({ ...common, node: call, path, handler: symbol, handlerNode: node });
  if (fn === undefined) return [whole(undefined)];
  const branches = branchesOf(fn, file);
  const paths = [...new Set(branches.map(({ path }) => path))];
  // A part without a test of the path serves them all.
  if (paths.length <= 1 || paths.includes(undefined)) return [whole(paths.length === 1 ? paths[0] : undefined)];
  return paths.flatMap((path) => {
    const own = branches.filter((branch) => branch.path === path);
    return own.map((branch) => servedBranch(branch, common, file, has));
  });
}

/** Several MCP paths in one listener, e.g. `/mcp` beside `/sse`: each is served by what its branch calls. */
function servedBranch(
  branch: Branch,
  common: Pick<Served, 'verbs' | 'pathNode' | 'app' | 'form' | 'middleware' | 'guards' | 'parser'>,
  file: TypeScriptFile,
  has: (path: string) => boolean,
): Served {
  const [only, ...others] = branch.calls;
  const callee = only !== undefined && others.length === 0 ? handlerSymbol(calledEntry(only, file) ?? only.expression, file, has) : undefined;
  return { ...common, node: branch.node, path: branch.path, handler: callee, handlerNode: branch.node };
}

/** What a file with a raw Node server serves. */
export const nodeHttpFile = read;

/** `node:http`, `node:https` and `node:http2` servers with a listener of their own. */
export const nodeHttp = hostOf('node-http', 'Node HTTP server', ['createServer', 'createSecureServer', 'node:http', 'node:https'], read);
