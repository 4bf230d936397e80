import { visible } from '../report/index.js';
import type { World } from './world.js';

/** A line on the terminal that is rewritten while work goes on. Silent when standard error is not a terminal. */
export interface ProgressLine {
  readonly show: (stage: string, done: number, total: number) => void;
  /** Removes the line, so that what follows starts clean. */
  readonly end: () => void;
}

const EVERY = 80;

export function progressLine(world: World, quiet: boolean): ProgressLine {
  const { stderr } = world;
  if (!stderr.isTTY || quiet) return { show: () => undefined, end: () => undefined };
  let last = 0;
  let shown = false;
  return {
    show: (stage, done, total) => {
      const now = Date.now();
      if (now - last < EVERY && done < total) return;
      last = now;
      shown = true;
      const width = (stderr.columns ?? 80) - 1;
      stderr.write(`\r\u001b[K${`${visible(stage)} ${String(done)}/${String(total)}`.slice(0, width)}`);
    },
    end: () => {
      if (shown) stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}
