import { factsOf, type Fact, type Finding, type Inventory } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';

/** A client without elicitation matters only where a server of the same repository asks. Pure. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  if (finding.id.endsWith('/elicitation-undeclared')) {
    if (finding.role === 'test' || !factsOf(facts, 'push').some((fact) => fact.what === 'elicitation')) return undefined;
  }
  return settle(finding, inventory);
}
