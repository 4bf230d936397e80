import type { CheckRequest } from '../../core/check-step.js';
import type { Answer } from '../answer.js';
import type { Deviation } from '../evaluate/assert.js';
import { valueAt, valuesAt } from '../evaluate/path.js';
import { META } from '../protocol.js';
import { freshId, type Wire } from '../wire.js';
import { perform } from './control.js';
import type { Probe } from './index.js';

const TOOLS_CHANGED = 'notifications/tools/list_changed';

/** Milliseconds in which a change must be announced, at normal pace. */
const ANNOUNCED = 3000;

/** An open subscription: `isOpen` settles with its first event, `answer` when it has ended or what it waits for has come. */
interface Listening {
  readonly id: string | number;
  readonly isOpen: Promise<void>;
  readonly answer: Promise<Answer>;
}

/** Opens a subscription to changes of the tool list. */
function listen(wire: Wire, id: string | number, more: CheckRequest): Listening {
  const request: CheckRequest = { method: 'subscriptions/listen', id, params: { notifications: { toolsListChanged: true } }, ...more };
  const { promise: isOpen, open } = latch();
  const answer = wire.exchange(request, () => {
    open();
    return [];
  });
  // A refusal never opens anything.
  void answer.then(open);
  return { id, isOpen, answer };
}

function latch(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
}

/** What a subscription should have heard of a change, and how it must be tagged. */
function heardBy({ id }: Listening, answer: Answer, which: string): Deviation[] {
  const heard = valuesAt(answer, `messages[method="${TOOLS_CHANGED}"]`).values;
  if (heard.length === 0) return [{ level: 'should', text: `a change of the list must be announced on ${which}; nothing came within ${String(ANNOUNCED)} ms` }];
  return heard
    .map((message) => valueAt(message, `params._meta["${META.subscriptionId}"]`))
    .filter((tag) => tag !== id)
    .map((tag) => ({
      level: 'must',
      text: `the announcement on ${which} must carry subscriptionId ${JSON.stringify(id)}; saw ${tag === undefined ? 'none' : JSON.stringify(tag)}`,
    }));
}

/** Opens two subscriptions, changes the list by the tool for it, and looks for the announcement on each, with its own id. */
export const sideBySide: Probe = async ({ wire, variables }) => {
  const pair = [freshId(), `listen-${String(freshId())}`].map((id) => listen(wire, id, { readFor: ANNOUNCED, until: `messages[method="${TOOLS_CHANGED}"]` }));
  await Promise.all(pair.map((listening) => listening.isOpen));
  await wire.exchange(callOf(variables['change']));
  const answers = await Promise.all(pair.map((listening) => listening.answer));
  return {
    deviations: answers.flatMap((answer, index) =>
      heardBy(pair[index] as Listening, answer, `each of two open subscriptions (${index === 0 ? 'the first' : 'the second'})`),
    ),
  };
};

/** Opens a subscription, has the server stopped, and looks for a closing result with the subscription id. */
export const stopWhileListening: Probe = async ({ wire, context }) => {
  const { control, timeout } = context.settings;
  const id = freshId();
  const listening = listen(wire, id, { readFor: timeout });
  await listening.isOpen;
  // A restart stops the server first; asked for alone it is as good.
  await perform(control?.stop ? 'stop' : 'restart', context);
  const answer = await listening.answer;
  if (control?.stop && control.restart) await perform('restart', context);
  if (valueAt(answer, 'result.resultType') !== 'complete')
    return { deviations: [{ level: 'should', text: `the last message must be a result of the listen request; saw ${JSON.stringify(answer.last)}` }] };
  const tag = valueAt(answer, `result._meta["${META.subscriptionId}"]`);
  return { deviations: tag === id ? [] : [{ level: 'must', text: `the closing result must carry subscriptionId ${String(id)}; saw ${JSON.stringify(tag)}` }] };
};

/** Starts a slow call, closes its connection, and looks through the observer tool whether the call still runs. */
export const disconnectCancels: Probe = async ({ wire, context, variables }) => {
  const observe = async (): Promise<string> => JSON.stringify(valueAt(await wire.exchange(callOf(variables['observer'])), 'result.content'));
  const { pace } = context.settings;
  const before = await observe();
  const running = wire.exchange({ ...callOf(variables['slow']), meta: { progressToken: 'disconnect' }, abortAfter: 600 });
  await wait(300 * pace);
  const during = await observe();
  await running;
  if (before === during) return { deviations: [], unmet: { verdict: 'not-tested', reason: 'The observer tool shows no difference while the slow tool runs.' } };
  for (let look = 0; look < 5; look++) {
    await wait(200 * pace);
    if ((await observe()) === before) return { deviations: [] };
  }
  return { deviations: [{ level: 'must', text: 'the call still runs one second after its connection was closed' }] };
};

const callOf = (tool: unknown): CheckRequest => ({ method: 'tools/call', params: { name: valueAt(tool, 'name'), arguments: valueAt(tool, 'args') ?? {} } });

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Opens a subscription, has a list changed from outside, and looks for the tagged announcement. */
export const announcedChange: Probe = async ({ wire, context }) => {
  const listening = listen(wire, freshId(), { readFor: ANNOUNCED, until: `messages[method="${TOOLS_CHANGED}"]` });
  await listening.isOpen;
  await perform('change', context);
  return { deviations: heardBy(listening, await listening.answer, 'the open subscription') };
};
