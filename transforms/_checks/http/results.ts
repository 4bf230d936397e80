import type { Check } from '../../../src/core/check.js';
import { answered, echoesId, mediaType, noError, SERVER_INFO, step, call } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;

/** Progress, input, envelopes, cache hints, order of lists: CK-H49 to CK-H53. */
export const results: readonly Check[] = [
  {
    ...common,
    id: 'CK-H49',
    title: 'Progress travels on the stream of its request',
    spec: 'basic/patterns/progress#progress-flow',
    requirements: ['HTTP-10', 'HTTP-12', 'HTTP-14', 'PROG-01', 'PROG-02', 'PROG-03'],
    failure: 'Progress is lost, misplaced or unordered.',
    needs: ['modern', 'progress-tool'],
    steps: [
      step(call('progress', { meta: { progressToken: 'pt-49' } }), [
        [
          ...answered,
          { at: 'type', is: 'text/event-stream' },
          { at: 'header.x-accel-buffering', is: 'no', level: 'should' },
          { at: 'messages[result]', count: 1, because: 'a request has one answer' },
          { at: 'messages[method="notifications/progress"]', present: true },
          { at: 'messages[method="notifications/progress"].params.progressToken', is: 'pt-49' },
          { at: 'messages[method="notifications/progress"].params.progress', increasing: true },
          { at: 'messages[method="notifications/progress"].params._meta["io.modelcontextprotocol/subscriptionId"]', count: 0 },
          { at: 'last.id', is: '{id}', because: 'nothing follows the response' },
          { at: 'ended', is: true, level: 'should' },
          { at: 'events[id]', count: 0, level: 'should' },
          { at: 'retries', is: [], level: 'should' },
        ],
      ]),
      step(call('progress'), [[echoesId, { at: 'messages[method="notifications/progress"]', count: 0 }]]),
    ],
  },
  {
    ...common,
    id: 'CK-H50',
    title: 'Input is returned, never requested',
    spec: 'basic/patterns/mrtr#inputrequiredresult',
    requirements: ['MSG-01', 'HTTP-11', 'MRTR-02', 'CACHE-03'],
    failure: 'The server tries to ask the client by a request of its own, which never arrives.',
    needs: ['modern'],
    steps: [
      step(
        call('eliciting', { capabilities: '{everything}' }),
        [
          [
            ...answered,
            { at: 'result.resultType', is: 'input_required' },
            { at: 'result.inputRequests[*]', present: true },
            { at: 'result.inputRequests[*].method', oneOf: ['elicitation/create', 'sampling/createMessage', 'roots/list'] },
            { at: 'result.inputRequests[*].id', count: 0 },
            { at: 'result.inputRequests[*].jsonrpc', count: 0 },
            { at: 'asked', is: [] },
            { at: 'result.ttlMs', absent: true },
            { at: 'result.cacheScope', absent: true },
          ],
        ],
        { when: ['eliciting'] },
      ),
      { observe: 'modern', expect: [[{ at: 'asked', is: [], because: 'a server never originates a request' }]] },
    ],
  },
  {
    ...common,
    id: 'CK-H51',
    title: 'Every result carries resultType, and the lists are served',
    spec: 'basic/index#resulttype',
    requirements: ['RT-01', 'SI-01'],
    failure: 'Clients cannot tell a complete result from an interim one.',
    steps: [
      step(
        { method: '{each}' },
        [[...answered, noError, mediaType, { at: 'result.resultType', is: 'complete' }, { at: SERVER_INFO, typeOf: 'string', level: 'should' }]],
        {
          each: 'lists',
        },
      ),
      // A list never asks for input, whatever the client could give.
      step({ method: '{each}', capabilities: '{everything}' }, [[...answered, { at: 'result.resultType', is: 'complete' }]], { each: 'lists' }),
      step(call('tool'), [[...answered, mediaType, { at: 'result.resultType', typeOf: 'string' }, { at: SERVER_INFO, typeOf: 'string', level: 'should' }]], {
        when: ['tool'],
      }),
      {
        observe: 'modern',
        expect: [
          [{ at: 'result', absent: true }],
          [
            { at: 'result.resultType', typeOf: 'string' },
            { at: 'messages[result]', count: 1, because: 'a request has one answer' },
            { at: 'message.jsonrpc', is: '2.0' },
            noError,
          ],
          [{ at: 'sent.headers.MCP-Protocol-Version', not: '{revision}' }],
        ],
      },
    ],
  },
  {
    ...common,
    id: 'CK-H52',
    title: 'Cacheable results carry ttlMs and cacheScope',
    spec: 'server/utilities/caching#cacheable-results',
    requirements: ['CACHE-01', 'CACHE-02', 'CACHE-07'],
    failure: 'Clients cannot decide how long a list is valid and for whom.',
    steps: [
      step({ method: 'server/discover' }, [
        [
          { at: 'result.ttlMs', typeOf: 'integer', atLeast: 0 },
          { at: 'result.cacheScope', oneOf: ['public', 'private'] },
        ],
      ]),
      step(
        { method: '{each}' },
        [
          [
            { at: 'result.ttlMs', typeOf: 'integer', atLeast: 0 },
            { at: 'result.cacheScope', oneOf: ['public', 'private'] },
          ],
        ],
        { each: 'lists' },
      ),
      step(
        { method: 'resources/read', params: { uri: '{resource}' } },
        [
          [
            { at: 'result.ttlMs', typeOf: 'integer', atLeast: 0 },
            { at: 'result.cacheScope', oneOf: ['public', 'private'] },
          ],
          [{ at: 'result', absent: true }],
        ],
        { when: ['resource'] },
      ),
      { probe: 'pages', each: 'lists', with: { method: '{each}' } },
    ],
  },
  {
    ...common,
    id: 'CK-H53',
    title: 'Lists do not depend on order, connection, instance or earlier calls',
    spec: 'server/tools#capabilities',
    requirements: ['TOOL-01', 'TOOL-02', 'STATE-01'],
    failure: 'Two clients, or one client twice, see different lists, or requests at the same time disturb each other.',
    needs: ['modern', 'tools'],
    alone: true,
    steps: [
      step({ method: 'tools/list', keep: { names: 'result.tools[*].name' } }, [answered]),
      step({ method: 'tools/list', connection: 'other' }, [[...answered, { at: 'result.tools[*].name', sameList: '{kept.names}' }]]),
      step({ method: 'tools/list', parallel: 8 }, [[...answered, { at: 'result.tools[*].name', sameList: '{kept.names}' }]]),
      step(call('tool', { parallel: 4 }), [answered], { when: ['tool'] }),
      step({ method: 'tools/list', connection: 'other' }, [[...answered, { at: 'result.tools[*].name', sameList: '{kept.names}' }]], { when: ['tool'] }),
      step({ method: 'tools/list', to: 'replica' }, [[...answered, { at: 'result.tools[*].name', sameList: '{kept.names}' }]], { when: ['replica'] }),
    ],
  },
];
