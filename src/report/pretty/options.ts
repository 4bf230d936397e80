import pc from 'picocolors';
import { shellWord } from '../../core/index.js';

/** How text for people is printed; decided by the command line, so that reports stay pure. */
export interface PrettyOptions {
  /** Everything instead of the first screen. */
  readonly verbose: boolean;
  /** Terminal colours are allowed. */
  readonly color: boolean;
  /** Columns; default 80. */
  readonly width: number;
  /** The path argument as the user typed it, for commands that are printed; `.` is left out. */
  readonly target: string;
}

export const PLAIN: PrettyOptions = { verbose: false, color: false, width: 80, target: '.' };

export type Paint = ReturnType<typeof pc.createColors>;

export const paintFor = (options: PrettyOptions): Paint => pc.createColors(options.color);

/** The path argument for printed commands; empty for the working directory. */
export const targetWord = (options: PrettyOptions): string => (options.target === '.' ? '' : ` ${shellWord(options.target)}`);
