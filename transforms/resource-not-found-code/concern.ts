import { defineConcern } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';
import { typescript } from './typescript.js';

/** Error code -32002 for a resource that does not exist; it is -32602 today. */
export const concern = defineConcern({
  id: 'resource-not-found-code',
  title: 'Error code of a missing resource',
  spec: ['server/resources#error-handling', 'basic#error-codes'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 5, each: 5 },
  kinds: {
    'code-sent': {
      what: 'A missing resource is answered with -32002.',
      why: 'The modern revision answers it with -32602 (invalid params); clients that follow it do not know -32002 as "not found".',
      next: 'Answer modern requests with -32602 and the URI in `data`; keep -32002 for the legacy lane.',
      impact: 'degrades',
    },
    'code-expected': {
      what: 'A missing resource is recognised by -32002.',
      why: 'Modern servers answer -32602, so the code here takes a missing resource for another failure.',
      next: 'Accept both codes, and look at `data.uri` to tell a missing resource from other wrong parameters.',
      impact: 'degrades',
    },
  },
  literals: { strong: [], weak: ['32002'] },
  detect: { typescript },
  judge: settle,
});
