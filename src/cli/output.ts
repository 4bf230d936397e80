import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageProblem } from './errors.js';
import { print, type World } from './world.js';

/**
 * Prints a result, or writes it to the file that the user named.
 * @throws UsageProblem when the file cannot be written
 */
export async function deliver(text: string | Uint8Array, file: string | undefined, world: World): Promise<void> {
  if (file === undefined) {
    await print(world.stdout, text);
    return;
  }
  writeText(resolve(world.cwd, file), text, file);
}

/** @throws UsageProblem with the reason of the system */
export function writeText(path: string, text: string | Uint8Array, shown: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageProblem(`${shown} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
}

/** Text of a file that may be missing. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
