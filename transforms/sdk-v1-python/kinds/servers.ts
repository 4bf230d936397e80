import type { Kind } from '../../../src/core/index.js';
import { SILENT } from './silent.js';

/** Servers: how they are built and started, their contexts and their handlers. */
export const servers = {
  'server-class': {
    what: 'Builds the server with `FastMCP` of the SDK.',
    why: 'The class is called `MCPServer` in SDK v2. Its default name and version differ, so a server without `name` reports another identity.',
    next: 'Write `MCPServer(…)` with a name, and pass `version=` to report your own.',
    impact: 'breaks',
  },
  'constructor-transport': {
    what: 'Gives the constructor of the server settings of its transport: {names}.',
    why: 'SDK v2 takes them where the server is started. The constructor raises `TypeError`.',
    next: 'Pass them to the one `run(…)`, `streamable_http_app(…)` or `sse_app(…)` of this server.',
    impact: 'breaks',
    category: 'transport',
  },
  'positional-argument': {
    what: 'Passes {names} by position.',
    why: `The order of the parameters changed in SDK v2: the value lands in another one. ${SILENT}`,
    next: 'Pass it by keyword; that form means the same on both majors.',
    impact: 'breaks',
  },
  'settings-access': {
    what: 'Uses `{name}` of the settings of the server.',
    why: 'SDK v2 keeps no transport in its settings and no longer reads `MCP_` variables: a write raises `ValueError`, a read `AttributeError`.',
    next: 'Pass the value to `run(…)` or to the app builder, and read the environment yourself.',
    impact: 'breaks',
    category: 'transport',
  },
  'server-start': {
    what: 'Starts the server with `{call}`.',
    why: 'Under SDK v2 the same call serves both eras. Its options are keywords, and options of the transport move here from the constructor.',
    next: 'Keep the call; give it what the constructor had.',
    impact: 'none',
    category: 'transport',
  },
  'host-allow-list': {
    what: 'Serves HTTP without a list of allowed hosts; {state}.',
    why: 'SDK v2 decides by the address given at the start whether it checks `Host` and `Origin`: behind a public name an armed check answers 421 to everybody, and a disarmed one lets every web page in.',
    next: 'Pass `transport_security=TransportSecuritySettings(allowed_hosts=[…], allowed_origins=[…])` with the names that clients use, ports included.',
    impact: 'degrades',
    category: 'transport',
  },
  'changed-behaviour': {
    what: '{form} {detail}.',
    why: `The call is accepted by both majors, or fails in a place that tests rarely reach. ${SILENT}`,
    next: '{advice} A test that asks for it on SDK v2 shows it.',
    impact: 'degrades',
  },
  'ambient-context': {
    what: 'Takes the context of the request from the surroundings (`{call}`).',
    why: 'SDK v2 has no such place: the context is handed to each handler.',
    next: 'Take it as a parameter of the handler and pass it on.',
    impact: 'breaks',
  },
  'context-member': {
    what: 'Uses `{name}` of the request context.',
    why: 'SDK v2 has it under another name, or not at all.',
    next: '{advice} Helpers that are handed the context need the same change.',
    impact: 'breaks',
  },
  'context-type': {
    what: 'Names the type `{name}`.',
    why: 'SDK v2 has other type parameters for it, or two classes where v1 had one. At run time the subscript raises.',
    next: 'Write this type instead: {target}.',
    impact: 'breaks',
  },
  'private-member': {
    what: 'Reaches into the SDK: `{name}`.',
    why: 'Private members change without notice, and this one did in SDK v2.',
    next: '{advice} Public members do not change without notice.',
    impact: 'breaks',
  },
  'server-method': {
    what: 'Calls `{call}` on the server object.',
    why: 'In SDK v2 it answers with a result object, or demands a context: unpacking or indexing the answer fails.',
    next: 'Read the fields of the result; in tests, connect a client in the process instead.',
    impact: 'breaks',
  },
  'sync-handler': {
    what: 'The handler `{name}` is a plain `def`.',
    why: '{detail} SDK v2 runs it in a worker thread, v1 ran it in the event loop.',
    next: 'Make it `async def` where it needs the loop or objects that belong to one thread; else nothing changes.',
    impact: 'none',
    category: 'lifecycle',
  },
  'lowlevel-server': {
    what: 'Uses the low-level server: {use}.',
    why: 'The low-level API changed most: registration, arguments and results of handlers, and who turns an exception into an answer.',
    next: '{advice} Call each handler once in a test: wrong arguments or results show only then.',
    impact: 'degrades',
  },
  'lowlevel-registration': {
    what: 'Registers a handler with `@…{call}()`.',
    why: 'SDK v2 has no such decorators; its handlers take `(ctx, params)`, return full results, and an exception in them no longer reaches the model as text.',
    next: 'Register the handler through the constructor (`on_…`) or with `add_request_handler`, and keep validation and error answers in an adapter.',
    impact: 'breaks',
  },
  'handler-table': {
    what: 'Uses the handler table of the server (`{name}`).',
    why: 'SDK v2 keys handlers by method, and hides the table.',
    next: 'Use `add_request_handler(method, params, handler)` and `get_request_handler(method)`; for notifications likewise.',
    impact: 'breaks',
  },
  'handshake-options': {
    what: 'Prepares the answer of the handshake: `{call}`.',
    why: 'Only clients of earlier revisions shake hands. For 2026-07-28 the SDK derives `server/discover` from what is registered.',
    next: 'Keep it for them. What must reach modern clients too (name, version, instructions) belongs to the constructor of the server.',
    impact: 'none',
  },
} as const satisfies Record<string, Kind>;
