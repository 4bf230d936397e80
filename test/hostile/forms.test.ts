import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../src/core/index.js';
import { discover, DiskSource, undo, writeChanges } from '../../src/workspace/index.js';
import { add, git, repository, tree } from '../workspace/tree.js';
import { MANIFEST, SERVER } from './traps.js';

/** What a migration would do; that one writes the right thing is the matter of the stories. */
const CHANGES: readonly FileChange[] = [
  { kind: 'edit', file: 'src/server.js', edits: [{ start: 0, end: 0, text: '// migrated\n' }] },
  { kind: 'edit', file: 'package.json', edits: [{ start: 2, end: 2, text: '\t"private": true,\n' }] },
  { kind: 'create', file: 'src/mcp/lane.js', text: 'export {};\n' },
];
const migrate = (root: string) => writeChanges(root, CHANGES, { before: new DiskSource(root), allowDirty: true });
const FILES = { 'package.json': MANIFEST, 'src/server.js': SERVER };

/** Everything below a folder but what git and installers keep, as text, with its permission bits. */
const snapshot = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => !/(?:^|\/)\.git(?:\/|$)/.test(path) && statSync(join(root, path)).isFile())
      .sort()
      .map((path) => [path, `${String(statSync(join(root, path)).mode)} ${readFileSync(join(root, path), 'latin1')}`]),
  );

const FORMS: Readonly<Record<string, () => string>> = {
  'no git at all': () => tree(FILES),
  'a repository without a commit': () => {
    const root = tree(FILES);
    git(root, 'init', '-q');
    return root;
  },
  'a shallow clone': () => {
    const from = repository(FILES);
    add(from, { 'notes.txt': 'second\n' });
    git(from, 'add', '-A');
    git(from, 'commit', '-q', '-m', 'second');
    const root = join(tree(), 'clone');
    git(from, 'clone', '-q', '--depth', '1', `file://${from}`, root);
    return root;
  },
  'a linked work tree, whose git directory is a file': () => {
    const root = join(tree(), 'linked');
    git(repository(FILES), 'worktree', 'add', '-q', root);
    return root;
  },
  'a checked out submodule': () => {
    const outer = repository({ 'readme.txt': 'outer\n' });
    git(outer, 'submodule', 'add', '-q', `file://${repository(FILES)}`, 'inner');
    return join(outer, 'inner');
  },
  'a git file that leads nowhere': () => tree({ ...FILES, '.git': 'gitdir: /nowhere/at/all\n' }),
  'a detached head with unmerged files': () => {
    const root = repository(FILES);
    git(root, 'checkout', '-q', '--detach');
    for (const [branch, text] of [
      ['left', 'left\n'],
      ['right', 'right\n'],
    ] as const) {
      git(root, 'checkout', '-q', '-b', branch, 'main');
      add(root, { 'conflict.txt': text });
      git(root, 'add', '-A');
      git(root, 'commit', '-q', '-m', branch);
    }
    expect(() => git(root, 'merge', '-q', 'left')).toThrow();
    return root;
  },
  'a folder below the top': () => {
    const root = repository({ 'apps/lantern/package.json': MANIFEST, 'apps/lantern/src/server.js': SERVER });
    return join(root, 'apps/lantern');
  },
  'an untracked copy that git ignores': () => {
    const root = repository({ '.gitignore': 'copy/\n' });
    add(root, { 'copy/package.json': MANIFEST, 'copy/src/server.js': SERVER });
    return join(root, 'copy');
  },
  'files that only their owner may run or read': () => {
    const root = tree(FILES);
    chmodSync(join(root, 'src/server.js'), 0o700);
    chmodSync(join(root, 'package.json'), 0o400);
    return root;
  },
};

describe('every form in which a repository lies on a disk', () => {
  it.each(Object.entries(FORMS))('%s: migrated, and taken back byte for byte with its permission bits', async (_, make) => {
    const root = make();
    const before = snapshot(root);
    expect((await discover(root)).files.map(({ path }) => path)).toEqual(expect.arrayContaining(['package.json', 'src/server.js']));
    await migrate(root);
    expect(readFileSync(join(root, 'src/server.js'), 'utf8')).not.toBe(SERVER);
    await undo(root);
    expect(snapshot(root)).toEqual(before);
  });

  it('two migrations at once: one writes, the other is told, and undo takes it back', async () => {
    const root = tree(FILES);
    const [one, other] = await Promise.allSettled([migrate(root), migrate(root)]);
    expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
    await undo(root);
    expect(snapshot(root)).toEqual(snapshot(tree(FILES)));
  });

  // Root may write everywhere.
  const unlessRoot = process.getuid?.() === 0 ? undefined : it;
  unlessRoot?.('a folder that nobody may write: nothing is changed, and it is said', async () => {
    const root = tree(FILES);
    chmodSync(join(root, 'src'), 0o500);
    await expect(migrate(root)).rejects.toThrow(/cannot be written/);
    chmodSync(join(root, 'src'), 0o700);
    expect(snapshot(root)).toEqual(snapshot(tree(FILES)));
  });

  it('a record folder that cannot be made: nothing is changed, and it is said', async () => {
    const root = tree(FILES);
    writeFileSync(join(root, '.unsession'), 'a file of mine\n');
    await expect(migrate(root)).rejects.toThrow(/no run can be recorded/);
    expect(readFileSync(join(root, '.unsession'), 'utf8')).toBe('a file of mine\n');
    expect(readFileSync(join(root, 'src/server.js'), 'utf8')).toBe(SERVER);
  });
});
