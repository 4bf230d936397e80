import { factsOf, type Fact, type Finding, type Inventory } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';

/** An object that is addressed by session id is joined with its binding in the settings of the Worker. Pure. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding {
  const settled = settle(finding, inventory);
  if (finding.id !== 'session-holders/session-object') return settled;
  const words = new Set(String(finding.data['name']).split(/\W+/));
  const bindings = factsOf(facts, 'object-class').filter(({ binding }) => binding !== undefined && words.has(binding));
  return bindings.length === 0 ? settled : { ...settled, related: [...settled.related, ...bindings.map(({ site }) => site)] };
}
