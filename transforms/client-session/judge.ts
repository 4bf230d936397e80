import { factsOf, type Fact, type Finding, type Inventory } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';

/** A client without elicitation matters only where a server of the same repository asks. Pure. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  if (finding.id.endsWith('/elicitation-undeclared')) {
    const asks = [...factsOf(facts, 'push'), ...factsOf(facts, 'question')].find((fact) => fact.what === 'elicitation');
    if (finding.role === 'test' || asks === undefined) return undefined;
    return settle({ ...finding, related: [{ ...asks.site, label: 'a server asks here' }] }, inventory);
  }
  return settle(finding, inventory);
}
