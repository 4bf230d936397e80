import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { NotAnalysed } from '../core/index.js';
import { git, splitNul } from './git.js';
import { folderPolicy, skipped } from './policy.js';

export interface Listing {
  /** Paths of files below the root that exist, sorted. */
  readonly files: readonly string[];
  readonly notices: readonly NotAnalysed[];
}

/** How the paths below a root are decided on. */
export interface ListRules {
  /** True for folders that the user named by a glob: their policy does not apply. */
  readonly named: (path: string) => boolean;
  /** The root itself is somebody's build output or installed package: folders that a build writes are its source. */
  readonly buildIsSource: boolean;
}

/** Is the root inside `node_modules` or a build folder? Then the user means exactly that code. */
export function isBuildOutput(root: string): boolean {
  const parts = resolve(root).split(sep);
  return parts.includes('node_modules') || folderPolicy(basename(root)) === 'generated';
}

/** Patterns of ignore files, collected from the root downwards, each relative to its own folder. */
class IgnoreStack {
  readonly #levels: { readonly folder: string; readonly rules: Ignore }[] = [];

  /** Adds the files of these names in a folder; they exist. */
  enter(root: string, folder: string, names: readonly string[]): void {
    for (const name of names) {
      try {
        this.#levels.push({ folder, rules: ignore().add(readFileSync(join(root, folder, name), 'utf8')) });
      } catch {
        // An unreadable ignore file ignores nothing; its own entry is listed and reported like any other file.
      }
    }
  }

  /** The nearest ignore file that says anything about the path decides, as in git. */
  ignores(path: string, directory: boolean): boolean {
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const level = this.#levels[i];
      if (!level) continue;
      const below = level.folder === '' ? path : path.startsWith(`${level.folder}/`) ? path.slice(level.folder.length + 1) : undefined;
      if (below === undefined) continue;
      const verdict = level.rules.test(directory ? `${below}/` : below);
      if (verdict.ignored) return true;
      if (verdict.unignored) return false;
    }
    return false;
  }
}

/** What kind of thing a path is. */
type Kind = Pick<Dirent, 'isFile' | 'isSymbolicLink'>;

/** Entries of folders, each listed once: one question to the system for a folder instead of one for each file in it. */
class Folders {
  readonly #listed = new Map<string, ReadonlyMap<string, Dirent> | undefined>();

  constructor(readonly root: string) {}

  /** `undefined` when there is no such path. */
  entry(path: string): Kind | undefined {
    const slash = path.lastIndexOf('/');
    const folder = slash === -1 ? '' : path.slice(0, slash);
    if (!this.#listed.has(folder)) this.#listed.set(folder, this.#list(folder));
    const entries = this.#listed.get(folder);
    // A folder that may be entered but not listed still gives its files.
    return entries ? entries.get(path.slice(slash + 1)) : lstatSync(join(this.root, path), { throwIfNoEntry: false });
  }

  #list(folder: string): ReadonlyMap<string, Dirent> | undefined {
    try {
      return new Map(readdirSync(join(this.root, folder), { withFileTypes: true }).map((entry) => [entry.name, entry]));
    } catch {
      return undefined;
    }
  }
}

/** Files that git tracks or would track. `undefined` outside of git, or when git ignores the root itself. */
export async function listByGit(root: string, rules: ListRules): Promise<Listing | undefined> {
  if ((await git(root, ['check-ignore', '-q', '.'])) !== undefined) return undefined;
  const [cached, others] = await Promise.all([
    git(root, ['ls-files', '-z', '-s', '--', '.']),
    git(root, ['ls-files', '-z', '--others', '--exclude-standard', '--', '.']),
  ]);
  if (cached === undefined || others === undefined) return undefined;
  const notices: NotAnalysed[] = [];
  const paths = new Set<string>();
  for (const entry of splitNul(cached)) {
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (entry.startsWith('160000')) notices.push(submodule(path));
    else paths.add(path);
  }
  for (const path of splitNul(others)) {
    if (path.endsWith('/')) notices.push(nestedRepository(path.slice(0, -1)));
    else paths.add(path);
  }
  const own = new IgnoreStack();
  if (existsSync(join(root, '.unsessionignore'))) own.enter(root, '', ['.unsessionignore']);
  const folders = new Folders(root);
  const left = new Map<string, { why: 'vendored' | 'generated'; files: number }>();
  const files: string[] = [];
  for (const path of [...paths].sort()) {
    if (own.ignores(path, false)) continue;
    const folder = rules.named(path) ? undefined : policyFolder(path, rules);
    if (folder) {
      if (folder.why === 'hidden') continue;
      const entry = left.get(folder.path) ?? { why: folder.why, files: 0 };
      entry.files++;
      left.set(folder.path, entry);
      continue;
    }
    const entry = folders.entry(path);
    if (entry) place(root, path, entry, files, notices);
  }
  for (const [path, entry] of left) notices.push(skipped(path, entry.why, entry.files));
  return { files, notices };
}

/** The outermost folder of a path that policy leaves out. */
function policyFolder(path: string, rules: ListRules): { path: string; why: 'vendored' | 'generated' | 'hidden' } | undefined {
  for (let slash = path.indexOf('/'), from = 0; slash !== -1; from = slash + 1, slash = path.indexOf('/', from)) {
    const why = folderPolicy(path.slice(from, slash));
    if (why !== undefined && !(why === 'generated' && rules.buildIsSource)) return { path: path.slice(0, slash), why };
  }
  return undefined;
}

/** Files below a root that is not under git, without following symbolic links. */
export function listByWalk(root: string, rules: ListRules): Listing {
  const files: string[] = [];
  const notices: NotAnalysed[] = [];
  const ignores = new IgnoreStack();
  const pending: string[] = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    let entries: readonly Dirent[];
    try {
      entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      notices.push({
        file: folder === '' ? '.' : folder,
        why: 'unreadable',
        reason: `the folder cannot be listed (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}); check its mode and owner`,
      });
      continue;
    }
    ignores.enter(
      root,
      folder,
      entries.map((entry) => entry.name).filter((name) => name === '.gitignore' || name === '.unsessionignore'),
    );
    const folders: string[] = [];
    for (const entry of entries) {
      const { name } = entry;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!entry.isDirectory()) {
        if (!ignores.ignores(path, false)) place(root, path, entry, files, notices);
        continue;
      }
      const why = rules.named(`${path}/`) ? undefined : folderPolicy(name);
      if (why === 'hidden') continue;
      if (why === 'vendored' || (why === 'generated' && !rules.buildIsSource)) {
        notices.push(skipped(path, why));
      } else if (!ignores.ignores(path, true)) {
        if (existsSync(join(root, path, '.git'))) notices.push(nestedRepository(path));
        else folders.push(path);
      }
    }
    pending.push(...folders.reverse());
  }
  return { files: files.sort((a, b) => (a < b ? -1 : 1)), notices };
}

/** Regular files are listed. A link inside the root is reached by its own name; one that leaves the root is said. */
function place(root: string, path: string, entry: Kind, files: string[], notices: NotAnalysed[]): void {
  if (entry.isFile()) files.push(path);
  else if (entry.isSymbolicLink() && leavesRoot(root, path)) {
    notices.push({ file: path, why: 'unsupported', reason: 'a symbolic link to a file outside of this folder, not followed' });
  }
}

/** True for a link to a file that exists elsewhere; a link to nothing, or to itself, leads nowhere. */
function leavesRoot(root: string, path: string): boolean {
  try {
    return statSync(join(root, path)).isFile() && !realpathSync(join(root, path)).startsWith(realpathSync(root) + sep);
  } catch {
    return false;
  }
}

const submodule = (file: string): NotAnalysed => ({ file, why: 'submodule', reason: 'a git submodule, not read. Run the tool in it.' });
const nestedRepository = (file: string): NotAnalysed => ({ file, why: 'submodule', reason: 'a repository of its own, not read. Run the tool in it.' });
