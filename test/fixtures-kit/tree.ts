import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { applyEdits } from '../../src/core/index.js';
import type { FileChange, TextEdit } from '../../src/core/index.js';

/** A small repository: texts by path, with `/`, sorted. A byte order mark is the first character of its text. */
export type Tree = ReadonlyMap<string, string>;

/** Files of a folder; `undefined` when there is no such folder. */
export function readTree(folder: string): Tree | undefined {
  if (!existsSync(folder)) return undefined;
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Makes a folder hold exactly this tree. */
export function writeTree(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of tree) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Runs `act` on a copy of the tree in the temporary folder of the system, outside of any repository. */
export async function withTree<T>(tree: Tree, act: (root: string) => Promise<T>): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'unsession-story-')));
  try {
    writeTree(root, tree);
    return await act(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The tree after the changes of one patch. */
export function applyChanges(tree: Tree, changes: readonly FileChange[]): Tree {
  const next = new Map(tree);
  for (const change of changes) {
    if (change.kind === 'remove') next.delete(change.file);
    else if (change.kind === 'create') next.set(change.file, change.text);
    else next.set(change.file, edited(next.get(change.file) ?? '', change.edits));
  }
  return new Map([...next].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Edits are stated against the text without its byte order mark, which stays. */
function edited(text: string, edits: readonly TextEdit[]): string {
  return text.startsWith('\uFEFF') ? `\uFEFF${applyEdits(text.slice(1), edits)}` : applyEdits(text, edits);
}

/** True for files with TypeScript or JavaScript text. */
export const isSource = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith('.d.ts');
