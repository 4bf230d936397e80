import type { CheckRequest } from '../../core/check-step.js';
import { isRecord } from '../answer.js';
import { ControlFailed, type ControlAction } from '../control.js';
import { valuesAt } from '../evaluate/path.js';
import { META } from '../protocol.js';
import type { RunContext } from '../run/context.js';
import { freshId } from '../wire.js';
import type { Probe } from './index.js';

/** Milliseconds that a restarted server has until it answers. */
const UP = 30_000;
/** Milliseconds until a change must be announced, and between two looks at a server that starts. */
const ANNOUNCED = 3000;
const LOOK = 150;

/**
 * Has the server stopped, restarted or changed, and waits until it answers again after a restart.
 * @throws ControlFailed when the command failed or the server did not come back
 */
export async function perform(action: ControlAction, context: RunContext): Promise<void> {
  const act = context.settings.control?.[action];
  if (!act) throw new ControlFailed(`no command for --control ${action}`);
  await act();
  if (action !== 'restart') return;
  const until = performance.now() + UP;
  while (!(await context.alive())) {
    if (performance.now() > until) throw new ControlFailed(`the server did not answer within ${String(UP / 1000)} s after its restart`);
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** Restarts the server between two steps of a check. */
export const restart: Probe = async ({ context }) => {
  await perform('restart', context);
  return { deviations: [] };
};

/** Opens a subscription, has a list changed from outside, and looks for the tagged announcement. */
export const announcedChange: Probe = async ({ wire, context }) => {
  const id = freshId();
  const method = 'notifications/tools/list_changed';
  const listen: CheckRequest = {
    method: 'subscriptions/listen',
    id,
    params: { notifications: { toolsListChanged: true } },
    readFor: ANNOUNCED,
    until: `messages[method="${method}"]`,
  };
  const soon = new Promise((resolve) => setTimeout(resolve, 300 * context.settings.pace)).then(() => perform('change', context));
  const [answer] = await Promise.all([wire.exchange(listen), soon]);
  const heard = valuesAt(answer, `messages[method="${method}"]`).values;
  if (heard.length === 0)
    return {
      deviations: [{ level: 'should', text: `a change of the list must be announced on the open subscription; nothing came within ${String(ANNOUNCED)} ms` }],
    };
  const tag = isRecord(heard[0]) ? valuesAt(heard[0], `params._meta["${META.subscriptionId}"]`).values[0] : undefined;
  return { deviations: tag === id ? [] : [{ level: 'must', text: `the announcement must carry subscriptionId ${String(id)}; saw ${JSON.stringify(tag)}` }] };
};
