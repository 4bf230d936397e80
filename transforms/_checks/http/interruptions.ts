import type { Check } from '../../../src/core/check.js';
import { answered, HTTP, step, call } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;

/** Requests that are broken off: CK-H59 and CK-H60. */
export const interruptions: readonly Check[] = [
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
];
