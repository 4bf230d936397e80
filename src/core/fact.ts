import { z } from 'zod';
import { Site, Span } from './span.js';
import { Category } from './finding.js';

/**
 * A declaration, named across files: the file that declares it and its name there. Class members are `Class.member`;
 * an anonymous function is `@<start offset>`. Import provenance has already been followed.
 */
export const SymbolRef = z.object({ file: z.string(), name: z.string() }).readonly();
export type SymbolRef = z.infer<typeof SymbolRef>;

/** `file#name`, the key under which `link` joins facts. */
export const keyOf = (ref: SymbolRef): string => `${ref.file}#${ref.name}`;

const at = { site: Site };
const within = { /** The nearest enclosing function, `undefined` at module level. */ within: SymbolRef.optional() };

/** One import of an MCP SDK module, in any spelling. */
export const SdkImportFact = z.object({
  type: z.literal('sdk-import'),
  ...at,
  module: z.string(),
  /** Major line of the SDK that the specifier belongs to. */
  sdk: z.union([z.literal(1), z.literal(2)]),
  form: z.enum(['import', 'type', 'require', 'dynamic', 'reexport', 'mock', 'resolve', 'string']),
  names: z.array(z.string()).readonly(),
});

/** Construction of an MCP server object (`McpServer`, `Server`). */
export const ServerFact = z.object({
  type: z.literal('server'),
  ...at,
  ...within,
  className: z.string(),
  symbol: SymbolRef.optional(),
  /** `module`: one object for the process; `function`: one per call of the enclosing function. */
  scope: z.enum(['module', 'function', 'class']),
});

/** A function that builds and returns a server. */
export const FactoryFact = z.object({
  type: z.literal('factory'),
  ...at,
  symbol: SymbolRef,
  parameters: z.int().nonnegative(),
  async: z.boolean(),
  /** `server`: returns the server object; `wrapped`: returns an object or tuple that contains it. */
  returns: z.enum(['server', 'wrapped', 'unknown']),
  /** Property or index under which a wrapped server is returned. */
  member: z.string().optional(),
  /** Places that do more than register: timers, listeners, writes to outer variables. What `release` takes back is left out. */
  effects: z.array(Site).readonly(),
  /** Property or index of what is returned beside the server: a function without parameters that takes back what the factory started. */
  release: z.string().optional(),
  /** The factory starts timers that `release` stops. */
  starts: z.boolean().optional(),
});

/** Construction of a transport object. */
export const TransportFact = z.object({
  type: z.literal('transport'),
  ...at,
  ...within,
  kind: z.enum(['streamable-http', 'streamable-web', 'sse', 'stdio', 'websocket', 'in-memory', 'other']),
  className: z.string(),
  /** `minted`: a session id generator is given; `none`: it is absent or `undefined`; `unknown`: not a literal. */
  sessions: z.enum(['minted', 'none', 'unknown']),
  jsonResponse: z.enum(['on', 'off', 'unknown']),
  eventStore: z.boolean(),
  /** Option names that are session callbacks or bound to sessions: `onsessioninitialized`, `onsessionclosed`, `retryInterval`, … */
  hooks: z.array(z.string()).readonly(),
  /** The variable or field that holds it, when there is one. */
  symbol: SymbolRef.optional(),
  /** Of HTTP+SSE: the path that clients are told to post their messages to, when it is a literal. */
  messages: z.string().optional(),
  /** The SDK serves both eras on it by itself, from its second major line on. */
  bothEras: z.boolean().optional(),
});

/** `server.connect(transport)`. */
export const ConnectFact = z.object({
  type: z.literal('connect'),
  ...at,
  ...within,
  /** Factory that made the server, when it can be followed to a call. */
  factory: SymbolRef.optional(),
  /** Server variable, when the receiver is one. */
  server: SymbolRef.optional(),
  /** `fresh`: built in this function run; `shared`: built outside of it; `unknown`: could not be followed. */
  origin: z.enum(['fresh', 'shared', 'unknown']),
});

/** `transport.handleRequest(req, res, body?)`. */
export const DispatchFact = z.object({
  type: z.literal('dispatch'),
  ...at,
  ...within,
  body: z.enum(['parsed', 'absent', 'other']),
});

/** A container that holds one entry per session, or a single slot. */
export const StoreFact = z.object({
  type: z.literal('store'),
  ...at,
  symbol: SymbolRef,
  form: z.enum(['map', 'object', 'field', 'slot', 'weak', 'external']),
  holds: z.enum(['transport', 'server', 'state', 'resource', 'unknown']),
  written: z.boolean(),
  /** Entries are removed somewhere. */
  cleaned: z.boolean(),
});

/** A read or write of a session id. */
export const KeyUseFact = z.object({
  type: z.literal('key-use'),
  ...at,
  ...within,
  source: z.enum(['header', 'transport', 'context', 'query', 'variable']),
  category: Category,
  store: SymbolRef.optional(),
});

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

/** A message that a server sends on its own initiative. */
export const PushFact = z.object({
  type: z.literal('push'),
  ...at,
  ...within,
  what: z.enum(['elicitation', 'sampling', 'roots', 'logging', 'progress', 'list-changed', 'resource-updated', 'ping', 'request', 'notification']),
  /** `request`: through the context of the running request; `instance`: through the server object. */
  through: z.enum(['request', 'instance']),
});

/** State that lives as long as a session, with or without a visible id. */
export const StateFact = z.object({
  type: z.literal('state'),
  ...at,
  ...within,
  form: z.enum(['keyed', 'closure', 'weak', 'field']),
  category: Category,
  symbol: SymbolRef.optional(),
});

/** Code that already tells the eras apart. */
export const EraFact = z.object({
  type: z.literal('era'),
  ...at,
  ...within,
  /** `entry`: `createMcpHandler`, `serveStdio`, our shim; `branch`: `isLegacyRequest` and the like; `lane`: code reached only by the legacy side. */
  what: z.enum(['entry', 'branch', 'lane']),
  legacy: z.enum(['reject', 'stateless', 'handler', 'unknown']),
  /** Functions that only the legacy side calls. */
  lane: z.array(SymbolRef).readonly(),
  /** Ranges of the same file that only the legacy side runs: branches without a function of their own. */
  spans: z.array(Span).readonly(),
  /** The variable that holds an entry, when there is one: routes name it as their handler. */
  symbol: SymbolRef.optional(),
  /** What an entry serves; HTTP when absent. */
  serves: z.enum(['http', 'stdio']).optional(),
});

/** Extent of a function: lets `link` say which function, and so which endpoint and lane, a place belongs to. */
export const FunctionFact = z.object({ type: z.literal('function'), ...at, symbol: SymbolRef });

/** A reference from one function to another declaration: the edges along which lanes are computed. */
export const CallFact = z.object({ type: z.literal('call'), ...at, from: SymbolRef.optional(), to: SymbolRef });

/** A client object, a hand-made handshake, or a persisted session id on the client side. */
export const ClientFact = z.object({
  type: z.literal('client'),
  ...at,
  ...within,
  what: z.enum(['sdk', 'handshake', 'transport', 'fallback', 'session-id', 'probe']),
});

/** A question to the user that a handler of a server returns with its result, instead of sending it. */
export const QuestionFact = z.object({ type: z.literal('question'), ...at, ...within, what: z.enum(['elicitation', 'sampling', 'roots']) });

/** A class that keeps or checks sessions of the application, under keys that it makes itself: the protocol has no part in it. */
export const ApplicationSessionFact = z.object({ type: z.literal('application-session'), ...at, name: z.string() });

/** A tool that is offered with a schema that names no type, by the name of the tool. */
export const OpenSchemaFact = z.object({ type: z.literal('open-schema'), ...at, tool: z.string() });

/** A package that a manifest asks for, of those that decide about others. */
export const DeclaredFact = z.object({ type: z.literal('declared'), ...at, name: z.string() });

/** A day that was promised as the end of legacy routes. */
export const PromisedDateFact = z.object({
  type: z.literal('promised-date'),
  ...at,
  /** ISO day. */
  day: z.string(),
  /** `header`: clients are told with each answer; `document`: people have read it. */
  medium: z.enum(['header', 'document']),
});

/** A range of a manifest that decides how uses in the code of its package are judged. */
export const RequirementFact = z.object({ type: z.literal('requirement'), ...at, name: z.string(), range: z.string() });

/** What detectors and host adapters see; what `link` and `judge` reason about. Offsets belong to the scanned text. */
export const Fact = z.discriminatedUnion('type', [
  SdkImportFact,
  ServerFact,
  FactoryFact,
  TransportFact,
  ConnectFact,
  DispatchFact,
  StoreFact,
  KeyUseFact,
  RouteFact,
  AppFact,
  ListenFact,
  GuardFact,
  PushFact,
  StateFact,
  EraFact,
  FunctionFact,
  CallFact,
  ClientFact,
  QuestionFact,
  ApplicationSessionFact,
  OpenSchemaFact,
  DeclaredFact,
  PromisedDateFact,
  RequirementFact,
]);
export type Fact = Readonly<z.infer<typeof Fact>>;
export type FactType = Fact['type'];
export type FactOf<T extends FactType> = Extract<Fact, { type: T }>;

const byType = new WeakMap<readonly Fact[], Map<FactType, { readonly length: number; readonly facts: readonly Fact[] }>>();

/**
 * The facts of one type, in file order. A large repository has hundreds of thousands of facts and asks for each finding, so a list is
 * gone through once for each type.
 */
export function factsOf<T extends FactType>(facts: readonly Fact[], type: T): readonly FactOf<T>[] {
  const known = byType.get(facts) ?? new Map<FactType, { readonly length: number; readonly facts: readonly Fact[] }>();
  let entry = known.get(type);
  // A list that has grown since is another list.
  if (entry?.length !== facts.length) {
    entry = { length: facts.length, facts: facts.filter((fact) => fact.type === type) };
    known.set(type, entry);
    byType.set(facts, known);
  }
  return entry.facts as readonly FactOf<T>[];
}
