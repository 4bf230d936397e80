import { defineConcern } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';
import { typescript } from './typescript.js';

/** Code whose purpose is to hold, restore, share or own sessions: stores, transport classes, relays, private fields, processes. */
export const concern = defineConcern({
  id: 'session-holders',
  title: 'Stores, relays and owners of sessions',
  spec: ['basic#statelessness', 'server/tools#stateful-tools'],
  category: 'state',
  milestone: 'entry',
  effort: { base: 60, each: 15 },
  kinds: {
    'store-class': {
      what: '`{name}` stores sessions.',
      why: 'Modern requests have no session: nothing is ever stored or found for them, and the service behind the store is kept for legacy clients alone.',
      next: 'Keep it for the legacy lane; what the application itself must remember belongs under a handle or the principal.',
      impact: 'degrades',
    },
    'external-store': {
      what: 'Sessions are kept outside of the process (`{name}`).',
      why: 'Sharing sessions between instances was needed because a session lived in one of them; modern requests live in none.',
      next: 'Take what the request itself brings from the request (token, tenant, locale), key the rest by handle or principal, and remove the store with the legacy lane.',
      impact: 'degrades',
    },
    'transport-class': {
      what: '`{name}` is a transport of its own.',
      why: 'It carries the handshake and the messages of the old revisions; the modern entry does not use transport objects between requests.',
      next: 'See what it is for: a relay between instances is not needed any more, a new wire needs the per-request entry of SDK v2.',
      impact: 'degrades',
      category: 'transport',
    },
    'session-relay': {
      what: 'Messages of a session are relayed between instances (`{name}`).',
      why: 'Any instance can answer a modern request, so nothing has to be passed on; the relay serves legacy clients only.',
      next: 'Keep it for the legacy lane and remove it together with the sessions; changes that listeners must hear of need a bus for `subscriptions/listen`.',
      impact: 'degrades',
      category: 'infra',
    },
    'session-restore': {
      what: 'A private field of the SDK is written to revive a session (`{name}`).',
      why: 'The field is not part of the interface: SDK v2 has another shape, so the write does nothing or breaks the transport, and the modern revision has no session to revive.',
      next: 'Do not restore transports: let legacy clients open a new session (404 makes them), and keep application data under a handle.',
      impact: 'breaks',
    },
    'session-owner': {
      what: 'A session belongs to a user here (`{name}`).',
      why: 'It kept one user out of the session of another. Modern requests have no session, so this check sees none and must not be the only one.',
      next: 'Check the principal of every request against what it touches (handle, resource); keep this check as long as the legacy lane lives.',
      impact: 'breaks',
      category: 'auth',
    },
    'session-process': {
      what: 'A process is started for each session (`{name}`).',
      why: 'The modern entry has no session to start or end it with: either every request starts one, or nothing ends it.',
      next: 'Start it per request where that is cheap; otherwise hold it under a handle with owner, lifetime and cleanup.',
      impact: 'breaks',
      category: 'resource',
    },
    'session-timer': {
      what: 'Sessions end by time or by the number of their streams (`{name}`).',
      why: 'Modern requests open no session, so the timer sees only legacy ones; what it cleans up for others is left behind.',
      next: 'Keep it for the legacy lane; give handles a lifetime of their own.',
      impact: 'tidies',
      category: 'lifecycle',
    },
    'session-object': {
      what: 'A Durable Object or an actor is addressed by session id (`{name}`).',
      why: 'Without an id every modern caller reaches the same object, or a new, empty one each time.',
      next: 'Address it by a handle that the caller brings back, or by the principal.',
      impact: 'breaks',
    },
    'connection-field': {
      what: '`{name}` belongs to one client, in an object that serves all.',
      why: 'With one server object for all clients the value of one caller is seen by the next: on the modern entry this happens with every pair of requests.',
      next: 'Take it from the context of the request in each handler; no field of the server may hold it.',
      impact: 'breaks',
      category: 'auth',
    },
  },
  literals: {
    strong: ['@modelcontextprotocol/', 'mcp-session-id'],
    weak: [
      'SessionStore',
      'SessionAdapter',
      'SessionManager',
      'implements Transport',
      '_initialized',
      '_sessionId',
      'idFromName',
      'publish(',
      'spawn(',
      'sessionTimeout',
      'currentUser',
      'redis',
      'owner',
    ],
  },
  detect: { typescript },
  judge: settle,
});
