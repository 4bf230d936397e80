import { ts } from 'ts-morph';
import { constantOf, eachNode } from '../../../src/languages/typescript/index.js';
import { calledMember, receiverOf } from '../../_mcp/typescript/nodes.js';
import { listenAddress } from '../address.js';
import { type AppKind, appBehind } from '../apps.js';
import { hostOf, remembered } from '../emit.js';
import { type HostFile, NOTHING_SERVED, type Served, handlerSymbol } from '../served.js';

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
  typed: (origin) => origin.module === 'elysia' && /(?:^|\.)Elysia$/.test(origin.name),
  chained: new Set([
    ...Object.keys(VERBS),
    'use',
    'onRequest',
    'onBeforeHandle',
    'onError',
    'derive',
    'resolve',
    'guard',
    'group',
    'decorate',
    'state',
    'listen',
    'mount',
  ]),
};

const read = remembered((file, has): HostFile => {
  if (!file.text.includes('elysia')) return NOTHING_SERVED;
  const served: Served[] = [];
  const listens: HostFile['listens'][number][] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const method = calledMember(node);
    const receiver = receiverOf(node);
    if (method === undefined || receiver === undefined || !(method in VERBS || method === 'listen')) return;
    const app = appBehind(receiver, file, elysiaApp);
    if (app === undefined) return;
    if (method === 'listen') {
      listens.push({ node, app: app.symbol, ...listenAddress(node, file) });
      return;
    }
    const [first, handler] = node.arguments;
    const path = first === undefined ? undefined : constantOf(first, file);
    if (first === undefined || handler === undefined) return;
    served.push({
      node,
      verbs: [VERBS[method] ?? 'ALL'],
      path: typeof path === 'string' ? path : undefined,
      pathNode: first,
      app: app.symbol,
      handler: handlerSymbol(handler, file, has),
      handlerNode: handler,
      form: 'elysia',
      middleware: [],
      guards: [],
      // Elysia reads the body when the handler names it in its parameters.
      parser: 'unknown',
    });
  });
  return { served, listens };
});

/** Elysia: routes and `listen`. Its handlers are told, not rewritten. */
export const elysia = hostOf('elysia', 'Elysia', ['elysia'], read);
