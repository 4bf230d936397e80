import { type Fact, type Finding, type Inventory, factsOf, keyOf } from '../../src/core/index.js';

/** Drops objects of classes that remember nothing. Pure. */
export function judge(finding: Finding, _inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  const { of } = finding.data;
  if (of === undefined) return finding;
  return factsOf(facts, 'remembering-class').some(({ symbol }) => keyOf(symbol) === of) ? finding : undefined;
}
