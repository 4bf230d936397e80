import type { Check } from '../../../src/core/check.js';
import { HTTP, noResult, refused4xx, step } from '../phrases.js';
import { farewell, initialize, initialized } from './session.js';

const common = { era: 'legacy', transport: 'http', class: 'quick', needs: ['legacy'], level: 'must' } as const;

/** How long older clients are served, and how that ends. */
export const windowOfTime: readonly Check[] = [
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
    id: 'CK-L09',
    title: 'Legacy answers announce their end',
    level: 'local',
    spec: 'deprecated',
    requirements: ['DEP-01'],
    failure: 'Clients and operators cannot see that the legacy lane will go.',
    // A server that has nothing newer announces no end.
    needs: ['modern', 'legacy'],
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
