import type { Check } from '../../../src/core/check.js';
import type { CheckRequest } from '../../../src/core/check-step.js';
import { code, HTTP, LOG_KEY, status, step, SUBSCRIPTION, call } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;
const listen = (notifications: Record<string, unknown>, more: CheckRequest = {}): CheckRequest => ({
  method: 'subscriptions/listen',
  params: { notifications },
  readFor: 400,
  ...more,
});
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const CHANGES = ['tools/list_changed', 'prompts/list_changed', 'resources/list_changed', 'resources/updated'];
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

/** Subscriptions: CK-H54 to CK-H58. */
export const subscriptions: readonly Check[] = [
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
      { probe: 'announced-change', when: ['control.change'] },
      { probe: 'side-by-side', when: ['change'] },
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
        { when: ['change'], during: [call('change', { meta: { progressToken: 'pt-56', [LOG_KEY]: 'debug' } })] },
      ),
      {
        observe: 'modern',
        expect: [
          [{ at: 'sent.method', is: 'subscriptions/listen' }],
          CHANGES.map((method) => ({
            at: `messages[method="notifications/${method}"]`,
            count: 0,
            because: 'a change travels on no other stream than that of a subscription',
          })),
        ],
      },
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
];
