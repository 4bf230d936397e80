import type { Check } from '../../../src/core/check.js';
import { CAPABILITIES_KEY, CLIENT_INFO_KEY, HTTP, VERSION_KEY, should } from '../phrases.js';
import { POSTS, TOOL, annotated, common, failure, fallsBack, noFallback, none, oldServer, play, refusing, server, tools } from './scripts.js';

/** What a client sends and how it finds the era: CK-C01 to CK-C13. */
export const sending: readonly Check[] = [
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
];
