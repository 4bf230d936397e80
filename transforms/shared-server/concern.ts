import { defineConcern } from '../../src/core/index.js';
import { assess } from './assess.js';
import { detectTypeScript } from './detect.js';
import { rewrite } from './rewrite.js';

export const concern = defineConcern({
  id: 'shared-server',
  title: 'One server object for all clients',
  spec: ['basic#statelessness'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 30, each: 10 },
  kinds: {
    'shared-server': {
      what: '`{server}` is built once and connected for each client.',
      why: 'A server object serves one connection at a time: a second request is answered 500, or gets the answer that belongs to somebody else.',
      next: '{advice} What all clients may share stays outside of the factory.',
      impact: 'breaks',
    },
    'shared-factory': {
      what: 'The factory of the entry returns `{server}`, the same object each time.',
      why: 'Requests that overlap are answered 500, because a server object serves one request at a time.',
      next: '{advice} What all clients may share stays outside of the factory.',
      impact: 'breaks',
    },
  },
  literals: { strong: ['@modelcontextprotocol/'], weak: [] },
  detect: { typescript: detectTypeScript },
  judge: (finding) => ({ ...finding, group: `${finding.site.file} ${String(finding.data['server'])}` }),
  assess,
  rewrite,
});
