import { contains, factsOf, keyOf, type Fact, type FactOf, type FactType, type Site, type SymbolRef } from '../../core/index.js';
import { groupBy } from '../order.js';
import type { Graph } from './graph.js';

/** What one entry of the repository is made of, before it is described. */
export interface Entry {
  readonly package: string;
  readonly host: string;
  readonly path: string | undefined;
  /** Source text of a path that is no literal. */
  readonly expression?: string | undefined;
  readonly routes: readonly FactOf<'route'>[];
  readonly apps: readonly string[];
  readonly roots: readonly SymbolRef[];
  readonly stdio: boolean;
  readonly files: ReadonlySet<string>;
}

/** Facts that show that a handler speaks the protocol. */
export const ANCHORS: ReadonlySet<FactType> = new Set(['dispatch', 'transport', 'connect', 'era']);
/** Code that tells the eras apart. */
export const isBranch = (fact: Fact): boolean => fact.type === 'era' && fact.what === 'branch';

/** Facts of a server on standard input and output. */
export const isStdio = (fact: Fact): boolean => (fact.type === 'transport' && fact.kind === 'stdio') || (fact.type === 'era' && fact.serves === 'stdio');

/** Keys that an entry reaches. */
export type Reach = (entry: Entry) => ReadonlySet<string>;

/**
 * Prepares the question what an entry reaches: its handlers, the functions written inside them, what those call, the factories
 * whose servers they connect, and what these call.
 */
export function createReach(facts: readonly Fact[], graph: Graph): Reach {
  const connects = factsOf(facts, 'connect');
  const eras = factsOf(facts, 'era').filter((fact) => fact.what === 'entry' && fact.symbol !== undefined);
  const functions = groupBy(factsOf(facts, 'function'), (fact) => fact.site.file);
  const inside = (route: FactOf<'route'>): readonly SymbolRef[] =>
    (functions.get(route.site.file) ?? []).flatMap((fact) => (inHandler(route, fact.site) ? [fact.symbol] : []));
  const routed = graph.reach(factsOf(facts, 'route').flatMap((route) => [...(route.handler ? [route.handler] : []), ...inside(route)].map(keyOf)));

  return (entry) => {
    const roots = new Set([...entry.roots, ...entry.routes.flatMap(inside)].map(keyOf));
    for (;;) {
      const reach = graph.reach(roots);
      const size = roots.size;
      for (const fact of connects) {
        if (!belongs(fact, entry, reach)) continue;
        if (fact.factory) roots.add(keyOf(fact.factory));
        if (fact.server) roots.add(keyOf(fact.server));
      }
      // An entry that no route leads to, in a file with one that is reached: the same entry, before an adapter wrapped it.
      const files = new Set(eras.flatMap((fact) => (fact.symbol && reach.has(keyOf(fact.symbol)) ? [fact.symbol.file] : [])));
      for (const fact of eras) {
        if (fact.symbol && isStdio(fact) === entry.stdio && files.has(fact.symbol.file) && !routed.has(keyOf(fact.symbol))) roots.add(keyOf(fact.symbol));
      }
      if (roots.size === size) return reach;
    }
  };
}

/** Does a place lie in the text of the handler of a route? */
export const inHandler = (route: FactOf<'route'>, site: Site): boolean =>
  route.handlerSpan !== undefined && route.site.file === site.file && contains(route.handlerSpan, site.span);

/** Does a fact sit in code that the entry reaches, in the text of its handler, or in a variable that it names? */
export function belongs(fact: Fact, entry: Entry, reach: ReadonlySet<string>): boolean {
  if (isStdio(fact) !== entry.stdio && (fact.type === 'transport' || fact.type === 'era')) return false;
  if ('within' in fact && fact.within && reach.has(keyOf(fact.within))) return true;
  if ('symbol' in fact && fact.symbol && fact.type !== 'function' && reach.has(keyOf(fact.symbol))) return true;
  if (fact.type === 'key-use' && fact.store && reach.has(keyOf(fact.store))) return true;
  if (entry.routes.some((route) => inHandler(route, fact.site))) return true;
  return (
    entry.routes.length === 0 && entry.roots.length === 0 && entry.files.has(fact.site.file) && ANCHORS.has(fact.type) && !('within' in fact && fact.within)
  );
}
