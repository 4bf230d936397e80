import { defineConcern } from '../../src/core/index.js';
import { detectTypeScript } from './detect.js';
import { rewrite } from './rewrite.js';

export const concern = defineConcern({
  id: 'drained-body',
  title: 'Request body that a parser has already read',
  spec: ['basic/transports/streamable-http#sending-messages'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 5, each: 2 },
  kinds: {
    'drained-body': {
      what: '`{call}` reads the body of a request whose body a parser has read before.',
      why: 'It sees an empty body: every modern request is taken for a legacy one, or is answered 400 with a parse error.',
      next: 'Pass `{body}` along.',
      impact: 'breaks',
    },
  },
  literals: { strong: ['@modelcontextprotocol/'], weak: [] },
  detect: { typescript: detectTypeScript },
  judge: (finding) => ({ ...finding, group: finding.site.file }),
  rewrite,
  closes: ['CK-H01'],
});
