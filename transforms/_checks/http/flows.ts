import type { Check, CheckRequest, Expectation } from '../../../src/core/check.js';
import {
  answered,
  CAPABILITIES_KEY,
  code,
  echoesId,
  handlerErr,
  HTTP,
  LOG_KEY,
  noResult,
  rejects,
  should,
  status,
  step,
  SUBSCRIPTION,
  TASKS,
} from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;
const call = (role: string, more: CheckRequest = {}): CheckRequest => ({
  method: 'tools/call',
  ...more,
  params: { name: `{${role}.name}`, arguments: `{${role}.args}`, ...(typeof more.params === 'object' ? more.params : {}) },
});
const listen = (notifications: Record<string, unknown>, more: CheckRequest = {}): CheckRequest => ({
  method: 'subscriptions/listen',
  params: { notifications },
  readFor: 400,
  ...more,
});
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const complete: CheckRequest = {
  method: 'completion/complete',
  params: { ref: { type: 'ref/prompt', name: 'hello' }, argument: { name: 'topic', value: 'a' } },
};
const NOT_FOUND = [status(404), code(-32601)] as const;

const acknowledges = [
  status(200),
  { at: 'type', is: 'text/event-stream' },
  { at: 'header.x-accel-buffering', is: 'no', level: 'should' },
  { at: 'messages[0].method', is: ACKNOWLEDGED },
  { at: `messages[0].params.${SUBSCRIPTION}`, is: '{id}', because: 'same value and type as the request id' },
  { at: 'messages[0].params.notifications', within: ['toolsListChanged'] },
  { at: 'ended', is: false, because: 'the stream stays open' },
] as const;

/** A server that announces no list changes accepts nothing of the filter, and may end the stream at once. */
const acknowledgesNothing = [
  status(200),
  { at: 'messages[0].method', is: ACKNOWLEDGED },
  { at: `messages[0].params.${SUBSCRIPTION}`, is: '{id}', because: 'same value and type as the request id' },
  { at: 'messages[0].params.notifications.toolsListChanged', absent: true },
  { at: 'result.resultType', is: 'complete' },
] as const;

/** Subscriptions, input, cancellation, protection, logs: CK-H54 to CK-H68. */
export const flows: readonly Check[] = [
  {
    ...common,
    id: 'CK-H54',
    title: 'subscriptions/listen is acknowledged first, tagged with its own id',
    spec: 'basic/patterns/subscriptions#acknowledgment',
    requirements: ['SUB-01', 'SUB-02', 'SUB-03', 'HTTP-12'],
    failure: 'Clients cannot tell which changes they will hear of.',
    steps: [
      step(listen({ toolsListChanged: true }), [acknowledges], { when: ['changes'] }),
      step(listen({ toolsListChanged: true }, { id: 'listen-54' }), [acknowledges], { when: ['changes'] }),
      step(listen({ toolsListChanged: true }), [NOT_FOUND, acknowledges, acknowledgesNothing], { when: ['!changes'] }),
    ],
  },
  {
    ...common,
    id: 'CK-H55',
    title: 'The filter of a subscription is a whitelist',
    spec: 'basic/patterns/subscriptions#opening-a-stream',
    requirements: ['SUB-02', 'SUB-04'],
    failure: 'A client is told of changes that it did not ask for.',
    needs: ['modern', 'subscriptions'],
    alone: true,
    steps: [
      step(listen({ promptsListChanged: true, noSuchType: true }), [
        [status(200), { at: 'messages[0].method', is: ACKNOWLEDGED }, { at: 'messages[0].params.notifications', within: ['promptsListChanged'] }],
      ]),
      step(
        listen({ promptsListChanged: true }),
        [
          [
            { at: 'messages[method="notifications/tools/list_changed"]', count: 0 },
            { at: 'during[0].error', absent: true },
          ],
        ],
        { when: ['change'], during: [call('change')] },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H56',
    title: 'A change is announced on the stream that asked for it, tagged',
    spec: 'basic/patterns/subscriptions#receiving-notifications',
    requirements: ['SUB-03', 'SUB-05', 'SUB-06'],
    failure: 'Change notifications are lost, untagged or mixed with others.',
    needs: ['modern', 'list-changes', 'change-tool'],
    alone: true,
    steps: [
      step(
        listen({ toolsListChanged: true }, { readFor: 800 }),
        [
          [
            { at: 'messages[method="notifications/tools/list_changed"]', present: true, level: 'should' },
            { at: `messages[method="notifications/tools/list_changed"].params.${SUBSCRIPTION}`, is: '{id}' },
            { at: 'messages[method]', has: `params.${SUBSCRIPTION}`, because: 'every notification of the stream carries the subscription id' },
            { at: 'messages[method="notifications/progress"]', count: 0 },
            { at: 'messages[method="notifications/message"]', count: 0 },
          ],
        ],
        { during: [call('change', { meta: { progressToken: 'pt-56', [LOG_KEY]: 'debug' } })] },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H57',
    title: 'A server that stops ends its subscriptions with a result',
    level: 'should',
    class: 'needs-control',
    spec: 'basic/patterns/subscriptions#graceful-closure',
    requirements: ['SUB-09'],
    failure: 'Clients cannot tell a planned end from a broken stream.',
    needs: ['modern', 'subscriptions', 'control'],
    alone: true,
    steps: [{ probe: 'stop-while-listening' }],
  },
  {
    ...common,
    id: 'CK-H58',
    title: 'A quiet subscription is kept alive',
    level: 'should',
    class: 'slow',
    spec: `${HTTP}#receiving-messages`,
    requirements: ['HTTP-13'],
    failure: 'Proxies close streams that stay silent.',
    needs: ['modern', 'subscriptions'],
    steps: [step(listen({ toolsListChanged: true }, { readFor: 40_000, until: 'comments[0]' }), [[{ at: 'comments[0]', present: true, level: 'should' }]])],
  },
  {
    ...common,
    id: 'CK-H59',
    title: 'Closing the response stream cancels the request',
    class: 'slow',
    spec: `${HTTP}#cancellation`,
    requirements: ['CANC-01'],
    failure: 'Work goes on for a client that is gone.',
    needs: ['modern', 'slow-tool', 'observer-tool'],
    alone: true,
    steps: [{ probe: 'disconnect-cancels' }],
  },
  {
    ...common,
    id: 'CK-H60',
    title: 'A lost request is gone; a new one starts afresh',
    class: 'slow',
    spec: `${HTTP}#receiving-messages`,
    requirements: ['HTTP-17', 'STATE-02'],
    failure: 'Answers of a lost request reach another one.',
    needs: ['modern', 'slow-tool'],
    alone: true,
    steps: [
      step(call('slow', { abortAfter: 300, meta: { progressToken: 'lost' } }), [[]]),
      step(call('slow', { meta: { progressToken: 'new' } }), [
        [...answered, { at: 'foreign', is: [] }, { at: 'messages[method="notifications/progress"].params.progressToken', is: 'new' }],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-H61',
    title: 'Every request is authorized on its own',
    spec: 'basic/authorization/index#token-requirements',
    requirements: ['AUTH-01', 'AUTH-09', 'AUTH-11', 'AUTH-12'],
    failure: 'A request without a valid token is served, or a client cannot find out how to get one.',
    needs: ['protected'],
    steps: [
      step({ to: '{protectedResource}', era: 'raw', verb: 'GET', headers: { Authorization: null }, keep: { metadata: 'message.authorization_servers' } }, [[]]),
      step({ method: 'server/discover', connection: 'one' }, [answered], { when: ['token'] }),
      step({ method: 'server/discover', connection: 'one', headers: { Authorization: null } }, [
        [
          status(401),
          noResult,
          { at: 'header.www-authenticate', matches: '^Bearer', when: '!kept.metadata' },
          { at: 'header.www-authenticate', matches: 'resource_metadata=', level: 'should', when: '!kept.metadata' },
        ],
      ]),
      step({ method: 'server/discover', headers: { Authorization: 'Bearer invalid' } }, [[status(401), noResult]]),
      step(
        { to: '{protectedResource}', era: 'raw', verb: 'GET', headers: { Authorization: null } },
        [[status(200), { at: 'message.resource', typeOf: 'string' }, { at: 'message.authorization_servers[0]', typeOf: 'string' }]],
        { when: ['kept.metadata'] },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H62',
    title: 'The CORS preflight admits the headers of the revision',
    level: 'local',
    spec: `${HTTP}#server-behavior-for-custom-headers`,
    requirements: ['HTTP-22'],
    failure: 'Browser clients cannot send the headers that the revision demands.',
    steps: [
      step(
        {
          era: 'raw',
          verb: 'OPTIONS',
          headers: {
            Origin: '{origin}',
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'content-type,mcp-protocol-version,mcp-method,mcp-name',
          },
        },
        preflight(true),
        { when: ['origin'] },
      ),
      step(
        {
          era: 'raw',
          verb: 'OPTIONS',
          headers: {
            Origin: '{ownOrigin}',
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'content-type,mcp-protocol-version,mcp-method,mcp-name',
          },
        },
        preflight(false),
        { when: ['!origin'] },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H63',
    title: 'A retry with the answers completes, on any instance',
    spec: 'basic/patterns/mrtr#client-requirements-basic-workflow',
    requirements: ['MRTR-04', 'MRTR-09', 'MRTR-10', 'CACHE-03'],
    failure: 'The answers to an input request do not reach the tool.',
    needs: ['modern', 'eliciting-tool'],
    alone: true,
    steps: [{ probe: 'rounds' }, { probe: 'rounds', with: { alternate: true }, when: ['replica'] }, { probe: 'rounds', with: { decline: true } }],
  },
  {
    ...common,
    id: 'CK-H64',
    title: 'A forged requestState is an error',
    spec: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    requirements: ['MRTR-06', 'MRTR-07'],
    failure: 'A client can write its own state and have it believed.',
    needs: ['modern', 'state-tool'],
    steps: [
      step(call('state', { capabilities: '{everything}', keep: { state: 'result.requestState' } }), [[{ at: 'result.requestState', typeOf: 'string' }]]),
      step(
        call('state', { capabilities: '{everything}', params: { inputResponses: '{?state.input.answers}', requestState: '{each}' } }),
        [[echoesId, { at: 'error.code', typeOf: 'integer' }, noResult, { at: 'error.code', not: -32603, level: 'should' }]],
        { each: ['forged', '{kept.state}x', 'x{kept.state}'] },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H65',
    title: 'Odd answers are asked for again; undeclared input is never asked for',
    spec: 'basic/patterns/mrtr#error-handling',
    requirements: ['MRTR-01', 'MRTR-03', 'MRTR-08'],
    failure: 'The server asks for what the client cannot give, or in the wrong place.',
    steps: [
      step(
        call('eliciting', { capabilities: '{everything}', params: { inputResponses: { unknown_key: { action: 'accept', content: {} } } } }),
        [[echoesId, { at: 'result.resultType', is: 'input_required', level: 'should' }]],
        { when: ['eliciting.input'] },
      ),
      step(
        call('eliciting'),
        [
          [status(400), code(-32021)],
          [status(200), { at: 'result.inputRequests[*]', count: 0 }, { at: 'result', typeOf: 'object' }],
        ],
        { when: ['eliciting.input'] },
      ),
      step({ method: '{each}', capabilities: '{everything}' }, [[{ at: 'result.resultType', not: 'input_required' }]], { each: 'lists' }),
    ],
  },
  {
    ...common,
    id: 'CK-H66',
    title: 'The tasks extension follows its own rules, or is unknown',
    spec: 'changelog',
    requirements: ['TASK-01', 'TASK-02', 'TASK-03', 'TASK-04', 'TASK-05', 'HDR-06', 'EXT-02'],
    failure: 'Task methods are served to clients that do not know them, or the old tasks are still there.',
    steps: [
      step({ method: 'tasks/get', params: { taskId: 'nope' }, headers: { 'Mcp-Name': 'nope' } }, rejects(404, -32601), {
        when: [`!capabilities.extensions["${TASKS}"]`],
      }),
      step(
        { method: 'tasks/get', params: { taskId: 'nope' }, headers: { 'Mcp-Name': 'nope' } },
        [[...(rejects(400, -32021)[0] ?? []), { at: `error.data.requiredCapabilities.extensions["${TASKS}"]`, typeOf: 'object' }]],
        { when: [`capabilities.extensions["${TASKS}"]`] },
      ),
      step(
        { method: 'tasks/get', params: { taskId: 'nope' }, headers: { 'Mcp-Name': 'nope' }, meta: { [CAPABILITIES_KEY]: { extensions: { [TASKS]: {} } } } },
        [handlerErr(-32602)],
        { when: [`capabilities.extensions["${TASKS}"]`] },
      ),
      step(
        { method: 'tasks/get', params: { taskId: 'nope' }, headers: { 'Mcp-Name': 'other' }, meta: { [CAPABILITIES_KEY]: { extensions: { [TASKS]: {} } } } },
        rejects(400, -32020),
        { when: [`capabilities.extensions["${TASKS}"]`] },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H67',
    title: 'Log messages only for requests that ask for them',
    spec: 'server/utilities/logging#per-request-log-level',
    requirements: ['LOG-01', 'LOG-02'],
    failure: 'Log messages reach clients that did not ask for them.',
    needs: ['modern', 'log-tool'],
    steps: [
      step(call('log'), [[echoesId, { at: 'messages[method="notifications/message"]', count: 0 }]]),
      step(call('log', { meta: { [LOG_KEY]: 'error' } }), [
        [
          echoesId,
          { at: 'messages[method="notifications/message"].params.level', oneOf: ['error', 'critical', 'alert', 'emergency'] },
          { at: 'last.id', is: '{id}' },
        ],
      ]),
      step(call('log', { meta: { [LOG_KEY]: 'loud' } }), [[should(code(-32602))]]),
    ],
  },
  {
    ...common,
    id: 'CK-H68',
    title: 'Capabilities say what is served',
    spec: 'server/tools#capabilities',
    requirements: ['DISC-05', 'CAP-02', 'ERR-07'],
    failure: 'The capabilities promise what is not there, or hide what is.',
    steps: [
      step({ method: 'server/discover' }, [[{ at: 'result.capabilities.tasks', absent: true, because: 'tasks are an extension now' }]]),
      step({ method: '{each}' }, [[{ at: 'error.code', not: -32601 }], [{ at: 'result', typeOf: 'object' }]], { each: 'served' }),
      step({ method: '{each}' }, [[status(404), code(-32601)]], { each: 'unserved' }),
      // With parameters: a server may look at them before it looks at its capabilities.
      step(complete, [[{ at: 'error.code', not: -32601 }]], { when: ['capabilities.completions'] }),
      step(complete, [[status(404), code(-32601)]], { when: ['!capabilities.completions'] }),
    ],
  },
];

/** With a stated origin browsers are meant to work; without one a refusal is as good. */
function preflight(stated: boolean): Expectation {
  const admits = [
    { at: 'status', atLeast: 200, below: 300, level: 'should' },
    { at: 'header.access-control-allow-headers', matches: 'mcp-protocol-version', level: 'should' },
    { at: 'header.access-control-allow-headers', matches: 'mcp-method', level: 'should' },
    { at: 'header.access-control-allow-headers', matches: 'mcp-name', level: 'should' },
    { at: 'header.access-control-expose-headers', unlike: 'mcp-session-id', level: 'should', lanes: ['none', 'separate', 'stateless'] },
  ] as const;
  return stated ? [admits] : [admits, [{ at: 'status', oneOf: [400, 401, 403, 404, 405, 501] }], [{ at: 'header.access-control-allow-origin', absent: true }]];
}
