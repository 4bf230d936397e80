import { join } from 'node:path';
import { runCommand } from './command.js';
import { ensurePackages } from './install.js';

/** Compilers that a migrated project must satisfy: the two lines that our users have today. */
export const COMPILERS = ['5.9', '6.0'] as const;
export type Compiler = (typeof COMPILERS)[number];

/** Type-checks a folder with its own tsconfig.json; answers the compiler's errors, empty when there are none. */
export async function typeCheck(folder: string, compiler: Compiler): Promise<string> {
  const packages = await ensurePackages({ [`typescript-${compiler}`]: `npm:typescript@~${compiler}.0` });
  const outcome = await runCommand(process.execPath, [join(packages, `typescript-${compiler}`, 'bin', 'tsc'), '-p', '.', '--noEmit'], folder);
  return outcome.code === 0 ? '' : outcome.stdout + outcome.stderr;
}
