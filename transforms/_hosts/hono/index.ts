import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../src/core/index.js';
import { type TypeScriptFile, constantOf, declarationOf, eachNode, originOf, symbolOf } from '../../../src/languages/typescript/index.js';
import { calledMember, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { type AppKind, appBehind } from '../apps.js';
import { hostOf, remembered } from '../emit.js';
import { servesOf } from '../fetch/serve.js';
import { type HostFile, type HostGuard, NOTHING_SERVED, type Served, handlerSymbol } from '../served.js';

const VERBS: Readonly<Record<string, string>> = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE', all: 'ALL', options: 'OPTIONS' };

const hono: AppKind = {
  builds: (node, origin) =>
    (ts.isNewExpression(node) &&
      origin !== undefined &&
      /^(?:hono|@hono\/zod-openapi|npm:hono|jsr:@hono\/hono)/.test(origin.module) &&
      /^(?:OpenAPI)?Hono$/.test(origin.name)) ||
    origin?.name === 'createMcpHonoApp',
  typed: (origin) => /^hono(?:\/|$)/.test(origin.module) && /(?:^|\.)Hono$/.test(origin.name),
  chained: new Set([...Object.keys(VERBS), 'use', 'on', 'route', 'basePath', 'mount', 'onError', 'notFound']),
};

const GUARDS: Readonly<Record<string, HostGuard['what']>> = {
  'hono/cors': 'cors',
  'hono/bearer-auth': 'authentication',
  'hono/basic-auth': 'authentication',
  'hono/jwt': 'authentication',
  'hono/jwk': 'authentication',
  'hono/csrf': 'origin',
  'hono-rate-limiter': 'rate-limit',
  'hono/body-limit': 'body-parser',
};

const AUTH = /auth|verify|jwt|bearer|token|protect/i;

const read = remembered((file, has): HostFile => {
  if (!/\bhono\b/i.test(file.text)) return NOTHING_SERVED;
  const served: Served[] = [];
  const guards: (HostGuard & { readonly app: SymbolRef | undefined })[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const method = calledMember(node);
    const receiver = receiverOf(node);
    if (method === undefined || receiver === undefined || !(method in VERBS || method === 'use' || method === 'on')) return;
    const app = appBehind(receiver, file, hono);
    if (app === undefined) return;
    const parts = [...node.arguments];
    if (method === 'use') {
      for (const argument of parts) {
        const guard = guardOf(argument, file);
        if (guard !== undefined) guards.push({ ...guard, app: app.symbol });
      }
      return;
    }
    const verbs = method === 'on' ? verbsOf(parts.shift(), file) : [VERBS[method] ?? 'ALL'];
    const pathNode = parts.shift();
    const handlerNode = parts.at(-1);
    if (pathNode === undefined || handlerNode === undefined) return;
    const middleware = parts.slice(0, -1);
    for (const path of pathsOf(pathNode, file).slice(0, 1))
      served.push({
        node,
        verbs,
        path: withPrefix(path, app.symbol, node, file),
        pathNode,
        app: app.symbol,
        handler: handlerSymbol(handlerNode, file, has),
        handlerNode,
        form: 'hono',
        middleware,
        guards: middleware.flatMap((entry) => guardOf(entry, file) ?? []),
        parser: 'none',
      });
  });
  const listens = servesOf(file).flatMap((serve) => {
    const target = serve.fetch === undefined ? undefined : unwrap(serve.fetch);
    const holder = target !== undefined && ts.isPropertyAccessExpression(target) && target.name.text === 'fetch' ? target.expression : target;
    const app = holder === undefined ? undefined : (appBehind(holder, file, hono)?.symbol ?? importedApp(holder, file, has));
    return app === undefined ? [] : [{ node: serve.node, app, ...serve.address }];
  });
  return { served, listens, guards };
});

/** `serve({ fetch: app.fetch })` with an application of another file. */
const importedApp = (node: ts.Node, file: TypeScriptFile, has: (path: string) => boolean): SymbolRef | undefined =>
  ts.isIdentifier(node) && declarationOf(node, file)?.kind === 'import' ? symbolOf(node, file, has) : undefined;

const verbsOf = (node: ts.Node | undefined, file: TypeScriptFile): readonly string[] => {
  const value = node === undefined ? undefined : unwrap(node);
  const list = value === undefined ? [] : ts.isArrayLiteralExpression(value) ? [...value.elements] : [value];
  return list
    .map((entry) => constantOf(entry, file))
    .filter((verb): verb is string => typeof verb === 'string')
    .map((verb) => verb.toUpperCase());
};

const pathsOf = (node: ts.Node, file: TypeScriptFile): readonly (string | undefined)[] => {
  const value = unwrap(node);
  const list = ts.isArrayLiteralExpression(value) ? [...value.elements] : [value];
  return list.map((entry) => {
    const path = constantOf(entry, file);
    return typeof path === 'string' ? path : undefined;
  });
};

/** `app.route('/api', router)` and `new Hono().basePath('/api')` in this file put a prefix in front. */
function withPrefix(path: string | undefined, app: SymbolRef, at: ts.Node, file: TypeScriptFile): string | undefined {
  let prefix: string | undefined = '';
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const method = calledMember(node);
    const [first, second] = node.arguments;
    if (method === 'route' && first !== undefined && second !== undefined && appBehind(second, file, hono)?.symbol.name === app.name)
      prefix = text(first, file);
    if (method === 'basePath' && first !== undefined && appBehind(node, file, hono)?.symbol.name === app.name && node !== at) prefix = text(first, file);
  });
  if (path === undefined || prefix === undefined) return undefined;
  const joined = `${prefix}/${path}`.replace(/\/{2,}/g, '/');
  return joined.length > 1 ? joined.replace(/\/$/, '') : joined;
}

const text = (node: ts.Node, file: TypeScriptFile): string | undefined => {
  const constant = constantOf(node, file);
  return typeof constant === 'string' ? constant : undefined;
};

/** What a middleware argument guards; told by the module that it comes from, else by its name. */
function guardOf(node: ts.Node, file: TypeScriptFile): HostGuard | undefined {
  const value = unwrap(node);
  const callee = ts.isCallExpression(value) ? unwrap(value.expression) : value;
  const origin = originOf(callee, file);
  const what = origin === undefined ? undefined : GUARDS[origin.module];
  if (what !== undefined) return { node, what, allows: what === 'cors' ? originsOf(value, file) : [] };
  if (/OriginValidation$/i.test(origin?.name ?? '')) return { node, what: 'origin', allows: [] };
  if (/Host(?:Header)?Validation$/i.test(origin?.name ?? '')) return { node, what: 'host', allows: [] };
  const name = ts.isIdentifier(callee) ? callee.text : '';
  const body = file.textOf(value);
  if (AUTH.test(name) || (/authorization/i.test(body) && /\b40[13]\b/.test(body))) return { node, what: 'authentication', allows: [] };
  return /['"]origin['"]/i.test(body) && /\b403\b/.test(body) ? { node, what: 'origin', allows: [] } : undefined;
}

/** Origins of `cors({ origin })`; `['*']` for any. */
function originsOf(node: ts.Node, file: TypeScriptFile): readonly string[] {
  if (!ts.isCallExpression(node)) return [];
  const options = readOptions(node.arguments[0], file);
  const value = options.values.get('origin');
  if (value === undefined) return options.complete ? ['*'] : [];
  const list = unwrap(value);
  const entries = ts.isArrayLiteralExpression(list) ? [...list.elements] : [list];
  return entries.flatMap((entry) => text(entry, file) ?? []);
}

/** What a file with a Hono application serves. */
export const honoFile = read;

/** Hono on any runtime: routes, middleware, mounted routers, what serves the application. */
export const honoHost = hostOf('hono', 'Hono', ['hono'], read);
