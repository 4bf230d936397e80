import type { Check } from '../../../src/core/check.js';
import { CAPABILITIES_KEY, HTTP, STDIO, should } from '../phrases.js';
import { POSTS, TOOL, asks, authorization, common, failure, fallsBack, none, oldServer, play, server, tools } from './scripts.js';

/** How a client reacts to answers: CK-C14 to CK-C30. */
export const reacting: readonly Check[] = [
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
