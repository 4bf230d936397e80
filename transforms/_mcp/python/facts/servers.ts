import type { FactOf, FactSource, SymbolRef } from '../../../../src/core/index.js';
import {
  argumentsOf,
  calledName,
  constantOf,
  enclosingFunction,
  functionRef,
  isFunction,
  symbolOf,
  valueAt,
  type PyNode,
  type PythonFile,
} from '../../../../src/languages/python/index.js';
import { decoratorMethods, hasOwnPackage, nodesOf, receiverOf } from '../nodes.js';
import { relationOf, sdkPaths } from '../paths.js';
import { constructionsOf, familyOf, optionOf, startWays, switchOf, type ServerFamily, type StartWay } from '../servers.js';
import { pathsOf } from './paths.js';
import { HOST, listen, surroundings, type Scene } from './surroundings.js';
import { streamRoutes } from './sse.js';

/** Longest expression of a path that is kept: a longer one names nothing. */
const LONGEST = 60;
const MANAGER = 'mcp.server.streamable_http_manager.StreamableHTTPSessionManager';

/** Where clients of HTTP+SSE post their messages where nothing says otherwise. Source: defaults of SDK 1.28.1 and of `fastmcp` 3. */
const MESSAGES = '/messages/';
/** What the SDK serves where nothing says otherwise. Source: defaults of SDK 1.28.1 and of `fastmcp` 3. */
const PATHS: Readonly<Record<StartWay, string>> = { 'streamable-http': '/mcp', sse: '/sse', stdio: '' };
const PATH_OPTIONS: Readonly<Record<StartWay, readonly string[]>> = {
  'streamable-http': ['streamable_http_path', 'path'],
  sse: ['sse_path', 'path'],
  stdio: [],
};

const withinOf = (node: PyNode, file: PythonFile): { readonly within?: SymbolRef } => {
  const fn = enclosingFunction(node);
  return fn ? { within: functionRef(fn, file) } : {};
};

/** Servers, their transports, routes, addresses and guards, and the clients of Python code. Starts of SDK 2.x serve both eras. */
export const pythonServers: FactSource = {
  id: 'python-servers',
  literals: { strong: ['mcp.server', 'fastmcp', 'mcp.client', 'from mcp import'], weak: [] },
  detect: {
    python: (file, report, around) => ({
      end() {
        const relation = relationOf(file);
        if ((!relation.sdk && !relation.framework) || hasOwnPackage(file, around)) return;
        const scene: Scene = { file, report, around };
        for (const { call, family } of constructionsOf(file)) server(call, family, scene);
        for (const call of nodesOf(file, 'call')) {
          start(call, scene);
          manager(call, scene);
          streams(call, scene);
          surroundings(call, scene);
        }
        handlers(scene);
      },
    }),
  },
};

function server(call: PyNode, family: ServerFamily, { file, report, around }: Scene): void {
  const target = call.parent?.kind === 'assignment' ? call.parent.get('left') : undefined;
  const symbol = target && symbolOf(target, file, (path) => around.has(path));
  report.fact({
    type: 'server',
    site: file.site(call),
    ...withinOf(call, file),
    className: family === 'low-level' ? 'Server' : family === 'sdk-v2' ? 'MCPServer' : 'FastMCP',
    ...(symbol ? { symbol } : {}),
    scope: enclosingFunction(call) ? 'function' : 'module',
  });
  if (['auth', 'token_verifier', 'auth_server_provider'].some((name) => isGiven(argumentsOf(call, file).keyword(name)?.value, file)))
    report.fact({ type: 'guard', site: file.site(call), what: 'authentication', allows: [] });
}

const isGiven = (value: PyNode | undefined, file: PythonFile): boolean => value !== undefined && file.textOf(value) !== 'None';

function start(call: PyNode, scene: Scene): void {
  const { file } = scene;
  const method = calledName(call, file);
  const receiver = receiverOf(call);
  if (!receiver || method === undefined) return;
  const family = familyOf(receiver, file);
  if (!family || family === 'low-level') return;
  const address = optionOf(call, ['host'], file);
  for (const way of startWays(call, method, file)) {
    const stateless = switchOf(optionOf(call, ['stateless_http', 'stateless'], file), file, 'off');
    serve(call, way, family, scene, {
      sessions: stateless === 'on' ? 'none' : stateless === 'off' ? 'minted' : 'unknown',
      json: switchOf(optionOf(call, ['json_response'], file), file, 'off'),
      store: isGiven(optionOf(call, ['event_store'], file), file),
      path: optionOf(call, PATH_OPTIONS[way], file),
      server: receiver,
    });
    if (way !== 'stdio') listen(call, address, scene, method.startsWith('run') ? 'loopback' : 'unknown');
  }
}

interface Served {
  readonly sessions: FactOf<'transport'>['sessions'];
  readonly json: FactOf<'transport'>['jsonResponse'];
  readonly store: boolean;
  readonly path: PyNode | undefined;
  readonly server: PyNode | undefined;
}

/** What built a server object: the function of the repository that returned it, else the object itself. */
function builderOf(server: PyNode, file: PythonFile, has: (path: string) => boolean): SymbolRef | undefined {
  const given = server.kind === 'identifier' ? (file.bindings.of(server)?.sites.flatMap((site) => valueAt(site) ?? []) ?? []) : [];
  for (const value of given) {
    const callee = value.kind === 'call' && !constructionsOf(file).some(({ call }) => call === value) ? value.get('function') : undefined;
    const built = callee && symbolOf(callee, file, has);
    if (built) return built;
  }
  return symbolOf(server, file, has);
}

/** One transport, or the entry of SDK 2.x, and the routes that lead to it. */
function serve(call: PyNode, way: StartWay, family: ServerFamily, { file, report, around }: Scene, served: Served): void {
  const site = file.site(call);
  const within = withinOf(call, file);
  const both = way !== 'sse';
  if (family === 'sdk-v2' && both)
    report.fact({
      type: 'era',
      site,
      ...within,
      what: 'entry',
      legacy: served.sessions === 'none' ? 'stateless' : 'handler',
      lane: [],
      spans: [],
      serves: way === 'stdio' ? 'stdio' : 'http',
    });
  report.fact({
    type: 'transport',
    site,
    ...within,
    kind: way,
    className: calledName(call, file) ?? way,
    sessions: way === 'streamable-http' ? served.sessions : way === 'sse' ? 'minted' : 'none',
    jsonResponse: way === 'streamable-http' ? served.json : 'off',
    eventStore: served.store,
    hooks: [],
    ...(both ? { bothEras: true } : {}),
  });
  const handler = served.server && builderOf(served.server, file, (path) => around.has(path));
  const from = enclosingFunction(call);
  if (handler && from) report.fact({ type: 'call', site, from: functionRef(from, file), to: handler });
  if (way === 'stdio') return;
  const written = served.path && constantOf(served.path, file);
  const own = typeof written === 'string' ? written : served.path ? undefined : PATHS[way];
  const expression = served.path && own === undefined ? file.textOf(served.path).replace(/\s+/g, ' ') : '';
  const routed = (paths: readonly (string | undefined)[], verbs: readonly string[]): void => {
    for (const path of paths)
      for (const method of verbs)
        report.fact({
          type: 'route',
          site,
          host: HOST,
          method,
          ...(path === undefined
            ? expression !== '' && expression.length <= LONGEST
              ? { expression: way === 'sse' ? `${expression} (SSE)` : expression }
              : {}
            : { path }),
          ...(handler ? { handler } : {}),
          handlerSpan: file.span(call),
          middleware: [],
          parser: 'none',
        });
  };
  // The SDK routes all three verbs, with and without sessions. Measured with 1.28.1 and 2.3.0.
  routed(pathsOf(call, own, file), way === 'sse' ? ['GET'] : ['POST', 'GET', 'DELETE']);
  if (way !== 'sse') return;
  const given = optionOf(call, ['message_path'], file);
  const messages = given ? constantOf(given, file) : MESSAGES;
  routed(pathsOf(call, typeof messages === 'string' ? messages : undefined, file), ['POST']);
}

/** A session manager that is built by hand, and the route under which its app is mounted. */
function manager(call: PyNode, scene: Scene): void {
  const { file } = scene;
  const callee = call.get('function');
  if (!callee || !sdkPaths(callee, file).includes(MANAGER)) return;
  const args = argumentsOf(call, file);
  const stateless = switchOf(args.keyword('stateless')?.value ?? args.positional[3], file, 'off');
  serve(call, 'streamable-http', 'low-level', scene, {
    sessions: stateless === 'on' ? 'none' : stateless === 'off' ? 'minted' : 'unknown',
    json: switchOf(args.keyword('json_response')?.value ?? args.positional[2], file, 'off'),
    store: isGiven(args.keyword('event_store')?.value ?? args.positional[1], file),
    path: undefined,
    server: args.keyword('app')?.value ?? args.positional[0],
  });
}

/** Streams that a low-level server is run on: `stdio_server()`, `SseServerTransport("/messages")`. */
function streams(call: PyNode, { file, report }: Scene): void {
  const callee = call.get('function');
  const paths = callee ? sdkPaths(callee, file) : [];
  const site = file.site(call);
  if (paths.includes('mcp.server.stdio.stdio_server')) {
    report.fact({
      type: 'transport',
      site,
      ...withinOf(call, file),
      kind: 'stdio',
      className: 'stdio_server',
      sessions: 'none',
      jsonResponse: 'off',
      eventStore: false,
      hooks: [],
      bothEras: true,
    });
  } else if (paths.some((path) => path.endsWith('.SseServerTransport'))) {
    const [messages] = argumentsOf(call, file).positional;
    const path = messages && constantOf(messages, file);
    report.fact({
      type: 'transport',
      site,
      ...withinOf(call, file),
      kind: 'sse',
      className: 'SseServerTransport',
      sessions: 'minted',
      jsonResponse: 'off',
      eventStore: false,
      hooks: [],
    });
    if (typeof path === 'string')
      report.fact({ type: 'route', site, host: HOST, method: 'POST', path, handlerSpan: file.span(call), middleware: [], parser: 'none' });
    for (const route of streamRoutes(file))
      report.fact({
        type: 'route',
        site: file.site(route.node),
        host: HOST,
        method: 'GET',
        path: route.path,
        handler: functionRef(route.handler, file),
        handlerSpan: file.span(call),
        middleware: [],
        parser: 'none',
      });
  } else if (paths.some((path) => path === 'mcp.ClientSession' || path === 'mcp.client.Client') || (callee && isFrameworkClient(callee, file)))
    report.fact({ type: 'client', site, ...withinOf(call, file), what: 'sdk' });
}

const isFrameworkClient = (callee: PyNode, file: PythonFile): boolean => /^(?:fastmcp\.)?Client$/.test(file.textOf(callee)) && relationOf(file).framework;

/** Functions of the file, and those that a server calls because they were registered with it. */
function handlers({ file, report, around }: Scene): void {
  const has = (path: string): boolean => around.has(path);
  for (const definition of nodesOf(file, 'function_definition')) {
    if (!isFunction(definition)) continue;
    const to = functionRef(definition, file);
    report.fact({ type: 'function', site: file.site(definition), symbol: to });
    for (const { node, receiver } of decoratorMethods(definition, file)) {
      const from = receiver && symbolOf(receiver, file, has);
      if (from) report.fact({ type: 'call', site: file.site(node), from, to });
    }
  }
}
