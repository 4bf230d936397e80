import { ControlFailed, type ControlAction } from '../control.js';
import type { RunContext } from '../run/context.js';
import type { Probe } from './index.js';

/** Milliseconds that a restarted server has until it answers. */
const UP = 30_000;
/** Milliseconds between two looks at a server that starts. */
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
