import { type Endpoint, type EndpointRow, type EndpointTable, type LaneMode, type Phrase, type Served, type Site, type Stage } from '../../core/index.js';
import { apartBy, choiceOf, isSse, modernAddresses, pathOf, routesOf, takes } from '../addresses.js';
import type { Context } from '../context.js';
import { say } from '../messages.js';

/**
 * The moments between which an answer can change. `sdk` leaves the wire as it is, unless the SDK serves both eras by itself; `default`
 * changes clients only.
 */
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
/** The same, from code that is there today. */
const NOT_ALLOWED_TODAY = served('405', 'none', 'allow-post', 'application');
const NOTHING_ENDED = served('200', 'none', 'nothing-ended', 'legacy');
const SILENT = served('200', 'sse', 'silent-stream', 'legacy');
const UNROUTED = served('404', 'unknown', 'framework', 'framework');

/** The same answer from dual-era on, announced from `warn` on. */
const announced = (cell: Served): Served => ({ ...cell, body: say('body.announced') });

interface Shape {
  readonly endpoint: Endpoint;
  readonly lane: LaneMode;
  /** The SDK's own transport serves it today; else a hand-made answer that the code alone does not tell. */
  readonly known: boolean;
}

/** What ends an old client after the removal. An SDK that always serves both eras has no switch for it. */
const refusedAfter = ({ endpoint }: Shape): Served => (endpoint.bothEras === true ? { ...REFUSED, by: say('by.front') } : REFUSED);
const closedAfter = ({ endpoint }: Shape): Served => (endpoint.bothEras === true ? { ...NOT_ALLOWED, by: say('by.front') } : NOT_ALLOWED);

/** Is a GET handed to the same code as a POST? */
const sharesHandler = ({ routes, methods }: Endpoint): boolean =>
  methods.includes('ALL') || routes.some(({ label }) => label !== undefined && /\bGET\b/.test(label) && /\bPOST\b/.test(label));

/** Media of a legacy answer of the old stack. */
const legacyMedia = (endpoint: Endpoint): Served['media'] => (endpoint.jsonResponse === 'on' ? 'json' : endpoint.jsonResponse === 'off' ? 'sse' : 'unknown');

function modernPost({ endpoint, known }: Shape): Cells {
  // Measured: TypeScript SDK 1.x answers -32000, Python SDK 1.x -32600.
  const refused = {
    ...served('400', 'json', 'modern-refused', 'legacy'),
    body: say('body.modern-refused', { code: endpoint.bothEras === true ? -32600 : -32000 }),
  };
  const today = endpoint.era !== 'legacy' ? MODERN : known ? refused : served('?', 'unknown', 'probe', 'legacy');
  return { today, dual: MODERN, warn: MODERN, after: MODERN };
}

function initialize(shape: Shape): Cells {
  const { endpoint, lane } = shape;
  const minted = endpoint.sessions === 'minted';
  const old = served(
    '200',
    legacyMedia(endpoint),
    minted ? 'initialize-session' : endpoint.sessions === 'none' ? 'initialize' : 'initialize-unknown',
    'legacy',
  );
  const kept = lane === 'stateless' ? served('200', 'sse', 'initialize', 'sdk-stateless') : lane === 'none' ? REFUSED : { ...old, by: say('by.legacy-lane') };
  return { today: endpoint.era === 'modern' ? REFUSED : old, dual: kept, warn: lane === 'none' ? REFUSED : announced(kept), after: refusedAfter(shape) };
}

function liveSession(shape: Shape): Cells {
  const { endpoint, lane } = shape;
  const old = served('200', legacyMedia(endpoint), 'legacy-result', 'legacy');
  const kept =
    lane === 'stateless' ? served('200', 'sse', 'session-ignored', 'sdk-stateless') : lane === 'none' ? REFUSED : { ...old, by: say('by.legacy-lane') };
  return { today: old, dual: kept, warn: lane === 'none' ? REFUSED : announced(kept), after: refusedAfter(shape) };
}

function deadSession(shape: Shape): Cells {
  const { endpoint, lane } = shape;
  const old = endpoint.bothEras === true ? served('404', 'json', 'session-unknown', 'legacy') : served('400 / 404', 'json', 'session-unknown', 'application');
  const kept =
    lane === 'stateless'
      ? served('200', 'sse', 'session-ignored', 'sdk-stateless')
      : lane === 'none'
        ? REFUSED
        : served('404', 'json', 'session-unknown', 'legacy-lane');
  return { today: old, dual: kept, warn: kept, after: refusedAfter(shape) };
}

function neither(shape: Shape): Cells {
  const { endpoint, lane } = shape;
  const old =
    endpoint.sessions === 'none'
      ? served('200', legacyMedia(endpoint), 'legacy-result', 'legacy')
      : served('400', 'json', 'session-missing', endpoint.bothEras === true ? 'legacy' : 'application');
  const kept = lane === 'stateless' ? served('200', 'sse', 'lenient', 'sdk-stateless') : lane === 'none' ? REFUSED : { ...old, by: say('by.legacy-lane') };
  return { today: old, dual: kept, warn: kept, after: refusedAfter(shape) };
}

function get(shape: Shape): Cells {
  const { endpoint, lane, known } = shape;
  const routed = takes(endpoint, 'GET');
  const sessions = endpoint.sessions !== 'none';
  // A transport without sessions opens the stream all the same; only code in front of it refuses. Measured with SDK 1.x of both languages.
  const silent = !sessions && known && (endpoint.bothEras === true || sharesHandler(endpoint));
  const old = !routed
    ? UNROUTED
    : silent
      ? SILENT
      : !sessions
        ? NOT_ALLOWED_TODAY
        : known
          ? served('200', 'sse', 'standing-stream', 'legacy')
          : served('?', 'unknown', 'probe', 'legacy');
  return keptOrClosed(shape, old, routed && (endpoint.bothEras === true || (lane !== 'stateless' && lane !== 'none')));
}

function remove(shape: Shape): Cells {
  const { endpoint, lane, known } = shape;
  const routed = takes(endpoint, 'DELETE');
  const sessions = endpoint.sessions !== 'none';
  // Without sessions SDK 1.x of TypeScript ends its transport and answers 200, that of Python 405.
  const alone = endpoint.bothEras === true ? { ...NOT_ALLOWED, by: say('by.legacy') } : sharesHandler(endpoint) && known ? NOTHING_ENDED : NOT_ALLOWED_TODAY;
  const old = !routed ? UNROUTED : !sessions ? alone : known ? served('200', 'none', 'session-ended', 'legacy') : served('?', 'unknown', 'probe', 'legacy');
  return keptOrClosed(shape, old, routed && (endpoint.bothEras === true || (lane !== 'stateless' && lane !== 'none')));
}

/** A verb that the legacy lane goes on to serve as today, or that the entry closes. */
function keptOrClosed(shape: Shape, old: Served, kept: boolean): Cells {
  const lane = kept && old !== NOT_ALLOWED_TODAY ? { ...old, by: say('by.legacy-lane') } : NOT_ALLOWED;
  return { today: old, dual: lane, warn: lane.status === '405' ? lane : announced(lane), after: closedAfter(shape) };
}

/** A GET without session, where only those with one are served. */
function getAlone(shape: Shape): Cells {
  const old = served('400', 'json', 'session-missing', shape.endpoint.bothEras === true ? 'legacy' : 'application');
  const lane = shape.endpoint.bothEras === true ? { ...old, by: say('by.legacy-lane') } : NOT_ALLOWED;
  return { today: old, dual: lane, warn: lane, after: closedAfter(shape) };
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
    { request: say(minted ? 'request.get-session' : 'request.get-stream'), method: 'GET', era: 'legacy', cells: get(shape), when: legacy },
    { request: say('request.get'), method: 'GET', era: 'any', cells: getAlone(shape), when: onlyWithSession },
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

/** The SDK step alone makes it answer both eras. */
const raised = (endpoint: Endpoint): boolean => endpoint.bothEras === true && endpoint.era === 'legacy' && !isSse(endpoint);

function columnsOf(context: Context, endpoint: Endpoint): readonly { readonly moment: Moment; readonly title: Phrase; readonly stages: readonly Stage[] }[] {
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
  const [before, both]: readonly (readonly Stage[])[] = raised(endpoint)
    ? [['observe'], ['sdk', 'dual', 'default']]
    : [
        ['observe', 'sdk'],
        ['dual', 'default'],
      ];
  const all = [column('today', before ?? []), column('dual', both ?? []), column('warn', ['warn']), column('after', ['remove', 'clean'])];
  if (!context.legacyExists) return all.filter((entry) => entry.moment === 'today');
  return all.filter((entry) => entry.moment === 'today' || entry.moment === 'after' || entry.stages.length > 0);
}

/** In the place of a path that the team has yet to choose. */
const UNDECIDED = '{path to be decided}';

function tableOf(context: Context, endpoint: Endpoint): EndpointTable {
  const lane = choiceOf(context, endpoint);
  const shape: Shape = { endpoint, lane, known: endpoint.transports.length > 0 };
  const columns = columnsOf(context, endpoint);
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
    beside === undefined || beside.built !== undefined
      ? []
      : streamableRows({ ...shape, lane: 'none' })
          .filter((row) => row.when && row.era === 'modern')
          .map((row) => ({ ...row, cells: { ...row.cells, today: UNROUTED } }))
          .map(toRow(beside.path ?? UNDECIDED))
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
