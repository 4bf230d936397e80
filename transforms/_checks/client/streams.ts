import type { Check } from '../../../src/core/check.js';
import { HTTP } from '../phrases.js';
import { common, none, play, server } from './scripts.js';

/** How a client treats streams and their end: CK-C18 to CK-C21. */
export const streams: readonly Check[] = [
  {
    ...common,
    id: 'CK-C18',
    title: 'Subscriptions are kept apart by their id',
    class: 'attest',
    spec: 'basic/patterns/subscriptions#multiple-concurrent-subscriptions',
    requirements: ['SUB-07', 'SUB-10', 'SUB-11'],
    failure: 'Changes are attributed to the wrong subscription.',
    level: 'should',
    steps: [],
  },
  {
    ...common,
    id: 'CK-C19',
    title: 'Comments are skipped, and a broken subscription is not resumed',
    spec: `${HTTP}#receiving-messages`,
    requirements: ['HTTP-13', 'SUB-10', 'STDIO-06'],
    failure: 'A keep-alive breaks the client, or changes are missed for good.',
    steps: [
      play(
        [
          {
            to: 'subscriptions/listen',
            times: 1,
            type: 'text/event-stream',
            end: 'cut',
            body: ':\r\n\r\n: alive\r\n\r\ndata: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":"{id}"}}}\n\n',
          },
          ...server,
        ],
        [[{ at: 'requests[method="subscriptions/listen"].id', distinct: true }, none('requests[header.last-event-id]'), none('requests[verb="GET"]')]],
        { given: 'requests[method="subscriptions/listen"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C20',
    title: 'A request is cancelled by closing its connection',
    spec: `${HTTP}#cancellation`,
    requirements: ['CANC-01', 'CANC-02', 'CANC-05'],
    failure: 'The cancellation does not reach the server, or arrives in a way that it does not know.',
    steps: [
      // Only a client that gave up by itself shows how it cancels.
      play([{ to: 'tools/call', end: 'hang' }, ...server], [[none('requests[method="notifications/cancelled"]')]], {
        given: 'requests[method="tools/call"].cut',
      }),
    ],
  },
  {
    ...common,
    id: 'CK-C21',
    title: 'A broken response stream is not resumed',
    spec: `${HTTP}#receiving-messages`,
    requirements: ['HTTP-17', 'HTTP-14'],
    failure: 'The client waits for a replay that does not exist.',
    steps: [
      play(
        [
          {
            to: 'tools/call',
            type: 'text/event-stream',
            end: 'cut',
            body: 'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\n',
          },
          ...server,
        ],
        [[none('requests[verb="GET"]'), none('requests[header.last-event-id]'), { at: 'requests[method="tools/call"].id', distinct: true }]],
        { given: 'requests[method="tools/call"]' },
      ),
    ],
  },
];
