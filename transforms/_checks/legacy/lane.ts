import type { Check } from '../../../src/core/check.js';
import type { CheckStep, Expectation } from '../../../src/core/check-step.js';
import { code, echoesId, HTTP, noSession, refused4xx, should, status, step } from '../phrases.js';
import { farewell, initialize, initialized, legacy } from './session.js';

const common = { era: 'legacy', transport: 'http', class: 'quick', needs: ['legacy'], level: 'must' } as const;
const HANDSHAKE_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

const handshake: readonly CheckStep[] = [step(initialize, [[]]), initialized];
const legacyResult = [
  { at: 'result', typeOf: 'object' },
  { at: 'result.resultType', absent: true },
  { at: 'result.ttlMs', absent: true, level: 'should' },
] as const;

/** A server that never had ping is no worse for it after a migration. */
const pings: Expectation = [
  [status(200), ...legacyResult, echoesId],
  [code(-32601), echoesId, should(status(200)), { at: 'result', typeOf: 'object', level: 'should', because: 'every earlier revision has ping' }],
];

/** What older clients find on the legacy lane. */
export const lane: readonly Check[] = [
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
      step(legacy('ping'), pings, { when: ['windowOpen'] }),
      { ...farewell, when: ['kept.session'] },
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
          headersOnly: true,
        },
        [
          [status(200), { at: 'type', is: 'text/event-stream' }],
          [status(405)],
          [{ at: 'status', below: 500 }, should(status(405))],
          [status(501), should(status(405))],
        ],
      ),
      step(
        {
          era: 'legacy',
          to: 'legacy',
          verb: 'GET',
          headers: { Accept: 'text/event-stream', 'Content-Type': null, 'Mcp-Session-Id': 'no-such-session' },
          headersOnly: true,
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
    // With control over the server it restarts it.
    alone: true,
    steps: [
      ...handshake,
      step(legacy('', { verb: 'DELETE', keep: { gone: 'succeeded' } }), [[{ at: 'status', oneOf: [200, 202, 204, 405] }]]),
      step(legacy('ping'), [[{ at: 'status', below: 500 }, should(refused4xx), should(status(404))]], { when: ['kept.gone'] }),
      // A session of a process that is gone: clients begin anew on 404, on anything else they are stuck.
      { ...handshake[0], when: ['control.restart'] } as CheckStep,
      { probe: 'restart', when: ['control.restart'] },
      step(legacy('ping'), [[{ at: 'status', below: 500 }, should(status(404))]], { when: ['control.restart', 'kept.session'] }),
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
      step(legacy('ping', { meta: { progressToken: 6 } }), pings),
      step(legacy('ping', { parallel: 4 }), pings),
      farewell,
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
];
