import type { Assessment, Concern, Endpoint, Finding, Inventory, WorkItem } from '../../src/core/index.js';
import { takenBy } from '../_mcp/collision.js';

/** Endpoints of a package that speak Streamable HTTP. */
const streamable = (folder: string, inventory: Inventory): readonly Endpoint[] =>
  inventory.endpoints.filter((endpoint) => endpoint.package === folder && endpoint.transport === 'streamable-http');

/** Decides whether a modern endpoint is added beside the streams, stands there already, or has no place. */
export function assess(item: WorkItem, known: Assessment): ReturnType<NonNullable<Concern['assess']>> {
  const own = new Set(item.findings);
  const findings = known.findings.filter((finding) => own.has(finding.fingerprint));
  const streams = findings.filter(({ id }) => id === 'sse-transport/stream-route');
  const routes = 'old clients know these URLs and no others, so the routes stay';
  const [beside] = streamable(item.package, known.inventory);
  if (beside !== undefined)
    return {
      remedy: 'guided',
      reason: `${routes}; the modern endpoint is ${beside.path ?? 'the other one of this package'}, which is an item of its own`,
      todo: ['find out who still uses the old URLs before the removal date is set'],
    };
  const manual = {
    remedy: 'manual' as const,
    todo: [
      `${item.files.join(', ')}: serve the modern endpoint on a path of its own from the same server factory`,
      'find out who still uses the old URLs before the removal date is set',
    ],
  };
  const [stream] = streams;
  if (stream === undefined) return { ...manual, reason: `${routes}; the streams are written by hand, so the server behind them could not be followed` };
  if (streams.length > 1) return { ...manual, reason: `${routes}; several streams are opened, and each may have a server of its own` };
  if (typeof stream.data['why'] === 'string')
    return { ...manual, reason: `${stream.data['why']} (${stream.site.file}:${String(stream.site.line)})`, todo: [String(stream.data['next'])] };
  if (typeof stream.data['modern'] !== 'string')
    return { ...manual, reason: `${routes}; the modern endpoint is added beside them by hand: code of this language is not rewritten` };
  const collision = takenBy(stream.data['modern'], item.package, known.facts, known.inventory);
  if (collision !== undefined) return { ...manual, reason: collision.why, todo: [collision.next] };
  const state = streamEndpoint(stream, known.inventory)?.state[0];
  if (state !== undefined)
    return {
      ...manual,
      reason: `state hangs on the streams (${state.file}:${String(state.line)}), and modern requests have none: key it by a handle first`,
    };
  return { remedy: 'automatic', reason: `${routes}; ${stream.data['modern']} serves modern clients from the same factory` };
}

/** The endpoint that a stream opens. */
export const streamEndpoint = ({ site }: Finding, inventory: Inventory): Endpoint | undefined =>
  inventory.endpoints.find(
    (endpoint) => endpoint.transport === 'sse' && endpoint.transports.some((place) => place.file === site.file && place.span.start === site.span.start),
  );
