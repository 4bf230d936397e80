import { z } from 'zod';
import { Site, Span } from '../span.js';
import { SymbolRef, at, within } from './place.js';

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

/** A function that returns a server, or a class whose objects hold one. */
export const FactoryFact = z.object({
  type: z.literal('factory'),
  ...at,
  symbol: SymbolRef,
  parameters: z.int().nonnegative(),
  async: z.boolean(),
  /**
   * `server`: returns the server object; `wrapped`: returns an object or tuple that contains it, also an object of a class that builds it;
   * `kept`: returns a server that outlives the call, the same each time; `unknown`: returns what `through` returns.
   */
  returns: z.enum(['server', 'wrapped', 'kept', 'unknown']),
  /** Of a class: methods that register more on the server of an object, to be called before it is connected. */
  steps: z.array(z.string()).readonly().optional(),
  /** A function of another file whose result is returned. */
  through: SymbolRef.optional(),
  /** Property or index under which a wrapped server is returned. */
  member: z.string().optional(),
  /** Of a class: the members that give its server to others, e.g. `server`, `getServer()`. */
  members: z.array(z.string()).readonly().optional(),
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
  /** Member of what the factory gives that holds the server. */
  member: z.string().optional(),
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
