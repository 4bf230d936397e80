import type { Check } from '../../../src/core/check.js';
import type { CheckRequest } from '../../../src/core/check-step.js';
import { CAPABILITIES_KEY, code, echoesId, handlerErr, LOG_KEY, rejects, should, status, step, TASKS, call } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;
const complete: CheckRequest = {
  method: 'completion/complete',
  params: { ref: { type: 'ref/prompt', name: 'hello' }, argument: { name: 'topic', value: 'a' } },
};

/** Extensions, logs, announced capabilities: CK-H66 to CK-H68. */
export const features: readonly Check[] = [
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
