import { defineConcern } from '../../src/core/index.js';
import { judge } from './judge.js';
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
    'early-removal': {
      what: 'The plan ends the legacy routes on {promised}, and answers promise them until {announced} (`Sunset`).',
      why: 'Clients that trust the header are cut off {days} days before the day that they were told.',
      next: 'Move the removal to {announced} or later, or announce the new date in the header long enough before it.',
      impact: 'breaks',
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
  judge,
  assess: ({ group }) =>
    group === 'early removal'
      ? { remedy: 'manual', reason: 'Which of the two days holds is for the owner of the routes to say.', todo: ['make header and plan name one day'] }
      : { remedy: 'none', reason: 'Dates are checked against the removal date of the runbook.' },
});
