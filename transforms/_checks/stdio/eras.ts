import type { Check } from '../../../src/core/check.js';
import type { Assertion, CheckRequest, CheckStep } from '../../../src/core/check-step.js';
import { echoesId, noResult, step, resultLine } from '../phrases.js';

const common = { era: 'modern', transport: 'stdio', class: 'quick', needs: ['modern'], level: 'must' } as const;
const complete: readonly Assertion[] = [...resultLine, { at: 'result.resultType', is: 'complete' }];
const initialize: CheckRequest = {
  era: 'legacy',
  method: 'initialize',
  params: { protocolVersion: '{legacyRevision}', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
};
const handshake: readonly CheckStep[] = [
  step(initialize, [
    [
      { at: 'result.protocolVersion', typeOf: 'string' },
      { at: 'result.serverInfo.name', typeOf: 'string' },
      { at: 'result.resultType', absent: true },
    ],
  ]),
  step({ era: 'legacy', method: 'notifications/initialized', notification: true }, [[{ at: 'stray', is: [] }]]),
];
const legacyShape: readonly Assertion[] = [...resultLine, { at: 'result.resultType', absent: true }, { at: 'result.ttlMs', absent: true, level: 'should' }];

/** Both eras over one pipe. */
export const eras: readonly Check[] = [
  {
    ...common,
    id: 'CK-S11',
    shares: 'legacy',
    title: 'A legacy request with ordinary _meta stays legacy',
    era: 'legacy',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['META-09', 'VER-03'],
    failure: 'The era is guessed from the presence of _meta.',
    needs: ['legacy'],
    steps: [
      ...handshake,
      step({ era: 'legacy', method: 'tools/list', meta: { progressToken: 1 } }, [legacyShape], { when: ['toolNames'] }),
      step({ era: 'legacy', method: 'ping', meta: { progressToken: 2 } }, [legacyShape]),
    ],
  },
  {
    ...common,
    id: 'CK-S12',
    title: 'A refused initialize tells the supported versions',
    level: 'should',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['REM-02'],
    failure: 'An old client has no other way to learn the versions.',
    lanes: ['none'],
    steps: [step(initialize, [[{ at: 'error', typeOf: 'object' }, echoesId, noResult, { at: 'error', includes: '{revision}', level: 'should' }]])],
  },
  {
    ...common,
    id: 'CK-S15',
    shares: 'legacy',
    title: 'Both eras on one process',
    era: 'both',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['VER-03', 'RT-03'],
    failure: 'A modern request after a handshake is answered in the shape of the handshake era, or the other way round.',
    needs: ['modern', 'legacy'],
    steps: [
      ...handshake,
      step({ method: 'server/discover' }, [complete, [{ at: 'error', typeOf: 'object' }, noResult, echoesId]]),
      step(
        { method: '{each}' },
        [
          [...complete, { at: 'result.ttlMs', typeOf: 'integer' }],
          [{ at: 'error', typeOf: 'object' }, noResult, echoesId],
        ],
        { each: 'lists' },
      ),
      step({ era: 'legacy', method: 'ping' }, [legacyShape]),
    ],
  },
];
