import { modernPathOf, separateSibling, type Endpoint, type LaneMode, type Site } from '../core/index.js';
import type { Context } from './context.js';

/** Path shown for an endpoint: the literal, else the expression in braces, as in a URL template, else `?`. */
export function pathOf({ path, expression }: Pick<Endpoint, 'path' | 'expression'>): string {
  if (path !== undefined || expression === undefined) return path ?? '?';
  return expression.startsWith('…') ? expression : `{${expression}}`;
}

/** What tells an endpoint from another one of the same path: its package, else the file that routes it. `undefined` when its path is its own. */
export function apartBy(context: Pick<Context, 'http'>, endpoint: Endpoint): string | undefined {
  const twins = context.http.filter((other) => other.id !== endpoint.id && pathOf(other) === pathOf(endpoint));
  if (twins.length === 0) return undefined;
  const file = [...endpoint.routes, ...endpoint.transports][0]?.file;
  return twins.some((other) => other.package === endpoint.package) ? (file ?? endpoint.id) : endpoint.package;
}

/** Name of a store without the offset of the nameless function that holds it. */
export const storeName = (name: string): string => name.replace(/^@\d+\./, '');

/** Is it one of the two routes of HTTP+SSE? */
export const isSse = (endpoint: Endpoint): boolean => endpoint.transport === 'sse' || endpoint.transport === 'sse-post';

/** An address at which modern clients are served once both lanes answer. */
export interface ModernAddress {
  readonly endpoint: Endpoint;
  /** `undefined` when the code does not tell it. */
  readonly path: string | undefined;
  readonly lane: LaneMode;
  /** The old routes keep their URL beside it. */
  readonly beside: boolean;
  /** The endpoint that serves it already, when it was built before. */
  readonly built?: Endpoint;
}

/**
 * Where modern clients will be served: every Streamable HTTP endpoint, on a path of its own when its lane is separate, and one endpoint
 * beside each HTTP+SSE stream, unless the file that routes the stream routes a Streamable HTTP endpoint too. Each address stands once: a
 * modern endpoint that was built beside an old one is the address of that one.
 */
export function modernAddresses(context: Pick<Context, 'http' | 'lane'>): readonly ModernAddress[] {
  const { http } = context;
  const files = (endpoint: Endpoint): readonly string[] => [...endpoint.routes, ...endpoint.transports].map((site) => site.file);
  const streamable = http.filter((endpoint) => !isSse(endpoint));
  const routed = new Set(streamable.flatMap(files));
  const built = new Map(http.map((endpoint) => [endpoint, separateSibling(endpoint, http)]));
  const besideOld = new Set(streamable.flatMap((endpoint) => built.get(endpoint) ?? []));
  const literal = ({ path }: ModernAddress): boolean => path !== undefined && !/[:*]/.test(path);
  const addresses = http.flatMap((endpoint): readonly ModernAddress[] => {
    const sibling = built.get(endpoint);
    if (!isSse(endpoint)) {
      if (besideOld.has(endpoint)) return [];
      const lane = choiceOf(context, endpoint);
      const beside = lane === 'separate' && endpoint.era === 'legacy';
      const path = beside ? modernPathOf(endpoint) : endpoint.path;
      return [{ endpoint, path, lane, beside, ...(beside && sibling !== undefined ? { built: sibling } : {}) }];
    }
    if (endpoint.transport !== 'sse' || sibling !== undefined || files(endpoint).some((file) => routed.has(file))) return [];
    return [{ endpoint, path: modernPathOf(endpoint), lane: 'stateless', beside: true }];
  });
  // The address that most lines are run against is one that needs no setting, if there is one.
  return [...addresses.filter(literal), ...addresses.filter((address) => !literal(address))];
}

/** The lane that will serve an endpoint's old clients; an endpoint that is dual already and has no decision keeps what it has. */
export function choiceOf(context: Pick<Context, 'lane'>, endpoint: Endpoint): LaneMode {
  const decided = context.lane(endpoint.id)?.choice;
  if (decided !== undefined) return decided;
  if (endpoint.era === 'modern') return 'none';
  return endpoint.sessions === 'none' ? 'stateless' : 'sessionful';
}

/** Registrations that serve a verb, told by the label of their site; all of them when labels do not tell or none serves it. */
export function routesOf(sites: readonly Site[], method: string): readonly Site[] {
  const verbs = new RegExp(`\\b(${method.split(', ').join('|')}|ALL)\\b`);
  const matching = sites.filter((site) => site.label !== undefined && verbs.test(site.label));
  return matching.length > 0 ? matching : sites;
}

/** Does an endpoint take a verb? */
export const takes = (endpoint: Endpoint, verb: string): boolean => endpoint.methods.includes(verb) || endpoint.methods.includes('ALL');
