import type { Endpoint, Fact, FactOf } from '../../core/index.js';
import { siteKey } from '../order.js';
import { describe, nameMessageRoutes, withLooseEnds, withModuleFacts } from './describe.js';
import { ANCHORS, belongs, createReach, isBranch, isStdio, type Entry } from './entry.js';
import type { Graph } from './graph.js';
import type { RouteGroup } from './routes.js';

/** Endpoints, and what each of them reaches. */
export interface LinkedEndpoints {
  readonly endpoints: readonly Endpoint[];
  /** Function or declaration key → ids of the endpoints that reach it. */
  readonly reachedBy: ReadonlyMap<string, readonly string[]>;
  /** Places (`siteKey`) of facts that belong to an endpoint. */
  readonly owned: ReadonlySet<string>;
}

/** @param facts facts of sources and examples, tests left out */
export function linkEndpoints(facts: readonly Fact[], groups: readonly RouteGroup[], graph: Graph, packageOf: (file: string) => string): LinkedEndpoints {
  const anchors = facts.filter((fact): fact is FactOf<'dispatch' | 'transport' | 'connect' | 'era'> => ANCHORS.has(fact.type));
  // Extents and edges are most of the facts of a large repository. They say what is reached, and belong to nobody.
  const claimable = facts.filter((fact) => fact.type !== 'call' && fact.type !== 'function');
  const reachOf = createReach(facts, graph);
  const taken = new Set<string>();

  const entries: { readonly entry: Entry; readonly reach: ReadonlySet<string>; readonly own: readonly Fact[] }[] = [];
  const claim = (entry: Entry): void => {
    const reach = reachOf(entry);
    const own = claimable.filter((fact) => belongs(fact, entry, reach));
    for (const fact of own) if (ANCHORS.has(fact.type)) taken.add(siteKey(fact.site));
    entries.push({ entry, reach, own });
  };

  for (const group of groups) {
    const entry: Entry = {
      ...group,
      roots: group.routes.flatMap((route) => (route.handler ? [route.handler] : [])),
      stdio: false,
      files: new Set(group.routes.map((route) => route.site.file)),
    };
    const reach = reachOf(entry);
    const speaks = anchors.some((fact) => !isStdio(fact) && belongs(fact, entry, reach));
    if (speaks || takesMessages(group, anchors, packageOf)) claim(entry);
  }
  // What no route leads to: stdio entries, handlers that a platform calls, functions of a library.
  // Code that tells the eras apart leads to both sides, so it is the first to be asked.
  for (const anchor of [...anchors].sort((a, b) => Number(isBranch(b)) - Number(isBranch(a)))) {
    if (taken.has(siteKey(anchor.site)) || anchor.type === 'connect' || (anchor.type === 'transport' && anchor.kind === 'in-memory')) continue;
    if (anchor.type === 'era' && anchor.what === 'lane') continue;
    const stdio = isStdio(anchor);
    const root = anchor.within ?? ('symbol' in anchor ? anchor.symbol : undefined);
    // A transport of the module level serves whatever route dispatches to it: it is claimed below, by file.
    if (!stdio && anchor.type === 'transport' && !anchor.within && entries.some(({ entry }) => entry.files.has(anchor.site.file) && !entry.stdio)) continue;
    claim({
      package: packageOf(anchor.site.file),
      host: stdio ? 'stdio' : 'none',
      path: undefined,
      routes: [],
      apps: [],
      roots: root ? [root] : [],
      stdio,
      files: new Set([anchor.site.file]),
    });
  }

  const merged = mergeUnrouted(entries);
  const ids = nameEntries(merged.map(({ entry }) => entry));
  const reachedBy = new Map<string, string[]>();
  const owned = new Set<string>();
  merged.forEach(({ reach, own }, index) => {
    for (const key of reach) reachedBy.set(key, [...(reachedBy.get(key) ?? []), ids[index] ?? '']);
    for (const fact of own) owned.add(siteKey(fact.site));
  });
  const described = merged.map(({ entry, reach, own }, index) =>
    describe(ids[index] ?? '', entry, reach, withModuleFacts(entry, own, facts, taken), facts, packageOf),
  );
  return { endpoints: nameMessageRoutes(described.map((endpoint) => withLooseEnds(endpoint, facts, owned, packageOf))), reachedBy, owned };
}

/** Does a path take what an HTTP+SSE transport tells its clients to post there? Its handler may only pass the messages on. */
const takesMessages = (group: RouteGroup, anchors: readonly Fact[], packageOf: (file: string) => string): boolean =>
  group.routes.some(({ method }) => method === 'POST' || method === 'ALL') &&
  anchors.some(
    (fact) =>
      fact.type === 'transport' &&
      fact.kind === 'sse' &&
      fact.messages !== undefined &&
      packageOf(fact.site.file) === group.package &&
      (group.path === fact.messages || group.path?.endsWith(fact.messages) === true),
  );

/** Entries without a route are one per file: a class that builds its transport in one method and dispatches in another is one thing. */
function mergeUnrouted<T extends { readonly entry: Entry; readonly reach: ReadonlySet<string>; readonly own: readonly Fact[] }>(
  entries: readonly T[],
): readonly T[] {
  const merged = new Map<string, T>();
  entries.forEach((item, index) => {
    const { entry } = item;
    const key = entry.routes.length > 0 ? String(index) : `${entry.host} ${[...entry.files].join(' ')}`;
    const known = merged.get(key);
    merged.set(
      key,
      known
        ? {
            ...known,
            entry: { ...known.entry, roots: [...known.entry.roots, ...entry.roots] },
            reach: new Set([...known.reach, ...item.reach]),
            own: [...new Set([...known.own, ...item.own])],
          }
        : item,
    );
  });
  return [...merged.values()];
}

/** `package:path`, with the file where there is no path, and the framework where two share a path. */
function nameEntries(entries: readonly Entry[]): readonly string[] {
  const plain = entries.map((entry) => {
    const file = [...entry.files][0] ?? '';
    const where = entry.stdio
      ? `stdio ${file}`
      : (entry.path ?? (entry.routes.length > 0 ? `${file} (${entry.expression === undefined ? 'path not literal' : `path ${entry.expression}`})` : file));
    return entry.package === '.' ? where : `${entry.package}:${where}`;
  });
  const seen = new Map<string, number>();
  return plain.map((name, index) => {
    const entry = entries[index];
    const base = plain.filter((other) => other === name).length > 1 && entry ? `${name} (${entry.host})` : name;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return count === 1 ? base : `${base} ${count}`;
  });
}
