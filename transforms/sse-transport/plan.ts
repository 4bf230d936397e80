import { ts } from 'ts-morph';
import type { ImportNeed, Reason, TextEdit } from '../../src/core/index.js';
import { type TypeScriptFile, constantOf, eachNode } from '../../src/languages/typescript/index.js';
import { type Registration, fullPaths, registrations } from '../_hosts/express/index.js';
import { indentOf, linesAt, startWithComments } from '../_mcp/typescript/emit/edits.js';
import { freeName } from '../_mcp/typescript/emit/names.js';
import { laneMark } from '../_mcp/typescript/emit/needs.js';
import { planServer } from '../_mcp/typescript/factory/source.js';
import type { ServerPlan } from '../_mcp/typescript/factory/plan.js';
import { isFunctionNode, isWithin, receiverOf, statementOf, unwrap } from '../_mcp/typescript/nodes.js';
import { localFunction } from '../_mcp/typescript/servers.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { MODERN_REVISION } from '../_mcp/vocabulary.js';

/** The modern endpoint that can stand beside one stream, proved from the file of the stream. */
export interface ModernPlan {
  readonly ok: true;
  readonly stream: Registration;
  readonly statement: ts.Statement;
  readonly server: ServerPlan;
  /** Path of the new endpoint, mounts included. */
  readonly path: string;
  /** The same path as the route is written with. */
  readonly written: string;
}

/** Why no endpoint is added. */
export interface NoModernPlan {
  readonly ok: false;
  readonly reason: Reason;
}

const stop = (why: string, next: string, file: TypeScriptFile, node: ts.Node): NoModernPlan => ({ ok: false, reason: { why, next, sites: [file.site(node)] } });

const BY_HAND = 'Add `app.all(path, …)` with `createMcpHandler` and the function that builds the server, on a path that no old client uses.';

/** Plans the endpoint beside the route that constructs an HTTP+SSE transport. */
export function planModern(made: ts.NewExpression, file: TypeScriptFile, has: (path: string) => boolean): ModernPlan | NoModernPlan {
  const all = registrations(file, has);
  const handlerOf = (route: Registration): ts.Node | undefined => {
    const node = route.handler === undefined ? undefined : unwrap(route.handler.node);
    return node !== undefined && ts.isIdentifier(node) ? localFunction(node, file) : node;
  };
  const stream = all.find((route) => route.verb === 'GET' && isWithin(made, handlerOf(route) ?? route.call));
  const handler = stream === undefined ? undefined : handlerOf(stream);
  const statement = stream === undefined ? undefined : statementOf(stream.call);
  if (stream === undefined || handler === undefined || statement === undefined || !isFunctionNode(handler))
    return stop('the stream is opened by no route of Express that could be followed', BY_HAND, file, made);
  const paths = fullPaths(stream, all);
  const own = stream.pathNode === undefined ? undefined : constantOf(stream.pathNode, file);
  const [full] = paths;
  if (typeof own !== 'string' || paths.length !== 1 || full === undefined) return stop('the path of the stream is no literal', BY_HAND, file, stream.call);
  const connect = sessionCode(file).connects.find((call) => isWithin(call, handler));
  if (connect === undefined) return stop('the place where the server is connected was not found in the route', BY_HAND, file, made);
  const guard = guardBefore(handler, made);
  if (guard !== undefined)
    return stop(
      'the route checks the request itself, and the new endpoint would pass it by',
      'Move the check into middleware in front of the route.',
      file,
      guard,
    );
  const server = planServer(connect, file, { file, before: statement }, [], has);
  if (!server.ok) return server;
  if (server.moved.length > 0)
    return stop('the server is built inside of the route', 'Move its construction into a function without parameters.', file, connect);
  return { ok: true, stream, statement, server, path: modernPath(full), written: modernPath(own) };
}

/** `/api/sse` gives `/api/mcp`; other paths give `/mcp` beside them. */
const modernPath = (path: string): string => (/\/sse\/?$/.test(path) ? path.replace(/\/sse\/?$/, '/mcp') : '/mcp');

/** A statement in front of the transport that answers, refuses or waits. */
function guardBefore(handler: ts.FunctionLikeDeclaration, made: ts.Node): ts.Node | undefined {
  const { body } = handler;
  if (body === undefined || !ts.isBlock(body)) return undefined;
  let list: readonly ts.Statement[] = body.statements;
  for (;;) {
    const holder = list.find((statement) => isWithin(made, statement));
    if (holder === undefined) return undefined;
    for (const statement of list.slice(0, list.indexOf(holder))) {
      let found = false;
      eachNode(statement, (node) => {
        if (ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isAwaitExpression(node)) found = true;
        return !isFunctionNode(node);
      });
      if (found) return statement;
    }
    if (ts.isIfStatement(holder)) return holder;
    if (!ts.isTryStatement(holder) || !isWithin(made, holder.tryBlock)) return undefined;
    list = holder.tryBlock.statements;
  }
}

/** What stands in front of the new endpoint: checks of Host and Origin. */
export interface Fence {
  readonly lines: readonly string[];
  readonly middleware: string;
}

/** The endpoint in front of the stream, and the marks on the routes that stay. */
export function modernEdits(
  plan: ModernPlan,
  fence: Fence,
  date: string | undefined,
  file: TypeScriptFile,
  has: (path: string) => boolean,
): readonly TextEdit[] {
  const { stream, statement, server } = plan;
  const app = receiverOf(stream.call);
  const name = freeName('modern', file);
  const middleware = stream.middleware.map(({ node }) => `${file.textOf(node)}, `).join('');
  const path = file.quote + plan.written + file.quote;
  const lines = [
    ...server.declaration,
    `// MCP ${MODERN_REVISION} is answered here, and Streamable HTTP of earlier revisions without a session.`,
    `const ${name} = toNodeHandler(createMcpHandler(${server.async ? 'async ' : ''}() => ${server.expression}));`,
    ...fence.lines,
    `${app === undefined ? 'app' : file.textOf(app)}.all(${path}, ${fence.middleware}${middleware}(req, res) => void ${name}(req, res, req.body));`,
    '',
  ];
  const mark = `// ${laneMark(date)}: HTTP+SSE of 2024-11-05`;
  const edits = [insertAt(statement, [...lines, mark], file)];
  for (const route of messageRoutes(file, has)) {
    const own = statementOf(route.call);
    if (own !== undefined && own !== statement) edits.push(insertAt(own, [mark], file));
  }
  return edits;
}

/** Inserts lines in front of a statement and of the comments that stand on it. */
function insertAt(statement: ts.Statement, lines: readonly string[], file: TypeScriptFile): TextEdit {
  const start = startWithComments(statement, file);
  const indent = indentOf(statement, file);
  return { start, end: start, text: linesAt([...lines, ''], indent, file) + indent };
}

/** Routes that hand messages to an open stream. */
function messageRoutes(file: TypeScriptFile, has: (path: string) => boolean): readonly Registration[] {
  const posts = sessionCode(file).dispatches.filter(
    (call) => ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'handlePostMessage',
  );
  return registrations(file, has).filter((route) => posts.some((call) => isWithin(call, route.call)));
}

/** Names that the endpoint needs. */
export const modernImports = (plan: ModernPlan, file: TypeScriptFile): readonly ImportNeed[] => [
  ...plan.server.imports,
  { kind: 'import', file: file.path, module: '@modelcontextprotocol/node', name: 'toNodeHandler' },
  { kind: 'import', file: file.path, module: '@modelcontextprotocol/server', name: 'createMcpHandler' },
];
