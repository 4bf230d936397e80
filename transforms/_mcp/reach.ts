import { type Endpoint, type Fact, type FactOf, type Finding, type Inventory, type Site, contains, factsOf, keyOf } from '../../src/core/index.js';

/** Edges between declarations, built once for a list of facts. */
interface Edges {
  readonly to: ReadonlyMap<string, readonly string[]>;
  readonly functions: ReadonlyMap<string, readonly FactOf<'function'>[]>;
}

const cache = new WeakMap<readonly Fact[], Edges>();

function edgesOf(facts: readonly Fact[]): Edges {
  const known = cache.get(facts);
  if (known !== undefined) return known;
  const to = new Map<string, string[]>();
  const functions = new Map<string, FactOf<'function'>[]>();
  for (const fact of facts) {
    if (fact.type === 'call' && fact.from !== undefined) {
      const list = to.get(keyOf(fact.from));
      if (list) list.push(keyOf(fact.to));
      else to.set(keyOf(fact.from), [keyOf(fact.to)]);
    } else if (fact.type === 'function') {
      const list = functions.get(fact.site.file);
      if (list) list.push(fact);
      else functions.set(fact.site.file, [fact]);
    }
  }
  const edges = { to, functions };
  cache.set(facts, edges);
  return edges;
}

/** Keys of everything that can run once one of the roots runs, roots included. */
export function reachFrom(facts: readonly Fact[], roots: Iterable<string>): ReadonlySet<string> {
  const { to } = edgesOf(facts);
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
}

/** Keys of the functions around a place, inner ones first. */
export function functionsAround(facts: readonly Fact[], site: Site): readonly string[] {
  const around = (edgesOf(facts).functions.get(site.file) ?? []).filter((fact) => contains(fact.site.span, site.span));
  return around.sort((a, b) => b.site.span.start - a.site.span.start).map((fact) => keyOf(fact.symbol));
}

const sameSite = (a: Site, b: Site): boolean => a.file === b.file && a.span.start === b.span.start && a.span.end === b.span.end;

/** Route facts of an endpoint, without the mounts of routers whose own routes are there. */
export function routesOf(endpoint: Endpoint, facts: readonly Fact[]): readonly FactOf<'route'>[] {
  const own = factsOf(facts, 'route').filter((route) => endpoint.routes.some((site) => sameSite(site, route.site)));
  const routers = new Set(own.flatMap(({ app }) => (app === undefined ? [] : [keyOf(app)])));
  return own.filter((route) => {
    const { handler } = route;
    if (route.method !== 'ALL' || handler === undefined || handler.file === route.site.file) return true;
    // The router itself, or the function of its file that builds it.
    return !routers.has(keyOf(handler)) && !own.some((other) => other.app?.file === handler.file && other.site.file === handler.file);
  });
}

/** What one route runs: its handler, the functions written inside of it, and what those reach. */
export function routeReach(route: FactOf<'route'>, facts: readonly Fact[]): ReadonlySet<string> {
  const roots = new Set<string>();
  if (route.handler !== undefined) roots.add(keyOf(route.handler));
  const span = route.handlerSpan;
  if (span !== undefined)
    for (const fact of edgesOf(facts).functions.get(route.site.file) ?? []) if (contains(span, fact.site.span)) roots.add(keyOf(fact.symbol));
  return reachFrom(facts, roots);
}

/** Does a route hand requests to an SDK transport? */
export function dispatches(route: FactOf<'route'>, facts: readonly Fact[]): boolean {
  const reach = routeReach(route, facts);
  return factsOf(facts, 'dispatch').some(
    (fact) =>
      (fact.within !== undefined && reach.has(keyOf(fact.within))) ||
      (route.handlerSpan !== undefined && fact.site.file === route.site.file && contains(route.handlerSpan, fact.site.span)),
  );
}

const reaches = new WeakMap<readonly Fact[], Map<Endpoint, ReadonlySet<string>>>();

/** Everything that the routes of an endpoint reach: followed once, and asked for with every finding. */
export function endpointReach(endpoint: Endpoint, facts: readonly Fact[]): ReadonlySet<string> {
  const known = reaches.get(facts) ?? new Map<Endpoint, ReadonlySet<string>>();
  reaches.set(facts, known);
  const reach = known.get(endpoint) ?? followed(endpoint, facts);
  known.set(endpoint, reach);
  return reach;
}

function followed(endpoint: Endpoint, facts: readonly Fact[]): ReadonlySet<string> {
  const reach = new Set<string>(endpoint.handlers.map(keyOf));
  for (const route of routesOf(endpoint, facts)) for (const key of routeReach(route, facts)) reach.add(key);
  for (const key of reachFrom(facts, [...reach])) reach.add(key);
  return reach;
}

/** The endpoint that a finding belongs to: by its own places, by the store it is about, by the function around it, else the only one of its package. */
export function endpointOf(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Endpoint | undefined {
  const http = inventory.endpoints.filter(({ transport }) => transport !== 'stdio');
  const route = finding.data['route'];
  const own = http.find((endpoint) =>
    [...endpoint.routes, ...endpoint.transports].some(
      (site) => sameSite(site, finding.site) || (site.file === finding.site.file && route === `${String(site.span.start)}:${String(site.span.end)}`),
    ),
  );
  if (own !== undefined) return own;
  const store = typeof finding.data['symbol'] === 'string' ? finding.data['symbol'] : undefined;
  const byStore = store === undefined ? [] : http.filter((endpoint) => endpoint.stores.some((ref) => keyOf(ref) === store));
  const mcp = (endpoints: readonly Endpoint[]): Endpoint | undefined => endpoints.find(({ transport }) => transport === 'streamable-http') ?? endpoints[0];
  if (byStore.length > 0) return mcp(byStore);
  // Several paths in one function: the branch around a place says which of them it serves.
  const inside = http.filter((endpoint) =>
    routesOf(endpoint, facts).some(
      ({ site, handlerSpan }) => handlerSpan !== undefined && site.file === finding.site.file && contains(handlerSpan, finding.site.span),
    ),
  );
  if (inside.length === 1) return inside[0];
  const around = functionsAround(facts, finding.site);
  const reached = http.filter((endpoint) => {
    const reach = endpointReach(endpoint, facts);
    return around.some((key) => reach.has(key)) || (store !== undefined && reach.has(store));
  });
  if (reached.length > 0) return mcp(reached);
  const folder = [...inventory.packages]
    .map((entry) => entry.folder)
    .filter((path) => path === '.' || finding.site.file.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length)[0];
  const local = http.filter((endpoint) => endpoint.package === folder);
  return local.length === 1 ? local[0] : undefined;
}

/**
 * Places that look state up by the session id. A modern request has none, so every caller would be given the same entry: the modern
 * lane must not be opened before the state has a key of its own. State in closures is not here: a server per request merely starts empty.
 */
export function stateBySession(endpoint: Endpoint, facts: readonly Fact[]): readonly Site[] {
  const keyed = factsOf(facts, 'state').filter(({ form }) => form === 'keyed');
  return endpoint.state.filter((site) => keyed.some((fact) => fact.site.file === site.file && fact.site.span.start === site.span.start));
}
