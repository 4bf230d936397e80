import { join, resolve } from 'node:path';
import type { MigrateResult, Patch } from '../../core/index.js';
import { json, prettyMigrate } from '../../report/index.js';
import { diffBytes } from '../../workspace/index.js';
import { UsageProblem, type ExitCode } from '../errors.js';
import { migrateExit } from '../exit-code.js';
import { itemQuestion } from '../interactive.js';
import type { RepositoryOptions } from '../options.js';
import { deliver, writeText } from '../output.js';
import { openRepository } from '../repository.js';
import { checkRiskNames } from '../risks.js';
import { shimRenderer } from '../templates.js';
import type { World } from '../world.js';

export interface MigrateCommandOptions extends RepositoryOptions {
  readonly format?: 'pretty' | 'json' | 'diff';
  readonly write?: boolean;
  readonly check?: boolean;
  readonly allowDirty?: boolean;
  readonly typecheck?: boolean;
  readonly interactive?: boolean;
  readonly retire?: boolean;
  readonly item?: readonly string[];
  readonly milestone?: 'sdk' | 'entry' | 'all';
  readonly safety?: 'safe' | 'review';
  readonly patchDir?: string;
  readonly templates?: string;
}

/** `unsession migrate [path]` */
export async function migrate(path: string, options: MigrateCommandOptions, world: World): Promise<ExitCode> {
  if (options.write && options.check) throw new UsageProblem('--check only looks and --write writes; give one of them');
  const repository = await openRepository(path, options, world);
  const approve = options.interactive ? await itemQuestion(world) : undefined;
  const [{ migrateRepository }, knowledge, renderShim] = await Promise.all([
    import('../../engine/index.js'),
    world.knowledge(),
    shimRenderer(repository.templates),
  ]);
  await checkRiskNames(repository.options.acceptRisk, knowledge);
  const milestone = options.milestone ?? repository.config.milestone;
  const safety = options.safety ?? repository.config.safety;
  let result: MigrateResult;
  try {
    result = await migrateRepository(repository.root, knowledge, {
      ...repository.options,
      ...(options.item ? { items: options.item } : {}),
      ...(milestone ? { milestone } : {}),
      ...(safety ? { safety } : {}),
      ...(approve ? { approve } : {}),
      ...(options.retire === true ? { retire: true } : {}),
      write: options.write === true,
      allowDirty: options.allowDirty === true,
      typecheck: options.typecheck === true,
      renderShim,
    });
  } finally {
    repository.endProgress();
  }
  const patches = options.patchDir === undefined ? [] : writePatches(result, options.patchDir, world);
  for (const patch of patches) await repository.note(`wrote ${patch}`);
  await deliver(rendered(result, options, repository.pretty), options.output, world);
  return migrateExit(result, { check: options.check === true, write: options.write === true, items: options.item ?? [] });
}

function rendered(result: MigrateResult, options: MigrateCommandOptions, pretty: Parameters<typeof prettyMigrate>[1]): string | Uint8Array {
  if (options.format === 'json') return json(result);
  // The patch as git takes it, with nothing around it and nothing escaped: it is meant for a program.
  if (options.format === 'diff') return Buffer.concat(result.patches.map(bytesOf));
  return prettyMigrate(result, pretty);
}

/** @throws UsageProblem when a file's own encoding cannot hold what it becomes */
function bytesOf(patch: Patch): Buffer {
  try {
    return diffBytes(patch);
  } catch (error) {
    throw error instanceof RangeError ? new UsageProblem(error.message) : error;
  }
}

/** One file for each milestone, in the order in which they apply. */
function writePatches(result: MigrateResult, folder: string, world: World): readonly string[] {
  return result.patches
    .filter((patch) => patch.diff !== '')
    .map((patch, index) => {
      const name = join(folder, `${String(index + 1)}-${patch.milestone}.patch`);
      writeText(resolve(world.cwd, name), bytesOf(patch), name);
      return name;
    });
}
