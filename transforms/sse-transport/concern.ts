import { defineConcern } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';
import { assess } from './assess.js';
import { python } from './python.js';
import { rewrite } from './rewrite.js';
import { typescript } from './typescript.js';

/** The HTTP+SSE transport of revision 2024-11-05: one URL for the stream, one for messages, tied together by a session id in the query. */
export const concern = defineConcern({
  id: 'sse-transport',
  title: 'HTTP+SSE transport of 2024-11-05',
  spec: ['basic/transports/streamable-http#httpsse-transport-2024-11-05', 'deprecated'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 40, each: 10 },
  kinds: {
    'stream-route': {
      what: 'A stream of the HTTP+SSE transport is opened here (messages go to `{path}`).',
      why: 'The transport is deprecated since 2025-03-26, ties a client to the instance that holds its stream, and no modern client speaks it.',
      next: 'Add the one modern endpoint beside it and keep both old URLs, marked, until the removal date; do not redirect from one to the other.',
      impact: 'degrades',
    },
    'message-route': {
      what: 'A message is handed to an open HTTP+SSE stream (`{call}`).',
      why: 'The message reaches only the instance that holds the stream; on another one it is lost or answered with an error.',
      next: 'Keep the route with its stream in the legacy lane; modern requests go to the one endpoint by POST.',
      impact: 'degrades',
    },
    'stream-url': {
      what: '`{path}` is the URL of an HTTP+SSE stream.',
      why: 'Old clients know this URL and no other; no modern client opens it.',
      next: 'Keep it, marked, until the removal date; do not redirect it.',
      impact: 'degrades',
    },
    'message-url': {
      what: '`{path}` takes the messages of HTTP+SSE streams.',
      why: 'It works only on the instance that holds the stream, and only with the session id in the query.',
      next: 'Keep it together with its stream until the removal date; modern requests go to the one endpoint.',
      impact: 'degrades',
    },
    'query-session-id': {
      what: 'The session id is taken from the query.',
      why: 'That is how HTTP+SSE names a stream: an id in URLs and logs, and modern requests have none.',
      next: 'Keep it in the legacy lane; do not let it decide anything else.',
      impact: 'degrades',
    },
    'endpoint-event': {
      what: 'The `endpoint` event of HTTP+SSE is written or expected by hand.',
      why: 'It names the URL for messages to a client of 2024-11-05; no modern client waits for it.',
      next: 'Keep it for the legacy lane; a test for it stays with that lane.',
      impact: 'tidies',
    },
    'keep-alive': {
      what: 'A stream is kept open by comments.',
      why: 'Streams that a client opens by GET are gone; a response stream ends with its request.',
      next: 'Keep it for legacy streams and for long response streams; it is dead code for the rest.',
      impact: 'tidies',
    },
    'silent-miss': {
      what: 'A message for a stream that is not there gets no answer.',
      why: 'The optional call does nothing for an unknown id: the request hangs until its time-out, on every instance but one and after every restart.',
      next: 'Answer 404 when there is no such stream, so that the client opens a new one.',
      impact: 'degrades',
    },
    'message-dispatch': {
      what: 'A message is handed to an HTTP+SSE transport (`{call}`).',
      why: 'Only the instance that holds the stream can do that.',
      next: 'Keep it with the legacy lane.',
      impact: 'tidies',
    },
  },
  literals: {
    strong: ['SSEServerTransport', '@modelcontextprotocol/'],
    weak: ['handlePostMessage', '/sse', '/message', 'sessionId', 'event: endpoint', 'keepalive', 'keep-alive', 'heartbeat'],
    python: { strong: [], weak: ['handle_post_message', 'sse_app', 'connect_sse'] },
  },
  detect: { python, typescript },
  judge: (finding, inventory) => settle(finding, inventory),
  assess,
  rewrite,
});
