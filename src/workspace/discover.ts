import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import type { NotAnalysed } from '../core/index.js';
import { languageOf, roleOf } from './classify.js';
import { gitState } from './git.js';
import { isBuildOutput, listByGit, listByWalk, type Listing, type ListRules } from './list.js';
import { findPackages, packageOf } from './packages.js';
import { isBuildFolder, namePolicy, skipped } from './policy.js';
import type { Discovery, DiscoverOptions, PackageFolder, WorkspaceFile } from './types.js';

/** The path that the user gave does not exist. */
export class MissingPathError extends Error {
  constructor(readonly path: string) {
    super(`${path} does not exist`);
    this.name = 'MissingPathError';
  }
}

/** `--package` names no package of the repository. */
export class UnknownPackageError extends Error {
  constructor(
    readonly asked: string,
    readonly known: readonly string[],
  ) {
    super(`no package is called ${asked}`);
    this.name = 'UnknownPackageError';
  }
}

/**
 * Root and range of a path that the user gave: a folder is a root; a file is looked at from the working directory when
 * it lies below it, else from its own folder.
 * @throws MissingPathError
 */
export function resolveTarget(path: string, workingDirectory = process.cwd()): { readonly root: string; readonly only?: string } {
  const full = resolve(workingDirectory, path);
  const stats = statSync(full, { throwIfNoEntry: false });
  if (!stats) throw new MissingPathError(path);
  if (stats.isDirectory()) return { root: full };
  const below = relative(workingDirectory, full);
  const inside = below !== '' && !below.startsWith('..') && !isAbsolute(below);
  return inside ? { root: resolve(workingDirectory), only: below.split(sep).join('/') } : { root: dirname(full), only: basename(full) };
}

/**
 * Lists what a scan may read: in git the tracked files and the untracked ones that it does not ignore, otherwise
 * everything that `.gitignore` and `.unsessionignore` leave. Generated, vendored and minified files are left out and counted,
 * unless the user named them.
 * @throws UnknownPackageError
 */
export async function discover(root: string, options: DiscoverOptions = {}): Promise<Discovery> {
  const git = await gitState(root);
  const globs = matcher(options.include);
  const rules: ListRules = { named: globs ? namesFolder(options.include ?? []) : () => false, buildIsSource: isBuildOutput(root) };
  const listing =
    options.only === undefined ? ((git ? await listByGit(root, rules) : undefined) ?? listByWalk(root, rules)) : { files: [options.only], notices: [] };
  const withBuild = options.only === undefined && !rules.buildIsSource ? await addPublishedBuilds(root, listing, git !== undefined, rules) : listing;

  const excluded = matcher(options.exclude);
  const skippedFiles: NotAnalysed[] = [...withBuild.notices];
  const files: WorkspaceFile[] = [];
  for (const path of withBuild.files) {
    if (excluded?.(path) || (globs && !globs(path))) continue;
    const language = languageOf(path);
    if (!language) continue;
    const why = globs || options.only !== undefined ? undefined : namePolicy(path);
    if (why) skippedFiles.push(skipped(path, why));
    else files.push({ path, language, role: roleOf(path, language) });
  }
  const paths = options.only === undefined ? withBuild.files : manifestsAround(root, options.only);
  const packages = findPackages(root, paths);
  return {
    root,
    files: options.package === undefined ? files : selectPackage(files, packages, options.package),
    skipped: skippedFiles,
    packages,
    git,
  };
}

/** Globs in the syntax of `.gitignore`, as a predicate over paths. */
function matcher(globs: readonly string[] | undefined): ((path: string) => boolean) | undefined {
  if (!globs || globs.length === 0) return undefined;
  const rules = ignore().add(globs.map((glob) => glob.replace(/^\.\//, '')));
  return (path) => rules.ignores(path);
}

/** Folders that a glob spells out are named; a wildcard names nothing (`**` must not bring in `node_modules`). */
function namesFolder(globs: readonly string[]): (path: string) => boolean {
  const spelled = globs.flatMap((glob) => {
    const fixed = glob.replace(/^\.?\//, '').split(/[*?[{!]/, 1)[0] ?? '';
    return fixed === '' ? [] : [fixed.replace(/\/$/, '')];
  });
  return (path) => spelled.some((folder) => path.startsWith(`${folder}/`) || `${folder}/`.startsWith(path));
}

/** Manifests between a file and the root, so that a single file knows its package. */
function manifestsAround(root: string, only: string): readonly string[] {
  const found: string[] = [];
  for (let folder = dirname(only); ; folder = dirname(folder)) {
    for (const name of ['package.json', 'pyproject.toml', 'setup.py', 'go.mod', 'Cargo.toml']) {
      const path = folder === '.' ? name : `${folder}/${name}`;
      if (statSync(join(root, path), { throwIfNoEntry: false })?.isFile()) found.push(path);
    }
    if (folder === '.') return found;
  }
}

const CODE: ReadonlySet<string> = new Set(['typescript', 'python', 'go', 'rust', 'java', 'kotlin', 'csharp', 'php', 'ruby']);

/** Code that would be built from: not a declaration file, not a test, not the configuration of a tool. */
const isBuildable = (path: string): boolean => {
  const language = languageOf(path);
  return (
    language !== undefined &&
    CODE.has(language) &&
    !/\.d\.[cm]?ts$|(^|\/)[^/]*\.config\.[cm]?[jt]s$|(^|\/)(bin|scripts)\/|(^|\/)\.[^/]+$/.test(path) &&
    roleOf(path, language) === 'source'
  );
};

/**
 * A package that has a build folder and no code besides it is a published package: its build folder is its source. In git the
 * folder counts when it is part of the repository: what git ignores is written anew by somebody's build.
 */
async function addPublishedBuilds(root: string, listing: Listing, inGit: boolean, rules: ListRules): Promise<Listing> {
  const left = listing.notices.filter((notice) => notice.why === 'generated' && isBuildFolder(basename(notice.file)));
  if (left.length === 0) return listing;
  const packages = findPackages(root, listing.files);
  const owners = new Set(listing.files.filter(isBuildable).map((file) => packageOf(packages, file).folder));
  const published = left.filter((notice) => !owners.has(packageOf(packages, notice.file).folder) && packageOf(packages, notice.file).manifest !== undefined);
  if (published.length === 0) return listing;
  const files = listing.files.filter((path) => !published.some((notice) => path.startsWith(`${notice.file}/`)));
  const notices: NotAnalysed[] = listing.notices.filter((notice) => !published.includes(notice));
  for (const { file } of published) {
    const folder = join(root, file);
    const source: ListRules = { ...rules, buildIsSource: true };
    const below = (inGit ? await listByGit(folder, source) : undefined) ?? listByWalk(folder, source);
    files.push(...below.files.map((path) => `${file}/${path}`));
    notices.push(...below.notices.map((notice) => ({ ...notice, file: `${file}/${notice.file}` })));
  }
  return { files: files.sort((a, b) => (a < b ? -1 : 1)), notices };
}

function selectPackage(files: readonly WorkspaceFile[], packages: readonly PackageFolder[], asked: string): readonly WorkspaceFile[] {
  const folder = asked.replace(/^\.\//, '').replace(/\/$/, '');
  const chosen = packages.find((entry) => entry.name === asked) ?? packages.find((entry) => entry.folder === folder);
  if (!chosen)
    throw new UnknownPackageError(
      asked,
      packages.map((entry) => entry.name ?? entry.folder),
    );
  return files.filter((file) => packageOf(packages, file.path).folder === chosen.folder);
}
