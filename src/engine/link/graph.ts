import { contains, factsOf, keyOf, type Fact, type FactOf, type Site, type SymbolRef } from '../../core/index.js';

/** Who refers to whom, over the `call` facts of all files; containment (function to nested function) is an edge too. */
export interface Graph {
  /** Everything that can run or be touched once one of the roots runs, roots included. */
  reach(roots: Iterable<string>): ReadonlySet<string>;
  /** Keys that refer to a declaration; `file#` stands for the module level of a file. */
  callers(key: string): readonly string[];
  /** The innermost function around a place: from `function` facts, else from another fact at that place. */
  functionAt(site: Site): string | undefined;
  /** True for functions, and for everything in files whose functions are not known. */
  mayRun(key: string): boolean;
  /** All functions around a place that have a known extent, outer ones first. */
  functionsAround(site: Site): readonly string[];
}

/** Key of the module level of a file: code that runs when the file is loaded. */
export const moduleKey = (file: string): string => `${file}#`;

/** @param ignored facts of these files do not count, e.g. tests, which call everything. */
export function buildGraph(facts: readonly Fact[], ignored: (file: string) => boolean): Graph {
  const to = new Map<string, Set<string>>();
  const from = new Map<string, Set<string>>();
  for (const fact of factsOf(facts, 'call')) {
    if (ignored(fact.site.file)) continue;
    const caller = fact.from ? keyOf(fact.from) : moduleKey(fact.site.file);
    const callee = keyOf(fact.to);
    add(to, caller, callee);
    add(from, callee, caller);
  }
  const extents = extentsOf(facts);
  const hints = new Map<string, { readonly site: Site; readonly within: SymbolRef }[]>();
  for (const fact of facts) {
    if (!('within' in fact) || !fact.within) continue;
    const list = hints.get(fact.site.file);
    if (list) list.push({ site: fact.site, within: fact.within });
    else hints.set(fact.site.file, [{ site: fact.site, within: fact.within }]);
  }
  const functions = new Set(factsOf(facts, 'function').map((fact) => keyOf(fact.symbol)));
  const around = (site: Site): readonly FactOf<'function'>[] => (extents.get(site.file) ?? []).filter((entry) => contains(entry.site.span, site.span));
  return {
    reach(roots) {
      const seen = new Set(roots);
      const queue = [...seen];
      for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
        for (const next of to.get(key) ?? []) {
          if (seen.has(next)) continue;
          seen.add(next);
          queue.push(next);
        }
      }
      return seen;
    },
    callers: (key) => [...(from.get(key) ?? [])],
    functionAt(site) {
      const inner = around(site).at(-1);
      if (inner) return keyOf(inner.symbol);
      const hint = (hints.get(site.file) ?? []).find((entry) => contains(entry.site.span, site.span) || contains(site.span, entry.site.span));
      return hint && keyOf(hint.within);
    },
    mayRun: (key) => functions.has(key) || !extents.has(key.slice(0, key.lastIndexOf('#'))),
    functionsAround: (site) => around(site).map((entry) => keyOf(entry.symbol)),
  };
}

/** Function extents by file, outer ones before inner ones. */
function extentsOf(facts: readonly Fact[]): ReadonlyMap<string, readonly FactOf<'function'>[]> {
  const byFile = new Map<string, FactOf<'function'>[]>();
  for (const fact of factsOf(facts, 'function')) {
    const list = byFile.get(fact.site.file);
    if (list) list.push(fact);
    else byFile.set(fact.site.file, [fact]);
  }
  for (const list of byFile.values()) list.sort((a, b) => a.site.span.start - b.site.span.start || b.site.span.end - a.site.span.end);
  return byFile;
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}
