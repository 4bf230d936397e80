import type { Sharing } from '../../core/check.js';
import type { CheckRequest, LaneMode } from '../../core/check-step.js';
import { isRecord, type Answer } from '../answer.js';
import { valueAt, valuesAt } from '../evaluate/path.js';
import type { Settings } from '../options.js';
import { LEGACY_REVISION, META, MODERN_CODES, REVISION } from '../protocol.js';
import type { OpenWire, Wire } from '../wire.js';
import { castTools } from './cast.js';
import { UNKNOWN_PEER, type Peer, type ToolInfo, type Wall } from './peer.js';

/** The request that a client of the handshake era begins with. */
export const HANDSHAKE: CheckRequest = {
  era: 'legacy',
  to: 'legacy',
  method: 'initialize',
  params: { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo: { name: 'unsession', version: '1' } },
};

/** Pages of a list that are read before the checks. */
const PAGES = 5;

/** What the survey needs to know about the transport. */
export interface SurveyTransport {
  readonly open: OpenWire;
  /** Stdio only: the process of the handshake, with which the checks go on. */
  readonly openShared?: (kind: Sharing) => OpenWire;
  readonly wallOf: (answer: Answer) => Wall | undefined;
  /** HTTP only: an event stream at this address that begins with an `endpoint` event. */
  readonly sseRequests: readonly CheckRequest[];
  readonly separate: boolean;
}

/** Finds out what the peer speaks and has, with a handful of harmless requests, and casts the allowed tools into roles. */
export async function survey(transport: SurveyTransport, settings: Settings): Promise<Peer> {
  const shared = transport.openShared;
  // Its process is not used again: trial calls leave subscriptions open, and some servers make up their mind about a process by its first requests.
  const modernWire = transport.open();
  const legacyWire = shared ? shared('legacy')() : transport.open();
  modernWire.warm?.();
  // Two processes do not disturb each other; two requests to one address might.
  const early = shared ? legacyWire.exchange(HANDSHAKE) : undefined;
  const discover = await modernWire.exchange({ method: 'server/discover' });
  const wall = transport.wallOf(discover);
  // A server of the handshake era may break on what it does not know: the handshake tells.
  const breaks = discover.problem?.kind === 'reset' || (discover.status ?? 0) >= 500;
  if (wall && wall.kind !== 'silent' && wall.kind !== 'launch' && !breaks) {
    const origin = discover.status === 403 ? await servesWithOrigin(modernWire, discover) : undefined;
    await Promise.all([modernWire.close(), legacyWire.close()]);
    return { ...nothing(settings, transport), wall: origin ?? wall, evidence: [discover] };
  }
  const fresh = discover.silent || discover.exited !== undefined || discover.problem?.kind === 'timeout';
  const list = fresh ? discover : await modernWire.exchange({ method: 'tools/list' });
  const handshake = await (early ?? legacyWire.exchange(HANDSHAKE));
  const modernNow = speaksModern(discover, list);
  const legacy = isRecord(handshake.result) && typeof handshake.result['protocolVersion'] === 'string';
  const session = handshake.header['mcp-session-id'];
  const legacyTools = legacy && !modernNow ? await legacyList(legacyWire, session) : [];
  if (legacy && session !== undefined) await legacyWire.exchange({ era: 'legacy', to: 'legacy', verb: 'DELETE', headers: { 'Mcp-Session-Id': session } });
  await legacyWire.close();
  const sse = !modernNow && !legacy && !fresh ? await speaksSse(transport) : undefined;
  const evidence = [discover, list, handshake, ...(sse ? [sse] : [])];
  const base: Peer = {
    ...nothing(settings, transport),
    modern: modernNow,
    legacy: legacy || sse !== undefined,
    sseOnly: sse !== undefined,
    announcedOnly: !modernNow && isDiscoverResult(discover),
    laneMode: laneOf(settings, transport, legacy, session !== undefined),
    sessions: session !== undefined,
    versions: stringsAt(discover, 'result.supportedVersions').concat(isDiscoverResult(discover) ? [] : stringsAt(discover, 'error.data.supported')),
    legacyCapabilities: recordAt(handshake, 'result.capabilities') ?? {},
    ...(legacy ? { legacyVersion: String(valueAt(handshake, 'result.protocolVersion')) } : {}),
    ...identity(discover, list, handshake),
    evidence,
    ...wallAtPath(wall, [discover, list, handshake], legacy || modernNow || sse !== undefined),
  };
  if (!modernNow) {
    const again = shared && legacy && !fresh ? await modernWire.exchange(HANDSHAKE) : undefined;
    await modernWire.close();
    return {
      ...base,
      ...(again ? { fallsBack: isRecord(again.result) } : {}),
      tools: legacyTools,
      capabilities: recordAt(handshake, 'result.capabilities') ?? recordAt(discover, 'result.capabilities') ?? {},
    };
  }
  const tools = toolsOf([list, ...(await morePages(modernWire, list))]);
  const resources = stringsAt(await modernWire.exchange({ method: 'resources/list' }), 'result.resources[*].uri');
  const prompts = await modernWire.exchange({ method: 'prompts/list' });
  const capabilities = recordAt(discover, 'result.capabilities') ?? { ...(tools.length > 0 ? { tools: {} } : {}) };
  const templates = !('resources' in capabilities) || valueAt(await modernWire.exchange({ method: 'resources/templates/list' }), 'error.code') !== -32601;
  const announces = valuesAt(capabilities, '[listChanged].listChanged').values.includes(true);
  const cast = await castTools(transport.open, modernWire, tools, settings, announces);
  await modernWire.close();
  return {
    ...base,
    capabilities,
    tools,
    resources,
    templates,
    prompts: withoutRequired(prompts),
    promptNames: stringsAt(prompts, 'result.prompts[*].name'),
    cast,
  };
}

/** A wall of the first answer, or a peer that never says anything in JSON-RPC: something else is there, and no requirement is violated by it. */
function wallAtPath(first: Wall | undefined, answers: readonly Answer[], spoken: boolean): { wall?: Wall } {
  if (spoken) return {};
  if (first) return { wall: first };
  if (answers.some(speaksRpc)) return {};
  const [answer] = answers;
  const notMcp = (text: string): { wall: Wall } => ({ wall: { kind: 'not-mcp', text } });
  if (answer?.status === undefined) {
    const written = answers.flatMap(({ stray: lines }) => lines);
    // Answers that are framed wrongly are a fault of a server; anything else is no server.
    if (holdsRpc(written.join(' '))) return {};
    const stray = written[0] ?? (answer?.asked.length ? answer.body : undefined);
    return stray === undefined
      ? {}
      : notMcp(`The process writes to standard output, but nothing that is an answer in JSON-RPC, one message a line: "${stray.slice(0, 80)}".`);
  }
  const nowhere = answers.every(({ status }) => status === 404 || status === 405);
  const status = String(answer.status);
  return nowhere
    ? notMcp(
        `HTTP ${status} to every request: nothing speaks MCP at this path. Give the whole address of the endpoint; the path is often /mcp, for HTTP+SSE /sse.`,
      )
    : notMcp(
        `HTTP ${status}${answer.type === undefined ? '' : ` with ${answer.type}`}, but no answer is JSON-RPC: not an MCP endpoint (a proxy, or another path?).`,
      );
}

/** An answer in JSON-RPC, be it a broken one: without the version, in a batch, or under a media type that makes it unreadable. */
const speaksRpc = ({ message, asked, body, status }: Answer): boolean =>
  (isRecord(message) && ['jsonrpc', 'result', 'error'].some((member) => member in message)) || (status !== undefined && asked.length === 0 && holdsRpc(body));

/** Text with an answer of JSON-RPC somewhere in it. */
const holdsRpc = (text: string): boolean => /"(?:jsonrpc|id)"\s*:/.test(text) && /"(?:result|error)"\s*:/.test(text);

const nothing = (settings: Settings, transport: SurveyTransport): Peer => ({ ...UNKNOWN_PEER, laneMode: laneOf(settings, transport, false, false) });

function laneOf(settings: Settings, transport: SurveyTransport, legacy: boolean, session: boolean): LaneMode {
  if (settings.lane !== undefined && settings.lane !== 'auto') return settings.lane;
  if (transport.separate) return 'separate';
  if (!legacy) return 'none';
  return session ? 'sessionful' : 'stateless';
}

const isDiscoverResult = (answer: Answer): boolean => isRecord(answer.result) && Array.isArray(answer.result['supportedVersions']);

/** Served, not only announced: a list in the modern envelope, or an error that only a modern server sends to a well-formed modern request. */
function speaksModern(discover: Answer, list: Answer): boolean {
  if (isRecord(list.result)) return isDiscoverResult(discover) || 'resultType' in list.result;
  const unsupported = valueAt(discover, 'error.code') === -32022 && !stringsAt(discover, 'error.data.supported').includes(REVISION);
  if (unsupported) return false;
  const code = valueAt(list, 'error.code');
  // Discovery may answer although this very revision is refused.
  if (code === -32022) return false;
  if (isDiscoverResult(discover))
    return MODERN_CODES.includes(Number(code)) || (code === -32601 && !('tools' in (recordAt(discover, 'result.capabilities') ?? {})));
  return MODERN_CODES.includes(Number(code));
}

async function legacyList(wire: Wire, session: string | undefined): Promise<readonly ToolInfo[]> {
  const headers = session === undefined ? {} : { 'Mcp-Session-Id': session };
  await wire.exchange({ era: 'legacy', to: 'legacy', method: 'notifications/initialized', notification: true, headers });
  return toolsOf([await wire.exchange({ era: 'legacy', to: 'legacy', method: 'tools/list', headers })]);
}

async function morePages(wire: Wire, first: Answer): Promise<readonly Answer[]> {
  const pages: Answer[] = [];
  let cursor = valueAt(first, 'result.nextCursor');
  while (typeof cursor === 'string' && pages.length < PAGES) {
    const page = await wire.exchange({ method: 'tools/list', params: { cursor } });
    pages.push(page);
    cursor = valueAt(page, 'result.nextCursor');
  }
  return pages;
}

/** A server that refuses requests without an Origin, which only browsers send. */
async function servesWithOrigin(wire: Wire, refused: Answer): Promise<Wall | undefined> {
  const answer = await wire.exchange({ method: 'server/discover', headers: { Origin: new URL(refused.sent.url).origin } });
  return isRecord(answer.result)
    ? { kind: 'origin', text: 'Requests without an Origin header are refused (HTTP 403) and served with one: clients that are no browsers are locked out.' }
    : undefined;
}

async function speaksSse(transport: SurveyTransport): Promise<Answer | undefined> {
  for (const request of transport.sseRequests) {
    const wire = transport.open();
    const answer = await wire.exchange(request);
    await wire.close();
    if (answer.type === 'text/event-stream' && answer.events[0]?.event === 'endpoint') return answer;
  }
  return undefined;
}

const toolsOf = (answers: readonly Answer[]): readonly ToolInfo[] =>
  answers
    .flatMap((answer) => valuesAt(answer, 'result.tools[*]').values)
    .filter(isRecord)
    .filter((tool) => typeof tool['name'] === 'string')
    .map((tool) => ({
      name: String(tool['name']),
      readOnly: valueAt(tool, 'annotations.readOnlyHint') === true,
      inputSchema: isRecord(tool['inputSchema']) ? tool['inputSchema'] : {},
    }));

const withoutRequired = (answer: Answer): readonly string[] =>
  valuesAt(answer, 'result.prompts[*]')
    .values.filter((prompt) => !valuesAt(prompt, 'arguments[*].required').values.includes(true))
    .map((prompt) => valueAt(prompt, 'name'))
    .filter((name) => typeof name === 'string');

function identity(discover: Answer, list: Answer, handshake: Answer): { serverInfo?: Readonly<Record<string, unknown>> } {
  const path = `result._meta["${META.serverInfo}"]`;
  const found = recordAt(discover, path) ?? recordAt(list, path) ?? recordAt(handshake, 'result.serverInfo');
  return found ? { serverInfo: found } : {};
}

const recordAt = (value: unknown, path: string): Record<string, unknown> | undefined => {
  const found = valueAt(value, path);
  return isRecord(found) ? found : undefined;
};

function stringsAt(value: unknown, path: string): string[] {
  const { values, many } = valuesAt(value, path);
  const list = many ? values : Array.isArray(values[0]) ? (values[0] as unknown[]) : [];
  return list.filter((entry) => typeof entry === 'string');
}
