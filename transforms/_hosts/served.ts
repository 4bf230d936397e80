import type { ts } from 'ts-morph';
import type { FactOf, Site, SymbolRef } from '../../src/core/index.js';
import { type TypeScriptFile, isFunctionNode, symbolOf, functionRef, unwrap } from '../../src/languages/typescript/index.js';

/**
 * How a host hands a request to a function:
 * - `node`: `(req, res)` of Node's HTTP server, the body unread;
 * - `node-parsed`: the same with a parsed `req.body` (Next.js pages, NestJS on Express);
 * - `fastify`: `(request, reply)`; `koa`: `(ctx)`; `hono`: `(c)` with `c.req.raw`;
 * - `web`: a web-standard `Request` as first parameter; `elysia`: an object with `request`;
 * - `event`: an event object of a platform, e.g. of Lambda.
 */
export type RequestForm = 'node' | 'node-parsed' | 'fastify' | 'koa' | 'hono' | 'web' | 'elysia' | 'event';

/** A guard in front of a handler, as `guard` facts tell it. */
export interface HostGuard {
  readonly node: ts.Node;
  readonly what: FactOf<'guard'>['what'];
  readonly allows: readonly string[];
}

/** A place where a host is told what answers requests: a call, an exported function, a decorated method, a branch on the path. */
export interface Served {
  /** The registration; its place identifies it between scan and rewrite. */
  readonly node: ts.Node;
  /** Upper-case verbs, `['ALL']` for every verb. */
  readonly verbs: readonly string[];
  /** With the prefixes that this file tells; `undefined` when it is no literal. */
  readonly path: string | undefined;
  /** The path as an expression that can be repeated in another registration. */
  readonly pathNode: ts.Node | undefined;
  /** The application or router, when there is one. */
  readonly app: SymbolRef | undefined;
  readonly handler: SymbolRef | undefined;
  /** What is handed to the host as handler; its text holds an inline handler. */
  readonly handlerNode: ts.Node;
  readonly form: RequestForm;
  readonly middleware: readonly ts.Node[];
  readonly guards: readonly HostGuard[];
  readonly parser: FactOf<'route'>['parser'];
}

/** Where a host accepts connections. */
export interface Listening {
  readonly node: ts.Node;
  readonly app: SymbolRef | undefined;
  readonly address: string | undefined;
  readonly port: string | undefined;
  readonly exposure: FactOf<'listen'>['exposure'];
}

/** What one file tells about one host. */
export interface HostFile {
  readonly served: readonly Served[];
  readonly listens: readonly Listening[];
  /** Guards that belong to an application and to no single registration. */
  readonly guards?: readonly (HostGuard & { readonly app: SymbolRef | undefined })[];
}

export const NOTHING_SERVED: HostFile = { served: [], listens: [] };

/** The declaration behind a handler expression: inline, named, imported, bound. */
export function handlerSymbol(node: ts.Node, file: TypeScriptFile, has: (path: string) => boolean): SymbolRef | undefined {
  const value = unwrap(node);
  return isFunctionNode(value) ? functionRef(value, file) : symbolOf(value, file, has);
}

/** Does a `route` fact stand at a registration? */
export const isAt = (served: Served, site: Site, file: TypeScriptFile): boolean =>
  site.file === file.path && served.node.getStart(file.tree) === site.span.start && served.node.end === site.span.end;
