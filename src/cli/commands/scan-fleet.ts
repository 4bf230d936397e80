import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isFault, SCHEMA_VERSION, type FleetEntry, type ScanResult } from '../../core/index.js';
import { count, isClean, visible } from '../../report/index.js';
import { changedSince, discover, gitState, installCommand } from '../../workspace/index.js';
import { EXIT, explainError, UsageProblem, type ExitCode } from '../errors.js';
import { scanExit, type Threshold } from '../exit-code.js';
import { openResults, readEntry, writeEntry } from '../fleet/entries.js';
import { inShard, readCheckouts, type Checkout } from '../fleet/list.js';
import { openRepository } from '../repository.js';
import { version } from '../version.js';
import { print, type World } from '../world.js';
import { scanRoot, type ScanCommandOptions } from './scan.js';

/** Options that change what a result says; another value makes kept results stale. */
const DECIDING = ['only', 'skip', 'include', 'exclude', 'package', 'legacy', 'sunset', 'owner', 'config', 'includeTests', 'acceptRisk', 'reason'] as const;
/** Options that speak about one repository. */
const SINGLE = ['baseline', 'writeBaseline', 'pruneBaseline', 'changedSince', 'report', 'output'] as const;

/**
 * `unsession scan --repos FILE --results FOLDER [--shard i/n]`: scans checkouts one after the other and leaves one file for each. A run that was
 * killed goes on where it stopped when it is started again.
 */
export async function scanFleet(path: string, options: ScanCommandOptions, world: World): Promise<ExitCode> {
  if (path !== '.') throw new UsageProblem('--repos lists what is scanned; leave out the path');
  if (options.results === undefined) throw new UsageProblem('--repos needs --results FOLDER for the result of each repository');
  const other = SINGLE.filter((name) => options[name] !== undefined);
  if (other.length > 0 || (options.format ?? 'pretty') !== 'pretty')
    throw new UsageProblem('--repos writes one result for each repository; "unsession report merge" makes one report of them, in every form');
  const shard = options.shard ?? { index: 1, count: 1 };
  const checkouts = inShard(readCheckouts(resolve(world.cwd, options.repos ?? ''), options.repos ?? ''), shard);
  const folder = resolve(world.cwd, options.results);
  openResults(
    folder,
    checkouts.map(({ name }) => name),
  );
  const codes: ExitCode[] = [];
  for (const checkout of checkouts) {
    const before = options.fresh === true ? undefined : readEntry(folder, checkout.name);
    const key = await keyOf(checkout, options);
    const keep = before?.key === key && before.result !== undefined;
    const entry = keep ? before : await scanOne(checkout, key, options, world);
    if (!keep) writeEntry(folder, entry);
    codes.push(exitOf(entry, options.failOn ?? 'warning'));
    if (options.quiet !== true) await print(world.stdout, `${visible(checkout.name)}: ${told(entry)}${keep ? ' (kept)' : ''}\n`);
  }
  await print(
    world.stdout,
    `${count(checkouts.length, 'repository', 'repositories')} in shard ${String(shard.index)}/${String(shard.count)}. Next: unsession report merge ${visible(options.results)}\n`,
  );
  // Nothing could be analysed at all: another thing than findings.
  if (codes.length > 0 && codes.every((code) => code === EXIT.fault)) return EXIT.fault;
  return codes.some((code) => code !== EXIT.ok) ? EXIT.found : EXIT.ok;
}

function exitOf({ result }: Pick<FleetEntry, 'result'>, threshold: Threshold): ExitCode {
  return result ? scanExit(result, threshold) : EXIT.fault;
}

function told({ result, failure }: FleetEntry): string {
  if (!result) return `not scanned: ${visible(failure ?? '')}`;
  if (isClean(result)) return 'nothing to do';
  const faults = result.notAnalysed.filter(isFault).length;
  const unread = faults === 0 ? '' : `, ${count(faults, 'file')} not analysed`;
  return `${count(result.findings.length, 'finding')} in ${count(result.plan.items.length, 'work item')}${unread}`;
}

/** A fault of one repository is the result of that repository and stops no other. */
async function scanOne({ name, folder }: Checkout, key: string, options: ScanCommandOptions, world: World): Promise<FleetEntry> {
  const base = { schemaVersion: SCHEMA_VERSION, kind: 'fleet-entry', repository: name, key } as const;
  try {
    const repository = await openRepository(folder, { ...options, quiet: true }, world);
    const result = await scanRoot(repository, options.includeTests ?? repository.config.includeTests ?? false, world);
    const install = await installCommand(
      repository.root,
      result.inventory.packages.filter((entry) => entry.candidate).map((entry) => entry.folder),
    );
    return { ...base, ...(install === undefined ? {} : { install }), result: named(result, name) };
  } catch (error) {
    const { message } = explainError(error, 'scan --repos', version);
    return { ...base, failure: (message.split('\n')[0] ?? '').replaceAll(folder, name) };
  }
}

/** The folder of a checkout differs between machines; a result names the repository instead. */
const named = (result: ScanResult, name: string): ScanResult => ({ ...result, target: { ...result.target, root: name } });

/** Everything that a result depends on: a commit when nothing differs from it, else the files with their sizes and times. */
async function keyOf({ folder }: Checkout, options: ScanCommandOptions): Promise<string> {
  const deciding = DECIDING.map((name) => options[name] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([version, deciding, await stateOf(folder)]))
    .digest('hex')
    .slice(0, 32);
}

async function stateOf(folder: string): Promise<unknown> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  // Times differ between two clones of one commit; a result does not.
  const changed = await changedSince(folder, 'HEAD');
  if (typeof changed === 'object' && changed.size === 0) return (await gitState(folder))?.commit ?? null;
  const { files } = await discover(folder);
  return files.map(({ path }) => {
    const stats = statSync(join(folder, path), { throwIfNoEntry: false });
    return [path, stats?.size ?? 0, stats?.mtimeMs ?? 0];
  });
}
