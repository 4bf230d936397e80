import type { Endpoint, LaneMode, RunbookModel, Site } from '../../core/index.js';
import { choiceOf, isSse, modernAddresses, pathOf, routesOf, storeName } from '../addresses.js';
import type { Context } from '../context.js';
import { say } from '../messages.js';

type Trace = RunbookModel['traces'][number];

const VERSION = '2026-07-28';
/** Last revision of the Streamable HTTP era, and the one of HTTP+SSE. */
const STREAMABLE = '2025-11-25';
const SSE = '2024-11-05';

const MODERN_CALL = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"${VERSION}","io.modelcontextprotocol/clientCapabilities":{}}}}`;
const MODERN_RESULT = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}';
const initializeOf = (version: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"${version}","capabilities":{},"clientInfo":{"name":"client","version":"1.0.0"}}}`;
const initializedOf = (version: string): string =>
  `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"${version}","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1.0.0"}}}`;
const LIST = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}';
const LIST_RESULT = '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}';
const READY = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** A path as it may stand on a wire; anything else is named, not repeated. */
const onWire = (path: string): string => (/^[\w./:{}*…()$?=-]+$/.test(path) ? path : '{path}');

const post = (path: string, headers: readonly string[], body: string): readonly string[] => [
  `POST ${onWire(path)} HTTP/1.1`,
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  ...headers,
  '',
  body,
  '',
];
const event = (body: string, name = 'message'): readonly string[] => [`event: ${name}`, `data: ${body}`, ''];
const answer = (status: string, headers: readonly string[], body: readonly string[] = []): readonly string[] => [
  `HTTP/1.1 ${status}`,
  ...headers,
  ...(body.length > 0 ? ['', ...body] : []),
  '',
];

const modernLines = (path: string): readonly string[] => [
  ...post(path, [`MCP-Protocol-Version: ${VERSION}`, 'Mcp-Method: tools/list'], MODERN_CALL),
  ...answer('200 OK', ['Content-Type: application/json'], [MODERN_RESULT]),
];

/** An old client at a Streamable HTTP endpoint: the handshake, then a call. */
function legacyLines(path: string, lane: LaneMode, minted: boolean, json: boolean): readonly string[] {
  if (lane === 'none')
    return [
      ...post(path, [], initializeOf(STREAMABLE)),
      ...answer(
        '400 Bad Request',
        ['Content-Type: application/json'],
        [
          `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["${VERSION}"],"requested":"${STREAMABLE}"}}}`,
        ],
      ),
    ];
  const session = minted && lane !== 'stateless' ? ['Mcp-Session-Id: 5f1c0e6a-9d4b-4a39-8e55-0c1b7d2f9a64'] : [];
  const body = (text: string): readonly string[] => (json ? [text] : event(text).slice(0, -1));
  const type = json ? 'Content-Type: application/json' : 'Content-Type: text/event-stream';
  const version = `MCP-Protocol-Version: ${STREAMABLE}`;
  return [
    ...post(path, [], initializeOf(STREAMABLE)),
    ...answer('200 OK', [type, ...session], body(initializedOf(STREAMABLE))),
    ...post(path, [version, ...session], READY),
    ...answer('202 Accepted', []),
    ...post(path, [version, ...session], LIST),
    ...answer('200 OK', [type], body(LIST_RESULT)),
  ];
}

/** An old client of HTTP+SSE: a stream, its first event, and messages to a second URL whose answers come on the stream. */
const sseLines = (stream: string, messages: string): readonly string[] => [
  `GET ${onWire(stream)} HTTP/1.1`,
  'Accept: text/event-stream',
  '',
  ...answer('200 OK', ['Content-Type: text/event-stream'], event(`${onWire(messages)}?sessionId=5f1c0e6a`, 'endpoint').slice(0, -1)),
  ...post(`${messages}?sessionId=5f1c0e6a`, [], initializeOf(SSE)),
  ...answer('202 Accepted', []),
  ...event(initializedOf(SSE)),
];

/** Endpoints that one exchange stands for: those whose old clients are served alike. */
function byShape(endpoints: readonly Endpoint[], shape: (endpoint: Endpoint) => string): readonly (readonly Endpoint[])[] {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const key = shape(endpoint);
    const group = groups.get(key);
    if (group) group.push(endpoint);
    else groups.set(key, [endpoint]);
  }
  return [...groups.values()];
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const entered = (endpoint: Endpoint, verb: string): readonly Site[] => (endpoint.routes.length > 0 ? routesOf(endpoint.routes, verb) : endpoint.transports);

/** What an endpoint's old clients reach behind its route. */
const kept = (endpoints: readonly Endpoint[]): Pick<Trace, 'reaches' | 'keeps'> => ({
  reaches: endpoints.flatMap((endpoint) => endpoint.transports),
  keeps: unique(endpoints.flatMap((endpoint) => endpoint.stores.map((store) => storeName(store.name)))),
});

/** Part 9: one exchange of each era on the wire, with the code that it enters. Empty where the server is not in the repository. */
export function traces(context: Context): RunbookModel['traces'] {
  if (!context.legacyExists) return [];
  const addresses = modernAddresses(context);
  const served = addresses.map(({ path, endpoint }) => path ?? pathOf(endpoint));
  const [first] = served;
  const modern: readonly Trace[] =
    first === undefined
      ? []
      : [
          {
            era: 'modern',
            title: say('trace.modern', { paths: unique(served).join(', ') }),
            lines: modernLines(first),
            enters: addresses.flatMap(({ endpoint, beside, built }) => (built ? entered(built, 'POST') : beside ? [] : entered(endpoint, 'POST'))),
            reaches: [],
            keeps: [],
          },
        ];
  const streamable = context.http.filter((endpoint) => !isSse(endpoint) && endpoint.era !== 'modern');
  const shapeOf = (endpoint: Endpoint): string =>
    `${choiceOf(context, endpoint)} ${String(endpoint.sessions !== 'none')} ${String(endpoint.jsonResponse === 'on')}`;
  const legacy = byShape(streamable, shapeOf).flatMap((group): readonly Trace[] => {
    const [one] = group;
    if (one === undefined) return [];
    const lane = choiceOf(context, one);
    return [
      {
        era: 'legacy',
        title: say(`trace.${lane}`, { paths: unique(group.map(pathOf)).join(', ') }),
        lines: legacyLines(pathOf(one), lane, one.sessions !== 'none', one.jsonResponse === 'on'),
        enters: group.flatMap((endpoint) => entered(endpoint, 'POST')),
        ...(lane === 'stateless' || lane === 'none' ? { reaches: [], keeps: [] } : kept(group)),
      },
    ];
  });
  const streams = context.http.filter((endpoint) => endpoint.transport === 'sse');
  const posts = context.http.filter((endpoint) => endpoint.transport === 'sse-post');
  const [stream] = streams;
  const sse: readonly Trace[] =
    stream === undefined
      ? []
      : [
          {
            era: 'legacy',
            title: say('trace.sse', { paths: unique([...streams, ...posts].map(pathOf)).join(', ') }),
            lines: sseLines(pathOf(stream), pathOf(posts.find((endpoint) => endpoint.package === stream.package) ?? posts[0] ?? { path: '/message' })),
            enters: [...streams, ...posts].flatMap((endpoint) => endpoint.routes),
            ...kept([...streams, ...posts]),
          },
        ];
  return [...modern, ...legacy, ...sse, ...stdioTraces(context)];
}

/** Over stdio each line is a message; the first one shows the era. */
function stdioTraces(context: Context): readonly Trace[] {
  const old = context.stdio.filter((endpoint) => endpoint.era !== 'modern');
  if (old.length === 0) return [];
  const enters = old.flatMap((endpoint) => endpoint.transports);
  const none = { reaches: [], keeps: [] };
  return [
    { era: 'modern', title: say('trace.stdio-modern'), lines: [MODERN_CALL, MODERN_RESULT], enters, ...none },
    {
      era: 'legacy',
      title: say('trace.stdio-legacy'),
      lines: [initializeOf(STREAMABLE), initializedOf(STREAMABLE), READY, LIST, LIST_RESULT],
      enters,
      ...none,
    },
  ];
}
