import type { Endpoint, EndpointRow, EndpointTable, LaneMode, Phrase, Served, Site, Stage } from '../../core/index.js';
import { apartBy, choiceOf, isSse, modernAddresses, pathOf, type Context } from '../context.js';
import { say } from '../messages.js';

/** The moments between which an answer can change. `sdk` leaves the wire as it is, `default` changes clients only. */
type Moment = 'today' | 'dual' | 'warn' | 'after';
type Cells = Readonly<Record<Moment, Served>>;

const served = (status: string, media: Served['media'], body: string, by: string): Served => ({
  status,
  media,
  body: say(`body.${body}`),
  by: say(`by.${by}`),
});

const MODERN = served('200', 'json-or-sse', 'modern', 'modern');
const REFUSED = served('400', 'json', 'versions', 'modern');
const NOT_ALLOWED = served('405', 'none', 'allow-post', 'entry');
const GONE = served('410', 'json', 'gone', 'signpost');
const UNROUTED = served('404', 'unknown', 'framework', 'framework');

/** The same answer from dual-era on, announced from `warn` on. */
const announced = (cell: Served): Served => ({ ...cell, body: say('body.announced') });

interface Shape {
  readonly endpoint: Endpoint;
  readonly lane: LaneMode;
  /** The SDK's own transport serves it today; else a hand-made answer that the code alone does not tell. */
  readonly known: boolean;
}

const takes = (endpoint: Endpoint, verb: string): boolean => endpoint.methods.includes(verb) || endpoint.methods.includes('ALL');

/** Media of a legacy answer of the old stack. */
const legacyMedia = (endpoint: Endpoint): Served['media'] => (endpoint.jsonResponse === 'on' ? 'json' : endpoint.jsonResponse === 'off' ? 'sse' : 'unknown');

function modernPost({ endpoint, known }: Shape): Cells {
  const today = endpoint.era !== 'legacy' ? MODERN : known ? served('400', 'json', 'modern-refused', 'legacy') : served('?', 'unknown', 'probe', 'legacy');
  return { today, dual: MODERN, warn: MODERN, after: MODERN };
}

function initialize({ endpoint, lane }: Shape): Cells {
  const minted = endpoint.sessions === 'minted';
  const old = served(
    '200',
    legacyMedia(endpoint),
    minted ? 'initialize-session' : endpoint.sessions === 'none' ? 'initialize' : 'initialize-unknown',
    'legacy',
  );
  const kept = lane === 'stateless' ? served('200', 'sse', 'initialize', 'sdk-stateless') : lane === 'none' ? REFUSED : { ...old, by: say('by.legacy-lane') };
  return { today: endpoint.era === 'modern' ? REFUSED : old, dual: kept, warn: lane === 'none' ? REFUSED : announced(kept), after: REFUSED };
}

function liveSession({ endpoint, lane }: Shape): Cells {
  const old = served('200', legacyMedia(endpoint), 'legacy-result', 'legacy');
  const kept =
    lane === 'stateless' ? served('200', 'sse', 'session-ignored', 'sdk-stateless') : lane === 'none' ? REFUSED : { ...old, by: say('by.legacy-lane') };
  return { today: old, dual: kept, warn: lane === 'none' ? REFUSED : announced(kept), after: REFUSED };
}

function deadSession({ lane }: Shape): Cells {
  const old = served('400 / 404', 'json', 'session-unknown', 'application');
  const kept =
    lane === 'stateless'
      ? served('200', 'sse', 'session-ignored', 'sdk-stateless')
      : lane === 'none'
        ? REFUSED
        : served('404', 'json', 'session-unknown', 'legacy-lane');
  return { today: old, dual: kept, warn: kept, after: REFUSED };
}

function neither({ endpoint, lane }: Shape): Cells {
  const old =
    endpoint.sessions === 'none' ? served('200', legacyMedia(endpoint), 'legacy-result', 'legacy') : served('400', 'json', 'session-missing', 'application');
  const kept =
    lane === 'stateless'
      ? served('200', 'sse', 'lenient', 'sdk-stateless')
      : lane === 'none'
        ? REFUSED
        : served('400', 'json', 'session-missing', 'legacy-lane');
  return { today: old, dual: kept, warn: kept, after: REFUSED };
}

function get({ endpoint, lane, known }: Shape): Cells {
  const routed = takes(endpoint, 'GET');
  const old = !routed
    ? UNROUTED
    : endpoint.sessions === 'none'
      ? NOT_ALLOWED
      : known
        ? served('200', 'sse', 'standing-stream', 'legacy')
        : served('?', 'unknown', 'probe', 'legacy');
  const kept = lane === 'stateless' || lane === 'none' || !routed ? NOT_ALLOWED : { ...old, by: say('by.legacy-lane') };
  return { today: old, dual: kept, warn: kept === NOT_ALLOWED ? kept : announced(kept), after: NOT_ALLOWED };
}

function remove({ endpoint, lane, known }: Shape): Cells {
  const routed = takes(endpoint, 'DELETE');
  const old = !routed
    ? UNROUTED
    : endpoint.sessions === 'none'
      ? NOT_ALLOWED
      : known
        ? served('200', 'none', 'session-ended', 'legacy')
        : served('?', 'unknown', 'probe', 'legacy');
  const kept = lane === 'stateless' || lane === 'none' || !routed ? NOT_ALLOWED : { ...old, by: say('by.legacy-lane') };
  return { today: old, dual: kept, warn: kept === NOT_ALLOWED ? kept : announced(kept), after: NOT_ALLOWED };
}

const same = (cell: Served): Cells => ({ today: cell, dual: cell, warn: cell, after: cell });

interface RowPlan {
  readonly request: Phrase;
  readonly method: string;
  readonly era: EndpointRow['era'];
  readonly cells: Cells;
  readonly when: boolean;
}

/** Rows of a Streamable HTTP endpoint. */
function streamableRows(shape: Shape): readonly RowPlan[] {
  const minted = shape.endpoint.sessions !== 'none';
  const legacy = shape.endpoint.era !== 'modern';
  const onlyWithSession = minted && takes(shape.endpoint, 'GET') && shape.lane === 'sessionful';
  return [
    { request: say('request.modern'), method: 'POST', era: 'modern', cells: modernPost(shape), when: true },
    {
      request: say('request.notification'),
      method: 'POST',
      era: 'modern',
      cells: { ...same(served('202', 'none', 'empty', 'modern')), today: modernPost(shape).today },
      when: true,
    },
    { request: say('request.initialize'), method: 'POST', era: 'legacy', cells: initialize(shape), when: true },
    { request: say('request.live-session'), method: 'POST', era: 'legacy', cells: liveSession(shape), when: legacy && minted },
    { request: say('request.dead-session'), method: 'POST', era: 'legacy', cells: deadSession(shape), when: legacy && minted },
    { request: say('request.neither'), method: 'POST', era: 'any', cells: neither(shape), when: legacy },
    { request: say('request.get-session'), method: 'GET', era: 'legacy', cells: get(shape), when: legacy },
    {
      request: say('request.get'),
      method: 'GET',
      era: 'any',
      cells: { ...same(NOT_ALLOWED), today: served('400', 'json', 'session-missing', 'application') },
      when: onlyWithSession,
    },
    { request: say('request.delete'), method: 'DELETE', era: 'legacy', cells: remove(shape), when: legacy },
    { request: say('request.get-or-delete'), method: 'GET, DELETE', era: 'any', cells: same(NOT_ALLOWED), when: !legacy },
  ];
}

/** Rows of an endpoint that keeps its URL for old clients only: HTTP+SSE, or the old path beside a separate modern one. */
function sseRows(endpoint: Endpoint): readonly RowPlan[] {
  const stream = endpoint.transport === 'sse';
  const today = stream ? served('200', 'sse', 'endpoint-event', 'legacy') : served('202', 'none', 'answer-on-stream', 'legacy');
  const kept = { ...today, by: say('by.legacy-lane') };
  return [
    {
      request: say(stream ? 'request.sse' : 'request.sse-post'),
      method: stream ? 'GET' : 'POST',
      era: 'legacy',
      cells: { today, dual: kept, warn: announced(kept), after: GONE },
      when: true,
    },
  ];
}

/** Rows of the old path when the modern endpoint gets a path of its own. */
function separateRows(shape: Shape): readonly RowPlan[] {
  return streamableRows({ ...shape, lane: 'sessionful' })
    .filter((row) => row.era !== 'modern')
    .map((row) => ({ ...row, cells: { ...row.cells, dual: row.cells.today, warn: announced(row.cells.today), after: GONE } }));
}

function columnsOf(context: Context): readonly { readonly moment: Moment; readonly title: Phrase; readonly stages: readonly Stage[] }[] {
  const numbers = (stages: readonly Stage[]): string =>
    stages
      .filter((stage) => context.stages.includes(stage))
      .map((stage) => `P${context.number(stage)}`)
      .join(', ');
  const column = (moment: Moment, stages: readonly Stage[]) => {
    const phases = numbers(stages);
    return {
      moment,
      title: say(`column.${moment}`, moment === 'after' ? { date: context.options.sunset, phases } : { phases }),
      stages: stages.filter((stage) => context.stages.includes(stage)),
    };
  };
  const all = [column('today', ['observe', 'sdk']), column('dual', ['dual', 'default']), column('warn', ['warn']), column('after', ['remove', 'clean'])];
  if (!context.legacyExists) return all.filter((entry) => entry.moment === 'today');
  return all.filter((entry) => entry.moment === 'today' || entry.moment === 'after' || entry.stages.length > 0);
}

/** Registrations that serve a verb, told by the label of their site; all of them when labels do not tell or none serves it. */
function routesOf(sites: readonly Site[], method: string): readonly Site[] {
  const verbs = new RegExp(`\\b(${method.split(', ').join('|')}|ALL)\\b`);
  const matching = sites.filter((site) => site.label !== undefined && verbs.test(site.label));
  return matching.length > 0 ? matching : sites;
}

function tableOf(context: Context, endpoint: Endpoint): EndpointTable {
  const lane = choiceOf(context, endpoint);
  const shape: Shape = { endpoint, lane, known: endpoint.transports.length > 0 };
  const columns = columnsOf(context);
  const sites: readonly Site[] = endpoint.routes.length > 0 ? endpoint.routes : endpoint.transports;
  const beside = modernAddresses(context).find((address) => address.endpoint.id === endpoint.id && address.beside);
  const toRow =
    (path: string) =>
    (row: RowPlan): EndpointRow => ({
      request: row.request,
      method: row.method,
      path,
      era: row.era,
      cells: columns.map((column) => row.cells[column.moment]),
      sites: routesOf(sites, row.method),
    });
  const rows = isSse(endpoint) ? sseRows(endpoint) : beside === undefined ? streamableRows(shape) : separateRows(shape);
  const old = rows.filter((row) => row.when).map(toRow(pathOf(endpoint)));
  const fresh =
    beside === undefined
      ? []
      : streamableRows({ ...shape, lane: 'none' })
          .filter((row) => row.when && row.era === 'modern')
          .map((row) => ({ ...row, cells: { ...row.cells, today: UNROUTED } }))
          .map(toRow(beside.path ?? '?'))
          .map((row) => ({ ...row, sites: [] }));
  return {
    id: endpoint.id,
    package: endpoint.package,
    transport: endpoint.transport,
    host: endpoint.host,
    path: pathOf(endpoint),
    apart: apartBy(context, endpoint),
    columns: columns.map(({ title, stages }) => ({ title, stages })),
    rows: [...fresh, ...old],
    sites: [...endpoint.routes, ...endpoint.transports],
  };
}

/** Part 3: what every request to every HTTP endpoint gets today, in each phase, and after the removal. */
export const endpointTables = (context: Context): readonly EndpointTable[] => context.http.map((endpoint) => tableOf(context, endpoint));
