import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyEdits, type FileChange } from '../core/index.js';
import { encodeAs } from './encoding.js';
import { gitState } from './git.js';
import { staysInside } from './inside.js';
import {
  halfWritten,
  hashOf,
  journalPlace,
  lastRun,
  newRun,
  saveJournal,
  sweepRuns,
  writeDurably,
  type JournalEntry,
  type JournalPlace,
  type Run,
} from './journal.js';
import { BusyError, takeLock } from './lock.js';
import { removeEmpty, revert } from './revert.js';
import type { TextSource } from './types.js';

export interface WriteOptions {
  /** The texts that the changes were planned on. A file whose bytes differ from it refuses the whole write. */
  readonly before: TextSource;
  /** Write although tracked files have changes that are not committed. */
  readonly allowDirty?: boolean;
  /** What the run is called in messages, e.g. `migrate --milestone sdk`. */
  readonly label?: string;
}

export interface WriteReport {
  /** Files written, created or removed, sorted. */
  readonly files: readonly string[];
  /** Absolute folder of the record that `undo` reads. */
  readonly record: string;
}

/** Why nothing was written. */
export class WriteRefusedError extends Error {
  constructor(
    readonly why: 'dirty' | 'changed' | 'outside' | 'exists' | 'interrupted' | 'unwritable',
    readonly files: readonly string[],
    message: string,
  ) {
    super(message);
    this.name = 'WriteRefusedError';
  }
}

interface Step {
  readonly file: string;
  readonly old: Buffer | undefined;
  readonly next: Buffer | undefined;
  readonly mode: number | undefined;
}

const BOM = '\uFEFF';

/**
 * Writes all changes or, when one of them does not fit the disk, none. Each file is replaced atomically and keeps its
 * mode. The run is recorded first, so that `undo` reverts it, also after a crash in the middle.
 * @throws WriteRefusedError before the first byte is written
 */
export async function writeChanges(root: string, changes: readonly FileChange[], options: WriteOptions): Promise<WriteReport> {
  const place = await journalPlace(root);
  refusePending(place);
  if (!options.allowDirty) {
    const changed = (await gitState(root))?.changed ?? [];
    if (changed.length > 0)
      throw new WriteRefusedError(
        'dirty',
        changed,
        `${String(changed.length)} tracked ${changed.length === 1 ? 'file has' : 'files have'} changes that are not committed. Commit them, or pass --allow-dirty.`,
      );
  }
  return recorded(place, () => {
    // Another process may have begun since.
    refusePending(place);
    const steps = plan(root, changes, options.before);
    const run = attempt('the record of the run', () => record(root, place, steps, options.label ?? 'migrate --write'));
    for (const step of steps) {
      try {
        carryOut(root, step);
      } catch (error) {
        throw putBack(root, run, step.file, error);
      }
    }
    try {
      saveJournal({ ...run, journal: { ...run.journal, state: 'done' } });
    } catch (error) {
      throw putBack(root, run, 'the record of the run', error);
    }
    return { files: steps.map((step) => step.file), record: run.folder };
  });
}

function refusePending(place: JournalPlace): void {
  const pending = lastRun(place);
  if (pending?.journal.state !== 'writing') return;
  throw new WriteRefusedError(
    'interrupted',
    pending.journal.entries.map((entry) => entry.file),
    'an earlier run was interrupted while it wrote. Run "unsession undo" first.',
  );
}

/** What the system said, without the path that Node repeats in it. */
const said = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));

/** Does something before the first file is touched; what fails leaves nothing behind. */
function attempt<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof BusyError) throw error;
    throw new WriteRefusedError('unwritable', [], `${what} cannot be written (${said(error)}); nothing was changed.`);
  }
}

/** Runs alone in the record folder, which a refusal leaves as it was. */
function recorded<T>(place: JournalPlace, act: () => T): T {
  try {
    const release = attempt(place.folder, () => takeLock(place.folder));
    try {
      return act();
    } finally {
      sweepRuns(place.folder);
      release();
    }
  } finally {
    removeEmpty(place.folder);
  }
}

/** A file could not be written: what was written before is taken back at once; where that fails too, the record stays for `undo`. */
function putBack(root: string, run: Run, file: string, error: unknown): WriteRefusedError {
  const why = `${file} cannot be written (${said(error)})`;
  try {
    revert(root, run);
  } catch (second) {
    return new WriteRefusedError(
      'unwritable',
      [file],
      `${why}, and what was written before could not be put back (${said(second)}). Mend it, then run "unsession undo".`,
    );
  }
  return new WriteRefusedError('unwritable', [file], `${why}; everything is as it was.`);
}

/** Bytes before and after of every file, with every reason to refuse checked. */
function plan(root: string, changes: readonly FileChange[], before: TextSource): readonly Step[] {
  const outside = changes.filter((change) => !staysInside(root, change.file)).map((change) => change.file);
  if (outside.length > 0)
    throw new WriteRefusedError('outside', outside, `${outside.join(', ')}: outside of the folder, or reached through a symbolic link; nothing was written.`);
  const exists = changes.filter((change) => change.kind === 'create' && existsSync(join(root, change.file))).map((change) => change.file);
  if (exists.length > 0) throw new WriteRefusedError('exists', exists, `${exists.join(', ')}: would be created and exists already; nothing was written.`);
  const halves = changes.map((change) => halfWritten(change.file)).filter((file) => lstatSync(join(root, file), { throwIfNoEntry: false }));
  if (halves.length > 0)
    throw new WriteRefusedError(
      'exists',
      halves,
      `${halves.join(', ')}: is in the way of a file that would be written; nothing was written. Move it, or remove it.`,
    );
  const stale: string[] = [];
  const steps = changes.map((change): Step => {
    if (change.kind === 'create') return { file: change.file, old: undefined, next: Buffer.from(change.text, 'utf8'), mode: undefined };
    const text = before.text(change.file);
    const encode = (content: string): Buffer | undefined => encodeAs(before.encoding(change.file), (before.bom(change.file) ? BOM : '') + content);
    const planned = text === undefined ? undefined : encode(text);
    const old = bytesOf(join(root, change.file));
    if (!planned || !old || !planned.equals(old.bytes)) {
      stale.push(change.file);
      return { file: change.file, old: undefined, next: undefined, mode: undefined };
    }
    const next = change.kind === 'remove' ? undefined : encode(applyEdits(text ?? '', change.edits));
    if (change.kind === 'edit' && !next)
      throw new WriteRefusedError(
        'unwritable',
        [change.file],
        `${change.file}: what would be written has a character that ${String(before.encoding(change.file))} does not have; nothing was written. Convert the file to UTF-8 and run again.`,
      );
    return { file: change.file, old: old.bytes, next, mode: old.stats.mode & 0o7777 };
  });
  if (stale.length > 0)
    throw new WriteRefusedError('changed', stale, `${stale.join(', ')}: changed since it was read; nothing was written. Run the command again.`);
  return steps.sort((a, b) => (a.file < b.file ? -1 : 1));
}

function bytesOf(path: string): { bytes: Buffer; stats: Stats } | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? { bytes: readFileSync(path), stats } : undefined;
}

/** Saves what was there before the first file is touched. */
function record(root: string, place: JournalPlace, steps: readonly Step[], label: string): Run {
  const folders = [...new Set(steps.flatMap((step) => (step.next && !step.old ? missingFolders(root, step.file) : [])))].sort();
  const entries = steps.map((step, index): JournalEntry => ({
    file: step.file,
    before: step.old ? hashOf(step.old) : null,
    after: step.next ? hashOf(step.next) : null,
    mode: step.mode ?? null,
    backup: step.old ? `before/${String(index)}` : null,
  }));
  const run = newRun(place.folder, { version: 1, prefix: place.prefix, startedAt: new Date().toISOString(), label, state: 'writing', entries, folders });
  steps.forEach((step, index) => {
    if (step.old) writeDurably(join(run.folder, 'before', String(index)), step.old);
  });
  saveJournal(run);
  return run;
}

function missingFolders(root: string, file: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = dirname(file); folder !== '.' && !existsSync(join(root, folder)); folder = dirname(folder)) missing.push(folder);
  return missing;
}

function carryOut(root: string, step: Step): void {
  const path = join(root, step.file);
  if (!step.next) {
    rmSync(path);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeDurably(path, step.next, step.mode);
  // The mode given to `open` is cut by the umask; the old mode must survive exactly.
  if (step.mode !== undefined) chmodSync(path, step.mode);
}
