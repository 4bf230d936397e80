import { defineConcern } from '../../src/core/index.js';
import { assess } from './assess.js';
import { detectTypeScript } from './detect.js';
import { rewrite } from './rewrite.js';

export const concern = defineConcern({
  id: 'session-error-status',
  title: 'Status of an unknown session',
  spec: ['basic/transports/streamable-http#earlier-streamable-http-revisions'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 5, each: 5 },
  kinds: {
    'unknown-session-status': {
      what: 'A session id that this process does not know is answered 400.',
      why: 'Clients of the earlier revisions open a new session only on 404; on 400 they stay broken after each deployment until somebody reconnects them.',
      next: 'Answer 404 when an id is present and unknown, and keep 400 for requests without one.',
      impact: 'degrades',
    },
  },
  literals: { strong: ['mcp-session-id'], weak: [] },
  detect: { typescript: detectTypeScript },
  judge: (finding) => ({ ...finding, group: finding.site.file }),
  assess,
  rewrite,
});
