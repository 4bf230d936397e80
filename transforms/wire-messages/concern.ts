import { defineConcern } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';
import { python } from './python.js';
import { typescript } from './typescript.js';

/** Messages of the old revisions that the code builds or tells apart itself, without the SDK. */
export const concern = defineConcern({
  id: 'wire-messages',
  title: 'Messages of the old revisions, made by hand',
  spec: [
    'basic#requests',
    'basic#meta',
    'basic/patterns/mrtr#basic-workflow',
    'basic/patterns/subscriptions#opening-a-stream',
    'basic/versioning#backward-compatibility-with-initialization-based-versions',
  ],
  category: 'lifecycle',
  milestone: 'entry',
  effort: { base: 20, each: 5 },
  kinds: {
    'initialize-message': {
      what: 'An `initialize` request is built by hand.',
      why: 'A modern server knows no `initialize`. Code that opens every connection with it never reaches the modern revision, and a server without a legacy lane answers an error.',
      next: 'Ask `server/discover` first and send `initialize` only to a peer that does not know it; in tests, keep the message for the legacy lane and add a modern twin.',
      impact: 'degrades',
    },
    'guarded-initialize': {
      what: 'A test sends `initialize` to be refused: it proves who may come in.',
      why: 'Modern clients never send `initialize`, so their way in is not tested here; deleted with the sessions, the proof is gone for both.',
      next: 'Keep the test for the legacy lane, and add a twin that sends a modern request with the same credentials and expects the same refusal.',
      impact: 'degrades',
      category: 'auth',
    },
    'initialized-notification': {
      what: '`notifications/initialized` is built or waited for.',
      why: 'The modern revision has no such notification: whatever begins with it never begins.',
      next: 'Do at each request what was done once after the handshake; keep this for the legacy lane.',
      impact: 'degrades',
    },
    'ping-message': {
      what: 'A `ping` request is built or answered by hand.',
      why: '`ping` is removed: a modern peer answers that the method is not found, and a heartbeat that takes this for a dead peer closes a healthy one.',
      next: 'Keep it for the legacy lane; over HTTP a request that is answered is the sign of life.',
      impact: 'degrades',
      category: 'push',
    },
    'removed-request': {
      what: '`{method}` is built or told apart by hand.',
      why: 'The method is removed: a modern peer answers that it is not found.',
      next: 'Use what replaced it ({instead}); keep this for the legacy lane.',
      impact: 'degrades',
      category: 'push',
    },
    'client-question': {
      what: '`{method}` is a request from server to client.',
      why: 'No request goes from server to client in the modern revision; the question is part of an `input_required` result, and the answer comes with the next call.',
      next: 'Return the question as `inputRequests` of the result (server) or answer it there (client); keep the request for the legacy lane.',
      impact: 'degrades',
      category: 'push',
    },
    'pushed-notification': {
      what: '`{method}` is sent or expected without a request that asked for it.',
      why: 'Notifications go out on the response stream of a request or of `subscriptions/listen`, and log messages only at the level that a request names.',
      next: 'Send it on the stream of the request that it belongs to, or to listeners of `subscriptions/listen`; who receives it opens such a stream first.',
      impact: 'degrades',
      category: 'push',
    },
    'method-branch': {
      what: 'Messages are told apart by `{method}`.',
      why: 'Modern peers use another form (for this one: {instead}), and what this dispatcher does not know ends in its default.',
      next: 'Look first whether `params._meta` has `io.modelcontextprotocol/protocolVersion`. A request that has it goes to a table of the modern methods, `server/discover` among them; this branch serves the others.',
      impact: 'degrades',
    },
    'method-hook': {
      what: 'A hook in front of the dispatcher runs for `{method}`.',
      why: 'The method stays, and the hook runs for requests of both eras: those of 2026-07-28 come without a handshake, and carry revision and client in `params._meta`.',
      next: 'Leave it, unless it reads what only the handshake tells.',
      impact: 'none',
    },
  },
  literals: {
    strong: ['notifications/initialized'],
    weak: [
      'initialize',
      'ping',
      'elicitation/create',
      'sampling/createMessage',
      'roots/list',
      'resources/subscribe',
      'resources/unsubscribe',
      'logging/setLevel',
      'notifications/',
      'list_changed',
    ],
  },
  detect: { python, typescript },
  judge: settle,
});
