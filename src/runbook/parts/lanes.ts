import { LaneMode, type Finding, type LaneEntry, type RunbookModel, type Site } from '../../core/index.js';
import { apartBy, choiceOf, pathOf, routesOf, takes } from '../addresses.js';
import { sitesOf, type Context } from '../context.js';
import { hintsOf } from '../dates.js';
import { say, words } from '../messages.js';

/** Lane decision of every endpoint, with its reason and why each other mode was not taken. */
export function laneEntries(context: Context): readonly LaneEntry[] {
  return context.http
    .filter((endpoint) => endpoint.transport !== 'sse' && endpoint.transport !== 'sse-post')
    .map((endpoint) => {
      const decision = context.lane(endpoint.id);
      const choice = choiceOf(context, endpoint);
      const blocked = endpoint.push.length > 0 || endpoint.state.length > 0 || endpoint.eventStore || endpoint.sessions === 'unknown';
      return {
        endpoint: endpoint.id,
        path: pathOf(endpoint),
        apart: apartBy(context, endpoint),
        choice,
        asked: decision?.asked ?? 'auto',
        reason: decision === undefined ? say(`lane.kept.${endpoint.era}`) : words(decision.reason),
        evidence: decision?.evidence ?? [],
        rejected: LaneMode.options
          .filter((mode) => mode !== choice)
          .map((mode) => ({ choice: mode, why: say(mode === 'stateless' && blocked ? 'lane.rejected.stateless-blocked' : `lane.rejected.${mode}`) })),
      };
    });
}

/** Findings of the push category by what is pushed. */
const pushed = (context: Context, ...kinds: readonly string[]): readonly Finding[] =>
  context.findings.filter((finding) => finding.category === 'push' && kinds.includes(hintsOf(finding).what ?? ''));

/** Part 4: which answers are one JSON body and which are a stream that belongs to its request. */
export function responseMap(context: Context): RunbookModel['responses'] {
  if (context.http.length === 0) return [];
  const during = [...sitesOf(pushed(context, 'progress', 'logging', 'notification'))];
  const asking = [...sitesOf(pushed(context, 'elicitation', 'sampling', 'roots', 'request'))];
  const listening = [...sitesOf(pushed(context, 'list-changed', 'resource-updated'))];
  const row = (key: string, status: string, media: string, sites: readonly Site[] = []) => ({
    when: say(`response.${key}.when`),
    status,
    media,
    body: say(`response.${key}.body`),
    sites,
  });
  return [
    row('single', '200', 'application/json'),
    row('stream', '200', 'text/event-stream', during),
    ...(asking.length > 0 ? [row('input', '200', 'application/json', asking)] : []),
    ...(listening.length > 0 ? [row('listen', '200', 'text/event-stream', listening)] : []),
    row('notification', '202', '—'),
    row('header', '400', 'application/json'),
    row('metadata', '400', 'application/json'),
    row('version', '400', 'application/json'),
    row('method', '404', 'application/json'),
    row('origin', '403', '—'),
  ];
}

/** Part 5: behaviour that the revision does not have, what takes its place, and where the repository relies on it. */
export function removedBehaviour(context: Context): RunbookModel['removed'] {
  const row = (key: string, sites: readonly Site[]) => ({ was: say(`removed.${key}.was`), now: say(`removed.${key}.now`), sites });
  const streamable = context.http.filter(
    (endpoint) => endpoint.era !== 'modern' && (endpoint.transport === 'streamable-http' || endpoint.transport === 'unknown'),
  );
  const served = (verb: string): readonly Site[] => minted.filter((endpoint) => takes(endpoint, verb)).flatMap((endpoint) => routesOf(endpoint.routes, verb));
  const minted = streamable.filter((endpoint) => endpoint.sessions !== 'none');
  const uses = sitesOf(context.findings.filter((finding) => finding.category === 'transport'));
  const push = (key: string, ...kinds: readonly string[]) => {
    const sites = sitesOf(pushed(context, ...kinds));
    return sites.length === 0 ? [] : [row(key, sites)];
  };
  const rows = [];
  if (streamable.length > 0) {
    rows.push(row('get', served('GET')), row('delete', served('DELETE')));
    rows.push(row('session-id', minted.length === 0 ? [] : [...minted.flatMap((endpoint) => endpoint.transports), ...uses]));
    rows.push(
      row(
        'last-event-id',
        streamable.filter((endpoint) => endpoint.eventStore).flatMap((endpoint) => endpoint.transports),
      ),
    );
  }
  const handshakes = sitesOf(context.findings.filter((finding) => finding.category === 'lifecycle'));
  if (context.legacyExists && (context.kind !== 'elsewhere' || handshakes.length > 0)) rows.push(row('initialize', handshakes));
  const sse = context.http.filter((endpoint) => endpoint.transport === 'sse' || endpoint.transport === 'sse-post');
  if (sse.length > 0)
    rows.push(
      row(
        'sse',
        sse.flatMap((endpoint) => [...endpoint.routes, ...endpoint.transports]),
      ),
    );
  rows.push(...push('elicitation', 'elicitation'), ...push('sampling', 'sampling'), ...push('roots', 'roots'), ...push('logging', 'logging'));
  rows.push(...push('list-changed', 'list-changed'), ...push('resource-updated', 'resource-updated'), ...push('ping', 'ping'), ...push('request', 'request'));
  return rows;
}

/** Part 6: what every modern request carries and what the server answers when it does not. stdio has no headers. */
export function requestMetadata(context: Context): RunbookModel['metadata'] {
  if (context.kind === 'none' || (context.kind === 'library' && context.scan.inventory.servers.length === 0)) return [];
  // Without HTTP there are no statuses and no headers to agree with.
  if (context.kind === 'elsewhere' && !context.legacyExists) return [];
  const suffix = context.networked ? '' : '-stdio';
  const row = (field: string, where: string, key: string, plain = '') => ({
    field,
    where,
    rule: say(`metadata.${key}.rule${plain}`),
    otherwise: say(`metadata.${key}.otherwise${suffix}`),
  });
  const body = [
    row('io.modelcontextprotocol/protocolVersion', '_meta', 'version'),
    row('io.modelcontextprotocol/clientCapabilities', '_meta', 'capabilities'),
    row('io.modelcontextprotocol/clientInfo', '_meta', 'client'),
  ];
  const headers = [
    row('MCP-Protocol-Version', 'header', 'version-header'),
    row('Mcp-Method', 'header', 'method-header'),
    row('Mcp-Name', 'header', 'name-header'),
    row('=?base64?…?=', 'header', 'sentinel'),
  ];
  const versions = [row('-32022', 'error', 'unsupported', suffix)];
  return context.networked ? [...body, ...headers, ...versions] : [...body, ...versions];
}

/** Part 7, only when something notifies: where `subscriptions/listen` takes over. */
export function subscriptionPart(context: Context): RunbookModel['subscriptions'] {
  const sources = (['list-changed', 'resource-updated'] as const).flatMap((kind) => {
    const sites = sitesOf(pushed(context, kind));
    return sites.length === 0 ? [] : [{ what: say(`subscription.${kind}.what`), becomes: say(`subscription.${kind}.becomes`), sites }];
  });
  const streams = context.http.filter(
    (endpoint) => endpoint.era !== 'modern' && endpoint.sessions !== 'none' && endpoint.transport === 'streamable-http' && takes(endpoint, 'GET'),
  );
  const standing =
    streams.length === 0
      ? []
      : [
          {
            what: say('subscription.stream.what'),
            becomes: say('subscription.stream.becomes'),
            sites: streams.flatMap((endpoint) => routesOf(endpoint.routes, 'GET')),
          },
        ];
  if (sources.length + standing.length === 0) return undefined;
  const rules = ['acknowledged', 'id', 'filter', 'end', ...(context.kind === 'http' ? ['instances', 'timeouts'] : [])].map((key) =>
    say(`subscription.rule.${key}`),
  );
  return { rules, sources: [...standing, ...sources] };
}
