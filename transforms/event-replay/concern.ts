import { defineConcern } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';
import { python } from './python.js';
import { typescript } from './typescript.js';

/** Event stores, `Last-Event-ID`, and streams that are closed to be polled: resuming a stream is gone. */
export const concern = defineConcern({
  id: 'event-replay',
  title: 'Event stores and streams that are resumed',
  spec: ['basic/transports/streamable-http#earlier-streamable-http-revisions', 'basic/transports/streamable-http#receiving-messages'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 15, each: 5 },
  kinds: {
    'event-store-option': {
      what: 'A transport keeps its messages in an event store.',
      why: 'Modern streams are never resumed, so nobody asks the store: it serves the legacy lane only.',
      next: 'Keep it with the legacy transport; do not carry it over. Long work needs a handle or the Tasks extension, so that a client can ask again.',
      impact: 'none',
    },
    'event-store': {
      what: 'An event store is built or called (`{call}`).',
      why: 'It exists to replay what a client missed, which the modern revision does not do.',
      next: 'It goes with the legacy lane; do not port it.',
      impact: 'none',
    },
    'replay-not-scoped': {
      what: 'Events are replayed without a look at the stream that they belong to.',
      why: 'A client that names the event of another stream gets that stream: as long as the legacy lane lives, one session can read the messages of another.',
      next: 'Find the stream of the event first, and replay the events of that stream only.',
      impact: 'breaks',
      category: 'auth',
    },
    'last-event-id': {
      what: '`Last-Event-ID` is read, sent or listed.',
      why: 'Modern servers ignore it: a client that counts on it loses what was sent while it was away.',
      next: 'Keep it for the legacy lane.',
      impact: 'tidies',
    },
    'stream-polling': {
      what: 'The server ends a response stream so that the client comes back for the rest (`{call}`).',
      why: 'On the modern revision a closed stream cancels the request: the rest is never delivered.',
      next: 'Call it for legacy requests only; give long work a handle that the client can ask about.',
      impact: 'breaks',
    },
  },
  literals: {
    strong: ['@modelcontextprotocol/'],
    weak: [
      'eventStore',
      'EventStore',
      'storeEvent',
      'replayEventsAfter',
      'last-event-id',
      'Last-Event-ID',
      'Last-Event-Id',
      'closeSSEStream',
      'closeStandaloneSSEStream',
      'retryInterval',
    ],
  },
  detect: { python, typescript },
  judge: settle,
});
