import type { Check } from '../../../src/core/check.js';
import type { Assertion, CheckStep } from '../../../src/core/check-step.js';
import { echoesId, LOG_KEY, STDIO, step, SUBSCRIPTION, call, resultLine } from '../phrases.js';

const common = { era: 'modern', transport: 'stdio', class: 'quick', needs: ['modern'], level: 'must' } as const;
/** A started process, so that short waiting times mean something. */
const ready: CheckStep = step({ method: 'server/discover' }, [[]]);

/** The process and its streams: framing, subscriptions, cancellation, its end. */
export const processes: readonly Check[] = [
  {
    ...common,
    id: 'CK-S07',
    shares: 'modern',
    title: 'Nothing but messages on stdout',
    spec: STDIO,
    requirements: ['STDIO-01', 'STDIO-07', 'PROG-01', 'LOG-03'],
    failure: 'Logs on stdout break the framing.',
    steps: [
      step({ method: 'server/discover' }, [[echoesId, { at: 'stray', is: [], because: 'logs belong on stderr' }]]),
      step(call('tool'), [[...resultLine, { at: 'stray', is: [] }, { at: 'messages[method="notifications/progress"]', count: 0 }]], { when: ['tool'] }),
      step(call('progress'), [[echoesId, { at: 'messages[method="notifications/progress"]', count: 0 }]], { when: ['progress'] }),
    ],
  },
  {
    ...common,
    id: 'CK-S08',
    shares: 'modern',
    title: 'A subscription is acknowledged, tagged and ended by notifications/cancelled',
    spec: 'basic/patterns/subscriptions#cancellation',
    requirements: ['SUB-02', 'SUB-03', 'SUB-08'],
    failure: 'Subscriptions over one pipe cannot be told apart or ended.',
    needs: ['modern', 'list-changes'],
    steps: [
      ready,
      step({ method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } }, readFor: 300, keep: { listen: 'sent.id' } }, [
        acknowledged(),
      ]),
      step(
        call('change', { readFor: 400 }),
        [
          [
            { at: 'messages[method="notifications/tools/list_changed"]', present: true, level: 'should' },
            { at: `messages[method="notifications/tools/list_changed"].params.${SUBSCRIPTION}`, is: '{kept.listen}' },
          ],
        ],
        { when: ['change'] },
      ),
      step({ method: 'notifications/cancelled', notification: true, params: { requestId: '{kept.listen}' }, readFor: 200 }, [[{ at: 'result', absent: true }]]),
      step(
        call('change', { readFor: 400 }),
        [
          [
            { at: 'foreign', is: [], because: 'nothing follows for an ended subscription' },
            { at: `messages[method="notifications/tools/list_changed"].params.${SUBSCRIPTION}`, not: '{kept.listen}' },
          ],
        ],
        { when: ['change'] },
      ),
      step({ method: 'server/discover' }, [[...resultLine, { at: 'foreign', is: [] }]]),
    ],
  },
  {
    ...common,
    id: 'CK-S10',
    shares: 'modern',
    ends: true,
    title: 'The process ends when its input ends',
    level: 'should',
    spec: `${STDIO}#shutdown`,
    requirements: ['STDIO-06'],
    failure: 'Processes are left behind.',
    needs: [],
    steps: [
      step({ method: 'server/discover', keep: { up: 'messages[0]' } }, [[]]),
      // A process that is gone already has not ended because of its input.
      step({ verb: 'EOF', readFor: 3000 }, [[{ at: 'exited', present: true, level: 'should' }]], { when: ['kept.up'] }),
    ],
  },
  {
    ...common,
    id: 'CK-S14',
    title: 'A cancelled call is not answered, odd cancellations are ignored',
    class: 'slow',
    spec: `${STDIO}#cancellation`,
    requirements: ['CANC-02', 'CANC-04'],
    failure: 'A cancelled call is still answered, or an odd cancellation does harm.',
    needs: ['modern', 'slow-tool'],
    steps: [
      ready,
      step(call('slow', { abortAfter: 200, keep: { slow: 'sent.id' } }), [[]]),
      step({ method: 'notifications/cancelled', notification: true, params: { requestId: '{kept.slow}', reason: 'test' } }, [[]]),
      step({ method: 'notifications/cancelled', notification: true, params: { requestId: 'unknown' } }, [[]]),
      step({ method: 'notifications/cancelled', notification: true, params: {} }, [[]]),
      step({ method: 'server/discover', readFor: 6000 }, [
        [
          { at: 'foreign', is: [], because: 'the cancelled call is not answered' },
          { at: 'result', typeOf: 'object' },
        ],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-S16',
    shares: 'modern',
    title: 'No log messages for requests that do not ask for them',
    spec: 'server/utilities/logging#per-request-log-level',
    requirements: ['LOG-01'],
    failure: 'Log messages reach clients that did not ask for them.',
    needs: ['modern', 'log-tool'],
    steps: [
      ready,
      step(call('log'), [[echoesId, { at: 'messages[method="notifications/message"]', count: 0 }]]),
      step(call('log', { meta: { [LOG_KEY]: 'error' } }), [
        [echoesId, { at: 'messages[method="notifications/message"].params.level', oneOf: ['error', 'critical', 'alert', 'emergency'] }],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-S17',
    title: 'A process that is asked to end closes its subscriptions',
    level: 'should',
    spec: 'basic/patterns/subscriptions#graceful-closure',
    requirements: ['SUB-09'],
    failure: 'Clients cannot tell a planned end from a crash.',
    needs: ['modern', 'list-changes'],
    steps: [
      ready,
      step({ method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } }, readFor: 200, keep: { listen: 'sent.id' } }, [[]]),
      step({ verb: 'TERM', readFor: 2000 }, [
        [
          { at: 'messages[result].id', is: '{kept.listen}' },
          { at: 'messages[result]', present: true, level: 'should' },
          { at: `messages[result].result.${SUBSCRIPTION}`, is: '{kept.listen}' },
          { at: 'messages[method="notifications/cancelled"].params.requestId', is: '{kept.listen}' },
          { at: 'messages[error]', count: 0 },
        ],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-S18',
    shares: 'modern',
    title: 'An oversized line does no harm',
    level: 'local',
    spec: STDIO,
    requirements: ['STDIO-08'],
    failure: 'One long line stops the server.',
    needs: ['modern'],
    steps: [
      ready,
      step({ era: 'raw', body: 'a', fill: 3_000_000, readFor: 300 }, [
        [
          { at: 'result', absent: true },
          { at: 'messages[error].id', count: 0, level: 'should' },
        ],
      ]),
      step({ method: 'server/discover' }, [[{ at: 'result', typeOf: 'object', level: 'should' }], [{ at: 'exited', oneOf: [0, 1] }]]),
    ],
  },
];

function acknowledged(): readonly Assertion[] {
  return [
    { at: 'messages[0].method', is: 'notifications/subscriptions/acknowledged' },
    { at: `messages[0].params.${SUBSCRIPTION}`, is: '{id}', because: 'same value and type as the request id' },
    { at: 'messages[0].params.notifications', within: ['toolsListChanged'] },
    { at: 'result', absent: true, because: 'the subscription stays open' },
  ];
}
