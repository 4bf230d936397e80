import type { VerifyReport } from '../../core/index.js';

/** Reasons for which something was not tested that are told; the rest is counted. */
const TOLD = 6;

/** What a reader can do now, most useful first. */
export function nextSteps(report: VerifyReport): readonly string[] {
  return [...verdictSteps(report), ...untested(report), ...evidence(report)];
}

function verdictSteps(report: VerifyReport): readonly string[] {
  const { conclusion, results, inconclusive } = report;
  if (inconclusive !== undefined) return ['Nothing is proved and nothing is violated: remove what stands in the way and run this again.'];
  const steps: string[] = [];
  if (['legacy', 'legacy-sse', 'announced'].includes(conclusion.speaks))
    steps.push('The server is not migrated yet: `unsession scan <folder of its code>` shows the places, `unsession migrate` rewrites them.');
  const failed = results.filter((result) => result.verdict === 'fail').map((result) => result.id);
  if (failed.length > 0 && steps.length === 0) steps.push(`Mend ${failed.join(', ')}; then run only them again: --only ${failed.slice(0, 8).join(',')}`);
  return steps;
}

/** What the checks that could not look would need, by number of checks. */
function untested(report: VerifyReport): readonly string[] {
  if (report.inconclusive !== undefined || !report.results.some((result) => result.verdict === 'pass')) return [];
  const byReason = new Map<string, string[]>();
  // Of a server of the handshake era only what is about that era can be tested today.
  const today = report.results.filter(
    (entry) => report.eras.modern || report.target.transport === 'client' || (entry.era === 'legacy' && entry.class === 'quick'),
  );
  for (const result of today.filter((entry) => entry.verdict === 'not-tested'))
    byReason.set(result.reason, [...(byReason.get(result.reason) ?? []), result.id.replace('CK-', '')]);
  const reasons = [...byReason]
    .filter(([reason]) => !reason.startsWith('Not judged:') && !reason.startsWith('The server does not serve'))
    .sort((a, b) => b[1].length - a[1].length);
  const told = reasons.slice(0, TOLD).map(([reason, ids]) => `Not tested, ${ids.length > 5 ? `${String(ids.length)} checks` : ids.join(' ')}: ${reason}`);
  const rest = reasons.slice(TOLD).reduce((sum, [, ids]) => sum + ids.length, 0);
  return rest === 0 ? told : [...told, `Not tested, ${String(rest)} more checks: --verbose says why`];
}

const evidence = (report: VerifyReport): readonly string[] =>
  report.inconclusive !== undefined || report.comparison
    ? []
    : ['Keep this as evidence: --format json --output verify.json; later --baseline verify.json shows what changed'];
