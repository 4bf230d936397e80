import { factsOf, keyOf, type Fact, type FactOf, type SymbolRef } from '../../core/index.js';
import { joinPaths } from './routes.js';

/** Re-exports and functions that hand an application on are followed so far. */
const MAX_STEPS = 6;

type App = FactOf<'app'>;

/** An application, and the path under which what is registered answers on it. */
interface Place {
  readonly root: SymbolRef;
  readonly prefix: string | undefined;
}

/**
 * Decides about what is registered on a name that its file does not explain: an imported application, a parameter. It is put under
 * the application that other files show the name to stand for; what is only assumed and shown by nobody is no route.
 */
export function settleApps(facts: readonly Fact[]): readonly Fact[] {
  if (!facts.some(isOpen)) return facts;
  const find = finder(facts);
  return facts.flatMap((fact): readonly Fact[] => {
    if (!isOpen(fact) || fact.app === undefined) return [fact];
    const places = find(fact.app);
    if (places.length === 0) return fact.assumed === true ? [] : [fact];
    return places.map(({ root, prefix }): Fact =>
      fact.type === 'route' && prefix !== undefined && fact.path !== undefined
        ? { ...fact, app: root, path: joinPaths(prefix, fact.path) }
        : { ...fact, app: root },
    );
  });
}

const isOpen = (fact: Fact): fact is FactOf<'route' | 'guard' | 'listen'> =>
  (fact.type === 'route' || fact.type === 'guard' || fact.type === 'listen') &&
  (fact.assumed === true || (fact.app !== undefined && /#\d+$/.test(fact.app.name)));

/** Answers which applications a name stands for; none when nothing shows it. */
function finder(facts: readonly Fact[]): (ref: SymbolRef) => readonly Place[] {
  const apps = new Map<string, App[]>();
  for (const fact of factsOf(facts, 'app')) apps.set(keyOf(fact.symbol), [...(apps.get(keyOf(fact.symbol)) ?? []), fact]);
  const edges = new Map<string, Set<string>>();
  for (const fact of factsOf(facts, 'call')) if (fact.from) edges.set(keyOf(fact.from), (edges.get(keyOf(fact.from)) ?? new Set<string>()).add(keyOf(fact.to)));
  const functions = new Set(factsOf(facts, 'function').map((fact) => keyOf(fact.symbol)));

  const named = (ref: SymbolRef): readonly App[] => {
    let key = keyOf(ref);
    for (let step = 0; step < MAX_STEPS; step++) {
      const found = apps.get(key);
      if (found) return found;
      // A name that only hands on another one: `export { app } from './app.js'`.
      const [only, more] = edges.get(key) ?? [];
      if (only === undefined || more !== undefined || functions.has(key)) return [];
      key = only;
    }
    return [];
  };
  const placesOf = (ref: SymbolRef, depth: number): readonly Place[] =>
    named(ref).flatMap((app): readonly Place[] => {
      if (keyOf(app.root) === keyOf(app.symbol)) return [{ root: app.root, prefix: app.prefix }];
      if (depth >= MAX_STEPS) return [];
      return placesOf(app.root, depth + 1).map(({ root, prefix }) => ({
        root,
        prefix: app.prefix === undefined ? prefix : prefix === undefined ? app.prefix : joinPaths(prefix, app.prefix),
      }));
    });
  return (ref) => [...new Map(placesOf(ref, 0).map((place) => [`${keyOf(place.root)} ${place.prefix ?? ''}`, place])).values()];
}
