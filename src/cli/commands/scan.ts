import { resolve } from 'node:path';
import type { ScanResult } from '../../core/index.js';
import { againstBaseline, readBaseline } from '../baseline.js';
import type { ExitCode } from '../errors.js';
import { scanExit, type Threshold } from '../exit-code.js';
import { writeJobFiles } from '../job-files.js';
import type { ReportFile, RepositoryOptions, ScanFormat } from '../options.js';
import { deliver, writeText } from '../output.js';
import { openRepository, type Repository } from '../repository.js';
import { renderScan } from '../scan-formats.js';
import type { World } from '../world.js';

export interface ScanCommandOptions extends RepositoryOptions {
  readonly format?: ScanFormat;
  readonly failOn?: Threshold;
  readonly includeTests?: boolean;
  readonly baseline?: string;
  readonly report?: readonly ReportFile[];
}

/** `unsession scan [path]` */
export async function scan(path: string, options: ScanCommandOptions, world: World): Promise<ExitCode> {
  const repository = await openRepository(path, options, world);
  const full = await scanRoot(repository, options.includeTests ?? repository.config.includeTests ?? false, world);
  const result = await withoutKnown(full, options.baseline ?? repository.config.baseline, repository, world);
  const threshold = options.failOn ?? repository.config.failOn ?? 'warning';
  const code = scanExit(result, threshold);
  for (const { format, file } of options.report ?? []) writeText(resolve(world.cwd, file), renderScan(format, result, repository, threshold, true), file);
  if (options.format === 'github') writeJobFiles(result, code, world);
  await deliver(renderScan(options.format ?? 'pretty', result, repository, threshold), options.output, world);
  return code;
}

/** The scan of an opened repository. */
export async function scanRoot(repository: Repository, includeTests: boolean, world: World): Promise<ScanResult> {
  const [{ scanRepository }, knowledge] = await Promise.all([import('../../engine/index.js'), world.knowledge()]);
  try {
    return await scanRepository(repository.root, knowledge, { ...repository.options, includeTests });
  } finally {
    repository.endProgress();
  }
}

async function withoutKnown(full: ScanResult, baseline: string | undefined, repository: Repository, world: World): Promise<ScanResult> {
  if (baseline === undefined) return full;
  const { result, old, gone } = againstBaseline(full, readBaseline(resolve(world.cwd, baseline)));
  await repository.note(`${String(old)} known findings left out${gone > 0 ? `; ${String(gone)} of the baseline are gone, write it anew` : ''}.`);
  return result;
}
