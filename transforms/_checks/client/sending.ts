import type { Check } from '../../../src/core/check.js';
import { CAPABILITIES_KEY, CLIENT_INFO_KEY, HTTP, VERSION_KEY } from '../phrases.js';
import { POSTS, common, none, play, server } from './scripts.js';

/** What a client sends: CK-C01 to CK-C03. */
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
];
