import { contains, factsOf, keyOf, type Fact, type Site } from '../../core/index.js';
import { moduleKey, type Graph } from './graph.js';

/** The code that only the legacy side of a dual-era entry runs. */
export interface LegacyLane {
  /** Keys of functions and of what they alone refer to, sorted. */
  readonly keys: ReadonlySet<string>;
  has(site: Site): boolean;
}

/**
 * Starts from the functions that the `era` facts name, follows their calls across files, and takes out whatever is also
 * reached from elsewhere: another function, a route of its own, or the module level of a file. A named function may be referred to
 * by the code that tells the eras apart, and by nobody else outside the lane.
 */
export function legacyLane(facts: readonly Fact[], graph: Graph, ignored: (file: string) => boolean): LegacyLane {
  const eras = factsOf(facts, 'era').filter((fact) => !ignored(fact.site.file));
  const allowed = new Map<string, Set<string>>();
  for (const era of eras) {
    for (const ref of era.lane) {
      const callers = allowed.get(keyOf(ref)) ?? new Set<string>();
      callers.add(moduleKey(era.site.file));
      if (era.within) callers.add(keyOf(era.within));
      for (const around of graph.functionsAround(era.site)) callers.add(around);
      allowed.set(keyOf(ref), callers);
    }
  }
  const spans = eras.flatMap((era) => era.spans.map((span) => ({ file: era.site.file, span })));
  const keys = new Set(graph.reach(allowed.keys()));
  const entered = new Set(factsOf(facts, 'route').flatMap((route) => (route.handler && !ignored(route.site.file) ? [keyOf(route.handler)] : [])));

  /** A reference from the legacy side itself, or from a name (a class, an export, a table) that nobody outside of the lane uses. */
  const isInside = (caller: string, named: ReadonlySet<string> | undefined, seen: ReadonlySet<string>): boolean => {
    if (keys.has(caller) || named?.has(caller) === true || seen.has(caller)) return true;
    if (caller.endsWith('#') || graph.mayRun(caller) || entered.has(caller)) return false;
    return graph.callers(caller).every((next) => isInside(next, named, new Set([...seen, caller])));
  };
  const leaves = (key: string): boolean => {
    const named = allowed.get(key);
    if (!named && entered.has(key)) return true;
    return graph.callers(key).some((caller) => !isInside(caller, named, new Set([key])));
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const key of keys) {
      if (!leaves(key)) continue;
      keys.delete(key);
      changed = true;
    }
  }
  return {
    keys,
    has(site) {
      if (spans.some((entry) => entry.file === site.file && contains(entry.span, site.span))) return true;
      const around = graph.functionAt(site);
      return around !== undefined && keys.has(around);
    },
  };
}
