import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { gitState } from './git.js';

/** Runs that can be undone; older ones are dropped. */
const KEPT_RUNS = 20;

/** A path of the record may not lead out of the root: a repository can bring a record of its own. */
const Path = z.string().refine((path) => path !== '' && !isAbsolute(path) && !path.split(/[\\/]/).includes('..'));

const Entry = z.object({
  /** Relative to the root. */
  file: Path,
  /** SHA-256 of the bytes before and after; `null` when the file did not or does not exist. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Permission bits before. */
  mode: z.int().min(0).max(0o7777).nullable(),
  /** File in the run's folder that holds the bytes before. */
  backup: z
    .string()
    .regex(/^before\/\d+$/)
    .nullable(),
});
export type JournalEntry = z.infer<typeof Entry>;

const Journal = z.object({
  version: z.literal(1),
  /** Folder below the top of the work tree that the entries are relative to; `''` for the top, and outside of git. */
  prefix: z.string(),
  startedAt: z.string(),
  label: z.string(),
  /** `writing` until the last file is in place. */
  state: z.enum(['writing', 'done']),
  entries: z.array(Entry),
  /** Folders that the run made, outermost first. */
  folders: z.array(Path),
});
export type Journal = z.infer<typeof Journal>;

/** One `migrate --write`, as recorded. */
export interface Run {
  /** Absolute folder of the run. */
  readonly folder: string;
  readonly journal: Journal;
}

/** The journal of a run is damaged: by hand, or by a full disk. */
export class JournalError extends Error {
  constructor(
    readonly path: string,
    why: string,
  ) {
    super(`${path}: ${why}`);
    this.name = 'JournalError';
  }
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Where the runs of a root are recorded. */
export interface JournalPlace {
  readonly folder: string;
  readonly prefix: string;
  /** Top of the work tree; the root itself outside of git. */
  readonly top: string;
}

/**
 * In the git directory, so that records are never committed, else in the root.
 * @throws JournalError when the place is a link (records would be written wherever it leads) or a file
 */
export async function journalPlace(root: string): Promise<JournalPlace> {
  const git = await gitState(root);
  const place = git
    ? { folder: join(git.directory, 'unsession'), prefix: git.prefix, top: git.top }
    : { folder: join(root, '.unsession'), prefix: '', top: root };
  if (lstatSync(place.folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new JournalError(place.folder, 'it is a link or a file, so no run can be recorded in it. Move it.');
  return place;
}

/** File systems take names of up to 255 bytes. */
const LONGEST_NAME = 255;

/** Where the new bytes of a file are until they are whole. The name is fixed, so that `undo` finds what a crash left. */
export function halfWritten(path: string): string {
  const near = `${path}.unsession.tmp`;
  return Buffer.byteLength(basename(near)) <= LONGEST_NAME ? near : join(dirname(path), `${hashOf(Buffer.from(basename(path))).slice(0, 16)}.unsession.tmp`);
}

/** Writes a file so that a crash leaves the old or the new one, and at most its half-written neighbour. */
export function writeDurably(path: string, bytes: Uint8Array | string, mode?: number): void {
  const temporary = halfWritten(path);
  // What stands there already is not ours to remove.
  const descriptor = openSync(temporary, 'wx', mode);
  try {
    try {
      keepOwner(path, descriptor);
      writeFileSync(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A file that is replaced keeps its owner and group where the system lets us: root edits the files of others. */
function keepOwner(path: string, descriptor: number): void {
  const old = lstatSync(path, { throwIfNoEntry: false });
  const own = fstatSync(descriptor);
  if (!old || (old.uid === own.uid && old.gid === own.gid)) return;
  try {
    fchownSync(descriptor, old.uid, old.gid);
  } catch {
    // Not ours to give away: the file belongs to who runs the command, as with every editor.
  }
}

export function saveJournal(run: Run): void {
  writeDurably(join(run.folder, 'journal.json'), `${JSON.stringify(run.journal, null, 2)}\n`);
}

const runNames = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^\d{6}$/.test(name))
        .sort()
    : [];

/** A new, empty run folder; the oldest runs beyond the limit are dropped. */
export function newRun(folder: string, journal: Journal): Run {
  sweepRuns(folder);
  const names = runNames(folder);
  for (const name of names.slice(0, Math.max(0, names.length - KEPT_RUNS + 1))) rmSync(join(folder, name), { recursive: true, force: true });
  const number = Number(names.at(-1) ?? '0') + 1;
  const path = join(folder, String(number).padStart(6, '0'));
  mkdirSync(join(path, 'before'), { recursive: true });
  return { folder: path, journal };
}

/**
 * The last run of this root; runs of other roots in the same repository are passed over.
 * @throws JournalError when a record cannot be understood
 */
export function lastRun({ folder, prefix }: JournalPlace): Run | undefined {
  for (const run of runs(folder)) if (run.journal.prefix === prefix) return run;
  return undefined;
}

/** Absolute roots in the same repository that have runs of their own. */
export function otherRoots({ folder, prefix, top }: JournalPlace): readonly string[] {
  const prefixes = new Set([...runs(folder)].map((run) => run.journal.prefix));
  prefixes.delete(prefix);
  return [...prefixes].map((other) => join(top, other));
}

/** Runs of all roots, the latest first. */
function* runs(folder: string): Generator<Run> {
  for (const name of [...runNames(folder)].reverse()) {
    const path = join(folder, name);
    const file = join(path, 'journal.json');
    // A run that stopped before its journal was written has changed nothing.
    if (!existsSync(file)) continue;
    let journal: Journal;
    try {
      journal = Journal.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      throw new JournalError(file, 'the record of this run is damaged. Restore the files from version control and delete its folder.');
    }
    yield { folder: path, journal };
  }
}

/** Forgets a run. Its journal goes first: what a crash leaves of the rest is no run. */
export function dropRun(run: Run): void {
  rmSync(join(run.folder, 'journal.json'), { force: true });
  rmSync(run.folder, { recursive: true, force: true });
}

/** Removes the folders of runs that have no journal: they changed nothing, or were taken back. */
export function sweepRuns(folder: string): void {
  for (const name of runNames(folder)) if (!existsSync(join(folder, name, 'journal.json'))) rmSync(join(folder, name), { recursive: true, force: true });
}
