import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FleetEntry, FleetReport, ScanResult, type FleetRepository } from '../../core/index.js';
import { json } from '../../report/index.js';
import { UsageProblem } from '../errors.js';

/** File of a repository in a folder of results: readable, and different for names that differ in signs only. */
export function entryFile(folder: string, repository: string): string {
  const readable = repository
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 80);
  return join(folder, `${readable}-${createHash('sha256').update(repository).digest('hex').slice(0, 12)}.json`);
}

/** The entry of an earlier run, when it is whole and of this repository. A half-written or foreign file counts as none. */
export function readEntry(folder: string, repository: string): FleetEntry | undefined {
  const file = entryFile(folder, repository);
  if (!existsSync(file)) return undefined;
  try {
    const parsed = FleetEntry.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success && parsed.data.repository === repository ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Writes of one entry until another run must be clearing the folder all the time. */
const MAX_TRIES = 5;

/**
 * Writes an entry whole or not at all: a run that is killed leaves the old one or the new one. Two runs of one shard (a job that was started again while
 * the first still lives) do not disturb each other: each has a half-written file of its own, and writes again when the other has cleared it away.
 */
export function writeEntry(folder: string, entry: FleetEntry): void {
  const file = entryFile(folder, entry.repository);
  for (let tries = 1; ; tries++) {
    const half = `${file}.${randomUUID()}.tmp`;
    try {
      writeFileSync(half, json(entry), { flush: true });
      renameSync(half, file);
      return;
    } catch (error) {
      rmSync(half, { force: true });
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === MAX_TRIES)
        throw new UsageProblem(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
    }
  }
}

/** Makes the folder, and clears what a killed run of these repositories left half-written. */
export function openResults(folder: string, repositories: readonly string[]): void {
  try {
    mkdirSync(folder, { recursive: true });
    const own = repositories.map((name) => entryFile('', name));
    for (const file of readdirSync(folder))
      if (file.endsWith('.tmp') && own.some((name) => file.startsWith(`${name}.`))) rmSync(join(folder, file), { force: true });
  } catch (error) {
    throw new UsageProblem(`${folder} cannot be used for results (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
}

/**
 * Repositories in files of `scan --results`, `scan --format json` or `report merge --format json`, and in folders with such files.
 * @throws UsageProblem for a file that is none of these, and for two different results of one repository
 */
export function readRepositories(paths: readonly { readonly full: string; readonly shown: string }[]): readonly FleetRepository[] {
  const found = new Map<string, { readonly entry: FleetRepository; readonly text: string; readonly shown: string }>();
  for (const { full, shown } of paths.flatMap(filesOf)) {
    for (const entry of repositoriesIn(full, shown)) {
      const text = JSON.stringify(entry);
      const other = found.get(entry.repository);
      if (other && other.text !== text)
        throw new UsageProblem(`${other.shown} and ${shown} hold different results of "${entry.repository}"; leave out the older one`);
      found.set(entry.repository, { entry, text, shown });
    }
  }
  return [...found.values()].map(({ entry }) => entry);
}

function filesOf({ full, shown }: { readonly full: string; readonly shown: string }): readonly { readonly full: string; readonly shown: string }[] {
  const stats = statSync(full, { throwIfNoEntry: false });
  if (!stats) throw new UsageProblem(`${shown} does not exist`);
  if (!stats.isDirectory()) return [{ full, shown }];
  return readdirSync(full, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ full: path, shown: path }));
}

function repositoriesIn(full: string, shown: string): readonly FleetRepository[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(full, 'utf8'));
  } catch {
    throw new UsageProblem(`${shown} cannot be read as JSON`);
  }
  const entry = FleetEntry.safeParse(value);
  if (entry.success) {
    const { repository, install, result, failure } = entry.data;
    return [{ repository, ...(install === undefined ? {} : { install }), ...(result ? { result } : {}), ...(failure === undefined ? {} : { failure }) }];
  }
  const report = FleetReport.safeParse(value);
  if (report.success) return report.data.repositories;
  const scan = ScanResult.safeParse(value);
  if (!scan.success)
    throw new UsageProblem(`${shown} is none of the results of "scan --results", "scan --format json" and "report merge --format json" of this version`);
  const repository = scan.data.target.root.split(/[\\/]/).filter(Boolean).at(-1) ?? shown;
  return [{ repository, result: { ...scan.data, target: { ...scan.data.target, root: repository } } }];
}
