import { factsOf, type Fact, type Finding, type Inventory } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';

/** Doubles and requests of tests are wrong on purpose; only a gate is meant to be right there. Pure. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  if (finding.role === 'test') return finding.id === 'era-mistakes/gate-cannot-fail' ? finding : undefined;
  if (finding.id === 'era-mistakes/process-key' && finding.lane !== 'legacy') return amongInstances(finding, facts);
  return finding.lane === 'legacy' ? settle(finding, inventory) : finding;
}

/** A key of one process fails every second round where several run; a Deployment runs two while it is rolled out. */
function amongInstances(finding: Finding, facts: readonly Fact[]): Finding {
  const places = factsOf(facts, 'instances').filter(({ amount, processes }) => amount !== 'one' || !processes);
  if (places.length === 0) return finding;
  return {
    ...finding,
    impact: 'breaks',
    related: places.map(({ site }) => site),
    evidence: places.map(({ site, amount, words }) =>
      amount === 'one' ? `${site.file}:${site.line} deploys it: the next release runs beside this one for a while` : `${site.file}:${site.line} runs ${words}`,
    ),
  };
}
