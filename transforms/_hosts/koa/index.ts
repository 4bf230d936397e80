import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../src/core/index.js';
import { type TypeScriptFile, constantOf, eachNode, originOf } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { listenAddress } from '../address.js';
import { type AppKind, appBehind } from '../apps.js';
import { hostOf, remembered } from '../emit.js';
import { branchesOf, calledEntry, touches } from '../node-http/branches.js';
import { type HostFile, type HostGuard, NOTHING_SERVED, type Served, handlerSymbol } from '../served.js';

const VERBS: Readonly<Record<string, string>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  del: 'DELETE',
  all: 'ALL',
  options: 'OPTIONS',
};
const ROUTERS = /^(?:@koa\/router|koa-router)$/;

const koaApp: AppKind = {
  builds: (node, origin) =>
    ts.isNewExpression(node) &&
    origin !== undefined &&
    (origin.module === 'koa' || ROUTERS.test(origin.module)) &&
    /^(?:default|\*|Koa|Router)$/.test(origin.name),
  typed: (origin) => origin.module === 'koa' || ROUTERS.test(origin.module),
  chained: new Set(['use', 'on', ...Object.keys(VERBS)]),
};

const PARSERS = /^(?:koa-bodyparser|@koa\/bodyparser|koa-body|koa-json-body)$/;
const AUTH = /auth|verify|jwt|bearer|token|protect/i;

const read = remembered((file, has): HostFile => {
  if (!/\bkoa\b/i.test(file.text)) return NOTHING_SERVED;
  const served: Served[] = [];
  const listens: HostFile['listens'][number][] = [];
  const guards: (HostGuard & { readonly app: SymbolRef | undefined })[] = [];
  let parser: Served['parser'] = 'none';
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const method = calledMember(node);
    const receiver = receiverOf(node);
    if (method === undefined || receiver === undefined || !(method in VERBS || method === 'use' || method === 'listen')) return;
    const app = appBehind(receiver, file, koaApp);
    if (app === undefined) return;
    if (method === 'listen') {
      listens.push({ node, app: app.symbol, ...listenAddress(node, file) });
      return;
    }
    const common = { app: app.symbol, form: 'koa', pathNode: undefined } as const;
    if (method === 'use') {
      const handler = node.arguments.at(-1);
      const guard = handler === undefined ? undefined : guardOf(handler, file);
      if (guard?.what === 'body-parser') parser = 'before';
      if (guard !== undefined) guards.push({ ...guard, app: app.symbol });
      const fn = handler === undefined ? undefined : functionOf(handler, file);
      if (handler === undefined || fn?.body === undefined) return;
      const branches = branchesOf(fn, file);
      if (touches(fn.body, file).length === 0 && branches.length === 0) return;
      const paths = [...new Set(branches.map(({ path }) => path))];
      if (paths.length > 1 && !paths.includes(undefined)) {
        for (const { node: block, path, calls } of branches) {
          const entry = calls.flatMap((call) => calledEntry(call, file) ?? [])[0];
          const symbol = entry === undefined ? undefined : handlerSymbol(entry, file, has);
          served.push({ ...common, node: block, verbs: ['ALL'], path, handler: symbol, handlerNode: block, middleware: [], guards: [], parser });
        }
        return;
      }
      served.push({
        ...common,
        node,
        verbs: ['ALL'],
        path: paths.length === 1 ? paths[0] : undefined,
        handler: handlerSymbol(handler, file, has),
        handlerNode: handler,
        middleware: [],
        guards: [],
        parser,
      });
      return;
    }
    const [first, ...rest] = node.arguments;
    const path = first === undefined ? undefined : constantOf(first, file);
    const handler = rest.at(-1);
    if (first === undefined || handler === undefined) return;
    const middle = rest.slice(0, -1);
    const own = middle.flatMap((entry) => guardOf(entry, file) ?? []);
    served.push({
      ...common,
      node,
      verbs: [VERBS[method] ?? 'ALL'],
      path: typeof path === 'string' ? prefixOf(app.made, file) + path : undefined,
      pathNode: first,
      handler: handlerSymbol(handler, file, has),
      handlerNode: handler,
      middleware: middle,
      guards: own,
      parser: own.some(({ what }) => what === 'body-parser') ? 'before' : parser,
    });
  });
  return { served, listens, guards };
});

/** `new Router({ prefix: '/api' })`. */
function prefixOf(made: ts.CallExpression | ts.NewExpression | undefined, file: TypeScriptFile): string {
  const prefix = readOptions(made?.arguments?.[0], file).values.get('prefix');
  const text = prefix === undefined ? undefined : constantOf(prefix, file);
  return typeof text === 'string' ? text : '';
}

function functionOf(node: ts.Node, file: TypeScriptFile): ReturnType<typeof localFunction> {
  const value = unwrap(node);
  if (isFunctionNode(value)) return value;
  return ts.isIdentifier(value) ? localFunction(value, file) : undefined;
}

function guardOf(node: ts.Node, file: TypeScriptFile): HostGuard | undefined {
  const value = unwrap(node);
  const callee = ts.isCallExpression(value) ? unwrap(value.expression) : value;
  const module = originOf(callee, file)?.module ?? '';
  if (module === '@koa/cors' || module === 'kcors') return { node, what: 'cors', allows: [] };
  if (PARSERS.test(module)) return { node, what: 'body-parser', allows: [] };
  if (module.includes('ratelimit')) return { node, what: 'rate-limit', allows: [] };
  if (/^koa-(?:jwt|basic-auth|passport)$/.test(module)) return { node, what: 'authentication', allows: [] };
  if (isFunctionNode(value) && touches(value, file).length > 0) return undefined;
  const text = file.textOf(value);
  if ((ts.isIdentifier(callee) && AUTH.test(callee.text)) || (/authorization/i.test(text) && /\b40[13]\b/.test(text)))
    return { node, what: 'authentication', allows: [] };
  return /['"]origin['"]/i.test(text) && /\b403\b/.test(text) ? { node, what: 'origin', allows: [] } : undefined;
}

/** What a file with a Koa application serves. */
export const koaFile = read;

/** Koa: middleware that tests the path itself, routes of its routers, body parsers, `listen`. */
export const koa = hostOf('koa', 'Koa', ['koa'], read);
