import { factsOf, separateSibling, type Endpoint, type Fact, type FactOf, type LaneDecision, type LegacyChoice, type Site } from '../../core/index.js';
import { siteKey, uniqueSites } from '../order.js';

/** Something that one request cannot do alone, with its places. */
interface Obstacle {
  readonly what: string;
  readonly sites: readonly Site[];
  /** Only a session makes it work: where there is none today, nobody loses it. */
  readonly bySession?: boolean;
}

/** Pushes that travel on the stream of the request that causes them: a server without sessions can still send them. */
const ON_REQUEST: ReadonlySet<FactOf<'push'>['what']> = new Set(['progress', 'logging', 'notification']);

/** The hook that runs when a client ends its session. */
const END_HOOK = 'onsessionclosed';

/** Decides for every endpoint how clients of the earlier revisions are served, with the proof or the obstacle. */
export function decideLanes(endpoints: readonly Endpoint[], facts: readonly Fact[], asked: LegacyChoice): readonly LaneDecision[] {
  return endpoints.map((endpoint) => decide(endpoint, endpoints, facts, asked));
}

function decide(endpoint: Endpoint, all: readonly Endpoint[], facts: readonly Fact[], asked: LegacyChoice): LaneDecision {
  const answer = (choice: LaneDecision['choice'], reason: string, evidence: readonly Site[]): LaneDecision => ({
    endpoint: endpoint.id,
    choice,
    asked,
    reason,
    evidence: uniqueSites(evidence),
  });
  const found = obstaclesOf(endpoint, facts);
  const obstacles = hasNoSessions(endpoint, facts) ? found.filter(({ bySession }) => bySession !== true) : found;
  const sites = obstacles.flatMap((obstacle) => obstacle.sites);
  const list = joinWords(obstacles.map((obstacle) => obstacle.what));

  if (endpoint.transport === 'stdio') {
    return asked === 'none'
      ? answer('none', 'asked for with --legacy none', endpoint.transports)
      : answer('stateless', 'stdio: the process serves one client, so both eras share its stream and no session id exists', endpoint.transports);
  }
  const sibling = separateSibling(endpoint, all);
  if (sibling !== undefined)
    return answer('separate', `the modern endpoint stands beside it on a path of its own (${sibling.path ?? ''})`, [...sibling.routes, ...endpoint.routes]);
  if (asked !== 'auto' && endpoint.era !== 'modern') {
    const lost = (asked === 'stateless' || asked === 'none') && obstacles.length > 0 ? `; clients of the earlier revisions lose ${list}` : '';
    return answer(asked, `asked for with --legacy ${asked}${lost}`, lost === '' ? endpoint.transports : sites);
  }
  if (endpoint.era !== 'legacy') return existing(endpoint, facts, answer);
  if (endpoint.transport === 'sse' || endpoint.transport === 'sse-post') {
    return answer('separate', 'the HTTP+SSE transport of 2024-11-05 needs its two routes; they keep their URL beside the modern endpoint', [
      ...endpoint.routes,
      ...endpoint.transports,
    ]);
  }
  if (obstacles.length > 0) return answer('sessionful', `clients of the earlier revisions need ${list}`, sites);
  if (endpoint.transports.length === 0)
    return answer('sessionful', 'the transport that serves the endpoint could not be followed, so nothing is proved about it', endpoint.routes);
  if (endpoint.bothEras === true && endpoint.sessions !== 'none')
    return answer(
      'sessionful',
      'the SDK serves both eras by itself and keeps the sessions of the earlier revisions as they are configured; nothing here needs them, so they can be switched off for old clients too',
      endpoint.transports,
    );
  const proof =
    obstacles.length < found.length
      ? 'no sessions today, so nothing that needs one works for old clients; no event store, no JSON mode'
      : 'no push, no session state, no event store, no JSON mode, no end-of-session hook';
  return answer('stateless', `proved: ${proof}`, [...endpoint.routes, ...endpoint.transports]);
}

/** An endpoint that tells the eras apart already keeps the lane that it has. */
function existing(
  endpoint: Endpoint,
  facts: readonly Fact[],
  answer: (choice: LaneDecision['choice'], reason: string, evidence: readonly Site[]) => LaneDecision,
): LaneDecision {
  if (endpoint.era === 'modern') return answer('none', 'the endpoint serves the modern era only', endpoint.routes);
  const files = new Set([...endpoint.routes, ...endpoint.transports].map((site) => site.file));
  const eras = factsOf(facts, 'era').filter((fact) => files.has(fact.site.file) && fact.what !== 'lane');
  const kept = eras.some((fact) => fact.legacy === 'handler' || fact.what === 'branch') || (endpoint.transports.length > 0 && endpoint.bothEras !== true);
  return kept
    ? answer('sessionful', 'the endpoint keeps its legacy handler', [...eras.map((fact) => fact.site), ...endpoint.transports])
    : answer(
        'stateless',
        'the endpoint serves both eras without sessions',
        eras.map((fact) => fact.site),
      );
}

/** True where a transport without sessions and a server are made for each request, and no state is found by an id that the program mints itself. */
function hasNoSessions(endpoint: Endpoint, facts: readonly Fact[]): boolean {
  if (endpoint.sessions !== 'none' || endpoint.transports.length === 0) return false;
  const files = new Set(endpoint.transports.map(({ file }) => file));
  const states = new Set(endpoint.state.map(siteKey));
  return (
    factsOf(facts, 'connect').every(({ site, origin }) => !files.has(site.file) || origin === 'fresh') &&
    factsOf(facts, 'state').every(({ site, form }) => form !== 'keyed' || !states.has(siteKey(site)))
  );
}

function obstaclesOf(endpoint: Endpoint, facts: readonly Fact[]): readonly Obstacle[] {
  const pushed = new Set(endpoint.push.map(siteKey));
  const pushes = factsOf(facts, 'push').filter((fact) => pushed.has(siteKey(fact.site)) && (fact.through === 'instance' || !ON_REQUEST.has(fact.what)));
  const transports = new Set(endpoint.transports.map(siteKey));
  const own = factsOf(facts, 'transport').filter((fact) => transports.has(siteKey(fact.site)));
  const unknown = endpoint.transports.length > 0 && endpoint.jsonResponse === 'unknown';
  const all: readonly Obstacle[] = [
    {
      what: `messages that the server sends on its own (${[...new Set(pushes.map((fact) => fact.what))].sort().join(', ')})`,
      sites: pushes.map((fact) => fact.site),
      bySession: true,
    },
    { what: 'state that lives as long as the session', sites: endpoint.state, bySession: true },
    { what: 'replay from the event store', sites: own.filter((fact) => fact.eventStore).map((fact) => fact.site) },
    {
      what: unknown ? 'answers in JSON mode, which could not be excluded' : 'answers in JSON mode',
      sites: unknown || endpoint.jsonResponse === 'on' ? own.filter((fact) => fact.jsonResponse !== 'off').map((fact) => fact.site) : [],
    },
    { what: `the end-of-session hook (${END_HOOK})`, sites: own.filter((fact) => fact.hooks.includes(END_HOOK)).map((fact) => fact.site) },
  ];
  return all.filter((obstacle) => obstacle.sites.length > 0);
}

function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
