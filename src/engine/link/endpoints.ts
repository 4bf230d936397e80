import { contains, factsOf, keyOf, type Endpoint, type Fact, type FactOf, type FactType, type Site, type SymbolRef } from '../../core/index.js';
import { byText, groupBy, siteKey, uniqueSites, uniqueTexts } from '../order.js';
import type { Graph } from './graph.js';
import type { RouteGroup } from './routes.js';

/** What one entry of the repository is made of, before it is described. */
interface Entry {
  readonly package: string;
  readonly host: string;
  readonly path: string | undefined;
  readonly routes: readonly FactOf<'route'>[];
  readonly apps: readonly string[];
  readonly roots: readonly SymbolRef[];
  readonly stdio: boolean;
  readonly files: ReadonlySet<string>;
}

/** Endpoints, and what each of them reaches. */
export interface LinkedEndpoints {
  readonly endpoints: readonly Endpoint[];
  /** Function or declaration key → ids of the endpoints that reach it. */
  readonly reachedBy: ReadonlyMap<string, readonly string[]>;
  /** Places (`siteKey`) of facts that belong to an endpoint. */
  readonly owned: ReadonlySet<string>;
}

/** Facts that show that a handler speaks the protocol. */
const ANCHORS: ReadonlySet<FactType> = new Set(['dispatch', 'transport', 'connect', 'era']);
const USER_STATE: ReadonlySet<string> = new Set(['state', 'resource', 'policy', 'auth']);

/** @param facts facts of sources and examples, tests left out */
export function linkEndpoints(facts: readonly Fact[], groups: readonly RouteGroup[], graph: Graph, packageOf: (file: string) => string): LinkedEndpoints {
  const anchors = facts.filter((fact): fact is FactOf<'dispatch' | 'transport' | 'connect' | 'era'> => ANCHORS.has(fact.type));
  const connects = factsOf(facts, 'connect');
  const functions = groupBy(factsOf(facts, 'function'), (fact) => fact.site.file);
  const taken = new Set<string>();

  const entries: { readonly entry: Entry; readonly reach: ReadonlySet<string>; readonly own: readonly Fact[] }[] = [];
  const claim = (entry: Entry): void => {
    const reach = reachOf(entry, graph, connects, functions);
    const own = facts.filter((fact) => belongs(fact, entry, reach));
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
    const reach = reachOf(entry, graph, connects, functions);
    const speaks = anchors.some((fact) => !isStdio(fact) && belongs(fact, entry, reach));
    if (speaks) claim(entry);
  }
  // What no route leads to: stdio entries, handlers that a platform calls, functions of a library.
  for (const anchor of anchors) {
    if (taken.has(siteKey(anchor.site)) || anchor.type === 'connect' || (anchor.type === 'transport' && anchor.kind === 'in-memory')) continue;
    if (anchor.type === 'era' && anchor.what !== 'entry') continue;
    const stdio = isStdio(anchor);
    // A transport of the module level serves whatever route dispatches to it: it is claimed below, by file.
    if (!stdio && anchor.type === 'transport' && !anchor.within && entries.some(({ entry }) => entry.files.has(anchor.site.file) && !entry.stdio)) continue;
    claim({
      package: packageOf(anchor.site.file),
      host: stdio ? 'stdio' : 'none',
      path: undefined,
      routes: [],
      apps: [],
      roots: anchor.within ? [anchor.within] : [],
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

/** Pushes and state that no endpoint is known to reach count for all endpoints of their package: a cure must not rest on a link that was missed. */
function withLooseEnds(endpoint: Endpoint, facts: readonly Fact[], owned: ReadonlySet<string>, packageOf: (file: string) => string): Endpoint {
  const loose = facts.filter((fact) => packageOf(fact.site.file) === endpoint.package && !owned.has(siteKey(fact.site)));
  return {
    ...endpoint,
    push: uniqueSites([...endpoint.push, ...factsOf(loose, 'push').map((fact) => fact.site)]),
    state: uniqueSites([...endpoint.state, ...stateSites(loose)]),
  };
}

/** Places where something of a user outlives the request. */
function stateSites(facts: readonly Fact[]): readonly Site[] {
  return facts
    .filter(
      (fact) =>
        ((fact.type === 'state' || fact.type === 'key-use') && USER_STATE.has(fact.category)) ||
        (fact.type === 'store' && (fact.holds === 'state' || fact.holds === 'resource')),
    )
    .map((fact) => fact.site);
}

const isStdio = (fact: Fact): boolean => (fact.type === 'transport' && fact.kind === 'stdio') || (fact.type === 'era' && fact.serves === 'stdio');

/** Handlers, the functions written inside them, what those call, the factories whose servers they connect, and what these call. */
function reachOf(
  entry: Entry,
  graph: Graph,
  connects: readonly FactOf<'connect'>[],
  functions: ReadonlyMap<string, readonly FactOf<'function'>[]>,
): ReadonlySet<string> {
  const roots = new Set(entry.roots.map(keyOf));
  for (const route of entry.routes) for (const fact of functions.get(route.site.file) ?? []) if (inHandler(route, fact.site)) roots.add(keyOf(fact.symbol));
  for (;;) {
    const reach = graph.reach(roots);
    const size = roots.size;
    for (const fact of connects) {
      if (!belongs(fact, entry, reach)) continue;
      if (fact.factory) roots.add(keyOf(fact.factory));
      if (fact.server) roots.add(keyOf(fact.server));
    }
    if (roots.size === size) return reach;
  }
}

const inHandler = (route: FactOf<'route'>, site: Site): boolean =>
  route.handlerSpan !== undefined && route.site.file === site.file && contains(route.handlerSpan, site.span);

/** Does a fact sit in code that the entry reaches, in the text of its handler, or in a variable that it names? */
function belongs(fact: Fact, entry: Entry, reach: ReadonlySet<string>): boolean {
  if (isStdio(fact) !== entry.stdio && (fact.type === 'transport' || fact.type === 'era')) return false;
  if ('within' in fact && fact.within && reach.has(keyOf(fact.within))) return true;
  if ('symbol' in fact && fact.symbol && fact.type !== 'function' && reach.has(keyOf(fact.symbol))) return true;
  if (fact.type === 'key-use' && fact.store && reach.has(keyOf(fact.store))) return true;
  if (entry.routes.some((route) => inHandler(route, fact.site))) return true;
  return (
    entry.routes.length === 0 && entry.roots.length === 0 && entry.files.has(fact.site.file) && ANCHORS.has(fact.type) && !('within' in fact && fact.within)
  );
}

/** A handler that dispatches to an object of the module level, without a name that could be followed, means the one of its file. */
function withModuleFacts(entry: Entry, own: readonly Fact[], facts: readonly Fact[], taken: ReadonlySet<string>): readonly Fact[] {
  if (entry.stdio || own.some((fact) => fact.type === 'transport' || fact.type === 'era')) return own;
  const files = new Set([...entry.files, ...own.map((fact) => fact.site.file)]);
  return [
    ...own,
    ...facts.filter(
      (fact) =>
        (fact.type === 'transport' || fact.type === 'connect') && !isStdio(fact) && !fact.within && files.has(fact.site.file) && !taken.has(siteKey(fact.site)),
    ),
  ];
}

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
    const where = entry.stdio ? `stdio ${file}` : (entry.path ?? `? ${file}`);
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

function describe(
  id: string,
  entry: Entry,
  reach: ReadonlySet<string>,
  own: readonly Fact[],
  facts: readonly Fact[],
  packageOf: (file: string) => string,
): Endpoint {
  const transports = factsOf(own, 'transport');
  const eras = factsOf(own, 'era');
  const guards = factsOf(facts, 'guard').filter((guard) =>
    guard.app
      ? entry.apps.includes(keyOf(guard.app)) || reach.has(keyOf(guard.app))
      : entry.files.has(guard.site.file) || entry.routes.some((route) => inHandler(route, guard.site)),
  );
  const stores = factsOf(facts, 'store').filter(
    (store) => own.includes(store) || factsOf(own, 'key-use').some((use) => use.store && keyOf(use.store) === keyOf(store.symbol)),
  );
  const factory = factsOf(own, 'connect').find((fact) => fact.factory)?.factory ?? factsOf(own, 'factory')[0]?.symbol;
  return {
    id,
    package: entry.package,
    transport: transportOf(entry, transports, eras),
    host: entry.host,
    ...(entry.path === undefined ? {} : { path: entry.path }),
    methods: uniqueTexts(entry.routes.map((route) => route.method)),
    routes: uniqueSites(entry.routes.map((route) => route.site)),
    handlers: uniqueRefs(entry.roots),
    transports: uniqueSites(transports.map((fact) => fact.site)),
    ...(factory ? { factory } : {}),
    stores: uniqueRefs(stores.map((store) => store.symbol)),
    sessions: combine(
      transports.map((fact) => fact.sessions),
      'minted',
      'none',
      eras.length > 0 ? 'none' : 'unknown',
    ),
    jsonResponse: combine(
      transports.map((fact) => fact.jsonResponse),
      'on',
      'off',
      eras.length > 0 ? 'off' : 'unknown',
    ),
    eventStore: transports.some((fact) => fact.eventStore),
    hooks: uniqueTexts(transports.flatMap((fact) => fact.hooks)),
    parser: parserOf(entry.routes),
    exposure: entry.stdio ? 'loopback' : exposureOf(entry, facts, packageOf),
    authentication: uniqueSites(guards.filter((guard) => guard.what === 'authentication').map((guard) => guard.site)),
    originPolicy: uniqueSites(guards.filter((guard) => guard.what === 'origin' && !guard.allows.includes('*')).map((guard) => guard.site)),
    era: eraOf(eras),
    push: uniqueSites(factsOf(own, 'push').map((fact) => fact.site)),
    state: uniqueSites(stateSites([...own, ...stores])),
  };
}

function transportOf(entry: Entry, transports: readonly FactOf<'transport'>[], eras: readonly FactOf<'era'>[]): Endpoint['transport'] {
  if (entry.stdio) return 'stdio';
  if (transports.some((fact) => fact.kind === 'streamable-http' || fact.kind === 'streamable-web') || eras.some((fact) => fact.what === 'entry'))
    return 'streamable-http';
  return transports.some((fact) => fact.kind === 'sse') ? 'sse' : 'unknown';
}

/** A route that builds no transport and shares a store or a file with an SSE endpoint is where that endpoint's clients post to. */
function nameMessageRoutes(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const filesOf = (endpoint: Endpoint): ReadonlySet<string> => new Set(endpoint.routes.map((site) => site.file));
  return endpoints.map((endpoint) => {
    if (endpoint.transport !== 'unknown' || endpoint.routes.length === 0 || endpoint.methods.every((method) => method === 'GET')) return endpoint;
    const stores = new Set(endpoint.stores.map(keyOf));
    const files = filesOf(endpoint);
    const partner = endpoints.some(
      (other) =>
        other.transport === 'sse' &&
        other.package === endpoint.package &&
        (other.stores.some((store) => stores.has(keyOf(store))) || [...filesOf(other)].some((file) => files.has(file))),
    );
    return partner ? { ...endpoint, transport: 'sse-post' as const } : endpoint;
  });
}

/** `strong` if any value is; `weak` only if all are; `unknown` otherwise. */
function combine<T extends string>(values: readonly (T | 'unknown')[], strong: T, weak: T, empty: T | 'unknown'): T | 'unknown' {
  if (values.length === 0) return empty;
  if (values.includes(strong)) return strong;
  return values.every((value) => value === weak) ? weak : 'unknown';
}

function parserOf(routes: readonly FactOf<'route'>[]): Endpoint['parser'] {
  const bodies = routes.filter((route) => route.method === 'POST' || route.method === 'ALL');
  const values = new Set((bodies.length > 0 ? bodies : routes).map((route) => route.parser));
  const [only] = values;
  return values.size === 1 && only ? only : 'unknown';
}

/** From the `listen` call of the application, else from those of the package: one public address is enough to be public. */
function exposureOf(entry: Entry, facts: readonly Fact[], packageOf: (file: string) => string): Endpoint['exposure'] {
  const listens = factsOf(facts, 'listen').filter((fact) => packageOf(fact.site.file) === entry.package);
  const own = listens.filter((fact) => fact.app && entry.apps.includes(keyOf(fact.app)));
  const values = (own.length > 0 ? own : listens).map((fact) => fact.exposure);
  return combine(values, 'public', 'loopback', 'unknown');
}

function eraOf(eras: readonly FactOf<'era'>[]): Endpoint['era'] {
  const telling = eras.filter((fact) => fact.what !== 'lane');
  if (telling.length === 0) return 'legacy';
  return telling.some((fact) => fact.what === 'branch' || fact.legacy !== 'reject') ? 'dual' : 'modern';
}

const uniqueRefs = (refs: readonly SymbolRef[]): readonly SymbolRef[] =>
  [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()].sort((a, b) => byText(keyOf(a), keyOf(b)));
