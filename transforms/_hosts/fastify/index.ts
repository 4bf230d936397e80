import { ts } from 'ts-morph';
import type { FactOf, SymbolRef } from '../../../src/core/index.js';
import { type TypeScriptFile, constantOf, declarationOf, eachNode, originOf, symbolOfDeclaration } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, receiverOf, unwrap, wrapped } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { listenAddress } from '../address.js';
import { type AppKind, appBehind } from '../apps.js';
import { hostOf, remembered } from '../emit.js';
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

const fastifyApp: AppKind = {
  builds: (_node, origin) => origin?.module === 'fastify' && /^(?:default|\*|fastify)$/.test(origin.name),
  typed: (origin) => origin.module === 'fastify' && /(?:^|\.)FastifyInstance$/.test(origin.name),
  chained: new Set([
    'register',
    'addHook',
    'decorate',
    'decorateRequest',
    'decorateReply',
    'after',
    'withTypeProvider',
    'setErrorHandler',
    'setNotFoundHandler',
    ...Object.keys(VERBS),
    'route',
  ]),
  handed: pluginOf,
};

/** The first parameter of a plugin is an encapsulated instance: of `app.register(async (instance) => …)`, of `fp(…)`, of a typed plugin. */
function pluginOf(parameter: ts.ParameterDeclaration, file: TypeScriptFile): SymbolRef | undefined {
  const fn = parameter.parent;
  if (!isFunctionNode(fn) || fn.parameters[0] !== parameter) return undefined;
  const declaration = ts.isIdentifier(parameter.name) ? declarationOf(parameter.name, file) : undefined;
  if (declaration === undefined) return undefined;
  const outer = wrapped(fn).parent;
  const holder = ts.isVariableDeclaration(outer) ? outer : undefined;
  const type = holder?.type !== undefined && ts.isTypeReferenceNode(holder.type) ? originOf(holder.type.typeName, file) : undefined;
  const typed = type?.module === 'fastify' && type.name.startsWith('FastifyPlugin');
  const wrappedPlugin = ts.isCallExpression(outer) && originOf(unwrap(outer.expression), file)?.module === 'fastify-plugin';
  return typed || wrappedPlugin || isRegistered(fn, file) ? symbolOfDeclaration(declaration, file) : undefined;
}

/** Is a function handed to `register` of an instance, in place or by its name? */
function isRegistered(fn: ts.Node, file: TypeScriptFile): boolean {
  return registrationsOf(file).some(({ plugin }) => plugin === fn);
}

interface Registered {
  readonly call: ts.CallExpression;
  readonly plugin: ts.Node;
  readonly prefix: string | undefined;
}

const registered = new WeakMap<TypeScriptFile, readonly Registered[]>();

/** `x.register(plugin, { prefix })` with a function of this file. Who `x` is, is asked by the caller. */
function registrationsOf(file: TypeScriptFile): readonly Registered[] {
  const known = registered.get(file);
  if (known !== undefined) return known;
  const found: Registered[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || calledMember(node) !== 'register') return;
    const [first, second] = node.arguments;
    const value = first === undefined ? undefined : unwrap(first);
    const plugin = value === undefined ? undefined : isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : undefined;
    if (plugin === undefined) return;
    const prefix = readOptions(second, file).values.get('prefix');
    const text = prefix === undefined ? '' : constantOf(prefix, file);
    found.push({ call: node, plugin, prefix: typeof text === 'string' ? text : undefined });
  });
  registered.set(file, found);
  return found;
}

/** Prefixes of the plugins around a registration. */
function prefixAround(node: ts.Node, file: TypeScriptFile): string | undefined {
  let prefix: string | undefined = '';
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    const owner = isFunctionNode(at) ? registrationsOf(file).find(({ plugin }) => plugin === at) : undefined;
    if (owner !== undefined) prefix = owner.prefix === undefined || prefix === undefined ? undefined : owner.prefix + prefix;
  }
  return prefix;
}

const AUTH = /auth|verify|jwt|bearer|guard|token|protect/i;

const read = remembered((file, has): HostFile => {
  if (!/\bfastify\b/i.test(file.text)) return NOTHING_SERVED;
  const served: Served[] = [];
  const listens: HostFile['listens'][number][] = [];
  const guards: (HostGuard & { readonly app: SymbolRef | undefined })[] = [];
  const parser = parserOf(file);
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const method = calledMember(node);
    const receiver = receiverOf(node);
    if (
      method === undefined ||
      receiver === undefined ||
      !(method in VERBS || method === 'route' || method === 'listen' || method === 'register' || method === 'addHook')
    )
      return;
    const app = appBehind(receiver, file, fastifyApp);
    if (app === undefined) return;
    if (method === 'listen') {
      // Without an address Fastify listens on this machine only.
      listens.push({ node, app: app.symbol, ...listenAddress(node, file, 'loopback') });
      return;
    }
    if (method === 'register' || method === 'addHook') {
      const guard = guardOf(node, method, file);
      if (guard !== undefined) guards.push({ ...guard, app: app.symbol });
      return;
    }
    const route = method === 'route' ? routeObject(node, file) : shorthand(node, method, file);
    if (route === undefined) return;
    const prefix = prefixAround(node, file);
    const path = route.path === undefined || prefix === undefined ? undefined : join(prefix, route.path);
    served.push({
      node,
      verbs: route.verbs,
      path,
      pathNode: route.pathNode,
      app: app.symbol,
      handler: handlerSymbol(route.handler, file, has),
      handlerNode: route.handler,
      form: 'fastify',
      middleware: route.hooks,
      guards: route.hooks.flatMap((hook) => (AUTH.test(file.textOf(hook)) ? [{ node: hook, what: 'authentication', allows: [] } as const] : [])),
      parser,
    });
  });
  return { served, listens, guards };
});

const join = (prefix: string, path: string): string => {
  const joined = `${prefix}/${path}`.replace(/\/{2,}/g, '/');
  return joined.length > 1 ? joined.replace(/\/$/, '') : joined;
};

interface Route {
  readonly verbs: readonly string[];
  readonly path: string | undefined;
  readonly pathNode: ts.Node | undefined;
  readonly handler: ts.Node;
  readonly hooks: readonly ts.Node[];
}

const HOOKS = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const;

const hooksOf = (options: ReadonlyMap<string, ts.Node>): readonly ts.Node[] => HOOKS.flatMap((name) => options.get(name) ?? []);

/** `app.post(path, options?, handler)`. */
function shorthand(call: ts.CallExpression, method: string, file: TypeScriptFile): Route | undefined {
  const [first, ...rest] = call.arguments;
  const handler = rest.at(-1);
  if (first === undefined) return undefined;
  const options = readOptions(rest[0] !== undefined && ts.isObjectLiteralExpression(unwrap(rest[0])) ? rest[0] : undefined, file).values;
  const answer = handler !== undefined && ts.isObjectLiteralExpression(unwrap(handler)) ? options.get('handler') : handler;
  const path = constantOf(first, file);
  return answer === undefined
    ? undefined
    : { verbs: [VERBS[method] ?? 'ALL'], path: typeof path === 'string' ? path : undefined, pathNode: first, handler: answer, hooks: hooksOf(options) };
}

/** `app.route({ method, url, handler })`. */
function routeObject(call: ts.CallExpression, file: TypeScriptFile): Route | undefined {
  const { values } = readOptions(call.arguments[0], file);
  const handler = values.get('handler');
  const url = values.get('url') ?? values.get('path');
  const method = values.get('method');
  if (handler === undefined || url === undefined) return undefined;
  const list = method === undefined ? [] : ts.isArrayLiteralExpression(unwrap(method)) ? [...(unwrap(method) as ts.ArrayLiteralExpression).elements] : [method];
  const verbs = list.map((entry) => constantOf(entry, file)).filter((verb): verb is string => typeof verb === 'string');
  const path = constantOf(url, file);
  return {
    verbs: verbs.length > 0 ? verbs.map((verb) => verb.toUpperCase()) : ['ALL'],
    path: typeof path === 'string' ? path : undefined,
    pathNode: url,
    handler,
    hooks: hooksOf(values),
  };
}

/** Plugins and hooks that guard all routes of an instance. */
function guardOf(call: ts.CallExpression, method: string, file: TypeScriptFile): HostGuard | undefined {
  const target = call.arguments[method === 'addHook' ? 1 : 0];
  if (target === undefined) return undefined;
  const module = originOf(unwrap(ts.isCallExpression(unwrap(target)) ? (unwrap(target) as ts.CallExpression).expression : target), file)?.module ?? '';
  const name = file.textOf(target);
  const is = (what: FactOf<'guard'>['what'], allows: readonly string[] = []): HostGuard => ({ node: call, what, allows });
  if (/^@fastify\/cors$|^fastify-cors$/.test(module)) return is('cors');
  if (module.includes('rate-limit')) return is('rate-limit');
  if (/@fastify\/(?:jwt|auth|basic-auth|bearer-auth|oauth2)$/.test(module)) return is('authentication');
  if (/OriginValidation/i.test(name)) return is('origin');
  if (/HostValidation|HostHeaderValidation/i.test(name)) return is('host');
  if (method === 'addHook' && /origin/i.test(name) && /\b403\b/.test(name)) return is('origin');
  return method === 'addHook' && (AUTH.test(name.slice(0, 80)) || (/authorization/i.test(name) && /\b40[13]\b/.test(name))) ? is('authentication') : undefined;
}

/** Fastify parses JSON by itself, unless the parsers are taken out or a raw one is put in. */
function parserOf(file: TypeScriptFile): Served['parser'] {
  return /removeAllContentTypeParsers|removeContentTypeParser|addContentTypeParser/.test(file.text) ? 'unknown' : 'before';
}

/** What a file with a Fastify instance serves. */
export const fastifyFile = read;

/** Fastify: routes in both spellings, encapsulated plugins with their prefixes, hooks, `listen`. */
export const fastify = hostOf('fastify', 'Fastify', ['fastify'], read);
