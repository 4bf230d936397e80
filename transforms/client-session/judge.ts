import { factsOf, type Fact, type Finding, type Inventory } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';

/** Tests and examples ask for their own sake. */
const ASIDE = /(?:^|\/)(?:tests?|__tests__|e2e|spec|examples?|samples?|demos?|docs|fixtures|playground)\/|\.(?:test|spec)\.\w+$/i;

/**
 * A client without elicitation matters only where a server of the same repository asks, and neither is a test or an example. Cookies of a
 * test are those of a login. Pure.
 */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  if (finding.id.endsWith('/elicitation-undeclared')) {
    const asks = [...factsOf(facts, 'push'), ...factsOf(facts, 'question')].find((fact) => fact.what === 'elicitation' && !ASIDE.test(fact.site.file));
    if (finding.role !== 'source' || asks === undefined) return undefined;
    return settle({ ...finding, related: [{ ...asks.site, label: 'a server asks here' }] }, inventory);
  }
  if (finding.id.endsWith('/replayed-cookies') && finding.role === 'test') return undefined;
  return settle(finding, inventory);
}
