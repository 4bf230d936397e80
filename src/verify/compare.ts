import type { CheckResult, Comparison, OfficialRow, Verdict, VerifyReport } from '../core/verify-report.js';

const RANK: Readonly<Record<Verdict, number>> = { pass: 0, warn: 1, 'not-applicable': 2, 'not-tested': 2, inconclusive: 2, fail: 3 };

/** Which checks are better, worse or the same as in an earlier report. A check that was not judged before or now is unchanged unless it fails. */
export function compare(before: VerifyReport, now: readonly CheckResult[]): Comparison {
  const earlier = new Map(before.results.map((result) => [result.id, result.verdict]));
  const changed = (result: CheckResult): number => {
    const was = earlier.get(result.id);
    if (was === undefined) return result.verdict === 'fail' ? 1 : 0;
    if (result.verdict === was) return 0;
    if (was === 'fail' || result.verdict === 'fail') return Math.sign(RANK[result.verdict] - RANK[was]);
    return was === 'pass' && result.verdict === 'warn' ? 1 : was === 'warn' && result.verdict === 'pass' ? -1 : 0;
  };
  const having = (sign: number): string[] => now.filter((result) => changed(result) === sign).map((result) => result.id);
  return { fixed: having(-1), regressed: having(1), unchanged: having(0) };
}

/**
 * 0 when nothing failed, 1 when a check or a scored row of the official suite failed, 3 when nothing or not all of what was asked could be judged: a
 * check without a verdict is no pass. With a baseline only what did not fail before counts.
 */
export function exitCodeOf(report: VerifyReport, baseline?: VerifyReport): 0 | 1 | 3 {
  if (report.inconclusive !== undefined) return 3;
  const failing = report.comparison ? report.comparison.regressed.length > 0 : report.results.some((result) => result.verdict === 'fail');
  const known = new Set(baseline?.official?.rows.filter((row) => row.verdict === 'fail').map(keyOf));
  if (failing || (report.official?.rows ?? []).some((row) => row.verdict === 'fail' && !known.has(keyOf(row)))) return 1;
  return report.results.some((result) => result.verdict === 'inconclusive') ? 3 : 0;
}

const keyOf = (row: OfficialRow): string => `${row.revision} ${row.scenario} ${row.id}`;
