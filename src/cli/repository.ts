import { relative, resolve } from 'node:path';
import type { ScanOptions } from '../engine/index.js';
import { visible, type PrettyOptions } from '../report/index.js';
import { gitState, manifestAbove, pendingRun, resolveTarget, type GitState } from '../workspace/index.js';
import { loadConfig, type Config } from './config.js';
import { UsageProblem } from './errors.js';
import type { CommonOptions, RepositoryOptions } from './options.js';
import { progressLine } from './progress.js';
import { version } from './version.js';
import { colorOf, print, widthOf, type World } from './world.js';

/** A repository that a command works on, with its options and its configuration joined. */
export interface Repository {
  /** Absolute. */
  readonly root: string;
  /** Path of the root below the top of its repository, with a slash at its end; `''` for the top and outside of git. */
  readonly prefix: string;
  /** Absolute path of the top of the repository; the root itself outside of git. */
  readonly top: string;
  readonly config: Config;
  /** Absolute path of the file that the configuration came from. */
  readonly configFile: string | undefined;
  /** `undefined` outside of git. */
  readonly git: GitState | undefined;
  /** Options of the engine; the command line wins over the configuration. */
  readonly options: ScanOptions;
  readonly pretty: PrettyOptions;
  /** Folder with templates of one's own. */
  readonly templates: string | undefined;
  /** Baseline of the configuration, absolute. */
  readonly baseline: string | undefined;
  /** Removes the progress line. */
  readonly endProgress: () => void;
  /** A sentence beside the result, on standard error. */
  readonly note: (text: string) => Promise<void>;
}

export const prettyOptions = (world: World, common: CommonOptions, target: string, toFile: boolean): PrettyOptions => ({
  verbose: common.verbose === true,
  color: !toFile && colorOf(world, common.color),
  width: widthOf(world),
  target,
});

/**
 * Opens the repository at a path: finds its root, reads its configuration, and says what a reader must know first.
 * @throws MissingPathError, UsageProblem
 */
export async function openRepository(path: string, options: RepositoryOptions & { readonly templates?: string }, world: World): Promise<Repository> {
  const { root, only } = resolveTarget(path, world.cwd);
  const git = await gitState(root);
  const { config, file } = loadConfig(root, git?.top ?? root, options.config, world.cwd);
  const note = async (text: string): Promise<void> => {
    if (options.quiet !== true) await print(world.stderr, `${text}\n`);
  };
  const pending = await pendingRun(root);
  if (pending)
    await note(`"unsession ${visible(pending.label)}" of ${pending.startedAt} was interrupted while it wrote; "unsession undo" takes back what it had done.`);
  const above = git && only === undefined ? manifestAbove(root, git.top) : undefined;
  if (above !== undefined)
    await note(
      `The manifest of this folder, ${visible(relative(world.cwd, above))}, lies outside of it and is not read; give its folder as the path to include it.`,
    );
  const line = progressLine(world, options.quiet === true);
  const own = options.templates ?? (config.templates === undefined || file === undefined ? undefined : resolve(file, '..', config.templates));
  return {
    root,
    prefix: git?.prefix ?? '',
    top: git?.top ?? root,
    config,
    configFile: file,
    git,
    options: engineOptions(options, config, only, line.show),
    pretty: prettyOptions(world, options, path, options.output !== undefined),
    templates: own === undefined ? undefined : resolve(world.cwd, own),
    baseline: config.baseline === undefined || file === undefined ? undefined : resolve(file, '..', config.baseline),
    endProgress: line.end,
    note,
  };
}

function engineOptions(
  options: RepositoryOptions,
  config: Config,
  path: string | undefined,
  show: (stage: string, done: number, total: number) => void,
): ScanOptions {
  const merged = {
    only: options.only ?? config.only,
    skip: options.skip ?? config.skip,
    include: options.include ?? config.include,
    exclude: options.exclude ?? config.exclude,
    package: options.package,
    path,
    legacy: options.legacy ?? config.legacy,
    sunset: options.sunset ?? config.sunset,
    owner: options.owner ?? config.owner,
  };
  const given = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as ScanOptions;
  return {
    ...given,
    acceptRisk: { ...config.acceptRisk, ...acceptedRisks(options) },
    version,
    onProgress: ({ stage, done, total }) => show(stage, done, total),
  };
}

/** `--accept-risk` and `--reason` come in pairs: a risk without a reason is not accepted. */
function acceptedRisks(options: RepositoryOptions): Readonly<Record<string, string>> {
  const ids = options.acceptRisk ?? [];
  const reasons = options.reason ?? [];
  if (ids.length !== reasons.length)
    throw new UsageProblem(`--accept-risk needs a --reason of its own, and the reverse: ${String(ids.length)} risks, ${String(reasons.length)} reasons`);
  return Object.fromEntries(ids.map((id, index) => [id, reasons[index] ?? '']));
}
