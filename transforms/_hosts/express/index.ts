import type { FactOf, Host } from '../../../src/core/index.js';
import { eachNode } from '../../../src/languages/typescript/index.js';
import { ts } from 'ts-morph';
import { symbolOf } from '../../../src/languages/typescript/index.js';
import { unwrap } from '../../_mcp/typescript/nodes.js';
import { expressionOf } from '../emit.js';
import { listenOf } from './listen.js';
import { fullPaths, registrations } from './registrations.js';

import type { ExpressApp } from './apps.js';
import { knownApps } from './known-apps.js';

export { appOf, type ExpressApp } from './apps.js';
export { handlerOf, literals, middlewareOf, type Middleware } from './middleware.js';
export { fullPaths, registrations, type Registration } from './registrations.js';
export { listenOf, type Listen } from './listen.js';

const GUARDS: ReadonlySet<string> = new Set<FactOf<'guard'>['what']>(['authentication', 'origin', 'host', 'cors', 'body-parser', 'rate-limit']);

const assumed = (app: ExpressApp): { readonly assumed?: true } => (app.assumed === true ? { assumed: true } : {});

/** Express 4 and 5: routes with their middleware and body parser, `listen`, guards. Told by import provenance, never by the look of a call. */
export const express: Host = {
  id: 'express',
  title: 'Express',
  literals: ['express', 'createMcpExpressApp'],
  detect: {
    typescript: (file, report, around) => ({
      end() {
        const has = (path: string): boolean => around.has(path);
        const all = registrations(file, has);
        for (const registration of all) {
          const { call, app, verb, handler, middleware, parser } = registration;
          const [path, ...more] = fullPaths(registration, all);
          const covered = more.length === 0 && path !== undefined && path !== '/' && !/[:*]/.test(path) ? { path } : {};
          for (const guard of middleware) {
            if (GUARDS.has(guard.what))
              report.fact({
                type: 'guard',
                site: file.site(guard.node),
                what: guard.what as FactOf<'guard'>['what'],
                app: app.symbol,
                ...assumed(app),
                ...covered,
                allows: [...guard.allows],
              });
          }
          const last = call.arguments.at(-1);
          const mount =
            handler === undefined && verb === 'USE' && registration.mounts === undefined && last !== undefined ? symbolOf(unwrap(last), file, has) : undefined;
          // A router of another file: the engine joins its routes to this path.
          const mounted =
            mount !== undefined && mount.file !== file.path && middleware.at(-1)?.what === 'unknown' && !/middlewares?$/i.test(mount.name) ? mount : undefined;
          if (handler === undefined && mounted === undefined) continue;
          for (const path of fullPaths(registration, all)) {
            const symbol = handler?.symbol ?? mounted;
            report.fact({
              type: 'route',
              site: file.site(call),
              host: 'express',
              method: verb === 'USE' ? 'ALL' : verb,
              ...(path === undefined ? expressionOf(registration.pathNode, file) : { path }),
              app: app.symbol,
              ...assumed(app),
              ...(symbol ? { handler: symbol } : {}),
              ...(handler ? { handlerSpan: file.span(handler.node) } : {}),
              middleware: middleware.map(({ node }) => file.textOf(node)),
              parser,
            });
          }
        }
        for (const known of knownApps(file, all, has)) report.fact({ type: 'app', host: 'express', ...known });
        eachNode(file.tree, (node) => {
          const listen = ts.isCallExpression(node) ? listenOf(node, file, has) : undefined;
          if (listen === undefined) return;
          report.fact({
            type: 'listen',
            site: file.site(listen.call),
            host: 'express',
            app: listen.app.symbol,
            ...assumed(listen.app),
            ...(listen.address === undefined ? {} : { address: listen.address }),
            ...(listen.port === undefined ? {} : { port: listen.port }),
            exposure: listen.exposure,
          });
        });
      },
    }),
  },
};
