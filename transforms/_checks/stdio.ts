import type { Assertion, Check, CheckRequest, CheckStep } from '../../src/core/check.js';
import { CAPABILITIES_KEY, code, echoesId, LOG_KEY, noResult, SERVER_INFO, should, STDIO, step, SUBSCRIPTION, VERSION_KEY } from './phrases.js';

const common = { era: 'modern', transport: 'stdio', class: 'quick', needs: ['modern'], level: 'must' } as const;
const call = (role: string, more: CheckRequest = {}): CheckRequest => ({
  method: 'tools/call',
  ...more,
  params: { name: `{${role}.name}`, arguments: `{${role}.args}` },
});
const rejects = (rpc: number): readonly (readonly Assertion[])[] => [[code(rpc), echoesId, noResult]];
const answered: readonly Assertion[] = [{ at: 'result', typeOf: 'object' }, echoesId];
const complete: readonly Assertion[] = [...answered, { at: 'result.resultType', is: 'complete' }];
const initialize: CheckRequest = {
  era: 'legacy',
  method: 'initialize',
  params: { protocolVersion: '{legacyRevision}', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
};
/** A started process, so that short waiting times mean something. */
const ready: CheckStep = step({ method: 'server/discover' }, [[]]);
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
const legacyShape: readonly Assertion[] = [...answered, { at: 'result.resultType', absent: true }, { at: 'result.ttlMs', absent: true }];

/** Servers over standard input and output: CK-S01 to CK-S18. */
export const overStdio: readonly Check[] = [
  {
    ...common,
    id: 'CK-S01',
    title: 'server/discover answers without a handshake',
    spec: 'server/discover#response',
    requirements: ['DISC-01', 'DISC-03'],
    failure: 'Clients of the modern revision cannot find out what the server supports.',
    steps: [
      step({ method: 'server/discover' }, [
        [
          ...complete,
          { at: 'messages', typeOf: 'array' },
          { at: 'foreign', is: [] },
          { at: 'result.supportedVersions', includes: '{revision}' },
          { at: 'result.capabilities', typeOf: 'object' },
          { at: 'result.ttlMs', typeOf: 'integer', atLeast: 0 },
          { at: 'result.cacheScope', oneOf: ['public', 'private'] },
          { at: SERVER_INFO, typeOf: 'string', level: 'should' },
        ],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-S02',
    title: 'A request with incomplete _meta is refused',
    spec: 'basic/index#meta',
    requirements: ['META-02', 'STDIO-02'],
    failure: 'The server assumes capabilities that the request does not declare.',
    steps: [
      step({ method: 'server/discover', meta: { [CAPABILITIES_KEY]: null } }, [
        [...(rejects(-32602)[0] ?? []), { at: 'error', includes: CAPABILITIES_KEY, level: 'should' }],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-S03',
    title: 'An unsupported version is refused with the supported ones',
    spec: 'basic/versioning#protocol-version-negotiation',
    requirements: ['ERR-06', 'DISC-04'],
    failure: 'A client of another revision cannot learn which one to speak.',
    steps: [
      step({ method: 'server/discover', meta: { [VERSION_KEY]: '1900-01-01' } }, [
        [...(rejects(-32022)[0] ?? []), { at: 'error.data.supported', includes: '{revision}' }, { at: 'error.data.requested', is: '1900-01-01' }],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-S04',
    title: 'Removed and unknown methods are unknown, and do not end the process',
    spec: 'changelog',
    requirements: ['REM-01', 'ERR-07'],
    failure: 'A method of the handshake era is still served, or the process does not survive an unknown one.',
    steps: [
      step({ method: '{each}', connection: 'one' }, rejects(-32601), { each: ['ping', 'logging/setLevel', 'resources/subscribe', 'no/such'] }),
      step({ method: 'server/discover', connection: 'one' }, [answered]),
    ],
  },
  {
    ...common,
    id: 'CK-S05',
    title: 'No handshake is needed',
    spec: 'basic/versioning#protocol-version-negotiation',
    requirements: ['VER-01'],
    failure: 'The first request is refused because no initialize came before.',
    steps: [step({ method: '{each}' }, [[...complete]], { each: 'lists' })],
  },
  {
    ...common,
    id: 'CK-S06',
    title: 'A bare request without a handshake is refused',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['VER-03', 'META-02'],
    failure: 'A request that names no revision is executed.',
    steps: [
      step(
        { era: 'legacy', method: 'tools/list', params: {} },
        [[noResult, { at: 'error.code', is: -32602, level: 'should' }, { at: 'error', typeOf: 'object' }, echoesId]],
        { lanes: ['none'] },
      ),
      step({ era: 'legacy', method: 'tools/list', params: {} }, [[should(noResult), should(code(-32602))]], { lanes: ['stateless', 'sessionful', 'separate'] }),
    ],
  },
  {
    ...common,
    id: 'CK-S07',
    title: 'Nothing but messages on stdout',
    spec: STDIO,
    requirements: ['STDIO-01', 'STDIO-07', 'PROG-01', 'LOG-03'],
    failure: 'Logs on stdout break the framing.',
    steps: [
      step({ method: 'server/discover' }, [[{ at: 'stray', is: [], because: 'logs belong on stderr' }]]),
      step(call('tool'), [[...answered, { at: 'stray', is: [] }, { at: 'messages[method="notifications/progress"]', count: 0 }]], { when: ['tool'] }),
      step(call('progress'), [[echoesId, { at: 'messages[method="notifications/progress"]', count: 0 }]], { when: ['progress'] }),
    ],
  },
  {
    ...common,
    id: 'CK-S08',
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
      step({ method: 'server/discover' }, [[...answered, { at: 'foreign', is: [] }]]),
    ],
  },
  {
    ...common,
    id: 'CK-S09',
    title: 'Input is returned, never requested',
    spec: `${STDIO}#receiving-messages`,
    requirements: ['STDIO-03', 'MSG-01', 'CANC-03'],
    failure: 'The server writes a request of its own to stdout.',
    steps: [
      step(
        call('eliciting', { capabilities: '{everything}' }),
        [[echoesId, { at: 'asked', is: [] }, { at: 'result.resultType', is: 'input_required' }, { at: 'result.inputRequests[*].id', count: 0 }]],
        { when: ['eliciting'] },
      ),
      { observe: 'modern', expect: [[{ at: 'asked', is: [], because: 'a server never originates a request' }]] },
    ],
  },
  {
    ...common,
    id: 'CK-S10',
    title: 'The process ends when its input ends',
    level: 'should',
    spec: `${STDIO}#shutdown`,
    requirements: ['STDIO-06'],
    failure: 'Processes are left behind.',
    needs: [],
    steps: [step({ method: 'server/discover' }, [[]]), step({ verb: 'EOF', readFor: 3000 }, [[{ at: 'exited', present: true, level: 'should' }]])],
  },
  {
    ...common,
    id: 'CK-S11',
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
    id: 'CK-S13',
    title: 'A capability is not remembered from an earlier request',
    spec: 'basic/index#statelessness',
    requirements: ['META-05', 'STDIO-05'],
    failure: 'The process is taken for a session.',
    needs: ['modern', 'eliciting-tool'],
    steps: [
      step(call('eliciting', { capabilities: '{everything}' }), [[echoesId, { at: 'result.resultType', is: 'input_required' }]]),
      step(call('eliciting'), [
        [code(-32021), echoesId],
        [...answered, { at: 'result.inputRequests[*]', count: 0 }],
      ]),
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
    id: 'CK-S15',
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
  {
    ...common,
    id: 'CK-S16',
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
