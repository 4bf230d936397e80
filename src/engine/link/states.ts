import { factsOf, keyOf, type Fact } from '../../core/index.js';

/** Facts without the state that is none: objects that are kept, but whose class remembers nothing. */
export function provedStates(facts: readonly Fact[]): readonly Fact[] {
  if (factsOf(facts, 'state').every(({ of }) => of === undefined)) return facts;
  const remembering = new Set(factsOf(facts, 'remembering-class').map(({ symbol }) => keyOf(symbol)));
  return facts.filter((fact) => fact.type !== 'state' || fact.of === undefined || remembering.has(keyOf(fact.of)));
}
