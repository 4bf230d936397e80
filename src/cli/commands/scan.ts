import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sawNothing, type ScanResult } from '../../core/index.js';
import { count, shellWord, visible } from '../../report/index.js';
import { againstBaseline, baselineOf, baselineText, pruned, readBaseline, requireNewBaseline, type Comparing } from '../baseline.js';
import { onlyChanged } from '../changed.js';
import { Refused, UsageProblem, type ExitCode } from '../errors.js';
import { scanExit, type Threshold } from '../exit-code.js';
import type { Shard } from '../fleet/list.js';
import { writeJobFiles } from '../job-files.js';
import type { ReportFile, RepositoryOptions, ScanFormat } from '../options.js';
import { deliver, writeText } from '../output.js';
import { openRepository, type Repository } from '../repository.js';
import { checkRiskNames, idleAcceptances } from '../risks.js';
import { renderScan } from '../scan-formats.js';
import type { World } from '../world.js';

export interface ScanCommandOptions extends RepositoryOptions {
  readonly format?: ScanFormat;
  readonly failOn?: Threshold;
  readonly includeTests?: boolean;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly pruneBaseline?: boolean;
  readonly changedSince?: string;
  readonly report?: readonly ReportFile[];
  readonly repos?: string;
  readonly results?: string;
  readonly shard?: Shard;
  readonly fresh?: boolean;
}

/** `unsession scan [path]` */
export async function scan(path: string, options: ScanCommandOptions, world: World): Promise<ExitCode> {
  if (options.shard !== undefined || options.results !== undefined || options.fresh === true)
    throw new UsageProblem('--shard, --results and --fresh belong to a scan of many repositories: --repos FILE');
  checkBaselineOptions(options);
  const repository = await openRepository(path, options, world);
  const fresh = options.writeBaseline === undefined ? undefined : resolve(world.cwd, options.writeBaseline);
  if (fresh !== undefined) requireNewBaseline(fresh, options.writeBaseline ?? '');
  const full = await scanRoot(repository, options.includeTests ?? repository.config.includeTests ?? false, world);
  const accepted = fresh === undefined || sawNothing(full) ? undefined : baselineOf(full);
  if (fresh !== undefined && accepted !== undefined) {
    writeText(fresh, baselineText(accepted), options.writeBaseline ?? '');
    await repository.note(
      `wrote ${shellWord(options.writeBaseline ?? '')} with ${count(accepted.findings.length, 'finding')}; --baseline leaves them out from now on.`,
    );
  }
  const known = await withoutKnown(full, options, repository, world);
  const result = options.changedSince === undefined ? known : await onlyChanged(known, repository.root, options.changedSince);
  const threshold = options.failOn ?? repository.config.failOn ?? 'warning';
  // What was accepted a moment ago is no failure; what could not be read still is.
  const code = scanExit(accepted === undefined ? result : againstBaseline(full, accepted, { whole: false, exists: () => true }), threshold);
  for (const { format, file } of options.report ?? []) writeText(resolve(world.cwd, file), renderScan(format, result, repository, threshold, true), file);
  if (options.format === 'github') writeJobFiles(result, code, world);
  await deliver(renderScan(options.format ?? 'pretty', result, repository, threshold), options.output, world);
  return code;
}

/** The scan of an opened repository. */
export async function scanRoot(repository: Repository, includeTests: boolean, world: World): Promise<ScanResult> {
  const [{ scanRepository }, knowledge] = await Promise.all([import('../../engine/index.js'), world.knowledge()]);
  await checkRiskNames(repository.options.acceptRisk, knowledge);
  try {
    const result = await scanRepository(repository.root, knowledge, { ...repository.options, includeTests });
    repository.endProgress();
    for (const risk of idleAcceptances(result, repository.options.acceptRisk ?? {}))
      await repository.note(`--accept-risk ${visible(risk)}: nothing is refused under this name, so nothing is accepted.`);
    return result;
  } finally {
    repository.endProgress();
  }
}

/** Options that make a scan look at a part: what it does not find is not gone then. */
const PARTIAL = ['only', 'skip', 'include', 'exclude', 'package'] as const;

function checkBaselineOptions(options: ScanCommandOptions): void {
  if (options.writeBaseline !== undefined && (options.baseline !== undefined || options.pruneBaseline === true || options.changedSince !== undefined))
    throw new UsageProblem('--write-baseline writes everything that is found; it goes with none of --baseline, --prune-baseline and --changed-since');
  if (options.pruneBaseline !== true) return;
  const partial = [...PARTIAL, 'changedSince' as const].filter((name) => options[name] !== undefined);
  if (partial.length > 0)
    throw new UsageProblem('--prune-baseline needs a scan of everything: without --only, --skip, --include, --exclude, --package and --changed-since');
}

/** The result without what the baseline knows, which is said; prunes it when asked to. */
async function withoutKnown(full: ScanResult, options: ScanCommandOptions, repository: Repository, world: World): Promise<ScanResult> {
  const path = options.baseline === undefined ? repository.baseline : resolve(world.cwd, options.baseline);
  if (options.writeBaseline !== undefined) return full;
  if (path === undefined) {
    if (options.pruneBaseline === true) throw new UsageProblem('--prune-baseline needs --baseline FILE, or "baseline" in the configuration');
    return full;
  }
  const known = readBaseline(path);
  const whole = PARTIAL.every((name) => options[name] === undefined) && repository.options.path === undefined;
  const comparing: Comparing = { whole, exists: (file) => existsSync(join(repository.top, file)) };
  const result = againstBaseline(full, known, comparing);
  const { known: left, gone, moved } = result.baseline ?? { known: 0, gone: [], moved: [] };
  if (options.pruneBaseline === true && gone.length + moved.length > 0) {
    if (!known.written) throw new Refused(`${path} is the result of a scan, not a baseline; write one with --write-baseline`);
    if (sawNothing(full)) throw new Refused('nothing could be read, so nothing is known to be gone; the baseline stays as it is');
    writeText(path, baselineText(pruned(known, full, comparing)), options.baseline ?? path);
  }
  const names = gone.slice(0, GONE_SHOWN).map((entry) => `${visible(entry.id)} in ${visible(entry.file)}`);
  const more = gone.length > names.length ? ` and ${String(gone.length - names.length)} more` : '';
  const verb = options.pruneBaseline === true ? 'taken out of the baseline' : 'gone from the code, --prune-baseline takes them out of the baseline';
  const renames = new Set(moved.map(({ from, to }) => `${visible(from)} is ${visible(to)}`));
  const renamed = renames.size === 0 ? '' : ` (${[...renames].slice(0, GONE_SHOWN).join(', ')}${renames.size > GONE_SHOWN ? ', …' : ''})`;
  await repository.note(
    `${count(left, 'known finding')} left out${renamed}${gone.length > 0 ? `; ${String(gone.length)} ${verb}: ${names.join(', ')}${more}` : ''}.`,
  );
  return result;
}

/** Entries that are gone, as far as a note names them. */
const GONE_SHOWN = 5;
