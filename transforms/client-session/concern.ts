import { defineConcern } from '../../src/core/index.js';
import { judge } from './judge.js';
import { python } from './python.js';
import { text } from './text.js';
import { typescript } from './typescript.js';

/** What a client does with a session, with streams that resume, and with methods that are gone. */
export const concern = defineConcern({
  id: 'client-session',
  title: 'Sessions and removed methods in clients',
  spec: [
    'basic/versioning#backward-compatibility-with-initialization-based-versions',
    'basic/transports/streamable-http#client-behavior',
    'basic/patterns/subscriptions#opening-a-stream',
    'deprecated',
  ],
  category: 'lifecycle',
  milestone: 'entry',
  effort: { base: 15, each: 5 },
  kinds: {
    'session-end': {
      what: 'The client ends its session (`{call}`).',
      why: 'A modern connection has no session: the DELETE is answered 405.',
      next: 'Do it only when the negotiated era is legacy; close the client otherwise.',
      impact: 'degrades',
    },
    'session-resumed': {
      what: 'A client transport is made with a session id that was kept.',
      why: 'A modern server ignores it: what the session stood for is not there, and nothing says so.',
      next: 'Keep the id for legacy servers only; keep handles, which the server gives out explicitly, for modern ones.',
      impact: 'breaks',
    },
    'stream-resumption': {
      what: 'A broken stream is to be resumed (`{call}`).',
      why: 'Modern streams cannot be resumed: `Last-Event-ID` is ignored, and a request whose stream broke is lost.',
      next: 'Send the request again where that is safe, with an idempotency key where it is not; keep this for legacy servers.',
      impact: 'degrades',
    },
    'sse-client': {
      what: 'The client speaks HTTP+SSE of 2024-11-05.',
      why: 'No modern server speaks it, and the transport is deprecated.',
      next: 'Use Streamable HTTP with version negotiation; keep this as the last fallback, behind an error that says the server is old.',
      impact: 'degrades',
      category: 'transport',
    },
    'handshake-call': {
      what: 'The client opens a session by hand (`{call}`).',
      why: 'A session that is opened by hand shakes hands, so it stays on the revisions before 2026-07-28: it never asks `server/discover`.',
      next: 'Connect with the client object of the SDK, which negotiates the revision, or call `discover()` first and `initialize()` only when it is refused.',
      impact: 'degrades',
    },
    'removed-call': {
      what: 'The client calls `{call}`.',
      why: 'The method behind it is removed: a modern server answers that it is not found.',
      next: 'Use {instead}; call this only when the negotiated era is legacy.',
      impact: 'degrades',
      category: 'push',
    },
    'ping-call': {
      what: 'The client pings its peer (`{call}`).',
      why: '`ping` is removed: the answer is method-not-found, and a heartbeat that takes this for a dead server reconnects for ever.',
      next: 'Ping only when the negotiated era is legacy; otherwise let a request that fails be the sign.',
      impact: 'degrades',
      category: 'push',
    },
    'handshake-result': {
      what: 'What the server said at `initialize` is read (`{call}`).',
      why: 'Without a handshake the answer comes from `server/discover`; a client that did not ask has none.',
      next: 'Read it after the client has negotiated, and expect it to be absent; do not keep it longer than its `ttlMs`.',
      impact: 'tidies',
    },
    'question-handler': {
      what: 'The client answers requests of the server (`{call}`).',
      why: 'A modern server sends none: its questions are in an `input_required` result, and it asks only when the request declared the capability.',
      next: 'Keep the handler, declare the capability with each request, and answer `inputRequests` by sending the call again (the SDK client does both once it negotiates).',
      impact: 'tidies',
      category: 'push',
    },
    'elicitation-undeclared': {
      what: 'The client declares no elicitation, and a server of this repository asks questions.',
      why: 'A modern server may only ask what the request declares: without it the tool is refused, or does without the answer.',
      next: 'Declare `elicitation: { form: {} }` and answer the questions, or say that this client answers none.',
      impact: 'degrades',
      category: 'push',
    },
    'shell-handshake': {
      what: 'A script speaks the session protocol by hand ({words}).',
      why: 'It opens a session and carries its id: it ends with the legacy lane, and while it runs it says nothing about modern requests.',
      next: 'Add the same call in the form of the revision (`_meta` with the version, headers `MCP-Protocol-Version` and `Mcp-Method`), and keep this one for the legacy lane until its removal.',
      impact: 'degrades',
    },
    'replayed-cookies': {
      what: 'The client sends back the cookies that it was sent, with each request.',
      why: 'Is it there for a balancer that pins sessions? Then it pins all modern requests to one instance too, and taking it away cuts off servers that still keep sessions.',
      next: 'Say what the cookies are for; keep them for servers with sessions, and send none with modern requests.',
      impact: 'degrades',
      category: 'infra',
    },
    'notification-handler': {
      what: 'The client waits for notifications (`{call}`).',
      why: 'A modern server sends changes only to `subscriptions/listen` streams and log messages only to requests that name a level: the handler is never called.',
      next: 'Open a `subscriptions/listen` stream for what is needed here (`listChanged` of the SDK client does), and ask for log messages in `_meta`.',
      impact: 'degrades',
      category: 'push',
    },
  },
  literals: {
    strong: ['@modelcontextprotocol/'],
    weak: [
      'terminateSession',
      'setLoggingLevel',
      'subscribeResource',
      'sendRootsListChanged',
      'getServerCapabilities',
      'getServerVersion',
      'getInstructions',
      'resumptionToken',
      'reconnectionOptions',
      'SSEClientTransport',
      'setNotificationHandler',
      'setRequestHandler',
      'ping(',
      'getSetCookie',
      'set-cookie',
      'Set-Cookie',
    ],
    python: { strong: [], weak: ['.initialize()', 'send_ping', 'set_logging_level', 'subscribe_resource', 'send_roots_list_changed'] },
  },
  detect: { python, text, typescript },
  judge,
});
