import type { Finding, NotAnalysed, Refusal, ScanResult } from '../core/index.js';

/** What of a result stays. What is not named stays whole. */
export interface Kept {
  readonly finding: (finding: Finding) => boolean;
  readonly refusal?: (refusal: Refusal) => boolean;
  readonly notice?: (notice: NotAnalysed) => boolean;
}

/** A result that speaks about a part of its findings only: the work items, the effort and the steps follow them. */
export function narrowed(result: ScanResult, kept: Kept): ScanResult {
  const findings = result.findings.filter(kept.finding);
  const left = new Set(findings.map((finding) => finding.fingerprint));
  const items = result.plan.items.filter((item) => item.findings.some((fingerprint) => left.has(fingerprint)));
  const refusals = kept.refusal ? result.refusals.filter(kept.refusal) : result.refusals;
  return {
    ...result,
    findings,
    plan: { ...result.plan, items, refusals, effort: items.reduce((sum, item) => sum + item.effort, 0) },
    refusals,
    notAnalysed: kept.notice ? result.notAnalysed.filter(kept.notice) : result.notAnalysed,
    next: items.some((item) => item.remedy !== 'none') ? result.next : [],
  };
}
