import { z } from 'zod';
import type { OfficialRow, Verdict } from '../../core/verify-report.js';
import { parseJson } from '../answer.js';
import type { Peer } from '../discover/peer.js';
import type { Evidence } from '../redact.js';
import { missingFor } from './fixtures.js';

/** The members of a row of `checks.json` that we read. Source: output of the suite 0.2.0-alpha.12. */
const SuiteRow = z.object({
  id: z.string(),
  description: z.string().nullish(),
  status: z.string(),
  errorMessage: z.string().nullish(),
  details: z.unknown().optional(),
});
type SuiteRow = z.infer<typeof SuiteRow>;

/** Where the rows come from. */
export interface RowSource {
  readonly scenario: string;
  readonly revision: string;
  readonly scored: boolean;
}

/** Reads one `checks.json`; a text that is none gives one inconclusive row. Rows for information only are dropped. */
export function readRows(text: string, source: RowSource, peer: Peer, evidence: Evidence): readonly OfficialRow[] {
  const parsed = z.array(SuiteRow).safeParse(parseJson(text)?.value);
  if (!parsed.success)
    return [{ ...source, id: source.scenario, title: source.scenario, verdict: 'inconclusive', reason: 'The suite wrote no checks.json that can be read.' }];
  return parsed.data.filter((row) => row.status !== 'INFO').map((row) => judged(row, source, peer, evidence));
}

function judged(row: SuiteRow, source: RowSource, peer: Peer, evidence: Evidence): OfficialRow {
  const missing = missingFor(source.scenario, row.id, source.revision, peer);
  const base = { ...source, id: row.id, title: evidence.text(row.description ?? row.id) };
  // A row that passes without its fixture proves nothing either.
  if (missing !== undefined) return { ...base, verdict: 'not-applicable', reason: `The scenario needs ${missing}, which the server does not have.` };
  const verdict = verdictOf(row, source.scored);
  return { ...base, verdict, reason: verdict === 'pass' ? 'As the suite asks.' : evidence.text(row.errorMessage ?? 'The suite gives no reason.') };
}

function verdictOf(row: SuiteRow, scored: boolean): Verdict {
  if (typeof row.details === 'object' && row.details !== null && 'untestable' in row.details) return 'not-tested';
  switch (row.status) {
    case 'SUCCESS':
      return 'pass';
    case 'FAILURE':
      return scored ? 'fail' : 'warn';
    case 'WARNING':
      return 'warn';
    case 'SKIPPED':
      return 'not-tested';
    default:
      return 'inconclusive';
  }
}
