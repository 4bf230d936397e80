import { defineConcern } from '../../src/core/index.js';
import { detectTypeScript } from './typescript.js';

export const concern = defineConcern({
  id: '_template',
  title: 'WRITE: the session-bound thing, as a noun phrase',
  // Sections of the specification that make it a finding; the list of known ones is test/fixtures-kit/spec-pages.ts.
  spec: ['basic#statelessness'],
  category: 'transport',
  milestone: 'entry',
  // Minutes by hand for a work item, and for each place.
  effort: { base: 15, each: 5 },
  kinds: {
    'first-kind': {
      what: 'WRITE: what this place does, with `{callee}` filled in from the data of the finding.',
      why: 'WRITE: what breaks on 2026-07-28, and for whom.',
      next: 'WRITE: the first thing to do.',
      impact: 'degrades',
    },
  },
  // A strong literal decides that a package is MCP code at all; a weak one only counts in such a package.
  literals: { strong: ['@modelcontextprotocol/'], weak: [] },
  detect: { typescript: detectTypeScript },
});
