import type { Wall } from '../discover/peer.js';
import { LineProcess, type Command } from './process.js';

/** Milliseconds beyond the life of a process that ended on its first message, to see whether it ends without one as well. */
const MARGIN = 400;

/** What one process did with the first modern request. */
export type FirstContact = 'answered' | 'silent' | 'exited' | 'launch-failed';

/**
 * Tells a process that ends because of a message from one that ends anyway: starts it again and sends nothing for as long as the first one lived.
 * @param lived milliseconds that the first process lived
 */
export async function diesUnasked(
  command: Command,
  lived: number,
  maxBytes: number,
): Promise<{ readonly died: boolean; readonly stderr: string; readonly code: string }> {
  const quiet = new LineProcess(command, maxBytes);
  const died = await quiet.wait(Math.min(lived + MARGIN, 15_000), () => quiet.exited !== undefined);
  const seen = { died, stderr: quiet.stderr.trim(), code: String(quiet.launchError ?? quiet.exited) };
  await quiet.close();
  return seen;
}

/** The sentence of a server that never ran. */
export const launchWall = (code: string, stderr: string): Wall => ({
  kind: 'launch',
  text: `The command did not start a server (${/^\d+$/.test(code) ? `exit ${code}` : code})${stderr === '' ? '' : `: ${stderr.slice(-300)}`}. Nothing was tested.`,
});
