import type { Fact, Finding } from '../core/index.js';
import { concernsOf, InternalFault, type Knowledge } from './knowledge.js';
import type { Links } from './link/link.js';
import { byPlace } from './order.js';

/**
 * Looks at each finding with its neighbours: the concern may change or drop it; a use that only the legacy lane runs is not a
 * fault any more (backwards compatibility is not a finding), so it is kept for the record without an impact.
 * @throws InternalFault when a concern's `judge` throws: half-judged findings would be wrong ones
 */
export function judge(findings: readonly Finding[], links: Links, facts: readonly Fact[], knowledge: Knowledge): readonly Finding[] {
  const concerns = concernsOf(knowledge);
  const judged = findings.flatMap((finding): readonly Finding[] => {
    const concern = concerns.get(finding.id.slice(0, finding.id.indexOf('/')));
    const own = concern?.judge ? attempt(concern.id, finding, () => concern.judge?.(finding, links.inventory, facts)) : finding;
    if (!own) return [];
    const lane = links.inLegacyLane(own.site) ? 'legacy' : own.lane;
    return [lane === 'legacy' ? { ...own, lane, impact: 'none' } : own];
  });
  return judged.sort(byPlace);
}

function attempt<T>(concern: string, finding: Finding, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new InternalFault(
      `${finding.site.file}:${finding.site.line}: judging ${finding.id} failed in "${concern}": ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
