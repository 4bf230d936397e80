import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../src/core/index.js';
import { type TypeScriptFile, constantOf, declarationOf, eachNode, originOf, symbolOf } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, isWithin, receiverOf, unwrap, wrapped } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { listenAddress, serveAddress } from '../address.js';
import { type AppKind, type HostApp, appBehind } from '../apps.js';
import { hostOf, remembered } from '../emit.js';
import { servesOf } from '../fetch/serve.js';
import { type HostFile, type HostGuard, NOTHING_SERVED, type Served, handlerSymbol } from '../served.js';

const VERBS: Readonly<Record<string, string>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  all: 'ALL',
  options: 'OPTIONS',
  head: 'HEAD',
};

const elysiaApp: AppKind = {
  builds: (node, origin) => ts.isNewExpression(node) && origin?.module === 'elysia' && /^(?:default|Elysia)$/.test(origin.name),
  typed: (origin) => origin.module === 'elysia' && /(?:^|\.)(?:Any)?Elysia$/.test(origin.name),
  chained: new Set([
    ...Object.keys(VERBS),
    'use',
    'onRequest',
    'onParse',
    'onTransform',
    'onBeforeHandle',
    'onAfterHandle',
    'onAfterResponse',
    'onError',
    'onStart',
    'onStop',
    'mapResponse',
    'derive',
    'resolve',
    'guard',
    'group',
    'decorate',
    'state',
    'model',
    'macro',
    'as',
    'listen',
    'mount',
    'ws',
  ]),
  handed: groupedApp,
};

/** `group(path, (app) => …)` and `guard(hooks, (app) => …)` hand an application to a function. */
function groupedApp(parameter: ts.ParameterDeclaration, file: TypeScriptFile): SymbolRef | undefined {
  const call = isFunctionNode(parameter.parent) ? wrapped(parameter.parent).parent : undefined;
  if (call === undefined || !ts.isCallExpression(call) || !/^(?:group|guard|use)$/.test(calledMember(call) ?? '')) return undefined;
  const receiver = receiverOf(call);
  return receiver === undefined ? undefined : appBehind(receiver, file, elysiaApp)?.symbol;
}

const GUARDS: Readonly<Record<string, HostGuard['what']>> = { '@elysiajs/cors': 'cors', 'elysia-rate-limit': 'rate-limit' };
const AUTH = /auth|verify|jwt|bearer|token|protect/i;
const HOOKS = /^on(?:Request|BeforeHandle)$/;

const read = remembered((file, has): HostFile => {
  if (!file.text.includes('elysia')) return NOTHING_SERVED;
  const served: Served[] = [];
  const listens: HostFile['listens'][number][] = [];
  const guards: (HostGuard & { readonly app: SymbolRef | undefined })[] = [];
  const mounts: Mount[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const method = calledMember(node);
    const receiver = receiverOf(node);
    if (method === undefined || receiver === undefined || !(method in VERBS || method === 'listen' || method === 'use' || HOOKS.test(method))) return;
    const app = appBehind(receiver, file, elysiaApp);
    if (app === undefined) return;
    const [first, handler, hooks] = node.arguments;
    if (method === 'listen') {
      const address = first !== undefined && ts.isObjectLiteralExpression(unwrap(first)) ? serveAddress(first, file) : listenAddress(node, file);
      listens.push({ node, app: app.symbol, ...address });
      return;
    }
    if (first === undefined) return;
    if (HOOKS.test(method) || method === 'use') {
      const guard = guardOf(node.arguments.at(-1) ?? first, file);
      if (guard !== undefined) guards.push({ ...guard, app: app.symbol });
      const local = method === 'use' && ts.isIdentifier(unwrap(first)) ? appBehind(first, file, elysiaApp) : undefined;
      if (local !== undefined) mounts.push({ inner: local.symbol, outer: app.symbol, prefix: withPrefix('/', app, node, file) });
      const mounted = method === 'use' ? importedApp(first, file, has) : undefined;
      if (mounted !== undefined) served.push({ ...common(app, node), verbs: ['ALL'], path: '/', pathNode: undefined, handler: mounted, handlerNode: first });
      return;
    }
    if (handler === undefined) return;
    const path = constantOf(first, file);
    served.push({
      ...common(app, node),
      verbs: [VERBS[method] ?? 'ALL'],
      path: typeof path === 'string' ? withPrefix(path, app, node, file) : undefined,
      pathNode: first,
      handler: handlerSymbol(handler, file, has),
      handlerNode: handler,
      guards: hooksOf(hooks, file).flatMap((hook) => guardOf(hook, file) ?? []),
    });
  });
  for (const serve of servesOf(file)) {
    const target = serve.fetch === undefined ? undefined : unwrap(serve.fetch);
    const holder = target !== undefined && ts.isPropertyAccessExpression(target) && /^(?:fetch|handle)$/.test(target.name.text) ? target.expression : target;
    const app = holder === undefined ? undefined : appBehind(holder, file, elysiaApp);
    if (app !== undefined) listens.push({ node: serve.node, app: app.symbol, ...serve.address });
  }
  return { served: served.map((entry) => mountedBy(mounts, entry)), listens, guards };
});

// Elysia reads the body when a handler names it, which is why the name is then handed to the transport.
const common = (app: HostApp, node: ts.Node): Pick<Served, 'node' | 'app' | 'form' | 'middleware' | 'guards' | 'parser'> => ({
  node,
  app: app.symbol,
  form: 'elysia',
  middleware: [],
  guards: [],
  parser: 'none',
});

/** `app.use(routes)` with an application of the same file. */
interface Mount {
  readonly inner: SymbolRef;
  readonly outer: SymbolRef;
  /** Of the outer application and its groups; `undefined` when it is no literal. */
  readonly prefix: string | undefined;
}

/** A registration as the application serves it that its own one is mounted in; mounted twice, it stays with its own. */
function mountedBy(mounts: readonly Mount[], served: Served, depth = 0): Served {
  const [mount, second] = mounts.filter(({ inner }) => inner.name === served.app?.name);
  if (mount === undefined || second !== undefined || depth > 8) return served;
  const path = mount.prefix === undefined || served.path === undefined ? undefined : joined([mount.prefix, served.path]);
  return mountedBy(mounts, { ...served, app: mount.outer, path }, depth + 1);
}

/** An application of another file that `use` mounts. */
const importedApp = (node: ts.Node, file: TypeScriptFile, has: (path: string) => boolean): SymbolRef | undefined => {
  const value = unwrap(node);
  if (!ts.isIdentifier(value) || declarationOf(value, file)?.kind !== 'import') return undefined;
  const symbol = symbolOf(value, file, has);
  return symbol?.file === file.path ? undefined : symbol;
};

/** `new Elysia({ prefix })` and the groups around a registration put prefixes in front. */
function withPrefix(path: string, app: HostApp, at: ts.Node, file: TypeScriptFile): string | undefined {
  const prefixes: (string | undefined)[] = [];
  for (let node = at; node.parent !== undefined; node = node.parent) {
    const { parent } = node;
    if (!ts.isCallExpression(parent) || calledMember(parent) !== 'group' || !parent.arguments.some((argument) => isWithin(at, argument))) continue;
    const receiver = receiverOf(parent);
    if (receiver !== undefined && parent.arguments[0] !== undefined && appBehind(receiver, file, elysiaApp) !== undefined)
      prefixes.unshift(text(parent.arguments[0], file));
  }
  const options = readOptions(app.made?.arguments?.[0], file);
  const own = options.values.get('prefix');
  if (own !== undefined) prefixes.unshift(text(own, file));
  if (prefixes.includes(undefined)) return undefined;
  return joined([...prefixes, path]);
}

const joined = (parts: readonly (string | undefined)[]): string => {
  const path = `/${parts.join('/')}`.replace(/\/{2,}/g, '/');
  return path.length > 1 ? path.replace(/\/$/, '') : path;
};

const text = (node: ts.Node, file: TypeScriptFile): string | undefined => {
  const constant = constantOf(node, file);
  return typeof constant === 'string' ? constant : undefined;
};

/** Functions that the hooks of a route run in front of its handler. */
function hooksOf(hooks: ts.Node | undefined, file: TypeScriptFile): readonly ts.Node[] {
  const value = readOptions(hooks, file).values.get('beforeHandle');
  const list = value === undefined ? undefined : unwrap(value);
  return list === undefined ? [] : ts.isArrayLiteralExpression(list) ? [...list.elements] : [list];
}

/** What a plugin or hook guards; told by the module that it comes from, else by its name and by the statuses that it answers. */
function guardOf(node: ts.Node, file: TypeScriptFile): HostGuard | undefined {
  const value = unwrap(node);
  const callee = ts.isCallExpression(value) ? unwrap(value.expression) : value;
  const origin = originOf(callee, file);
  const what = origin === undefined ? undefined : GUARDS[origin.module];
  if (what !== undefined) return { node, what, allows: what === 'cors' ? originsOf(value, file) : [] };
  const body = file.textOf(value);
  const named = ts.isIdentifier(callee) && origin?.module.startsWith('@elysiajs/') !== true ? callee.text : '';
  if (AUTH.test(named) || (/authorization/i.test(body) && /\b40[13]\b/.test(body))) return { node, what: 'authentication', allows: [] };
  return /['"]origin['"]/i.test(body) && /\b403\b/.test(body) ? { node, what: 'origin', allows: [] } : undefined;
}

/** Origins of `cors({ origin })`; `['*']` for any. */
function originsOf(node: ts.Node, file: TypeScriptFile): readonly string[] {
  const options = readOptions(ts.isCallExpression(node) ? node.arguments[0] : undefined, file);
  const value = options.values.get('origin');
  if (value === undefined) return options.complete ? ['*'] : [];
  const list = unwrap(value);
  return (ts.isArrayLiteralExpression(list) ? [...list.elements] : [list]).flatMap((entry) => text(entry, file) ?? []);
}

/** What a file with an Elysia application serves. */
export const elysiaFile = read;

/** Elysia on any runtime: routes with their groups and prefixes, hooks, plugins of other files, `listen`. */
export const elysia = hostOf('elysia', 'Elysia', ['elysia'], read);
