import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { journalPlace, lastRun, otherRoots, sweepRuns } from './journal.js';
import { withLock } from './lock.js';
import { removeEmpty, revert } from './revert.js';

export interface UndoReport {
  /** Files brought back to their bytes before the run, sorted; created ones are gone. */
  readonly files: readonly string[];
  readonly label: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The run had been interrupted. */
  readonly interrupted: boolean;
}

/** A run that stopped in the middle of its writing. */
export interface PendingRun {
  readonly startedAt: string;
  readonly label: string;
  readonly files: readonly string[];
}

/** The interrupted run of this root, if there is one. */
export async function pendingRun(root: string): Promise<PendingRun | undefined> {
  const run = lastRun(await journalPlace(root));
  if (run?.journal.state !== 'writing') return undefined;
  return { startedAt: run.journal.startedAt, label: run.journal.label, files: run.journal.entries.map((entry) => entry.file) };
}

/**
 * Reverts the last run that was written in this root, byte for byte.
 * @returns `undefined` when there is nothing to undo
 * @throws UndoRefusedError when a file is neither in the state before nor in the state after the run
 * @throws JournalError when the record is damaged, BusyError when another process writes
 */
export async function undo(root: string): Promise<UndoReport | undefined> {
  const place = await journalPlace(root);
  if (!existsSync(place.folder)) return undefined;
  try {
    return withLock(place.folder, () => {
      sweepRuns(place.folder);
      const run = lastRun(place);
      if (!run) return undefined;
      const { label, startedAt, state } = run.journal;
      return { files: revert(root, run), label, startedAt, interrupted: state === 'writing' };
    });
  } finally {
    removeEmpty(place.folder);
  }
}

/** Folders of the same repository, relative to this one, whose last run can be undone there. */
export async function undoneElsewhere(root: string): Promise<readonly string[]> {
  return otherRoots(await journalPlace(root)).map((folder) => relative(root, folder).split(sep).join('/') || '.');
}
