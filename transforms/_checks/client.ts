import type { Assertion, Check, RefereeReply, RefereeStep } from '../../src/core/check.js';
import { CAPABILITIES_KEY, CLIENT_INFO_KEY, HTTP, should, STDIO, VERSION_KEY } from './phrases.js';

const common = { era: 'modern', transport: 'client', class: 'quick', needs: [], level: 'must' } as const;

const result = (members: Record<string, unknown>): Record<string, unknown> => ({ jsonrpc: '2.0', id: '{id}', result: { resultType: 'complete', ...members } });
const failure = (code: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id: '{id}',
  error: { code, message: 'Refused by the referee', ...more },
});
const hints = { ttlMs: 0, cacheScope: 'private' };
const TOOL = { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };
const discovered: RefereeReply = {
  to: 'server/discover',
  body: result({ supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} }, ...hints }),
};
const tools = (list: readonly unknown[], more: Record<string, unknown> = {}): RefereeReply => ({
  to: 'tools/list',
  body: result({ tools: list, ...hints, ...more }),
});
const called: RefereeReply = { to: 'tools/call', body: result({ content: [{ type: 'text', text: 'again' }] }) };

/** A server of the revision that has one of everything. */
const server: readonly RefereeReply[] = [
  discovered,
  tools([TOOL]),
  called,
  { to: 'prompts/list', body: result({ prompts: [{ name: 'hello' }], ...hints }) },
  { to: 'prompts/get', body: result({ messages: [] }) },
  { to: 'resources/list', body: result({ resources: [{ uri: 'shop://terms', name: 'terms' }], ...hints }) },
  { to: 'resources/templates/list', body: result({ resourceTemplates: [], ...hints }) },
  { to: 'resources/read', body: result({ contents: [{ uri: 'shop://terms', text: 'Fair terms.' }], ...hints }) },
  {
    to: 'subscriptions/listen',
    type: 'text/event-stream',
    end: 'keep',
    body: 'data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"{id}"}}}\n\n',
  },
];

/** A server of the handshake era that knows nothing newer. */
const oldServer: readonly RefereeReply[] = [
  {
    to: 'initialize',
    body: { jsonrpc: '2.0', id: '{id}', result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } } },
  },
  { to: 'tools/list', body: { jsonrpc: '2.0', id: '{id}', result: { tools: [TOOL] } } },
  { to: 'tools/call', body: { jsonrpc: '2.0', id: '{id}', result: { content: [{ type: 'text', text: 'again' }] } } },
  { to: 'ping', body: { jsonrpc: '2.0', id: '{id}', result: {} } },
];

const play = (referee: readonly RefereeReply[], expect: RefereeStep['expect'], more: Omit<RefereeStep, 'referee' | 'expect'> = {}): RefereeStep => ({
  ...more,
  referee,
  expect,
});
const POSTS = 'requests[verb="POST"]';
const none = (at: string): Assertion => ({ at, count: 0 });
const noFallback: readonly Assertion[] = [none('requests[method="initialize"]'), none('requests[verb="GET"]'), none('requests[header.mcp-session-id]')];
const fallsBack: RefereeStep['expect'] = [
  [
    { at: 'requests[method="initialize"]', present: true, level: 'should' },
    { at: 'requests[method="initialize"].body.params.protocolVersion', typeOf: 'string' },
  ],
];
/** Everything is refused like this, except that a handshake works. */
const refusing = (reply: RefereeReply): readonly RefereeReply[] => [
  { ...reply, to: 'server/discover' },
  ...oldServer.slice(0, 1),
  { ...reply, to: 'tools/list', times: 1 },
  ...oldServer.slice(1),
];

/** What a client sends, seen by a referee: CK-C01 to CK-C30. */
export const client: readonly Check[] = [
  {
    ...common,
    id: 'CK-C01',
    title: 'Every POST is complete',
    spec: 'basic/index#meta',
    requirements: ['META-01', 'HDR-01', 'HTTP-03'],
    failure: 'Servers of the revision refuse the request.',
    steps: [
      play(
        server,
        [
          [
            { at: POSTS, has: 'header.accept' },
            { at: `${POSTS}.header.accept`, matches: 'application/json' },
            { at: `${POSTS}.header.accept`, matches: 'text/event-stream' },
            { at: `${POSTS}.header.content-type`, matches: '^application/json' },
            { at: POSTS, has: 'header.mcp-protocol-version' },
            { at: `${POSTS}.header.mcp-protocol-version`, is: '{revision}' },
            { at: 'requests[id]', has: `body.params._meta["${VERSION_KEY}"]` },
            { at: 'requests[id]', agree: ['header.mcp-protocol-version', `body.params._meta["${VERSION_KEY}"]`] },
            { at: 'requests[id]', has: `body.params._meta["${CAPABILITIES_KEY}"]` },
            { at: `requests[id].body.params._meta["${CAPABILITIES_KEY}"]`, typeOf: 'object' },
            { at: `requests[id].body.params._meta["${CAPABILITIES_KEY}"][*]`, typeOf: 'object' },
            { at: 'requests[id]', has: `body.params._meta["${CLIENT_INFO_KEY}"]`, level: 'should' },
          ],
        ],
        { given: POSTS },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C02',
    title: 'Mcp-Method and Mcp-Name mirror the body',
    spec: `${HTTP}#standard-request-headers`,
    requirements: ['HDR-04', 'HDR-05'],
    failure: 'Servers refuse the request, gateways misroute it.',
    steps: [
      play(
        server,
        [
          [
            { at: 'requests[id]', agree: ['header.mcp-method', 'method'] },
            { at: 'requests[method="tools/call"]', agree: ['decoded.mcp-name', 'body.params.name'] },
            { at: 'requests[method="prompts/get"]', agree: ['decoded.mcp-name', 'body.params.name'] },
            { at: 'requests[method="resources/read"]', agree: ['decoded.mcp-name', 'body.params.uri'] },
            none('requests[method="tools/list"].header.mcp-name'),
            none('requests[method="server/discover"].header.mcp-name'),
            none('requests[method="subscriptions/listen"].header.mcp-name'),
          ],
        ],
        { given: 'requests[id]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C03',
    title: 'An answer may be a stream',
    spec: `${HTTP}#sending-messages`,
    requirements: ['HTTP-04'],
    failure: 'The client reads only JSON.',
    steps: [
      play(
        [
          {
            to: 'tools/list',
            type: 'text/event-stream',
            body: ': hi\r\n\r\nevent: message\r\ndata: {"jsonrpc":"2.0","id":"{id}","result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}\r\n\r\n',
          },
          ...server,
        ],
        [[{ at: 'exit', is: 0 }, none('requests[method="initialize"]')]],
        { given: 'requests[method="tools/list"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C04',
    title: 'A version error is retried once with a common version',
    spec: 'basic/versioning#protocol-version-negotiation',
    requirements: ['VER-02', 'VER-05'],
    failure: 'The client gives up, loops or falls back although there is a common version.',
    level: 'should',
    steps: [
      play(
        [{ to: 'POST', times: 1, status: 400, body: failure(-32022, { data: { supported: ['2026-07-28'], requested: '2026-07-28' } }) }, ...server],
        [
          [
            { at: 'requests[1]', present: true, level: 'should' },
            none('requests[method="initialize"]'),
            { at: 'requests[id].id', distinct: true },
            { at: `requests[id].body.params._meta["${VERSION_KEY}"]`, is: '{revision}' },
          ],
        ],
      ),
      play(
        [
          { to: 'initialize', body: oldServer[0]?.body },
          { to: 'server/discover', status: 400, body: failure(-32022, { data: { supported: ['2025-11-25'], requested: '2026-07-28' } }) },
          { to: 'tools/list', times: 1, status: 400, body: failure(-32022, { data: { supported: ['2025-11-25'], requested: '2026-07-28' } }) },
          ...oldServer,
        ],
        [
          [{ at: 'requests[method="initialize"]', present: true }],
          [
            { at: 'exit', not: 0 },
            { at: `requests[body.params._meta].body.params._meta["${VERSION_KEY}"]`, not: '2025-11-25' },
          ],
        ],
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C05',
    title: 'No fallback after a modern error',
    spec: `${HTTP}#backward-compatibility`,
    requirements: ['FALL-02', 'FALL-03', 'FALL-04'],
    failure: 'A modern server is taken for a legacy one.',
    steps: [
      play(
        [
          { to: 'initialize', body: oldServer[0]?.body },
          { to: 'POST', status: 400, body: failure(-32022, { data: { supported: ['2027-01-01'], requested: '2026-07-28' } }) },
        ],
        [[...noFallback, { at: 'exit', not: 0, level: 'should' }]],
      ),
      play(
        [
          { to: 'initialize', body: oldServer[0]?.body },
          { to: 'POST', status: 400, body: failure(-32020) },
        ],
        [noFallback.map(should)],
      ),
      play(
        [
          { to: 'initialize', body: oldServer[0]?.body },
          { to: 'POST', status: 400, body: failure(-32021, { data: { requiredCapabilities: { sampling: {} } } }) },
        ],
        [noFallback.map(should)],
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C06',
    title: 'Fallback to the handshake on any other refusal',
    spec: `${HTTP}#backward-compatibility`,
    requirements: ['FALL-02', 'FALL-07'],
    failure: 'Servers of the handshake era cannot be reached.',
    level: 'should',
    steps: [
      play(refusing({ status: 400 }), fallsBack),
      play(
        refusing({ status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: Mcp-Session-Id header is required' } } }),
        fallsBack,
      ),
      play(refusing({ status: 400, body: failure(-32600) }), fallsBack),
      play(refusing({ status: 200, body: failure(-32601) }), fallsBack),
    ],
  },
  {
    ...common,
    id: 'CK-C07',
    title: '404 and 405 are read before they are believed',
    spec: `${HTTP}#httpsse-transport-2024-11-05`,
    requirements: ['FALL-03', 'FALL-06'],
    failure: 'A modern 404 leads to a fallback, or a legacy one does not.',
    level: 'should',
    steps: [
      play([{ to: 'prompts/list', status: 404, body: failure(-32601) }, ...server], [[none('requests[method="initialize"]'), none('requests[verb="GET"]')]], {
        given: 'requests[method="prompts/list"]',
      }),
      play(refusing({ status: 404, type: 'text/html', body: '<html>not here</html>' }), fallsBack),
      play(refusing({ status: 405 }), fallsBack),
    ],
  },
  {
    ...common,
    id: 'CK-C08',
    title: 'HTTP+SSE is used whole or not at all',
    spec: `${HTTP}#httpsse-transport-2024-11-05`,
    requirements: ['FALL-06'],
    failure: 'Messages go to the wrong address.',
    level: 'should',
    steps: [
      play(
        [
          { to: '/messages', status: 202 },
          { to: 'GET', type: 'text/event-stream', end: 'keep', body: 'event: endpoint\ndata: /messages?sessionId=1\n\n' },
          { to: 'POST', status: 405 },
        ],
        [[{ at: 'requests[path="/messages?sessionId=1"]', present: true, level: 'should' }]],
        { given: 'requests[verb="GET"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C09',
    title: '401 is no sign of an era',
    spec: 'basic/versioning#compatibility-matrix',
    requirements: ['FALL-05'],
    failure: 'A protected modern server is remembered as a legacy one.',
    steps: [
      play(
        [{ to: 'POST', status: 401, headers: { 'WWW-Authenticate': 'Bearer resource_metadata="{base}/.well-known/oauth-protected-resource"' } }],
        [[none('requests[method="initialize"]')]],
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C10',
    title: '5xx and silence are no sign of an era',
    spec: 'basic/versioning#compatibility-matrix',
    requirements: ['FALL-05'],
    failure: 'A modern server that is down for a moment is remembered as a legacy one.',
    steps: [
      play(
        [
          { to: 'initialize', body: oldServer[0]?.body },
          { to: 'POST', status: 503 },
        ],
        [[none('requests[method="initialize"]')]],
      ),
      play(
        [
          { to: 'initialize', body: oldServer[0]?.body },
          { to: 'POST', end: 'hang' },
        ],
        [[none('requests[method="initialize"]')]],
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C11',
    title: 'Annotated arguments are mirrored, encoded where needed',
    spec: `${HTTP}#custom-headers-from-tool-parameters`,
    requirements: ['ENC-02', 'HDR-12'],
    failure: 'Servers that validate the headers refuse the call.',
    steps: [
      play(
        [tools([{ ...TOOL, inputSchema: { type: 'object', properties: { text: { type: 'string', 'x-mcp-header': 'Text' } } } }]), ...server],
        [
          [
            { at: 'requests[method="tools/call"]', agree: ['decoded.mcp-param-text', 'body.params.arguments.text'] },
            { at: 'requests[method="tools/call"].header.mcp-param-text', matches: '^[\\x20-\\x7e]*$' },
          ],
        ],
        { given: 'requests[method="tools/call"].body.params.arguments.text' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C12',
    title: 'Tools with an illegal annotation are dropped, the others stay',
    spec: `${HTTP}#schema-extension`,
    requirements: ['HDR-11', 'HDR-13'],
    failure: 'One bad tool spoils the list, or a header is built from a bad name.',
    steps: [
      play(
        [
          tools([
            TOOL,
            ...['', 'My Region', 'Region:Primary', 'Région'].map((header, index) =>
              annotated(`bad-tool-${String(index)}`, { type: 'string', 'x-mcp-header': header }),
            ),
            annotated('bad-tool-number', { type: 'number', 'x-mcp-header': 'Weight' }),
            annotated('bad-tool-object', { type: 'object', 'x-mcp-header': 'Place' }),
          ]),
          ...server,
        ],
        [[{ at: 'stdout', unlike: 'bad-tool' }]],
        { given: 'requests[method="tools/list"]', printed: 'echo' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C13',
    title: 'After a header mismatch the tool list is read again, and the call repeated once',
    spec: `${HTTP}#client-behavior`,
    requirements: ['HDR-15'],
    failure: 'A changed annotation breaks the tool for this client.',
    level: 'should',
    steps: [
      play(
        [{ to: 'tools/call', times: 1, status: 400, body: failure(-32020) }, ...server],
        [
          [
            { at: 'requests[method="tools/call"]', count: 2, level: 'should' },
            none('requests[method="initialize"]'),
            { at: 'requests[method="tools/call"].id', distinct: true },
          ],
        ],
        { given: 'requests[method="tools/call"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C14',
    title: 'Input is given in a retry that repeats requestState byte for byte',
    spec: 'basic/patterns/mrtr#client-requirements-basic-workflow',
    requirements: ['MRTR-04', 'MRTR-11'],
    failure: 'The server cannot continue what it began.',
    steps: [
      play(
        [asks({ requestState: '{"a": 1 }' }), ...server],
        [
          [
            { at: 'requests[body.params.inputResponses].body.params.requestState', is: '{"a": 1 }' },
            { at: 'requests[body.params.inputResponses]', has: 'body.params.requestState' },
            { at: 'requests[body.params.inputResponses]', has: 'body.params.inputResponses.city.action' },
            { at: 'requests[body.params.inputResponses].body.params.inputResponses.city.action', oneOf: ['accept', 'decline', 'cancel'] },
            { at: 'requests[body.params.inputResponses].body.params.name', is: 'echo' },
            { at: 'requests[method="tools/call"].id', distinct: true },
          ],
        ],
        { given: 'requests[body.params.inputResponses]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C15',
    title: 'Nothing is added to a retry that was not given',
    spec: 'basic/patterns/mrtr#client-requirements-basic-workflow',
    requirements: ['MRTR-04', 'MRTR-05'],
    failure: 'State of one request reaches another.',
    steps: [
      play([asks({}), ...server], [[none('requests[body.params.requestState]'), none('requests[method="tools/list"].body.params.inputResponses')]], {
        given: 'requests[body.params.inputResponses]',
      }),
    ],
  },
  {
    ...common,
    id: 'CK-C16',
    title: 'A retry has a new id',
    spec: 'basic/index#requests',
    requirements: ['MSG-02', 'MRTR-04'],
    failure: 'The server cannot tell two requests apart.',
    steps: [
      play(
        [
          { to: 'POST', times: 1, status: 400, body: failure(-32022, { data: { supported: ['2026-07-28'], requested: '2026-07-28' } }) },
          asks({ requestState: 's' }),
          ...server,
        ],
        [[{ at: 'requests[id].id', distinct: true }]],
        { given: 'requests[1].id' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C17',
    title: 'resultType is read',
    spec: 'basic/index#resulttype',
    requirements: ['RT-02', 'EXT-03'],
    failure: 'An unknown kind of result is taken for the normal one.',
    steps: [
      play(
        [
          { to: 'tools/call', body: { jsonrpc: '2.0', id: '{id}', result: { resultType: 'x-unknown', content: [{ type: 'text', text: 'unread-7421' }] } } },
          ...server,
        ],
        [
          [
            { at: 'stdout', unlike: 'unread-7421' },
            { at: 'exit', not: 0, level: 'should' },
          ],
        ],
        { given: 'requests[method="tools/call"]' },
      ),
      play(
        [
          {
            to: 'tools/call',
            body: {
              jsonrpc: '2.0',
              id: '{id}',
              result: { resultType: 'task', taskId: 'unread-7421', status: 'working', content: [{ type: 'text', text: 'unread-7421' }] },
            },
          },
          ...server,
        ],
        [[{ at: 'stdout', unlike: 'unread-7421' }]],
        { given: 'requests[method="tools/call"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C18',
    title: 'Subscriptions are kept apart by their id',
    class: 'attest',
    spec: 'basic/patterns/subscriptions#multiple-concurrent-subscriptions',
    requirements: ['SUB-07', 'SUB-10', 'SUB-11'],
    failure: 'Changes are attributed to the wrong subscription.',
    level: 'should',
    steps: [],
  },
  {
    ...common,
    id: 'CK-C19',
    title: 'Comments are skipped, and a broken subscription is opened anew',
    spec: `${HTTP}#receiving-messages`,
    requirements: ['HTTP-13', 'SUB-10', 'STDIO-06'],
    failure: 'A keep-alive breaks the client, or changes are missed for good.',
    steps: [
      play(
        [
          {
            to: 'subscriptions/listen',
            times: 1,
            type: 'text/event-stream',
            end: 'cut',
            body: ':\r\n\r\n: alive\r\n\r\ndata: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":"{id}"}}}\n\n',
          },
          ...server,
        ],
        [[{ at: 'requests[method="subscriptions/listen"].id', distinct: true }, none('requests[header.last-event-id]'), none('requests[verb="GET"]')]],
        { given: 'requests[method="subscriptions/listen"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C20',
    title: 'A request is cancelled by closing its connection',
    spec: `${HTTP}#cancellation`,
    requirements: ['CANC-01', 'CANC-02', 'CANC-05'],
    failure: 'The cancellation does not reach the server, or arrives in a way that it does not know.',
    steps: [
      play([{ to: 'tools/call', end: 'hang' }, ...server], [[none('requests[method="notifications/cancelled"]')]], { given: 'requests[method="tools/call"]' }),
    ],
  },
  {
    ...common,
    id: 'CK-C21',
    title: 'A broken response stream is not resumed',
    spec: `${HTTP}#receiving-messages`,
    requirements: ['HTTP-17', 'HTTP-14'],
    failure: 'The client waits for a replay that does not exist.',
    steps: [
      play(
        [
          {
            to: 'tools/call',
            type: 'text/event-stream',
            end: 'cut',
            body: 'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\n',
          },
          ...server,
        ],
        [[none('requests[verb="GET"]'), none('requests[header.last-event-id]'), { at: 'requests[method="tools/call"].id', distinct: true }]],
        { given: 'requests[method="tools/call"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C22',
    title: 'Redirects of a POST are not followed',
    level: 'rfc',
    spec: HTTP,
    requirements: ['HTTP-20'],
    failure: 'Headers and credentials reach another origin.',
    steps: [307, 302].map((status) =>
      play(
        [
          { to: '/elsewhere', status: 200, body: {} },
          { to: 'POST', status, headers: { Location: '{other}/elsewhere' } },
        ],
        [[none('requests[path="/elsewhere"].header.authorization'), should(none('requests[path="/elsewhere"]'))]],
      ),
    ),
  },
  {
    ...common,
    id: 'CK-C23',
    title: 'Metadata of another issuer is not used',
    spec: 'basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery',
    requirements: ['AUTH-02', 'AUTH-03'],
    failure: 'A client can be led to the wrong authorization server.',
    steps: [
      play(
        authorization('https://wrong.example/'),
        [[none('requests[path="/as/register"]'), none('requests[path="/as/token"]'), none('requests[path="/as/authorize"]')]],
        { given: 'requests[path="/.well-known/oauth-authorization-server/as"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C24',
    title: 'Credentials belong to one issuer, scopes add up',
    class: 'attest',
    spec: 'basic/authorization/client-registration#authorization-server-binding',
    requirements: ['AUTH-08', 'AUTH-09'],
    failure: 'Credentials of one issuer reach another.',
    steps: [],
  },
  {
    ...common,
    id: 'CK-C25',
    title: 'A registration states its application type',
    spec: 'basic/authorization/client-registration#application-type-and-redirect-uri-constraints',
    requirements: ['AUTH-05', 'AUTH-06', 'AUTH-07'],
    failure: 'The authorization server refuses local redirect addresses.',
    steps: [
      play(authorization('{base}/as'), [[{ at: 'requests[path="/as/register"]', has: 'body.application_type' }]], { given: 'requests[path="/as/register"]' }),
    ],
  },
  {
    ...common,
    id: 'CK-C26',
    title: 'Lists are followed to their end and kept while they are fresh',
    spec: 'server/utilities/pagination#implementation-guidelines',
    requirements: ['CACHE-04', 'CACHE-05', 'PAGE-01'],
    failure: 'Tools behind an empty cursor are lost.',
    level: 'should',
    steps: [
      play([{ ...tools([TOOL], { nextCursor: '' }), times: 1 }, ...server], [[{ at: 'requests[body.params.cursor=""]', present: true, level: 'should' }]], {
        given: 'requests[method="tools/list"]',
      }),
    ],
  },
  {
    ...common,
    id: 'CK-C27',
    title: 'A request of the server is not answered',
    spec: 'basic/patterns/index',
    requirements: ['MSG-01'],
    failure: 'The client still takes part in the old direction.',
    steps: [
      play(
        [
          {
            to: 'tools/call',
            type: 'text/event-stream',
            body: 'data: {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}\n\ndata: {"jsonrpc":"2.0","id":"{id}","result":{"resultType":"complete","content":[]}}\n\n',
          },
          ...server,
        ],
        [[none('requests[body.id="s1"]')]],
        { given: 'requests[method="tools/call"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C28',
    title: 'Both codes of a missing resource are understood',
    class: 'attest',
    spec: 'server/resources#error-handling',
    requirements: ['RSRC-01'],
    failure: 'A missing resource is shown as an internal error.',
    level: 'should',
    steps: [],
  },
  {
    ...common,
    id: 'CK-C29',
    title: 'Over stdio the server is probed before a handshake',
    spec: `${STDIO}#backward-compatibility`,
    requirements: ['STDIO-04', 'FALL-01', 'VER-04'],
    failure: 'The era of a stdio server is guessed.',
    level: 'should',
    steps: [
      play(
        server,
        [
          [
            { at: 'requests[0].method', is: 'server/discover', level: 'should' },
            { at: 'requests[0]', has: `body.params._meta["${CAPABILITIES_KEY}"]` },
            none('requests[method="initialize"]'),
          ],
        ],
        { over: 'stdio' },
      ),
      play(
        [{ to: 'server/discover', times: 1, body: failure(-32022, { data: { supported: ['2026-07-28'], requested: '2026-07-28' } }) }, ...server],
        [[none('requests[method="initialize"]')]],
        { over: 'stdio', given: 'requests[method="server/discover"]' },
      ),
      ...[-32601, -32602].map((code) =>
        play([{ to: 'server/discover', body: failure(code) }, ...oldServer], fallsBack, { over: 'stdio', given: 'requests[method="server/discover"]' }),
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C30',
    title: 'No traffic of the handshake era towards a modern server',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-14', 'HTTP-15', 'HTTP-16'],
    failure: 'The client still opens streams, sessions or handshakes.',
    steps: [
      play(
        server,
        [
          [
            none('requests[verb="GET"]'),
            none('requests[verb="DELETE"]'),
            none('requests[header.mcp-session-id]'),
            none('requests[header.last-event-id]'),
            ...['initialize', 'ping', 'logging/setLevel', 'notifications/initialized', 'resources/subscribe'].map((method) =>
              none(`requests[method="${method}"]`),
            ),
          ],
        ],
        { given: POSTS },
      ),
    ],
  },
];

function annotated(name: string, property: Record<string, unknown>): Record<string, unknown> {
  return { name, description: 'Not to be shown.', inputSchema: { type: 'object', properties: { value: property } } };
}

/** Asks for a city once. */
function asks(more: Record<string, unknown>): RefereeReply {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  return {
    to: 'tools/call',
    times: 1,
    body: {
      jsonrpc: '2.0',
      id: '{id}',
      result: {
        resultType: 'input_required',
        inputRequests: { city: { method: 'elicitation/create', params: { mode: 'form', message: 'Which city?', requestedSchema } } },
        ...more,
      },
    },
  };
}

/** A protected server with an authorization server at `/as` that names this issuer. */
function authorization(issuer: string): readonly RefereeReply[] {
  const endpoints = {
    authorization_endpoint: '{base}/as/authorize',
    token_endpoint: '{base}/as/token',
    registration_endpoint: '{base}/as/register',
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  };
  return [
    ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'].map((to) => ({
      to,
      body: { resource: '{base}/mcp', authorization_servers: ['{base}/as'] },
    })),
    ...['/.well-known/oauth-authorization-server/as', '/.well-known/openid-configuration/as', '/as/.well-known/openid-configuration'].map((to) => ({
      to,
      body: { issuer, ...endpoints },
    })),
    { to: '/as/register', status: 201, body: { client_id: 'referee-client', redirect_uris: ['http://localhost/callback'] } },
    { to: 'POST', status: 401, headers: { 'WWW-Authenticate': 'Bearer resource_metadata="{base}/.well-known/oauth-protected-resource"' } },
  ];
}
