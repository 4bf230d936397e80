import { defineConcern } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';
import { python } from './python.js';
import { typescript } from './typescript.js';

/** What a server learns about its client at the handshake, and what it does because of it. */
export const concern = defineConcern({
  id: 'client-identity',
  title: 'What the server learns from the handshake',
  spec: ['basic#meta', 'basic#statelessness', 'basic/versioning#protocol-version-negotiation'],
  category: 'lifecycle',
  milestone: 'entry',
  effort: { base: 20, each: 10 },
  kinds: {
    'initialize-hook': {
      what: 'Code runs when the handshake is over (`{call}`).',
      why: 'The modern revision has no handshake: for modern clients this never runs, and what it sets up is missing.',
      next: 'Do it where it is needed: in the request, from the `_meta` of that request; keep the hook for the legacy lane.',
      impact: 'breaks',
    },
    'initialize-handler': {
      what: 'The server answers `initialize` itself (`{call}`).',
      why: 'Modern clients ask `server/discover` and send their version, name and capabilities with each request; this handler sees none of them.',
      next: 'Keep it for the legacy lane, move what it decides to each request, and let the SDK answer `server/discover`.',
      impact: 'breaks',
    },
    'client-data-read': {
      what: 'What the client said at the handshake is read (`{call}`).',
      why: 'A modern client says it with each request. Read from the server object it is empty on stdio and valid only for the running request over HTTP; read early or kept, it belongs to nobody.',
      next: 'Read capabilities and client info from the context of the request that needs them, in the handler.',
      impact: 'degrades',
    },
    'client-name-decides': {
      what: 'The name or version of the client decides what it gets.',
      why: 'Client info is what the client says of itself and must not drive behaviour; proxies and wrappers report their own, and on the modern revision it may be absent.',
      next: 'Decide by the capabilities that the request declares, or by the authenticated principal.',
      impact: 'degrades',
      category: 'policy',
    },
    'list-varies': {
      what: 'What the server offers depends on the client that is connected (`{call}`).',
      why: 'Lists must not differ by connection: the modern entry builds a server for each request, so the decision is made again each time, and caches hand the answer of one client to another.',
      next: 'Register the same for every client and let the handler refuse, or decide by the authenticated principal and mark the list `private`.',
      impact: 'breaks',
    },
    'roots-change-handler': {
      what: 'The server waits for changes of the roots of its client.',
      why: '`notifications/roots/list_changed` is removed, so the roots that were read first stay for ever.',
      next: 'Take directories as arguments or from the configuration; keep the handler for the legacy lane.',
      impact: 'degrades',
      category: 'push',
    },
  },
  literals: {
    strong: ['@modelcontextprotocol/', '.session.client_params'],
    weak: [
      'oninitialized',
      'getClientCapabilities',
      'getClientVersion',
      'InitializeRequestSchema',
      'InitializedNotificationSchema',
      'RootsListChangedNotificationSchema',
      'clientInfo',
      'notifications/roots/list_changed',
    ],
    python: { strong: [], weak: ['client_params', 'check_client_capability', 'on_initialize'] },
  },
  detect: { python, typescript },
  judge: settle,
});
