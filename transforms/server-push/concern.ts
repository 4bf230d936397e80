import { defineConcern } from '../../src/core/index.js';
import { assess } from './assess.js';
import { python } from './python.js';
import { rewrite } from './rewrite.js';
import { typescript } from './typescript.js';

/** Messages that a server sends on its own: questions to the client, notifications to whoever is connected, heartbeats. */
export const concern = defineConcern({
  id: 'server-push',
  title: 'Messages that the server sends on its own',
  spec: ['basic/patterns/mrtr#basic-workflow', 'basic/patterns/subscriptions#opening-a-stream', 'server/utilities/logging#per-request-log-level', 'deprecated'],
  category: 'push',
  milestone: 'entry',
  effort: { base: 20, each: 15 },
  kinds: {
    elicitation: {
      what: 'The server asks the user with a request of its own (`{call}`).',
      why: 'Revision 2026-07-28 has no way from server to client outside of a response: the question never arrives, and the call fails or waits for its time-out.',
      next: 'Return `input_required` with the question and read the answer from `inputResponses` when the handler runs again; nothing with an effect may stand before the question.',
      impact: 'breaks',
    },
    sampling: {
      what: "The server asks the client's model with a request of its own (`{call}`).",
      why: 'No request goes from server to client any more; on a stateless lane for old clients the call hangs until its time-out. Sampling itself is deprecated.',
      next: 'Call a model provider from the server, or return `input_required` with a sampling entry for the time of the deprecation.',
      impact: 'breaks',
    },
    roots: {
      what: 'The server asks the client for its roots with a request of its own (`{call}`).',
      why: 'No request goes from server to client any more, so the list stays empty: tools then refuse everything or, worse, allow everything. Roots are deprecated.',
      next: 'Take directories from the configuration of the server or from a tool argument, and refuse when there is none.',
      impact: 'breaks',
    },
    'server-request': {
      what: 'The server sends a request to its client (`{call}`).',
      why: 'A modern client answers no requests, on any stream.',
      next: 'Return what is needed as `input_required`, or drop the request.',
      impact: 'breaks',
    },
    ping: {
      what: 'The server pings its client (`{call}`).',
      why: 'Revision 2026-07-28 has no `ping`: the answer is method-not-found, and a heartbeat that takes this for a dead peer closes a healthy connection.',
      next: 'Keep the heartbeat to the legacy lane or delete it; a request lives as long as its response stream.',
      impact: 'breaks',
    },
    'log-message': {
      what: 'A log message is sent to the client whether or not this request asked for one (`{call}`).',
      why: 'Log messages belong to requests whose `_meta` carries a log level. Through the server object they are dropped over HTTP; on stdio and through a raw notification they go out unasked, which the specification forbids.',
      next: 'Log through the context of the request (TypeScript `ctx.mcpReq.log`, Python `ctx.info` and its siblings), which looks at the level; log to stderr or a telemetry service outside of requests.',
      impact: 'degrades',
    },
    'log-opt-in': {
      what: 'A log message is sent to clients that ask for one (`{call}`).',
      why: 'It arrives only when the `_meta` of the request names a log level; without one it is dropped, and nothing says so. Logging is deprecated, and stays at least until 2027-07-28.',
      next: 'Nothing has to change; what operators need goes to stderr or to telemetry as well.',
      impact: 'none',
    },
    'log-level-handler': {
      what: 'A log level is set for the session (`{call}`).',
      why: '`logging/setLevel` is removed: modern clients send the level with each request, and a level kept in memory would be that of another client.',
      next: 'Keep the handler for the legacy lane and read the level of modern requests from their own `_meta`.',
      impact: 'degrades',
    },
    'list-change': {
      what: 'A list change is pushed to the client that is connected (`{call}`).',
      why: 'Over HTTP no client is connected: the notification is dropped without an error. Lists must not differ by connection either.',
      next: 'Notify the listeners of `subscriptions/listen` (`handler.notify`), and keep what is enabled where every instance sees it.',
      impact: 'degrades',
    },
    'resource-update': {
      what: 'A resource update is pushed to the client that is connected (`{call}`).',
      why: 'Over HTTP no client is connected: the notification is dropped without an error.',
      next: 'Notify the listeners of `subscriptions/listen`; with more than one instance they need a common bus.',
      impact: 'degrades',
    },
    'resource-subscription': {
      what: 'Subscriptions to resources are kept per session (`{call}`).',
      why: '`resources/subscribe` and `resources/unsubscribe` are removed; modern clients name the resources in a `subscriptions/listen` request.',
      next: 'Keep the handlers for the legacy lane and serve `resourceSubscriptions` of listen requests.',
      impact: 'degrades',
    },
    'json-mode-loss': {
      what: 'The transport answers in JSON, and a handler sends notifications on the way (`{call}`).',
      why: 'A JSON answer has no room for them: they are dropped, today and on the modern revision.',
      next: 'Let requests with notifications be answered by a stream (`responseMode: auto`), or take the notifications out.',
      impact: 'degrades',
    },
    'invented-progress-token': {
      what: 'Progress carries a token that the request did not give.',
      why: 'Clients match progress by the token that they sent in `_meta.progressToken`: this one belongs to no request.',
      next: 'Take the token from `_meta.progressToken` of the request, and send nothing when there is none.',
      impact: 'degrades',
    },
    'subscribe-capability': {
      what: 'The server declares that resources can be subscribed to.',
      why: 'Modern clients look at it too: it says that `subscriptions/listen` may name resources.',
      next: 'Keep it, and serve `resourceSubscriptions` of listen requests; without that, do not declare it.',
      impact: 'none',
    },
    'process-bus': {
      what: 'Change notifications reach the listeners of this process only.',
      why: 'Without `subscriptions=` the bus lives in memory: with more than one instance, a client that listens at another one hears nothing.',
      next: 'Pass a bus that all instances share as soon as there is more than one.',
      impact: 'none',
    },
    'runtime-tool-change': {
      what: 'A handler changes what the server offers (`{call}`).',
      why: 'The change is made in this process alone: the list depends on which instance answers, and is gone after a restart.',
      next: 'Derive the list from state that all instances see, or register everything and let a handler refuse.',
      impact: 'degrades',
    },
    'request-progress': {
      what: 'Progress is reported through the context of the request (`{call}`).',
      why: 'It works on both eras, as long as the answer is a stream: an endpoint that answers in JSON drops it.',
      next: 'Keep it, and leave the endpoint in a mode that can stream.',
      impact: 'none',
    },
    'instance-progress': {
      what: 'Progress is sent through the server object, not through the request (`{call}`).',
      why: 'The message does not know which request it belongs to: it reaches no modern client.',
      next: 'Send it with the context of the request (`ctx.mcpReq.notify`).',
      impact: 'degrades',
    },
  },
  literals: {
    strong: ['@modelcontextprotocol/'],
    weak: [
      'elicitInput',
      '.elicit(',
      '.sample(',
      'requestElicitation',
      'createMessage',
      'requestSampling',
      'listRoots',
      'sendLoggingMessage',
      'ListChanged',
      'sendResourceUpdated',
      'notifications/',
      'elicitation/create',
      'sampling/createMessage',
      'SetLevelRequestSchema',
      'SubscribeRequestSchema',
      'logging/setLevel',
      'resources/subscribe',
    ],
    python: { strong: [], weak: ['create_message', 'elicit_', 'list_roots', 'send_log_message', '_list_changed', 'send_resource_updated', 'ctx.'] },
  },
  detect: { python, typescript },
  assess,
  rewrite,
});
