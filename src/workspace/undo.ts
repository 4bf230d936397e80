import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dropRun, halfWritten, hashOf, JournalError, journalPlace, lastRun, sweepRuns, writeDurably, type JournalEntry, type Run } from './journal.js';

export interface UndoReport {
  /** Files brought back to their bytes before the run, sorted; created ones are gone. */
  readonly files: readonly string[];
  readonly label: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The run had been interrupted. */
  readonly interrupted: boolean;
}

/** Files were touched after the run, so bringing them back would lose work. Nothing was changed. */
export class UndoRefusedError extends Error {
  constructor(
    readonly files: readonly string[],
    message: string,
  ) {
    super(message);
    this.name = 'UndoRefusedError';
  }
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
 * @throws JournalError when the record is damaged
 */
export async function undo(root: string): Promise<UndoReport | undefined> {
  const place = await journalPlace(root);
  sweepRuns(place.folder);
  const run = lastRun(place);
  if (!run) {
    removeEmpty(place.folder);
    return undefined;
  }
  const { journal } = run;
  const touched = journal.entries.filter((entry) => {
    const now = stateOf(join(root, entry.file));
    return now !== entry.after && now !== entry.before;
  });
  if (touched.length > 0) {
    const names = touched.map((entry) => entry.file);
    throw new UndoRefusedError(
      names,
      `changed since the run of ${journal.startedAt}: ${names.join(', ')}. Nothing was undone; restore them from version control, or put them back and run undo again.`,
    );
  }
  const restored = journal.entries.filter((entry) => stateOf(join(root, entry.file)) !== entry.before);
  const backups = new Map(restored.map((entry) => [entry, backupOf(run, entry)]));
  for (const entry of journal.entries) rmSync(halfWritten(join(root, entry.file)), { force: true });
  for (const entry of restored) restore(root, entry, backups.get(entry));
  for (const made of [...journal.folders].reverse()) removeEmpty(join(root, made));
  dropRun(run);
  removeEmpty(place.folder);
  return { files: restored.map((entry) => entry.file), label: journal.label, startedAt: journal.startedAt, interrupted: journal.state === 'writing' };
}

/** Hash of a file; `null` when it does not exist; `'other'` for what is not a regular file. */
function stateOf(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  return stats.isFile() ? hashOf(readFileSync(path)) : 'other';
}

/** The bytes before, checked against their hash, so that a damaged record restores nothing. */
function backupOf(run: Run, entry: JournalEntry): Buffer | undefined {
  if (entry.backup === null) return undefined;
  const path = join(run.folder, entry.backup);
  const bytes = existsSync(path) ? readFileSync(path) : undefined;
  if (!bytes || hashOf(bytes) !== entry.before)
    throw new JournalError(path, `the saved copy of ${entry.file} is damaged. Nothing was undone; restore the files from version control.`);
  return bytes;
}

function restore(root: string, entry: JournalEntry, bytes: Buffer | undefined): void {
  const path = join(root, entry.file);
  if (!bytes) {
    rmSync(path);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeDurably(path, bytes, entry.mode ?? undefined);
  if (entry.mode !== null) chmodSync(path, entry.mode);
}

function removeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
