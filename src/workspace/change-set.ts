import { parsePatch, type StructuredPatch } from 'diff';
import { git } from './git.js';

/** Part of a file that a diff shows. */
export interface DiffHunk {
  /** 1-based line of the new text at which the hunk begins. */
  readonly newStart: number;
  /** With their sign in front: `+`, `-`, a blank. A line keeps the `\r` of its end. */
  readonly lines: readonly string[];
}

/** One file of a unified diff; paths are relative to the top of the repository. */
export interface DiffFile {
  /** Path after the change; the old one for a removed file. */
  readonly path: string;
  readonly state: 'added' | 'changed' | 'renamed' | 'removed';
  /** Empty for binary files, and for a change of name or mode alone. */
  readonly hunks: readonly DiffHunk[];
}

/** The text is no unified diff: wrong usage. */
export class DiffError extends Error {
  constructor(why: string) {
    super(`the diff cannot be read: ${why}. It must be a unified diff, as "git diff" and "gh pr diff" print it.`);
    this.name = 'DiffError';
  }
}

/** There is nothing to compare with: wrong usage. */
export class BaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BaseError';
  }
}

/**
 * Files of a unified diff, in its order. Renames, modes, binary files, submodules and quoted paths are read as git writes them;
 * a diff without prefixes, and the signature of a mail (`git format-patch`), are understood too.
 * @throws DiffError
 */
export function readDiff(text: string): readonly DiffFile[] {
  const body = plain(text).replace(/\n-- \n[^\n]*\n*$/, '\n');
  if (/^diff --(?:cc|combined) /m.test(body)) throw new DiffError('it is the combined diff of a merge; compare with one parent, e.g. git diff main...HEAD');
  let patches: readonly StructuredPatch[];
  try {
    patches = parsePatch(body);
  } catch (error) {
    throw new DiffError(error instanceof Error ? error.message : String(error));
  }
  // `--no-prefix` writes one name twice, which tells `b/quay.ts` in a folder `b` from `quay.ts` on the new side.
  const prefixed = !/^diff --git ("?)(.+)\1 \1\2\1$/m.test(body);
  // The parser gives the names of a mere change of name a prefix of its own.
  const files = patches
    .filter((patch) => patch.oldFileName !== undefined)
    .map((patch) => fileOf(patch, prefixed || (patch.isRename === true && patch.hunks.length === 0)));
  if (files.length === 0 && body.trim() !== '') throw new DiffError('it names no file');
  const seen = new Set<string>();
  for (const { path, state } of files) {
    // A file that becomes a link goes and comes again.
    if (seen.has(path)) throw new DiffError(`it changes ${path} twice, as a series of commits does; hand in one diff of them all, e.g. git diff main...HEAD`);
    if (state !== 'removed') seen.add(path);
  }
  return files;
}

/** The text as git writes it: without the colours of `--color=always`, and without the line ends that a shell of Windows has put in. */
function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- colours are what is looked for
  const uncoloured = /^\u001B\[[\d;]*mdiff --git /m.test(text) ? text.replace(/\u001B\[[\d;]*[mK]/g, '') : text;
  const names = uncoloured.match(/^\+\+\+ [^\n]*/gm) ?? [];
  const converted = names.length > 0 && names.every((line) => line.endsWith('\r'));
  return (converted ? uncoloured.replaceAll('\r\n', '\n') : uncoloured).replace(/^\uFEFF/, '');
}

function fileOf(patch: StructuredPatch, prefixed: boolean): DiffFile {
  const { before, after } = paths(patch, prefixed);
  const state = before === undefined || patch.isCreate ? 'added' : after === undefined || patch.isDelete ? 'removed' : before === after ? 'changed' : 'renamed';
  const hunks = patch.hunks.map(({ newStart, lines }) => ({ newStart, lines: lines.filter((line) => !line.startsWith('\\')) }));
  return { path: (state === 'removed' ? before : after) ?? '', state, hunks };
}

/** Names without the prefix of their side: `a/` and `b/`, or the `i/`, `w/`, `c/`, `o/`, `1/`, `2/` of `diff.mnemonicPrefix`. */
function paths({ oldFileName, newFileName }: StructuredPatch, prefixed: boolean): { readonly before: string | undefined; readonly after: string | undefined } {
  const before = oldFileName === '/dev/null' ? undefined : oldFileName;
  const after = newFileName === '/dev/null' ? undefined : newFileName;
  const marked = prefixed && [before, after].every((name) => name === undefined || /^[abciow12]\//.test(name)) && before?.[0] !== after?.[0];
  return marked ? { before: before?.slice(2), after: after?.slice(2) } : { before, after };
}

/** A diff against a revision, as a forge shows it in a pull request. */
export interface Comparison {
  readonly diff: string;
  /** Full hash of the commit that both sides come from. */
  readonly base: string;
}

/** Settings of the user that would change what the diff looks like. */
const PLAIN = ['diff.noprefix=false', 'diff.mnemonicPrefix=false', 'diff.suppressBlankEmpty=false', 'diff.relative=false'].flatMap((setting) => [
  '-c',
  setting,
]);
const SHAPE = ['--no-color', '--no-ext-diff', '--no-textconv', '--unified=3', '--inter-hunk-context=0', '--find-renames', '--submodule=short'];

/**
 * What changed since the branch left `ref`: three context lines and the merge base, as on a forge. Uncommitted changes count when there are any.
 * @param dirty tracked files differ from the last commit
 * @throws BaseError when the revision is unknown here, or shares no history with this one
 */
export async function diffSince(root: string, ref: string, dirty: boolean): Promise<Comparison> {
  const deeper = 'A shallow clone holds one commit only: fetch the history first ("git fetch --unshallow", or "fetch-depth: 0" of actions/checkout).';
  const named = (await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]))?.trim();
  if (named === undefined || named === '') throw new BaseError(`there is no revision "${ref}" in this repository. ${deeper}`);
  const base = (await git(root, ['merge-base', named, 'HEAD']))?.trim();
  if (base === undefined || base === '') throw new BaseError(`"${ref}" and HEAD have no commit in common. ${deeper}`);
  const diff = await git(root, [...PLAIN, 'diff', ...SHAPE, '--src-prefix=a/', '--dst-prefix=b/', base, ...(dirty ? [] : ['HEAD']), '--']);
  if (diff === undefined) throw new BaseError(`git cannot compare HEAD with "${ref}"; "git diff ${base.slice(0, 12)} HEAD" says why`);
  return { diff, base };
}

/** True when these files (paths from the top of the work tree) have the same content in a commit as in HEAD. */
export async function sameInHead(root: string, commit: string, files: readonly string[]): Promise<boolean> {
  if (files.length === 0) return true;
  const top = files.map((file) => `:(top,literal)${file}`);
  return (await git(root, ['diff', '--quiet', '--no-ext-diff', '--no-textconv', commit, 'HEAD', '--', ...top])) !== undefined;
}
