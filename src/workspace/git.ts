import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { GitState } from './types.js';

/**
 * Settings of the repository that would make git run a program are switched off: a scan executes nothing of what it reads.
 * Optional locks are off too, so that a scan never writes to the index.
 */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${devNull}`, '-c', 'core.quotePath=false', '-c', 'submodule.recurse=false'];

/** A hook that calls this tool sets these for its own repository; they would hide the one that is looked at. */
const FOREIGN = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_PREFIX: undefined, GIT_COMMON_DIR: undefined };

/**
 * Answer of a git command as text; `undefined` when git is missing or fails.
 * `execFile` and not `tinyexec`: that one puts the `node_modules/.bin` of the scanned repository in front of the search path.
 */
export function git(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const env = { ...process.env, ...FOREIGN, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  return new Promise((done) => {
    execFile('git', [...SAFE, ...args], { cwd, env, maxBuffer: 1 << 29, windowsHide: true }, (error, stdout) => {
      done(error ? undefined : stdout);
    });
  });
}

/** Items of a NUL-separated answer. */
export const splitNul = (text: string): readonly string[] => text.split('\0').filter((item) => item !== '');

/** Is there a git work tree at or above the folder? Saves the process when there is none. */
export function insideGit(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (at === dirname(at)) return false;
  }
}

/**
 * State of the work tree that holds the folder. `undefined` outside of git, without git, in a bare repository, or when
 * git does not trust the owner of the folder.
 */
export async function gitState(root: string): Promise<GitState | undefined> {
  if (!insideGit(root)) return undefined;
  const places = (await git(root, ['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir']))?.split('\n');
  const [top, directory, common] = places ?? [];
  if (top === undefined || directory === undefined || top === '') return undefined;
  const below = relative(realpathSync(top), realpathSync(root)).split(sep).join('/');
  const prefix = below === '' ? '' : `${below}/`;
  const [commit, branch, status] = await Promise.all([
    git(root, ['rev-parse', '--verify', '--quiet', 'HEAD']),
    git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
    git(root, ['status', '--porcelain=v1', '-z', '--untracked-files=no', '--ignore-submodules=all', '--no-renames', '--', '.']),
  ]);
  const changed = splitNul(status ?? '')
    .map((line) => line.slice(3))
    .map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path))
    .sort();
  const linked = common !== undefined && resolve(root, common) !== resolve(directory);
  return { top, prefix, directory, commit: commit?.trim(), branch: branch?.trim(), changed, dirty: changed.length > 0, linked };
}

/**
 * Files below a root that differ from where the work tree left another line of commits (the merge base of `ref` and HEAD): committed, staged,
 * edited, or not tracked yet. Paths are relative to the root; removed files are among them.
 */
export async function changedSince(root: string, ref: string): Promise<ReadonlySet<string> | 'no-git' | 'no-commit'> {
  if (!insideGit(root)) return 'no-git';
  // What begins with a dash would be an option of git.
  const commit = ref.startsWith('-') ? undefined : await git(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  if (commit === undefined) return 'no-commit';
  // Without a common ancestor (a shallow clone, another history) the commit itself is the best that there is.
  const base = (await git(root, ['merge-base', commit.trim(), 'HEAD']))?.trim() ?? commit.trim();
  const [tracked, untracked] = await Promise.all([
    git(root, ['diff', '--name-only', '--no-renames', '--no-ext-diff', '--ignore-submodules=all', '--relative', '-z', base, '--', '.']),
    git(root, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.']),
  ]);
  if (tracked === undefined || untracked === undefined) return 'no-git';
  return new Set([...splitNul(tracked), ...splitNul(untracked)]);
}

/** The branch that others start from: what the remote calls its head, else the branch that is checked out, else `main`. */
export async function defaultBranch(root: string): Promise<string> {
  if (!insideGit(root)) return 'main';
  const remote = (await git(root, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']))?.trim();
  if (remote !== undefined && remote !== '') return remote.replace(/^origin\//, '');
  const own = (await git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim();
  return own === undefined || own === '' ? 'main' : own;
}
