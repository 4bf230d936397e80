import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { sawNothing } from '../../core/index.js';
import { shellWord, visible } from '../../report/index.js';
import { defaultBranch } from '../../workspace/index.js';
import { baselineOf, baselineText } from '../baseline.js';
import { EXIT, UsageProblem, type ExitCode } from '../errors.js';
import type { CommonOptions, ReadyFile } from '../options.js';
import { readyFile } from '../ready-files.js';
import { openRepository, type Repository } from '../repository.js';
import { print, type World } from '../world.js';
import { scanRoot } from './scan.js';

export interface InitCommandOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly baseline?: boolean;
  readonly workflow?: boolean;
  readonly print?: ReadyFile;
}

const CONFIG = 'unsession.config.json';
const BASELINE = 'unsession.baseline.json';

/** A file that would be written, or the reason why it is not. */
interface Plan {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly kept?: string;
}

/** `unsession init [path]`: configuration, baseline and workflow, none of them over a file that exists. */
export async function init(path: string, options: InitCommandOptions, world: World): Promise<ExitCode> {
  const repository = await openRepository(path, options, world);
  const branch = await defaultBranch(repository.root);
  const places = { branch: yamlWord(branch), path: repository.prefix === '' ? '.' : shellWord(repository.prefix.replace(/\/$/, '')) };
  if (options.print !== undefined) {
    await print(world.stdout, readyFile(options.print, places));
    return EXIT.ok;
  }
  if (repository.options.path !== undefined) throw new UsageProblem(`${visible(path)} is a file; init takes the folder of a repository or of a package`);
  const plans = [
    configuration(repository, options),
    ...(options.baseline === false ? [] : [await baseline(repository, world)]),
    ...(options.workflow === false ? [] : [{ path: join(repository.top, '.github/workflows/unsession.yml'), text: readyFile('workflow', places) }]),
  ].map((plan): Plan => (plan.kept === undefined && existsSync(plan.path) ? { ...plan, kept: 'exists and stays as it is' } : plan));
  for (const plan of plans) {
    const shown = visible(relative(world.cwd, plan.path) || plan.path);
    if (plan.kept !== undefined) await print(world.stdout, `kept   ${shown}: ${plan.kept}\n`);
    else if (options.dryRun === true) await print(world.stdout, `would write ${shown}:\n${indented(plan.text)}`);
    else {
      create(plan, shown);
      await print(world.stdout, `wrote  ${shown}\n`);
    }
  }
  if (options.dryRun !== true)
    await print(
      world.stdout,
      '\nNext: commit these files. "unsession init --print suggest" prints the workflow that comments on pull requests, "--print renovate" and "--print dependabot" print rules for the packages of the SDK, "--print pre-commit" a hook.\n',
    );
  return EXIT.ok;
}

/** Only what the defaults are not: a configuration that repeats them grows stale. */
function configuration(repository: Repository, options: InitCommandOptions): Plan {
  const { configFile } = repository;
  const text = `${JSON.stringify({ ...(options.baseline === false ? {} : { baseline: BASELINE }), failOn: 'warning' }, null, 2)}\n`;
  const path = join(repository.root, CONFIG);
  if (configFile === undefined || configFile === path) return { path, text };
  const missing = options.baseline === false || repository.baseline !== undefined ? '' : `; add "baseline": "${BASELINE}" to it`;
  return { path, text, kept: `${visible(relative(repository.root, configFile))} is the configuration already${missing}` };
}

async function baseline(repository: Repository, world: World): Promise<Plan> {
  const path = repository.baseline ?? join(repository.root, BASELINE);
  if (existsSync(path)) return { path, text: '' };
  const result = await scanRoot(repository, repository.config.includeTests ?? false, world);
  if (sawNothing(result)) throw new UsageProblem('nothing here could be read, so there is no baseline to write; --no-baseline leaves it out');
  return { path, text: baselineText(baselineOf(result)) };
}

/** Writes a new file. `wx` closes the gap between looking and writing. */
function create({ path, text }: Plan, shown: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new UsageProblem(`${shown} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

/** A branch name inside a single-quoted word of YAML. */
const yamlWord = (name: string): string => name.replaceAll("'", "''");
