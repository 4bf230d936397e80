import type { MigrateResult, ScanResult } from '../core/index.js';
import { discover, DiskSource } from '../workspace/index.js';
import { dormant, type DormantKnowledge, type Knowledge, type ScanOptions } from './knowledge.js';
import { rewriteAll, write, type MigrateOptions, type Start } from './migrate.js';
import { heading, scanResult, stepsAfterMigrate } from './results.js';
import { Scanner } from './scan/scan.js';
import { WorkCounter } from './stats.js';
import { proveTypes } from './typecheck.js';
import { understand } from './understand.js';

/**
 * The journey up to the plan: discover → prefilter → parse → detect → link → judge → plan. Reads, never writes.
 * @param root absolute path of the folder to look at
 * @throws MissingPathError, UnknownPackageError, UsageError for what the user got wrong; InternalFault for what we did
 */
export async function scanRepository(root: string, knowledge: Knowledge | DormantKnowledge, options: ScanOptions = {}): Promise<ScanResult> {
  return (await begin(root, knowledge, { ...options, renderShim: noShim }, 'forget')).before;
}

/**
 * The whole journey: scan, then rewrite → rescan → … → prove, milestone by milestone, and write when asked to. Tests are part of
 * every item.
 * @throws as `scanRepository`, and WriteRefusedError before the first byte is written
 */
export async function migrateRepository(root: string, knowledge: Knowledge | DormantKnowledge, options: MigrateOptions): Promise<MigrateResult> {
  const start = await begin(root, knowledge, { ...options, includeTests: true });
  const { total, ...migrated } = await proveTypes(start, await rewriteAll(start));
  const written = await write(start, { total, ...migrated });
  const scripts = scriptsOf(start.disk.text('package.json'));
  return {
    ...heading(start.discovery, options),
    stats: start.scanner.work.snapshot(),
    before: start.before,
    ...migrated,
    written,
    next: await stepsAfterMigrate(start.discovery, { ...migrated, written, inventory: start.before.inventory }, scripts),
  };
}

/**
 * Reads a repository up to its plan.
 * @param texts whether the texts that were analysed are kept: a rewrite starts from them, a scan needs no text twice
 */
export async function begin(root: string, offered: Knowledge | DormantKnowledge, options: MigrateOptions, texts: 'keep' | 'forget' = 'keep'): Promise<Start> {
  const { include, exclude, path, onProgress } = options;
  onProgress?.({ stage: 'discover', done: 0, total: 1 });
  const discovery = await discover(root, {
    ...(include ? { include } : {}),
    ...(exclude ? { exclude } : {}),
    ...(options.package === undefined ? {} : { package: options.package }),
    ...(path === undefined ? {} : { only: path }),
  });
  const disk = new DiskSource(root);
  const work = new WorkCounter();
  const scanner = new Scanner(discovery, dormant(offered), work, texts === 'keep' ? (file) => disk.remember(file) : undefined);
  const scanned = await scanner.scan({ named: (include?.length ?? 0) > 0 || path !== undefined, onProgress });
  const { knowledge } = scanner;
  const known = understand(scanned, knowledge, options);
  return { discovery, disk, scanner, scanned, known, before: await scanResult(discovery, scanned, known, work, knowledge, options), knowledge, options };
}

/** A scan renders nothing. */
const noShim = (): never => {
  throw new Error('a scan has no shims');
};

/** Names of the scripts of the root manifest. */
function scriptsOf(manifest: string | undefined): ReadonlySet<string> {
  try {
    const scripts = (JSON.parse(manifest ?? '{}') as { readonly scripts?: unknown }).scripts;
    return new Set(typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : []);
  } catch {
    return new Set();
  }
}
