import { factsOf, keyOf, type Endpoint, type Fact, type FactOf, type Site, type SymbolRef } from '../../core/index.js';
import { byText, siteKey, uniqueSites, uniqueTexts } from '../order.js';
import { inHandler, isStdio, type Entry } from './entry.js';

const SERVER = ['server', 'factory', 'transport', 'connect', 'dispatch', 'era'] as const;
const USER_STATE: ReadonlySet<string> = new Set(['state', 'resource', 'policy', 'auth']);

/** Pushes and state that no endpoint is known to reach count for all endpoints of their package: a cure must not rest on a link that was missed. */
export function withLooseEnds(endpoint: Endpoint, facts: readonly Fact[], owned: ReadonlySet<string>, packageOf: (file: string) => string): Endpoint {
  const filesWith = (...types: readonly Fact['type'][]): ReadonlySet<string> =>
    new Set(types.flatMap((type) => factsOf(facts, type).map((fact) => fact.site.file)));
  const servers = filesWith(...SERVER);
  const clients = filesWith('client');
  // What a client keeps is no state of the server.
  const loose = (['push', 'state', 'key-use', 'store'] as const)
    .flatMap((type) => factsOf(facts, type))
    .filter(({ site }) => packageOf(site.file) === endpoint.package && !owned.has(siteKey(site)) && (servers.has(site.file) || !clients.has(site.file)));
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

/** A handler that dispatches to an object of the module level, without a name that could be followed, means the one of its file. */
export function withModuleFacts(entry: Entry, own: readonly Fact[], facts: readonly Fact[], taken: ReadonlySet<string>): readonly Fact[] {
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

/** An endpoint in the words of the inventory. `own` are the facts that belong to it, `facts` all of them. */
export function describe(
  id: string,
  entry: Entry,
  reach: ReadonlySet<string>,
  own: readonly Fact[],
  facts: readonly Fact[],
  packageOf: (file: string) => string,
): Endpoint {
  const transports = factsOf(own, 'transport');
  const eras = factsOf(own, 'era');
  const owners = withRoots(entry.apps, facts);
  const guards = factsOf(facts, 'guard').filter((guard) =>
    guard.app
      ? standsBefore(guard, entry) && (owners.has(keyOf(guard.app)) || reach.has(keyOf(guard.app)))
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
    ...(entry.expression === undefined ? {} : { expression: entry.expression }),
    methods: uniqueTexts(entry.routes.map((route) => route.method)),
    routes: uniqueSites(entry.routes.map((route) => ({ ...route.site, label: verbsAt(entry.routes, route.site) }))),
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
    ...(transports.length > 0 && transports.every((fact) => fact.bothEras === true) ? { bothEras: true } : {}),
    push: uniqueSites(factsOf(own, 'push').map((fact) => fact.site)),
    state: uniqueSites(stateSites([...own, ...stores])),
  };
}

/** Applications, and those that their routers are mounted on: what guards one of these guards what is below it. */
function withRoots(apps: readonly string[], facts: readonly Fact[]): ReadonlySet<string> {
  const roots = new Map(factsOf(facts, 'app').map((fact) => [keyOf(fact.symbol), keyOf(fact.root)]));
  const found = new Set<string>();
  for (let key of apps) {
    while (!found.has(key)) {
      found.add(key);
      key = roots.get(key) ?? key;
    }
  }
  return found;
}

/** Does a guard stand in front of the path of an entry? A router of another file may add a prefix that the guard does not know. */
const standsBefore = ({ path }: FactOf<'guard'>, { path: own }: Entry): boolean =>
  path === undefined || own === undefined || own === path || own.startsWith(`${path}/`) || own.endsWith(path);

/** Verbs that one registration takes. */
const verbsAt = (routes: readonly FactOf<'route'>[], site: Site): string =>
  uniqueTexts(routes.filter((route) => siteKey(route.site) === siteKey(site)).map((route) => route.method)).join(', ');

function transportOf(entry: Entry, transports: readonly FactOf<'transport'>[], eras: readonly FactOf<'era'>[]): Endpoint['transport'] {
  if (entry.stdio) return 'stdio';
  if (transports.some((fact) => fact.kind === 'streamable-http' || fact.kind === 'streamable-web') || eras.some((fact) => fact.what === 'entry'))
    return 'streamable-http';
  if (!transports.some((fact) => fact.kind === 'sse')) return 'unknown';
  // A stream is opened by GET: a path that takes POST alone is where its clients post to.
  return entry.routes.length > 0 && entry.routes.every((route) => route.method === 'POST') ? 'sse-post' : 'sse';
}

/** A route that builds no transport and shares a store or a file with an SSE endpoint is where that endpoint's clients post to. */
export function nameMessageRoutes(endpoints: readonly Endpoint[]): readonly Endpoint[] {
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
