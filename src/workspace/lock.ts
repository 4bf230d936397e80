import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Another process writes or undoes in the same place. Nothing was changed. */
export class BusyError extends Error {
  constructor(path: string, holder: string) {
    super(`another run of unsession writes here (${holder}); nothing was changed. Wait until it has ended; if there is none, remove ${path}.`);
    this.name = 'BusyError';
  }
}

/**
 * Runs something that no second process may do at the same time in the same record folder. A lock that a killed process left behind is
 * taken over when the process is known to be gone.
 * @throws BusyError
 */
export function withLock<T>(folder: string, act: () => T): T {
  const release = takeLock(folder);
  try {
    return act();
  } finally {
    release();
  }
}

/**
 * Takes the lock of a record folder, which is made when it is missing.
 * @returns gives the lock back
 * @throws BusyError, and what the system says when the lock cannot be written
 */
export function takeLock(folder: string): () => void {
  const path = join(folder, 'lock');
  mkdirSync(folder, { recursive: true });
  take(path);
  sweep(folder);
  return () => {
    rmSync(path, { force: true });
  };
}

/** Removes what a process left that was killed while it took a lock over. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) if (/^lock\.\d+$/.test(name)) rmSync(join(folder, name), { force: true });
}

function take(path: string): void {
  const own = `process ${String(process.pid)} on ${hostname()}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const descriptor = openSync(path, 'wx');
      try {
        writeFileSync(descriptor, own);
        return;
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = read(path);
    if (holder === undefined) continue;
    if (mayLive(holder)) throw new BusyError(path, holder);
    putAside(path, holder);
  }
  throw new BusyError(path, 'one that starts at the same time');
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').slice(0, 200);
  } catch {
    return undefined;
  }
}

/** A process of another machine may live; one of this machine is asked. What a killed process left half-written names nobody. */
function mayLive(holder: string): boolean {
  const named = /^process (\d+) on (.+)$/.exec(holder);
  if (!named) return false;
  if (named[2] !== hostname()) return true;
  try {
    process.kill(Number(named[1]), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes a stale lock, and only that one: a second process may have taken it over in between. */
function putAside(path: string, holder: string): void {
  const aside = `${path}.${String(process.pid)}`;
  try {
    renameSync(path, aside);
    if (read(aside) === holder) rmSync(aside, { force: true });
    else renameSync(aside, path);
  } catch {
    // Somebody else was quicker; the next attempt sees what there is.
  }
}
