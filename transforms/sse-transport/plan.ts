import { ts } from 'ts-morph';
import { type Reason, type TextEdit, modernPathOf } from '../../src/core/index.js';
import { type TypeScriptFile, constantOf } from '../../src/languages/typescript/index.js';
import { pathBeside } from '../_hosts/beside/path.js';
import { type Fence, applicationText, newRoute } from '../_hosts/express/beside.js';
import { type Registration, fullPaths, registrations } from '../_hosts/express/index.js';
import { insertAbove } from '../_mcp/typescript/emit/edits.js';
import { laneMark } from '../_mcp/typescript/emit/needs.js';
import { planServer } from '../_mcp/typescript/factory/source.js';
import type { ServerPlan } from '../_mcp/typescript/factory/plan.js';
import { isFunctionNode, isWithin, statementOf, unwrap } from '../_mcp/typescript/nodes.js';
import { localFunction } from '../_mcp/typescript/servers.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { MODERN_REVISION } from '../_mcp/vocabulary.js';
import { guardBefore } from './guard.js';

/** The modern endpoint that can stand beside one stream, proved from the file of the stream. */
export interface ModernPlan {
  readonly ok: true;
  readonly stream: Registration;
  readonly statement: ts.Statement;
  readonly server: ServerPlan;
  /** Path of the stream, mounts included. */
  readonly old: string;
  /** Path of the new endpoint, mounts included. */
  readonly path: string;
  /** The same path in the words of the code. */
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
  const path = pathBeside(stream.pathNode, full, (old) => modernPathOf({ transport: 'sse', path: old }) ?? old, file);
  if (path === undefined || applicationText(stream, file) === undefined) return stop('the path of the stream is no literal', BY_HAND, file, stream.call);
  return { ok: true, stream, statement, server, old: full, path: path.full, written: path.text };
}

/** The endpoint in front of the stream, and the marks on the routes that stay. */
export function modernEdits(
  plan: ModernPlan,
  fence: Fence,
  behind: readonly string[],
  modernOnly: boolean,
  date: string | undefined,
  file: TypeScriptFile,
  has: (path: string) => boolean,
): readonly TextEdit[] {
  const { stream, statement, server } = plan;
  const mark = `// ${laneMark(date)}: HTTP+SSE of 2024-11-05`;
  const messages = messageRoutes(file, has);
  const edits = [
    newRoute(
      {
        route: stream,
        middleware: middlewareOf(stream, messages, file),
        statement,
        path: plan.written,
        server,
        options: modernOnly ? `, { legacy: ${file.quote}reject${file.quote} }` : '',
        comment: `// MCP ${MODERN_REVISION} is answered here${modernOnly ? '' : ', and Streamable HTTP of earlier revisions without a session'}.`,
        fence,
        behind,
        mark,
      },
      file,
    ),
  ];
  for (const route of messages) {
    const own = statementOf(route.call);
    if (own !== undefined && own !== statement) edits.push(insertAbove(own, [mark], file));
  }
  return edits;
}

/** What guards the stream, and what guards its messages: a check that only one of both has stands in front of the new endpoint too. */
function middlewareOf(stream: Registration, messages: readonly Registration[], file: TypeScriptFile): readonly string[] {
  const all = [...stream.middleware, ...messages.flatMap((route) => route.middleware.filter(({ what }) => what !== 'body-parser'))];
  return [...new Set(all.map(({ node }) => file.textOf(node)))];
}

/** The routes that stay and are registered side by side, in the order of the text: the stream, and those of its messages. */
export function oldRoutes({ stream, statement }: ModernPlan, file: TypeScriptFile, has: (path: string) => boolean): readonly Registration[] {
  const beside = messageRoutes(file, has).filter(({ call }) => statementOf(call)?.parent === statement.parent);
  return [stream, ...beside.filter((route) => route !== stream)].sort((a, b) => a.call.pos - b.call.pos);
}

/** Routes that hand messages to an open stream. */
function messageRoutes(file: TypeScriptFile, has: (path: string) => boolean): readonly Registration[] {
  const posts = sessionCode(file).dispatches.filter(
    (call) => ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'handlePostMessage',
  );
  return registrations(file, has).filter((route) => posts.some((call) => isWithin(call, route.call)));
}
