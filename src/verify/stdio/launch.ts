import type { Wall } from '../discover/peer.js';
import { LineProcess, type Command } from './process.js';

/** How much longer than the first process the second one may live on a busy machine, and milliseconds beyond that. Only a peer that nothing is known of is asked. */
const SLOWER = 3;
const MARGIN = 2_000;

/** What one process did with the first modern request. */
export type FirstContact = 'answered' | 'silent' | 'exited' | 'launch-failed';

/**
 * Tells a process that ends because of a message from one that ends anyway: starts it again and sends nothing for some time longer than the first one lived.
 * @param lived milliseconds that the first process lived
 */
export async function diesUnasked(
  command: Command,
  lived: number,
  maxBytes: number,
): Promise<{ readonly died: boolean; readonly stderr: string; readonly code: string }> {
  const quiet = new LineProcess(command, maxBytes);
  const died = await quiet.wait(Math.min(SLOWER * lived + MARGIN, 15_000), () => quiet.exited !== undefined);
  const seen = { died, stderr: quiet.stderr.trim(), code: String(quiet.launchError ?? quiet.exited) };
  await quiet.close();
  return seen;
}

/** The sentence of a server that never ran. */
export const launchWall = (code: string, stderr: string): Wall => ({
  kind: 'launch',
  text: `The command did not start a server (${/^\d+$/.test(code) ? `exit ${code}` : code})${stderr === '' ? '' : `: ${stderr.slice(-300)}`}. Nothing was tested.`,
});
