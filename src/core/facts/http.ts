import { z } from 'zod';
import { Span } from '../span.js';
import { SymbolRef, at } from './place.js';

/** A route registration of an HTTP framework. */
export const RouteFact = z.object({
  type: z.literal('route'),
  ...at,
  host: z.string(),
  /** Upper-case HTTP verb, or `ALL` for a handler of every verb. */
  method: z.string(),
  /** Path as written, with router mounts joined when they are known; `undefined` when it is not a literal. */
  path: z.string().optional(),
  /** Source text of a path that is no literal: routes that are registered under one expression are one path. */
  expression: z.string().optional(),
  app: SymbolRef.optional(),
  /** The file does not show what `app` is: the route counts only when an `app` fact of this host names it. */
  assumed: z.boolean().optional(),
  handler: SymbolRef.optional(),
  handlerSpan: Span.optional(),
  /** Source text of the middleware arguments between path and handler. */
  middleware: z.array(z.string()).readonly(),
  /** Is a JSON body parser proved to run before this handler? */
  parser: z.enum(['before', 'none', 'unknown']),
});

/**
 * A name under which an application or router of a framework is known: its own, or a parameter that it is handed to
 * (`function#0`). Tells whose routes are registered in files that do not build the application.
 */
export const AppFact = z.object({
  type: z.literal('app'),
  ...at,
  host: z.string(),
  symbol: SymbolRef,
  /** The application that stands behind the name, itself included. */
  root: SymbolRef,
  /** Path under which the name's routes answer on `root`, when it is a router that is mounted in this file. */
  prefix: z.string().optional(),
});

/** `listen(port, address)`. `loopback` only when the address is a loopback literal. */
export const ListenFact = z.object({
  type: z.literal('listen'),
  ...at,
  host: z.string(),
  app: SymbolRef.optional(),
  /** As of a route: it counts only when an `app` fact names `app`. */
  assumed: z.boolean().optional(),
  address: z.string().optional(),
  port: z.string().optional(),
  exposure: z.enum(['loopback', 'public', 'unknown']),
});

/** Something that guards requests in front of the handlers. */
export const GuardFact = z.object({
  type: z.literal('guard'),
  ...at,
  what: z.enum(['authentication', 'origin', 'host', 'cors', 'body-parser', 'rate-limit']),
  app: SymbolRef.optional(),
  /** The path that it stands in front of, with what lies below; absent when it stands in front of the whole application, or of a path that is no literal. */
  path: z.string().optional(),
  /** As of a route: it counts only when an `app` fact names `app`. */
  assumed: z.boolean().optional(),
  /** Literal allow-list when there is one; `['*']` for a wildcard. */
  allows: z.array(z.string()).readonly(),
});
