import type { Check } from '../../../src/core/check.js';
import { answered, HTTP, namelessId, noError, noResult, noSession, refused4xx, SERVER_INFO, should, status, step } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'] } as const;

/** Verbs, sessions, origins, the address: CK-H01 to CK-H10, CK-H69. */
export const endpoint: readonly Check[] = [
  {
    ...common,
    id: 'CK-H01',
    title: 'server/discover answers without a handshake',
    level: 'must',
    spec: 'server/discover#response',
    requirements: ['HTTP-01', 'HTTP-04', 'MSG-02', 'DISC-01', 'DISC-02', 'DISC-03'],
    failure: 'Clients of the modern revision cannot find out what the server supports.',
    steps: [
      step({ method: 'server/discover' }, [
        [
          ...answered,
          { at: 'type', oneOf: ['application/json', 'text/event-stream'] },
          { at: 'result.resultType', is: 'complete' },
          noError,
          { at: 'problem', absent: true, because: 'the answer is complete' },
          { at: 'result.supportedVersions', typeOf: 'array' },
          { at: 'result.supportedVersions', includes: '{revision}' },
          { at: 'result.capabilities', typeOf: 'object' },
          { at: 'result.ttlMs', typeOf: 'integer', atLeast: 0 },
          { at: 'result.cacheScope', oneOf: ['public', 'private'] },
          { at: 'result.serverInfo', absent: true, because: 'identity lives in _meta', level: 'should' },
          { at: SERVER_INFO, typeOf: 'string', level: 'should' },
        ],
      ]),
      // An id is a number or a text.
      step({ method: 'server/discover', id: 'discover-01' }, [answered]),
    ],
  },
  {
    ...common,
    id: 'CK-H02',
    title: 'An incoming Mcp-Session-Id is ignored and none is issued',
    level: 'must',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-16'],
    failure: 'Modern traffic still depends on a session.',
    steps: [
      step({ method: '{each}', headers: { 'Mcp-Session-Id': 'no-such-session' } }, [[...answered, noSession]], { each: 'harmless' }),
      // A request under an older header is the business of CK-L02 where a legacy lane shares the endpoint.
      { observe: 'modern', expect: [[noSession], [{ at: 'sent.headers.MCP-Protocol-Version', not: '{revision}', lanes: ['stateless', 'sessionful'] }]] },
    ],
  },
  {
    ...common,
    id: 'CK-H03',
    title: 'Last-Event-ID is ignored',
    level: 'must',
    spec: `${HTTP}#receiving-messages`,
    requirements: ['HTTP-14'],
    failure: 'Streams of the modern revision cannot be resumed; the server acts on Last-Event-ID.',
    steps: [
      step(
        { method: '{each}', headers: { 'Last-Event-ID': '42' } },
        [
          [
            ...answered,
            { at: 'messages', typeOf: 'array' },
            { at: 'messages[method]', count: 0, because: 'nothing is replayed' },
            { at: 'events[id]', count: 0, level: 'should' },
          ],
          // Refusing the header is no resumption, but it is not ignoring it either.
          [refused4xx, noResult, should(status(200))],
        ],
        { each: 'harmless' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H04',
    title: 'GET is refused',
    level: 'should',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-15'],
    failure: 'The modern endpoint still answers GET.',
    steps: [
      step({ verb: 'GET', readFor: 700 }, [
        [
          refused4xx,
          { at: 'type', not: 'text/event-stream' },
          { ...should(status(405)), lanes: ['none', 'separate', 'stateless'] },
          { ...should({ at: 'header.allow', includes: 'POST' }), lanes: ['none', 'separate', 'stateless'] },
        ],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-H05',
    title: 'DELETE is refused',
    level: 'should',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-15'],
    failure: 'The modern endpoint still answers DELETE.',
    steps: [
      step({ verb: 'DELETE', headers: { 'Mcp-Session-Id': 'x' } }, [
        [
          refused4xx,
          { ...should(status(405)), lanes: ['none', 'separate', 'stateless'] },
          { ...should({ at: 'header.allow', includes: 'POST' }), lanes: ['none', 'separate', 'stateless'] },
        ],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-H06',
    title: 'GET replays nothing, PUT and PATCH are refused',
    level: 'local',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-14', 'HTTP-15'],
    failure: 'The endpoint answers verbs that the revision does not have.',
    steps: [
      step({ verb: 'GET', headers: { 'Last-Event-ID': '1', 'Mcp-Session-Id': 'x' }, readFor: 700 }, [[refused4xx, { at: 'messages[method]', count: 0 }]]),
      step({ verb: '{each}', headers: { 'Content-Type': 'application/json' }, body: '{}' }, [[{ at: 'status', atLeast: 400 }, should(status(405))]], {
        each: ['PUT', 'PATCH'],
      }),
    ],
  },
  {
    ...common,
    id: 'CK-H07',
    title: 'A foreign Origin is refused',
    level: 'must',
    spec: `${HTTP}#security--endpoint`,
    requirements: ['HTTP-18'],
    failure: 'A web page of any origin can drive the server (DNS rebinding).',
    steps: [step({ method: 'server/discover', headers: { Origin: 'http://evil.example.com' } }, [[status(403), noResult, should(namelessId)]])],
  },
  {
    ...common,
    id: 'CK-H08',
    title: 'An allowed Origin is served',
    level: 'must',
    spec: `${HTTP}#security--endpoint`,
    requirements: ['HTTP-18'],
    failure: 'Browsers of the allowed origin are locked out.',
    needs: ['modern', 'origin'],
    steps: [step({ method: 'server/discover', headers: { Origin: '{origin}' } }, [answered])],
  },
  {
    ...common,
    id: 'CK-H09',
    title: 'A missing Origin is served, the origin "null" is not',
    level: 'must',
    spec: `${HTTP}#security--endpoint`,
    requirements: ['HTTP-18'],
    failure: 'The Origin policy is too strict or too lax.',
    steps: [step({ method: 'server/discover' }, [answered]), step({ method: 'server/discover', headers: { Origin: 'null' } }, [[should(status(403))]])],
  },
  {
    ...common,
    id: 'CK-H10',
    title: 'No POST is answered by a redirect',
    level: 'rfc',
    spec: HTTP,
    requirements: ['HTTP-20'],
    failure: 'A redirect of a POST can drop its body or leak its headers.',
    steps: [
      step({ method: 'server/discover' }, [
        [
          { at: 'status', present: true },
          { at: 'status', noneOf: [301, 302, 303, 307, 308] },
        ],
      ]),
      step({ method: 'server/discover', to: '{each}' }, [[{ at: 'status', noneOf: [301, 302, 303, 307, 308], level: 'should' }]], {
        each: ['{slash}', './sse', './messages'],
      }),
    ],
  },
  {
    ...common,
    id: 'CK-H69',
    title: 'Balancers ask a health route, not the endpoint',
    level: 'local',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-15', 'REM-01'],
    failure: 'Probes that ask the endpoint with GET or ping get 405 or 404 now, and healthy instances are restarted.',
    needs: ['health'],
    steps: [
      step({ era: 'raw', to: '{health}', verb: 'GET', headers: { Authorization: null } }, [[{ at: 'status', atLeast: 200, below: 300 }, noSession]]),
      // A health route that is the endpoint itself would need GET, which the revision refuses.
      step({ era: 'raw', to: '{health}', verb: 'GET', headers: { Accept: 'text/event-stream', Authorization: null }, readFor: 200 }, [
        [{ at: 'type', not: 'text/event-stream' }],
      ]),
    ],
  },
];
