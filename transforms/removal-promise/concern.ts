import { defineConcern } from '../../src/core/index.js';
import { text } from './text.js';
import { typescript } from './typescript.js';

/** Dates that a repository has given to the users of its legacy routes, and claims about dates that the specification does not set. */
export const concern = defineConcern({
  id: 'removal-promise',
  title: 'Dates promised to users of the legacy routes',
  spec: ['deprecated', 'basic/versioning#backward-compatibility-with-initialization-based-versions'],
  category: 'docs',
  milestone: 'entry',
  effort: { base: 5, each: 5 },
  kinds: {
    'sunset-header': {
      what: 'Answers announce that the routes live until {promised} (`Sunset`).',
      why: 'Clients and operators plan by this date: a removal before it breaks a promise.',
      next: 'Take a removal date that is not earlier, or announce the change of the date first.',
      impact: 'none',
    },
    'documented-date': {
      what: 'A document names {promised} as the end of a legacy route.',
      why: 'Readers plan by this date, and it must agree with header, code and runbook.',
      next: 'Keep one date in all of them.',
      impact: 'none',
    },
    'mandate-claim': {
      what: 'A document says that the specification gives sessions or `initialize` an end date or a grace period.',
      why: 'It does not: they are no part of revision 2026-07-28, older revisions may be served beside it, and the deprecation period concerns Roots, Sampling, Logging and Dynamic Client Registration.',
      next: 'Name the date as a decision of the team, with its owner.',
      impact: 'none',
    },
  },
  literals: { strong: ['mcp-session-id', '@modelcontextprotocol/'], weak: ['Sunset', 'sunset', 'deprecated', 'removed', 'retire'] },
  detect: { text, typescript },
  assess: () => ({ remedy: 'none', reason: 'Dates are checked against the removal date of the runbook.' }),
});
