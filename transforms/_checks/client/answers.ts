import type { Check } from '../../../src/core/check.js';
import { TOOL, asks, common, failure, none, play, server, tools } from './scripts.js';

/** How a client reacts to answers: CK-C14 to CK-C17, CK-C26 to CK-C28. */
export const answers: readonly Check[] = [
  {
    ...common,
    id: 'CK-C14',
    title: 'Input is given in a retry that repeats requestState byte for byte',
    spec: 'basic/patterns/mrtr#client-requirements-basic-workflow',
    requirements: ['MRTR-04', 'MRTR-11'],
    failure: 'The server cannot continue what it began.',
    steps: [
      play(
        [asks({ requestState: '{"a": 1 }' }), ...server],
        [
          [
            { at: 'requests[body.params.inputResponses].body.params.requestState', is: '{"a": 1 }' },
            { at: 'requests[body.params.inputResponses]', has: 'body.params.requestState' },
            { at: 'requests[body.params.inputResponses]', has: 'body.params.inputResponses.city.action' },
            { at: 'requests[body.params.inputResponses].body.params.inputResponses.city.action', oneOf: ['accept', 'decline', 'cancel'] },
            { at: 'requests[body.params.inputResponses].body.params.name', is: 'echo' },
            { at: 'requests[method="tools/call"].id', distinct: true },
          ],
        ],
        { given: 'requests[body.params.inputResponses]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C15',
    title: 'Nothing is added to a retry that was not given',
    spec: 'basic/patterns/mrtr#client-requirements-basic-workflow',
    requirements: ['MRTR-04', 'MRTR-05'],
    failure: 'State of one request reaches another.',
    steps: [
      play([asks({}), ...server], [[none('requests[body.params.requestState]'), none('requests[method="tools/list"].body.params.inputResponses')]], {
        given: 'requests[body.params.inputResponses]',
      }),
    ],
  },
  {
    ...common,
    id: 'CK-C16',
    title: 'A retry has a new id',
    spec: 'basic/index#requests',
    requirements: ['MSG-02', 'MRTR-04'],
    failure: 'The server cannot tell two requests apart.',
    steps: [
      play(
        [
          { to: 'POST', times: 1, status: 400, body: failure(-32022, { data: { supported: ['2026-07-28'], requested: '2026-07-28' } }) },
          asks({ requestState: 's' }),
          ...server,
        ],
        [[{ at: 'requests[id].id', distinct: true }]],
        { given: 'requests[1].id' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C17',
    title: 'resultType is read',
    spec: 'basic/index#resulttype',
    requirements: ['RT-02', 'EXT-03'],
    failure: 'An unknown kind of result is taken for the normal one.',
    steps: [
      play(
        [
          { to: 'tools/call', body: { jsonrpc: '2.0', id: '{id}', result: { resultType: 'x-unknown', content: [{ type: 'text', text: 'unread-7421' }] } } },
          ...server,
        ],
        [
          [
            { at: 'stdout', unlike: 'unread-7421' },
            { at: 'exit', not: 0, level: 'should' },
          ],
        ],
        { given: 'requests[method="tools/call"]' },
      ),
      play(
        [
          {
            to: 'tools/call',
            body: {
              jsonrpc: '2.0',
              id: '{id}',
              result: { resultType: 'task', taskId: 'unread-7421', status: 'working', content: [{ type: 'text', text: 'unread-7421' }] },
            },
          },
          ...server,
        ],
        [[{ at: 'stdout', unlike: 'unread-7421' }]],
        { given: 'requests[method="tools/call"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C26',
    title: 'Lists are followed to their end',
    spec: 'server/utilities/pagination#implementation-guidelines',
    requirements: ['CACHE-04', 'CACHE-05', 'PAGE-01'],
    failure: 'Tools behind an empty cursor are lost.',
    level: 'should',
    steps: [
      play([{ ...tools([TOOL], { nextCursor: '' }), times: 1 }, ...server], [[{ at: 'requests[body.params.cursor=""]', present: true, level: 'should' }]], {
        given: 'requests[method="tools/list"]',
      }),
    ],
  },
  {
    ...common,
    id: 'CK-C27',
    title: 'A request of the server is not answered',
    spec: 'basic/patterns/index',
    requirements: ['MSG-01'],
    failure: 'The client still takes part in the old direction.',
    steps: [
      play(
        [
          {
            to: 'tools/call',
            type: 'text/event-stream',
            body: 'data: {"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}\n\ndata: {"jsonrpc":"2.0","id":"{id}","result":{"resultType":"complete","content":[]}}\n\n',
          },
          ...server,
        ],
        [[none('requests[body.id="s1"]')]],
        { given: 'requests[method="tools/call"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C28',
    title: 'Both codes of a missing resource are understood',
    class: 'attest',
    spec: 'server/resources#error-handling',
    requirements: ['RSRC-01'],
    failure: 'A missing resource is shown as an internal error.',
    level: 'should',
    steps: [],
  },
];
