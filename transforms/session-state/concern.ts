import { defineConcern } from '../../src/core/index.js';
import { assess } from './assess.js';
import { judge } from './judge.js';
import { rewrite } from './rewrite.js';
import { python } from './python.js';
import { typescript } from './typescript/detect.js';

/** What the program keeps by session, or decides by it, beside the transport itself. */
export const concern = defineConcern({
  id: 'session-state',
  title: 'State, policy and labels that hang on the session',
  spec: ['basic#statelessness', 'server/tools#stateful-tools'],
  category: 'state',
  milestone: 'entry',
  effort: { base: 45, each: 10 },
  kinds: {
    'keyed-store': {
      what: '`{name}` keeps state by session id.',
      why: 'Modern requests have no session id: the key is `undefined`, so all callers share one entry, or each finds none.',
      next: 'Mint an opaque handle bound to the authenticated principal, return it from the tool that begins the work, and take it as an argument of the tools that continue it.',
      impact: 'breaks',
    },
    'lifespan-state': {
      what: 'A handler uses what the lifespan of the server made (`{name}`).',
      why: 'With sessions the lifespan ran for each of them; it runs once for the process now. Whatever belongs to one caller in there is shared by all.',
      next: 'Keep pools and configuration there; move what belongs to a caller behind an explicit handle.',
      impact: 'tidies',
      category: 'lifecycle',
    },
    'weak-store': {
      what: '`{name}` keeps state by server or transport object.',
      why: 'A modern server object lives for one request, so the entry is gone with it; in a shared object all callers have the same entry.',
      next: 'Key it by an explicit handle that the caller brings back.',
      impact: 'breaks',
    },
    'closure-variable': {
      what: '`{name}` belongs to one server object and is changed by its handlers.',
      why: 'With one server per session it was the state of that session. The modern entry builds a server for each request: every call starts from the beginning.',
      next: 'Decide whether it is a matter of the request (a local variable), of the caller (a handle) or of the process (a module variable, safe for all callers).',
      impact: 'breaks',
    },
    'live-resource': {
      what: '`{name}` keeps a live resource (browser, process, socket, connection) by session id.',
      why: 'Without the session nobody finds it again and nothing closes it: each call opens another one.',
      next: 'Give it a handle with owner, lifetime and cleanup, and say which instance holds it: the protocol is stateless, the resource is not.',
      impact: 'breaks',
      category: 'resource',
    },
    'policy-key': {
      what: '`{name}` decides by session id what a caller may do or how often.',
      why: 'Without a session id one bucket serves all modern callers, or every one of them is refused.',
      next: 'Key it by the authenticated principal and keep the refusal for callers without one; never take the check away.',
      impact: 'breaks',
      category: 'policy',
    },
    'required-session': {
      what: 'A caller without a session id is refused.',
      why: 'No modern request has one, so every modern caller is refused.',
      next: 'Resolve an identity first (principal, then the legacy session id for the time of the window) and keep the refusal for callers without any.',
      impact: 'breaks',
      category: 'policy',
    },
    'unchecked-caller': {
      what: 'A caller without a session id passes the check (`{name}`).',
      why: 'No modern request has one, so the check stops nobody any more: it fails open.',
      next: 'Check every caller by its authenticated principal, and refuse one that has none; the session id may stay as a second key for the legacy lane.',
      impact: 'breaks',
      category: 'policy',
    },
    'shared-key': {
      what: 'All callers without a session id share the key `{name}`.',
      why: 'That is every modern caller: one uses up the limit of all, or sees what another one left under the key.',
      next: 'Key it by the authenticated principal, or by a handle that the caller brings; refuse a caller that has neither instead of giving it a key in common.',
      impact: 'breaks',
    },
    'credential-cache': {
      what: '`{name}` keeps credentials or an identity by session id.',
      why: 'The session id becomes the credential: who has it acts as its owner, and a token that was revoked or refreshed is not noticed.',
      next: 'Verify the `Authorization` header on every request, in the legacy lane first; cache verified tokens by token hash if that costs too much.',
      impact: 'breaks',
      category: 'auth',
    },
    'capability-cache': {
      what: '`{name}` keeps what one client said about itself (`{call}`) where every client shares it.',
      why: 'Capabilities and identity are said in each request. Kept in a variable of the process, those of one client decide about the requests of another.',
      next: 'Read them from the request that needs them (the request context), and never store them outside of it.',
      impact: 'breaks',
    },
    'telemetry-label': {
      what: 'A log, metric or event is labelled with the session id.',
      why: 'The label is empty on modern requests: counts by session flatten, and a removal gate built on it is blind.',
      next: 'Label modern requests by request id, trace context or principal, and keep the session label for the legacy lane.',
      impact: 'degrades',
      category: 'telemetry',
    },
    'required-in-schema': {
      what: 'The schema of an event demands a session id (`{name}`).',
      why: 'Events of modern requests fail the validation; where the failure is dropped in silence, the metric shows an empty lane that is not empty.',
      next: 'Make the field optional, add principal or trace id, and log events that are refused. Do it before the switch.',
      impact: 'degrades',
      category: 'telemetry',
    },
  },
  literals: {
    strong: ['@modelcontextprotocol/', 'mcp-session-id', 'mcp_tool', 'mcp.tool'],
    weak: ['sessionId', 'session_id', 'sess_id'],
    python: { strong: [], weak: ['lifespan_context', 'WeakKeyDictionary', '.session', '_state(', 'class MCPSession', 'class McpSession'] },
  },
  detect: { python, typescript },
  judge,
  assess,
  rewrite,
});
