import type { Check } from '../../../src/core/check.js';
import { CAPABILITIES_KEY, HTTP, STDIO, VERSION_KEY, should } from '../phrases.js';
import { POSTS, common, failure, fallsBack, noFallback, none, oldServer, play, refusing, server } from './scripts.js';

/** How a client finds the era of a server: CK-C04 to CK-C10, CK-C29, CK-C30. */
export const fallback: readonly Check[] = [
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
      // A server of the revision has discovery: without it, 404 is that of an older one.
      play([{ to: 'server/discover', status: 404, body: failure(-32601) }, ...oldServer], fallsBack, { given: 'requests[method="server/discover"]' }),
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
