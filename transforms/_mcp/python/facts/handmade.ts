import type { FactSource, Report } from '../../../../src/core/index.js';
import {
  argumentsOf,
  calledName,
  calls,
  constantOf,
  decoratorsOf,
  enclosingFunction,
  functionRef,
  isFunction,
  stringValue,
  symbolOf,
  type PyNode,
  type PythonFile,
} from '../../../../src/languages/python/index.js';
import { isMcpMethod } from '../../methods.js';
import { messagesOf, type NamedMethod } from '../messages.js';
import { hasOwnPackage, nodesOf } from '../nodes.js';

const HOST = 'python';
const VERBS: Readonly<Record<string, string>> = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE', patch: 'PATCH' };
/** Calls that register a function under a path: `Route("/mcp", rpc)`, `router.add_post("/mcp", rpc)`. */
const REGISTERS = /^(?:Route|add_(?:api_)?route|add_url_rule|add_(?:get|post|put|delete|patch))$/;

/**
 * Servers and clients without the SDK: a server tells `initialize` and the methods of MCP apart, and reads lines from standard input or
 * is called by a web framework; a client builds `initialize` itself.
 */
export const pythonHandMade: FactSource = {
  id: 'python-hand-made',
  literals: { strong: [], weak: ['initialize'] },
  detect: {
    python: (file, report, around) => ({
      end() {
        if (!file.text.includes('initialize') || hasOwnPackage(file, around)) return;
        const { built, branches } = messagesOf(file);
        const serves =
          branches.some(({ method }) => method === 'initialize') && branches.some(({ method }) => isMcpMethod(method) && !method.startsWith('notifications/'));
        if (serves) {
          stdin(file, report);
          http(file, report, branches, (path) => around.has(path));
        } else client(file, report, built);
      },
    }),
  },
};

const withinOf = (node: PyNode, file: PythonFile) => {
  const fn = enclosingFunction(node);
  return fn ? { within: functionRef(fn, file) } : {};
};

/** The place where a server takes its messages from standard input. */
function stdin(file: PythonFile, report: Report<string>): void {
  if (/\bstdio_server\b/.test(file.text)) return;
  const imported = /\bfrom sys import\b[^\n]*\bstdin\b/.test(file.text);
  const input =
    nodesOf(file, 'attribute').find((node) => file.textOf(node) === 'sys.stdin') ??
    (imported ? nodesOf(file, 'identifier').find((node) => file.textOf(node) === 'stdin' && !(node.parent?.parent?.kind ?? '').includes('import')) : undefined);
  if (!input) return;
  report.fact({
    type: 'transport',
    site: file.site(input),
    ...withinOf(input, file),
    kind: 'stdio',
    className: 'sys.stdin',
    sessions: 'none',
    jsonResponse: 'off',
    eventStore: false,
    hooks: [],
  });
}

/** Routes of a web framework whose functions lead to where the messages are told apart. */
function http(file: PythonFile, report: Report<string>, branches: readonly NamedMethod[], has: (path: string) => boolean): void {
  const routes = [...decorated(file), ...registered(file, has)];
  if (routes.length === 0) return;
  for (const route of routes) report.fact(route);
  for (const definition of nodesOf(file, 'function_definition')) {
    if (!isFunction(definition)) continue;
    report.fact({ type: 'function', site: file.site(definition), symbol: functionRef(definition, file) });
    if (branches.some(({ method, span }) => method === 'initialize' && span.start >= definition.start && span.end <= definition.end))
      report.fact({ type: 'dispatch', site: file.site(definition), within: functionRef(definition, file), body: 'other' });
  }
  for (const { from, to, node } of calls(file, has)) if (from) report.fact({ type: 'call', site: file.site(node), from, to });
}

type RouteFact = Parameters<Report<string>['fact']>[0];

const routeOf = (site: PyNode, verb: string, path: string, file: PythonFile, handler: PyNode | undefined): RouteFact => ({
  type: 'route',
  site: file.site(site),
  host: HOST,
  method: verb,
  path,
  ...(handler && isFunction(handler) ? { handler: functionRef(handler, file) } : {}),
  middleware: [],
  parser: 'none',
});

/** Verbs that a registration names, else the one that its name says, else POST: what a message is sent with. */
function verbsOf(call: PyNode, name: string, file: PythonFile): readonly string[] {
  const methods = argumentsOf(call, file).keyword('methods')?.value;
  const listed = (methods?.children ?? []).flatMap((each) => stringValue(each, file)?.toUpperCase() ?? []);
  const own = VERBS[name.replace(/^add_/, '')];
  return listed.length > 0 ? listed : [own ?? 'POST'];
}

const pathIn = (call: PyNode, file: PythonFile): string | undefined => {
  const args = argumentsOf(call, file);
  const written = args.positional[0] ?? args.keyword('path')?.value;
  const path = written && constantOf(written, file);
  return typeof path === 'string' && path.startsWith('/') ? path : undefined;
};

/** `@app.post("/mcp")`, `@app.route("/mcp", methods=["POST"])`. */
const decorated = (file: PythonFile): readonly RouteFact[] =>
  nodesOf(file, 'function_definition').flatMap((definition) =>
    decoratorsOf(definition).flatMap((decorator) => {
      const name = decorator.kind === 'call' ? calledName(decorator, file) : undefined;
      const path = name !== undefined && /^(?:get|post|put|delete|patch|route|api_route)$/.test(name) ? pathIn(decorator, file) : undefined;
      return name === undefined || path === undefined ? [] : verbsOf(decorator, name, file).map((verb) => routeOf(decorator, verb, path, file, definition));
    }),
  );

/** `Route("/mcp", rpc, methods=["POST"])`, `app.router.add_post("/mcp", rpc)`. */
const registered = (file: PythonFile, has: (path: string) => boolean): readonly RouteFact[] =>
  nodesOf(file, 'call').flatMap((call) => {
    const name = calledName(call, file);
    const path = name !== undefined && REGISTERS.test(name) ? pathIn(call, file) : undefined;
    const args = argumentsOf(call, file);
    const target = args.positional[1] ?? args.keyword('endpoint')?.value ?? args.keyword('view_func')?.value;
    const handler = target && symbolOf(target, file, has);
    if (name === undefined || path === undefined || handler?.file !== file.path) return [];
    return verbsOf(call, name, file).map((verb) => ({ ...routeOf(call, verb, path, file, undefined), handler }) as RouteFact);
  });

/** Handshakes that a client makes itself, and the session id that it keeps from an answer. */
function client(file: PythonFile, report: Report<string>, built: readonly NamedMethod[]): void {
  const handshakes = built.filter(({ method, span }) => method === 'initialize' && !/^[\w.]*(?:handler|register)/i.test(file.text.slice(span.start, span.end)));
  if (handshakes.length === 0) return;
  for (const { span } of handshakes) report.fact({ type: 'client', site: file.site(span), what: 'handshake' });
  for (const text of nodesOf(file, 'string'))
    if (/^mcp-session-id$/i.test(stringValue(text, file) ?? ''))
      report.fact({ type: 'client', site: file.site(text), ...withinOf(text, file), what: 'session-id' });
}
