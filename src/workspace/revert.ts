import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { staysInside } from './inside.js';
import { dropRun, halfWritten, hashOf, JournalError, writeDurably, type JournalEntry, type Run } from './journal.js';

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

/**
 * Takes one run back and forgets it: all files or, when one of them was touched since, none.
 * @returns files that were brought back, in the order of the record
 * @throws UndoRefusedError, JournalError before the first byte is changed
 */
export function revert(root: string, run: Run): readonly string[] {
  const { journal } = run;
  const outside = [...journal.entries.map((entry) => entry.file), ...journal.folders].filter((path) => !staysInside(root, path));
  if (outside.length > 0)
    throw new UndoRefusedError(
      outside,
      `outside of the folder, or reached through a symbolic link now: ${outside.join(', ')}. Nothing was undone; put the folder back and run undo again.`,
    );
  const states = new Map(journal.entries.map((entry) => [entry, stateOf(join(root, entry.file))]));
  refuseTouched(run, states);
  const restored = journal.entries.filter((entry) => states.get(entry) !== entry.before);
  const backups = new Map(restored.map((entry) => [entry, backupOf(run, entry)]));
  for (const entry of journal.entries) {
    const half = halfWritten(join(root, entry.file));
    if (lstatSync(half, { throwIfNoEntry: false })?.isFile()) rmSync(half);
  }
  for (const entry of restored) restore(root, entry, backups.get(entry), journal.state === 'writing');
  for (const made of [...journal.folders].reverse()) removeEmpty(join(root, made));
  dropRun(run);
  return restored.map((entry) => entry.file);
}

function refuseTouched({ folder, journal }: Run, states: ReadonlyMap<JournalEntry, string | null>): void {
  const touched = [...states].filter(([entry, now]) => now !== entry.after && now !== entry.before);
  if (touched.length === 0) return;
  const names = touched.map(([{ file }, now]) => (now === null ? `${file} (removed)` : file));
  throw new UndoRefusedError(
    touched.map(([{ file }]) => file),
    `changed since the run of ${journal.startedAt}: ${names.join(', ')}. Nothing was undone; restore them from version control, or put them back and run undo again. Their bytes before the run are kept in ${join(folder, 'before')}.`,
  );
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

/** A run keeps the mode of a file, so a mode that differs afterwards is the user's, unless the run was cut off before it could set it. */
function restore(root: string, entry: JournalEntry, bytes: Buffer | undefined, interrupted: boolean): void {
  const path = join(root, entry.file);
  if (!bytes) {
    rmSync(path);
    return;
  }
  const now = lstatSync(path, { throwIfNoEntry: false })?.mode;
  const mode = now === undefined || interrupted ? (entry.mode ?? undefined) : now & 0o7777;
  mkdirSync(dirname(path), { recursive: true });
  writeDurably(path, bytes, mode);
  if (mode !== undefined) chmodSync(path, mode);
}

/** Removes a folder that holds nothing. */
export function removeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
