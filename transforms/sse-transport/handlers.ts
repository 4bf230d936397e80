import { ts } from 'ts-morph';
import { type Endpoint, type FileChange, type Need, type Reason, type RewriteContext, modernPathOf } from '../../src/core/index.js';
import { type FunctionNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { settledBy } from '../_hosts/beside/elsewhere.js';
import { type Beside, besideOf } from '../_hosts/beside/index.js';
import { type EntryPlace, dialectOf, serveLines } from '../_hosts/entry/dialect.js';
import { bodyBefore } from '../_hosts/entry/body.js';
import { plainGuards } from '../_hosts/entry/guards.js';
import { announceInCode, codeOf } from '../_hosts/entry/removal.js';
import { bodyErrorHandler } from '../_hosts/fastify/body-errors.js';
import { type Served, handlersOfFile } from '../_hosts/index.js';
import { insertAbove, mergeInsertions } from '../_mcp/typescript/emit/edits.js';
import { freeName } from '../_mcp/typescript/emit/names.js';
import { laneMark, removalDate, sdkDependencies } from '../_mcp/typescript/emit/needs.js';
import type { ServerPlan } from '../_mcp/typescript/factory/plan.js';
import { planServer } from '../_mcp/typescript/factory/source.js';
import { isFunctionNode, isWithin, nameText, statementOf, unwrap } from '../_mcp/typescript/nodes.js';
import { localFunction } from '../_mcp/typescript/servers.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { MODERN_REVISION } from '../_mcp/vocabulary.js';
import { guardBefore } from './guard.js';

/** Hosts whose handlers can write to the response of Node, which the transport needs. */
const HOSTS = new Set(['fastify', 'hono', 'koa', 'node-http']);

/** The modern endpoint beside a stream that a handler of such a host opens, proved from the file of the stream. */
export interface HandlerPlan {
  readonly ok: true;
  readonly host: string;
  readonly stream: Served;
  /** Registrations that take the messages of open streams. */
  readonly messages: readonly Served[];
  readonly beside: Beside;
  readonly server: ServerPlan;
  readonly place: EntryPlace;
  readonly old: string;
  readonly path: string;
}

const stop = (why: string, next: string, file: TypeScriptFile, ...nodes: readonly ts.Node[]): { readonly ok: false; readonly reason: Reason } => ({
  ok: false,
  reason: { why, next, sites: nodes.map((node) => file.site(node)) },
});

/** Plans the endpoint beside the handler that constructs an HTTP+SSE transport; `undefined` when no handler of these hosts does. */
export function planHandlers(
  made: ts.NewExpression,
  file: TypeScriptFile,
  has: (path: string) => boolean,
): HandlerPlan | { readonly ok: false; readonly reason: Reason } | undefined {
  const [found] = handlersOfFile(file, has)
    .filter(({ host }) => HOSTS.has(host))
    .flatMap(({ host, served }) => served.flatMap((stream) => (holds(stream, made, file) ? [{ host, stream, all: served }] : [])));
  if (found === undefined) return undefined;
  const { host, stream, all } = found;
  const handler = bodyOf(stream, file);
  const connect = sessionCode(file).connects.find((call) => handler !== undefined && isWithin(call, handler));
  if (handler === undefined || connect === undefined)
    return stop('the place where the server is connected was not found in the route', 'Connect the server where the stream is opened.', file, made);
  const guard = guardBefore(handler, made);
  if (guard !== undefined)
    return stop('the route checks the request itself, and the new endpoint would pass it by', 'Move the check in front of the route.', file, guard);
  const posts = sessionCode(file).dispatches.filter(
    (call) => ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'handlePostMessage',
  );
  const messages = all.filter((served) => served !== stream && posts.some((post) => holds(served, post, file)));
  const own = new Set(optionsOf(stream).map((option) => file.textOf(option)));
  const stray = messages.flatMap((served) => optionsOf(served)).find((option) => !own.has(file.textOf(option)));
  if (stray !== undefined)
    return stop(
      'only the route of the messages has this option, and the new endpoint stands in front of both',
      'Give both routes the same options, or add the modern route by hand.',
      file,
      stray,
    );
  const middleware = [...stream.middleware, ...messages.flatMap((served) => served.middleware)];
  const shown = { ...stream, middleware: [...new Map(middleware.map((node) => [file.textOf(node), node])).values()] };
  const beside = besideOf(host, [shown], file, (old) => modernPathOf({ transport: 'sse', path: old }) ?? old, has);
  if (!beside.ok) return beside;
  if (beside.place === undefined) return stop('there is no place for the entry in this file', 'Add the modern route by hand.', file, made);
  const server = planServer(connect, file, { file, before: beside.place }, [], has);
  if (!server.ok) return server;
  if (server.moved.length > 0)
    return stop('the server is built inside of the route', 'Move its construction into a function without parameters.', file, connect);
  const body = bodyBefore(beside.shared, [], beside.names, beside.form, file);
  if (!body.ok) return stop(body.why, 'Read the body in the branches that need it.', file, ...body.nodes);
  // Koa keeps what a parser in front has read on its own request, and the stream of Node is empty then.
  const read =
    beside.form === 'koa' &&
    ([stream, ...messages].some(({ parser }) => parser === 'before') ||
      posts.some(({ arguments: [, , given] }) => given !== undefined && /\.request\.body\b/.test(file.textOf(given))));
  const parsed = read ? `${beside.names[0] ?? 'ctx'}.request.body` : body.use.parsed;
  const place: EntryPlace = { file, form: beside.form, names: beside.names, body: { ...body.use, parsed } };
  return { ok: true, host, stream, messages, beside, server, place, old: stream.path ?? '', path: beside.path };
}

/** What a registration runs: its function, or the branch of a listener. */
function bodyOf({ handlerNode }: Served, file: TypeScriptFile): FunctionNode | ts.Statement | undefined {
  const value = unwrap(handlerNode);
  if (isFunctionNode(value)) return value;
  if (ts.isIdentifier(value)) return localFunction(value, file);
  return ts.isStatement(value) ? value : undefined;
}

const holds = (served: Served, node: ts.Node, file: TypeScriptFile): boolean => isWithin(node, bodyOf(served, file) ?? served.handlerNode);

/** Options of a route of Fastify that decide about its requests: hooks, limits, constraints. */
function optionsOf({ form, node }: Served): readonly ts.Node[] {
  if (form !== 'fastify' || !ts.isCallExpression(node)) return [];
  const [first, second] = node.arguments;
  const object = [first, second]
    .map((argument) => (argument === undefined ? undefined : unwrap(argument)))
    .find((value) => value !== undefined && ts.isObjectLiteralExpression(value));
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return [];
  return object.properties.filter((property) => !/^(?:method|url|path|handler|schema)$/.test(nameText(property.name) ?? ''));
}

/** The code of the old routes: names that the new path must not be told apart from by checks elsewhere. */
export const settledRoutes = ({ beside, stream, messages }: HandlerPlan, file: TypeScriptFile): ReturnType<typeof settledBy>[] =>
  [...beside.repeated, ...beside.passed, ...beside.selectors, ...[stream, ...messages].map(({ node }) => node)].map((node) => settledBy(node, file));

/** What is written for a plan. */
export interface Written {
  readonly changes: readonly FileChange[];
  readonly needs: readonly Need[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
}

/** The endpoint in front of the stream, and the marks on the routes that stay. */
export function writeBeside(plan: HandlerPlan, endpoint: Endpoint, only: boolean, file: TypeScriptFile, context: RewriteContext): Written {
  const { beside, server, place, stream, messages } = plan;
  const web = dialectOf(beside.form).family === 'web';
  const name = freeName('modern', file);
  const extras = bodyErrorHandler({ endpoint, file, served: [stream] });
  const around = plainGuards(endpoint, file, beside.form, context, 'modern');
  const options = only ? `, { legacy: ${file.quote}reject${file.quote} }` : '';
  const entry = `createMcpHandler(${server.async ? 'async ' : ''}() => ${server.expression}${options})`;
  const mark = `// ${laneMark(removalDate(context))}: HTTP+SSE of 2024-11-05`;
  const branch = stream.pathNode === undefined;
  const written = beside.write({
    declared: [
      ...extras.lines,
      ...(extras.lines.length > 0 ? [''] : []),
      ...around.lines,
      ...server.declaration,
      `// MCP ${MODERN_REVISION} is answered on ${plan.path}${only ? '' : ', and Streamable HTTP of earlier revisions without a session'}.`,
      `const ${name} = ${web ? entry : `toNodeHandler(${entry})`};`,
    ],
    handled: serveLines(place, name, around.inHandler(place), !branch),
    mark,
    options: extras.name === undefined ? [] : [`errorHandler: ${extras.name}`],
  });
  const old = [stream, ...messages].flatMap((served) => {
    const code = bodyOf(served, file);
    if (code === undefined) return [];
    return [isFunctionNode(code) ? codeOf(code, file) : { file, nodes: [code], names: beside.names }];
  });
  const marks = messages.flatMap(({ node, pathNode }) => {
    const own = pathNode === undefined ? undefined : statementOf(node);
    return own === undefined || isWithin(stream.node, own) ? [] : [insertAbove(own, [mark], file)];
  });
  const edits = [
    ...written.changes.flatMap((change) => (change.kind === 'edit' ? change.edits : [])),
    ...marks,
    ...announceInCode(old, beside.form, context).flatMap((announced) => announced.edits),
  ];
  return {
    changes: [{ kind: 'edit', file: file.path, edits: mergeInsertions(edits) }],
    needs: [
      ...server.imports,
      ...written.needs,
      ...extras.needs,
      ...around.needs,
      { kind: 'import', file: file.path, module: '@modelcontextprotocol/server', name: 'createMcpHandler' },
      ...(web ? [] : [{ kind: 'import', file: file.path, module: '@modelcontextprotocol/node', name: 'toNodeHandler' } as const]),
      ...sdkDependencies(context, endpoint.package, ['@modelcontextprotocol/server', ...(web ? [] : ['@modelcontextprotocol/node'])]),
    ],
    todo: [...around.todo, ...extras.todo],
    notes: [...server.notes, ...around.notes, ...extras.notes],
  };
}
