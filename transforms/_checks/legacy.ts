import type { Check, CheckRequest, CheckStep } from '../../src/core/check.js';
import { code, HTTP, noResult, noSession, refused4xx, rejects, should, status, step, VERSION_KEY } from './phrases.js';

const common = { era: 'legacy', transport: 'http', class: 'quick', needs: ['legacy'], level: 'must' } as const;
const REDIRECTS = [301, 302, 303, 307, 308];
const HANDSHAKE_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

const initialize: CheckRequest = {
  era: 'legacy',
  to: 'legacy',
  method: 'initialize',
  params: { protocolVersion: '{legacyRevision}', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  keep: { session: 'header.mcp-session-id' },
};
const legacy = (method: string, more: CheckRequest = {}): CheckRequest => ({
  era: 'legacy',
  to: 'legacy',
  method,
  ...more,
  headers: { 'Mcp-Session-Id': '{?kept.session}', ...more.headers },
});
const initialized: CheckStep = step(legacy('notifications/initialized', { notification: true }), [[]]);
const handshake: readonly CheckStep[] = [step(initialize, [[]]), initialized];
const farewell: CheckStep = step(legacy('', { verb: 'DELETE' }), [[]], { when: ['kept.session'] });
const legacyResult = [
  { at: 'result', typeOf: 'object' },
  { at: 'result.resultType', absent: true },
  { at: 'result.ttlMs', absent: true, level: 'should' },
] as const;

/** The window in which older clients are served: CK-L01 to CK-L15. */
export const legacyWindow: readonly Check[] = [
  {
    ...common,
    id: 'CK-L01',
    title: 'The handshake still works',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['VER-03', 'RT-03'],
    failure: 'Older clients are stranded.',
    needs: [],
    steps: [
      step(
        initialize,
        [
          [
            status(200),
            { at: 'result.protocolVersion', oneOf: HANDSHAKE_REVISIONS },
            { at: 'result.protocolVersion', is: '{legacyRevision}', level: 'should' },
            { at: 'result.serverInfo.name', typeOf: 'string' },
            { at: 'result.resultType', absent: true, because: 'legacy answers stay legacy' },
            { at: 'result.ttlMs', absent: true },
            {
              at: 'header.mcp-session-id',
              present: true,
              when: 'expect.sessionful',
              because: 'the sessionful lane was expected; a stateless one in front of it answers',
            },
            { at: 'header.mcp-session-id', absent: true, when: 'expect.stateless' },
          ],
        ],
        { when: ['windowOpen'] },
      ),
      step(legacy('notifications/initialized', { notification: true }), [[should(status(202)), { at: 'status', below: 300 }]], { when: ['windowOpen'] }),
      step(
        { method: 'server/discover', headers: { 'Mcp-Session-Id': '{?kept.session}' } },
        [[status(200), { at: 'result.resultType', is: 'complete' }, noSession]],
        { when: ['windowOpen', 'modern'] },
      ),
      step(legacy('ping'), [[status(200), ...legacyResult]], { when: ['windowOpen'] }),
      { ...farewell, when: ['kept.session'] },
    ],
  },
  {
    ...common,
    id: 'CK-L02',
    title: 'The modern route issues no session while the legacy lane is open',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-16'],
    failure: 'Modern requests fall into the session path.',
    needs: ['modern', 'legacy'],
    steps: [
      step({ method: 'server/discover' }, [[noSession]]),
      step({ method: 'tools/list' }, [[noSession]]),
      step({ method: 'server/discover', headers: { 'MCP-Protocol-Version': null } }, [[noSession]]),
      step({ method: 'server/discover', headers: { 'MCP-Protocol-Version': '{legacyRevision}' } }, [[noSession]]),
    ],
  },
  {
    ...common,
    id: 'CK-L03',
    title: 'The legacy GET stream is for live sessions',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-15'],
    failure: 'Older clients lose their stream, or a stream is opened for nobody.',
    level: 'should',
    steps: [
      ...handshake,
      step(
        {
          era: 'legacy',
          to: 'legacy',
          verb: 'GET',
          headers: { Accept: 'text/event-stream', 'Content-Type': null, 'Mcp-Session-Id': '{?kept.session}' },
          readFor: 300,
        },
        [[status(200), { at: 'type', is: 'text/event-stream' }], [status(405)], [{ at: 'status', below: 500 }, should(status(405))]],
      ),
      step(
        {
          era: 'legacy',
          to: 'legacy',
          verb: 'GET',
          headers: { Accept: 'text/event-stream', 'Content-Type': null, 'Mcp-Session-Id': 'no-such-session' },
          readFor: 300,
        },
        [[{ at: 'status', below: 500 }, should(refused4xx)]],
        { when: ['sessions'] },
      ),
      farewell,
    ],
  },
  {
    ...common,
    id: 'CK-L04',
    title: 'A legacy session can be ended',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-15'],
    failure: 'Ended sessions live on, or ending one is an error.',
    level: 'should',
    needs: ['legacy', 'sessions'],
    steps: [
      ...handshake,
      step(legacy('', { verb: 'DELETE', keep: { gone: 'succeeded' } }), [[{ at: 'status', oneOf: [200, 202, 204, 405] }]]),
      step(legacy('ping'), [[{ at: 'status', below: 500 }, should(refused4xx), should(status(404))]], { when: ['kept.gone'] }),
    ],
  },
  {
    ...common,
    id: 'CK-L05',
    title: 'A legacy request with ordinary _meta stays legacy, and sees the same tools',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['META-09', 'VER-03'],
    failure: 'The era is guessed from the presence of _meta, or the two eras serve different things.',
    steps: [
      ...handshake,
      step(
        legacy('tools/list', { meta: { progressToken: 5 }, keep: { more: 'result.nextCursor' } }),
        [
          [
            status(200),
            ...legacyResult,
            { at: 'result.tools[*].name', sameSet: '{toolNames}', level: 'should', when: '!kept.more', because: 'both eras list the same tools' },
          ],
        ],
        { when: ['toolNames'] },
      ),
      step(legacy('ping', { meta: { progressToken: 6 } }), [[status(200), ...legacyResult]]),
      step(legacy('ping', { parallel: 4 }), [[status(200), ...legacyResult, { at: 'id', is: '{id}' }]]),
      farewell,
    ],
  },
  {
    ...common,
    id: 'CK-L06',
    title: 'The HTTP+SSE routes still work',
    spec: `${HTTP}#httpsse-transport-2024-11-05`,
    requirements: ['LSSE-01', 'LSSE-02'],
    failure: 'Clients of 2024-11-05 are stranded.',
    transport: 'sse',
    needs: ['sse'],
    steps: [{ probe: 'sse-bridge' }],
  },
  {
    ...common,
    era: 'both',
    id: 'CK-L07',
    title: 'A request without version header and without _meta is not served',
    spec: `${HTTP}#protocol-version-header`,
    requirements: ['HDR-03'],
    failure: 'A request that names no revision is executed.',
    needs: ['modern'],
    steps: [
      step({ era: 'legacy', method: 'tools/list', headers: { 'MCP-Protocol-Version': null } }, [[status(400), { at: 'error', typeOf: 'object' }, noResult]], {
        lanes: ['none', 'separate', 'sessionful'],
      }),
      step({ era: 'legacy', method: 'tools/list', headers: { 'MCP-Protocol-Version': null } }, [[should(refused4xx), should(noResult)]], {
        lanes: ['stateless'],
      }),
    ],
  },
  {
    ...common,
    era: 'both',
    id: 'CK-L08',
    title: 'No redirect leads from old routes to new ones',
    level: 'rfc',
    spec: HTTP,
    requirements: ['HTTP-20'],
    failure: 'A redirect of a POST can drop its body or leak its headers.',
    needs: [],
    steps: [
      step({ era: 'legacy', to: '{each}', method: 'ping' }, [[{ at: 'status', noneOf: REDIRECTS }], [{ at: 'silent', is: true }]], {
        each: ['endpoint', 'legacy', 'sse'],
      }),
      step(
        { era: 'legacy', to: '{each}', verb: 'GET', headers: { Accept: 'text/event-stream' }, readFor: 200 },
        [[{ at: 'status', noneOf: REDIRECTS }], [{ at: 'silent', is: true }]],
        { each: ['endpoint', 'legacy', 'sse'] },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-L09',
    title: 'Legacy answers announce their end',
    level: 'local',
    spec: 'deprecated',
    requirements: ['DEP-01'],
    failure: 'Clients and operators cannot see that the legacy lane will go.',
    steps: [
      step(initialize, [
        [
          { at: 'header.deprecation', present: true, level: 'should' },
          { at: 'header.sunset', present: true, level: 'should' },
        ],
      ]),
      initialized,
      farewell,
    ],
  },
  {
    ...common,
    era: 'both',
    id: 'CK-L10',
    title: 'A bare initialize under the modern version header is refused',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['VER-03'],
    failure: 'A handshake is executed although the header names the modern revision.',
    needs: ['modern'],
    steps: [
      step(
        {
          era: 'raw',
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            'MCP-Protocol-Version': '{revision}',
            'Mcp-Method': 'initialize',
          },
          body: '{"jsonrpc":"2.0","id":10,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
        },
        [[{ at: 'result', absent: true }, status(400), code(-32602, -32020, -32022)]],
      ),
    ],
  },
  {
    ...common,
    id: 'CK-L11',
    title: 'Modern error codes stay out of legacy answers',
    spec: 'basic/index#error-codes',
    requirements: ['ERR-03'],
    failure: 'Older clients get codes that they cannot know.',
    steps: [
      ...handshake,
      step(legacy('resources/read', { params: { uri: 'test://does-not-exist' } }), [[{ at: 'error.code', noneOf: [-32020, -32021, -32022] }]]),
      step(legacy('no/such/method'), [[{ at: 'error.code', noneOf: [-32020, -32021, -32022] }]]),
      farewell,
    ],
  },
  {
    ...common,
    era: 'both',
    id: 'CK-L12',
    title: 'A modern body under a legacy header is never executed',
    spec: `${HTTP}#server-validation`,
    requirements: ['HDR-02', 'VER-03'],
    failure: 'The era is decided by the header alone.',
    needs: ['modern', 'legacy'],
    steps: [
      step({ method: 'tools/list', headers: { 'MCP-Protocol-Version': '{legacyRevision}' } }, rejects(400, -32020)),
      step({ method: 'tools/list', to: 'legacy', headers: { 'MCP-Protocol-Version': '{legacyRevision}' } }, [[should(noResult), should(refused4xx)]], {
        lanes: ['separate'],
      }),
    ],
  },
  {
    ...common,
    era: 'modern',
    id: 'CK-L13',
    title: 'One list of versions',
    level: 'should',
    spec: 'server/discover#response',
    requirements: ['DISC-06'],
    failure: 'Discovery and the version error name different versions.',
    needs: ['modern'],
    steps: [
      step({ method: 'server/discover', keep: { versions: 'result.supportedVersions' } }, [[]]),
      step(
        { method: 'server/discover', meta: { [VERSION_KEY]: '1900-01-01' }, headers: { 'MCP-Protocol-Version': '1900-01-01' } },
        [[{ at: 'error.data.supported', sameSet: '{kept.versions}', level: 'should' }]],
        { when: ['kept.versions'] },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-L14',
    title: 'After the removal date the legacy routes are gone',
    spec: 'deprecated',
    requirements: ['DEP-01', 'REM-02'],
    failure: 'A legacy code path is still reachable.',
    needs: ['retired'],
    steps: [
      step({ ...initialize, to: 'endpoint' }, [[refused4xx, noResult, { at: 'error', includes: '{revision}', level: 'should' }]]),
      step(initialize, [[{ at: 'status', oneOf: [400, 404, 405, 410] }, noResult]]),
      step({ era: 'raw', to: 'sse', verb: 'GET', headers: { Accept: 'text/event-stream' }, readFor: 300 }, [[{ at: 'status', oneOf: [404, 410] }]], {
        when: ['sse'],
      }),
    ],
  },
  {
    ...common,
    id: 'CK-L15',
    title: 'The migration can be rolled back',
    level: 'local',
    class: 'attest',
    spec: 'deprecated',
    requirements: [],
    failure: 'Rolling back strands clients or state.',
    needs: [],
    steps: [],
  },
];
