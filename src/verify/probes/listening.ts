import type { CheckRequest } from '../../core/check-step.js';
import { META } from '../protocol.js';
import { valueAt } from '../evaluate/path.js';
import { perform } from './control.js';
import { freshId } from '../wire.js';
import type { Probe } from './index.js';

/** Opens a subscription, has the server stopped, and looks for a closing result with the subscription id. */
export const stopWhileListening: Probe = async ({ wire, context }) => {
  const { control, timeout } = context.settings;
  // A restart stops the server first; asked for alone it is as good.
  const end = (): Promise<void> => perform(control?.stop ? 'stop' : 'restart', context);
  const id = freshId();
  const listen: CheckRequest = { method: 'subscriptions/listen', id, params: { notifications: { toolsListChanged: true } }, readFor: timeout };
  const answer = await Promise.all([wire.exchange({ ...listen }), wait(300 * context.settings.pace).then(end)]).then(([given]) => given);
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
