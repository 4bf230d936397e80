import type { Kind } from '../../../src/core/index.js';
import { SILENT } from './silent.js';

/** Clients and transports, errors included. */
export const clients = {
  'error-class': {
    what: 'Uses the error class of SDK v1: {form}.',
    why: 'It is `MCPError(code, message, data)` in SDK v2. In a tool it is now a protocol error that the model never reads.',
    next: 'Write `MCPError` from `mcp`; raise `ToolError` where the model should read the text.',
    impact: 'breaks',
  },
  'error-code': {
    what: 'Compares an error code with {code}.',
    why: `SDK v2 gives this failure the code {target}. ${SILENT}`,
    next: 'Compare with {target}.',
    impact: 'breaks',
  },
  'client-transport': {
    what: 'Opens the HTTP transport of the client: {form}.',
    why: '{detail} Connections of revision 2026-07-28 have no session id.',
    next: '{advice} Test doubles of the transport take the same form.',
    impact: 'breaks',
    category: 'transport',
  },
  'timeout-value': {
    what: 'Gives a timeout as `{form}`.',
    why: 'SDK v2 takes seconds as a number; a `timedelta` fails only when the timer is armed.',
    next: 'Pass seconds; of a `timedelta`, `.total_seconds()`.',
    impact: 'breaks',
  },
  'cursor-argument': {
    what: 'Pages through a list with `{call}`.',
    why: 'A session of SDK v2 takes `params=PaginatedRequestParams(cursor=…)`: the call raises `TypeError`.',
    next: 'Pass `params=`; v1 has it since 1.18.',
    impact: 'breaks',
  },
  'client-member': {
    what: 'Uses `{name}` of the client session.',
    why: 'SDK v2 does not have it in this form.',
    next: '{advice} Test doubles of the session need the same change.',
    impact: 'breaks',
  },
  'client-callback': {
    what: 'Gives the client session `{name}`.',
    why: 'Its context and its messages have other types in SDK v2, and callbacks run at the same time. Questions of modern servers arrive in results.',
    next: 'Check the signature and that the callback may run twice at once.',
    impact: 'degrades',
  },
  'session-subclass': {
    what: 'Derives from `{name}` of the SDK.',
    why: 'The sessions of SDK v2 have another base and other hooks: what is overridden is no longer called.',
    next: 'Use `Server.middleware` on the server and `Client` on the client side, or wrap the object.',
    impact: 'breaks',
  },
  'http-error': {
    what: 'Catches `{name}` around calls of the SDK.',
    why: `The SDK answers with \`MCPError\` for a bad status, and its transport raises errors of \`httpx2\`: this branch is dead. ${SILENT}`,
    next: 'Catch `MCPError` at the call, and errors of the transport by the classes of `httpx2`.',
    impact: 'breaks',
  },
  'memory-helper': {
    what: 'Connects client and server in memory: `{name}`.',
    why: 'SDK v2 has `Client(server)` for it; a mode decides the era.',
    next: 'Write `async with Client(server, mode="legacy")` to keep the behaviour; its `session` is the old object.',
    impact: 'breaks',
  },
  'oauth-client': {
    what: 'Configures OAuth for the client: {form}.',
    why: 'SDK v2 changed these arguments and what the callback returns.',
    next: '{advice} Then obtain a token once: parts of the flow run only there.',
    impact: 'breaks',
    category: 'auth',
  },
} as const satisfies Record<string, Kind>;
