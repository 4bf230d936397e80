import { type Assessment, type Concern, type Endpoint, type Finding, type WorkItem, factsOf, keyOf, modernPathOf } from '../../src/core/index.js';
import { hasHandlers } from '../_hosts/index.js';
import { takenBy } from '../_mcp/collision.js';
import { builtBy } from '../_mcp/factories.js';
import { sharedState, stateTodo } from './rewrite/sessionful.js';
import { dispatches, endpointReach, routesOf, stateBySession } from '../_mcp/reach.js';

type Verdict = ReturnType<NonNullable<Concern['assess']>>;

/** Decides whether the rewriter will succeed, from what the detectors proved file by file. */
export function assess(item: WorkItem, known: Assessment): Verdict {
  const fingerprints = new Set(item.findings);
  const findings = known.findings.filter((finding) => fingerprints.has(finding.fingerprint));
  if (findings.every(({ impact }) => impact === 'none'))
    return { remedy: 'none', reason: 'It serves the legacy lane only; nothing has to change before the lane goes.' };
  if (findings.every(({ role }) => role === 'test'))
    return { remedy: 'manual', reason: 'These are tests of the session protocol: keep those of the legacy lane, and add the same for the modern entry.' };
  if (findings.every(({ id }) => id.endsWith('/session-header-kept')))
    return { remedy: 'manual', reason: 'The code speaks the session protocol as a client; use the SDK client, which negotiates the era.' };
  if (findings.every(({ id }) => id.endsWith('/initialize-gated-auth')))
    return {
      remedy: 'manual',
      reason: 'Authentication is never changed without a person: delete the test of the method name, so that every request is checked.',
    };

  const endpoint = known.inventory.endpoints.find(({ id }) => id === item.endpoint);
  const lane = known.lanes.find((decision) => decision.endpoint === item.endpoint);
  if (endpoint === undefined || lane === undefined) return { remedy: 'manual', reason: 'It is not known which route runs this code.' };
  if (endpoint.transport === 'sse' || endpoint.transport === 'sse-post')
    return { remedy: 'manual', reason: 'HTTP+SSE keeps its routes; the modern entry gets a path of its own.' };
  const server = serverObstacle(item, known);
  const handlers = hasHandlers(endpoint.host);
  if (endpoint.host !== 'express' && !handlers)
    return {
      remedy: 'manual',
      reason: server ?? (endpoint.host === 'none' ? 'No route of a known framework leads here.' : `Routes of "${endpoint.host}" are not rewritten yet.`),
    };
  const routes = routesOf(endpoint, known.facts).filter((route) => dispatches(route, known.facts));
  if (routes.length === 0) return { remedy: 'manual', reason: 'No route of this endpoint was found to hand requests to the SDK.' };
  if (server !== undefined) return { remedy: 'refused', reason: server };
  const unbuilt = findings.map(({ data }) => data['server']).find((why) => typeof why === 'string');
  const callable = known.findings.some(
    ({ id, data, site }) => id.startsWith('shared-server/') && item.files.includes(site.file) && typeof data['call'] === 'string',
  );
  if (unbuilt !== undefined && !callable) return { remedy: 'refused', reason: unbuilt };
  const shared = known.inventory.endpoints.find(
    (other) => other.id !== endpoint.id && other.stores.some((store) => endpoint.stores.some((own) => keyOf(own) === keyOf(store))),
  );
  const region = handlers ? findings.map(({ data }) => data['region']).find((why) => typeof why === 'string') : undefined;
  if (region !== undefined) return { remedy: 'refused', reason: region };
  const kept =
    linesOf(findings, handlers ? 'effects' : 'strays') ||
    linesOf(findings, 'leaks') ||
    (handlers ? '' : linesOf(findings, 'fixed')) ||
    (shared === undefined ? '' : `their sessions also serve ${shared.id}`);
  if (lane.choice === 'stateless' && kept === '')
    return { remedy: 'automatic', reason: 'The handlers only keep sessions going; one entry serves both eras.', data: { lane: 'stateless' } };
  const keyed = stateBySession(endpoint, known.facts)[0];
  if (keyed !== undefined) return { remedy: 'refused', reason: sharedState(keyed) };
  if (lane.choice === 'separate') return separate(endpoint, findings, known, handlers);
  if (lane.choice === 'none')
    return kept === ''
      ? { remedy: 'automatic', reason: 'The handlers only keep sessions going; the modern entry takes their place.', data: { lane: 'none' } }
      : { remedy: 'refused', reason: `The handlers do more than keep sessions going (${kept}).` };
  const guards = linesOf(findings, handlers ? 'checks' : 'guards');
  if (guards !== '')
    return {
      remedy: 'refused',
      reason: `The handler checks requests itself (${guards}); a modern request would pass it by. Move the checks ${handlers ? 'in front of the session code' : 'into middleware'} first.`,
    };
  const state = endpoint.state[0];
  if (state !== undefined)
    return {
      remedy: 'guided',
      reason: `The handlers stay behind the modern entry; state that a session kept apart (${state.file}:${String(state.line)}) needs a handle first.`,
      todo: [stateTodo(endpoint)],
      data: { lane: 'sessionful' },
    };
  if (lane.choice === 'sessionful')
    return { remedy: 'automatic', reason: 'The handlers stay as they are behind the modern entry.', data: { lane: 'sessionful' } };
  if (lane.asked === 'stateless') return { remedy: 'refused', reason: `The handlers do more than keep sessions going (${kept}).` };
  return {
    remedy: 'automatic',
    reason: `The handlers stay behind the modern entry, because they do more than keep sessions going (${kept}).`,
    data: { lane: 'sessionful' },
  };
}

/** The modern endpoint gets a path of its own: it must be free, and the old handlers must not check requests themselves. */
function separate(endpoint: Endpoint, findings: readonly Finding[], known: Assessment, handlers: boolean): Verdict {
  const path = modernPathOf(endpoint);
  if (path === undefined) return { remedy: 'refused', reason: 'The path of the endpoint is not known, so it cannot be told which one is free beside it.' };
  const collision = takenBy(path, endpoint.package, known.facts, known.inventory);
  if (collision !== undefined) return { remedy: 'refused', reason: collision.why, todo: [collision.next] };
  const beside = findings.map(({ data }) => data['beside']).find((why) => typeof why === 'string');
  if (beside !== undefined) return { remedy: 'refused', reason: beside };
  const guards = linesOf(findings, handlers ? 'passed' : 'guards');
  if (guards !== '') return { remedy: 'refused', reason: `The handler checks requests itself (${guards}); a request to ${path} would pass it by.` };
  return { remedy: 'automatic', reason: `${path} serves modern clients; the old routes stay as they are.`, data: { lane: 'separate' } };
}

/** Why no server can be built per request. */
function serverObstacle(item: WorkItem, known: Assessment): string | undefined {
  const endpoint = known.inventory.endpoints.find(({ id }) => id === item.endpoint);
  if (endpoint === undefined) return undefined;
  const reach = endpointReach(endpoint, known.facts);
  const files = new Set([...endpoint.routes, ...endpoint.transports].map(({ file }) => file));
  const connects = factsOf(known.facts, 'connect').filter((fact) => (fact.within === undefined ? files.has(fact.site.file) : reach.has(keyOf(fact.within))));
  if (connects.length === 0) return 'The place where the server is connected was not found among what the routes run.';
  for (const connect of connects) {
    const built = connect.factory === undefined ? undefined : builtBy(connect.factory, known.facts);
    if (built?.obstacle !== undefined) {
      const { why, next, site } = built.obstacle;
      return `${why.charAt(0).toUpperCase()}${why.slice(1)} (${site.file}:${String(site.line)}). ${next}`;
    }
    // The concern about shared servers has found a factory that can be called instead.
    const callable = known.findings.some(
      ({ id, site, data }) =>
        id.startsWith('shared-server/') && site.file === connect.site.file && site.span.start === connect.site.span.start && typeof data['call'] === 'string',
    );
    if (connect.origin === 'shared' && connect.factory === undefined && !callable)
      return `One server serves all requests (${connect.site.file}:${String(connect.site.line)}); turn it into a factory first.`;
    if (connect.origin === 'unknown' && built === undefined)
      return `It is not known how the server is built that ${connect.site.file}:${String(connect.site.line)} connects.`;
  }
  return undefined;
}

/** `server.ts:12, 14` for each file of the findings that carries the proof. */
function linesOf(findings: readonly Finding[], name: string): string {
  const lines = new Map<string, Set<string>>();
  for (const { site, data } of findings) {
    const at = data[name];
    if (typeof at !== 'string') continue;
    const known = lines.get(site.file) ?? new Set<string>();
    for (const line of at.split(', ')) known.add(line);
    lines.set(site.file, known);
  }
  return [...lines].map(([file, at]) => `${file}:${[...at].sort((a, b) => Number(a) - Number(b)).join(', ')}`).join('; ');
}
