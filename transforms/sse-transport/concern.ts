import { defineConcern } from '../../src/core/index.js';
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
  },
  literals: { strong: ['SSEServerTransport', '@modelcontextprotocol/'], weak: ['handlePostMessage'] },
  detect: { typescript },
  assess: (item) => ({
    remedy: 'guided',
    reason: 'old clients know these URLs and no others, so the routes stay; the modern endpoint is added beside them',
    todo: [
      `${item.files.join(', ')}: serve the modern endpoint on a path of its own from the same server factory`,
      'find out who still uses the old URLs before the removal date is set',
    ],
  }),
});
