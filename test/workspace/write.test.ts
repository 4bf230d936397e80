import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../src/core/index.js';
import { DiskSource, gitState, JournalError, pendingRun, undo, UndoRefusedError, writeChanges, WriteRefusedError } from '../../src/workspace/index.js';
import { add, git, repository, tree } from './tree.js';

const original = { 'server.ts': '\uFEFFconst port = 1;\r\n', 'old.ts': 'bye\n', 'keep.ts': 'keep\n' };
const changes: readonly FileChange[] = [
  { kind: 'edit', file: 'server.ts', edits: [{ start: 13, end: 14, text: '3000' }] },
  { kind: 'remove', file: 'old.ts' },
  { kind: 'create', file: 'src/mcp/lane.ts', text: 'export {};\n' },
];
const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');
const write = (root: string, options: { allowDirty?: boolean } = {}, list = changes) => writeChanges(root, list, { before: new DiskSource(root), ...options });

function expectWritten(root: string): void {
  expect(read(root, 'server.ts')).toBe('\uFEFFconst port = 3000;\r\n');
  expect(existsSync(join(root, 'old.ts'))).toBe(false);
  expect(read(root, 'src/mcp/lane.ts')).toBe('export {};\n');
}

function expectOriginal(root: string): void {
  for (const [file, text] of Object.entries(original)) expect(read(root, file)).toBe(text);
  expect(existsSync(join(root, 'src'))).toBe(false);
}

describe.each([
  ['in git', repository],
  ['outside of git', tree],
])('writeChanges and undo %s', (where, make) => {
  it('writes, keeps modes, and takes everything back byte for byte', async () => {
    const root = make(original);
    chmodSync(join(root, 'server.ts'), 0o755);
    if (where === 'in git') git(root, 'commit', '-q', '-am', 'mode');
    const report = await write(root);
    expect(report.files).toEqual(['old.ts', 'server.ts', 'src/mcp/lane.ts']);
    expectWritten(root);
    expect(statSync(join(root, 'server.ts')).mode & 0o777).toBe(0o755);
    expect(readdirSync(root).filter((name) => name.includes('tmp'))).toEqual([]);
    expect(await undo(root)).toMatchObject({ files: ['old.ts', 'server.ts', 'src/mcp/lane.ts'], interrupted: false });
    expectOriginal(root);
    expect(statSync(join(root, 'server.ts')).mode & 0o777).toBe(0o755);
    expect(existsSync(join(root, '.unsession'))).toBe(false);
    expect(await undo(root)).toBeUndefined();
    if (where === 'in git') expect(git(root, 'status', '--porcelain')).toBe('');
  });

  it('undoes two runs one after the other', async () => {
    const root = make(original);
    await write(root);
    await write(root, { allowDirty: true }, [{ kind: 'edit', file: 'keep.ts', edits: [{ start: 0, end: 4, text: 'kept' }] }]);
    expect(await undo(root)).toMatchObject({ files: ['keep.ts'] });
    expectWritten(root);
    await undo(root);
    expectOriginal(root);
  });

  it('refuses to undo over later work, and names the files', async () => {
    const root = make(original);
    await write(root);
    add(root, { 'server.ts': 'mine\n' });
    const error = await undo(root).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UndoRefusedError);
    expect(error).toMatchObject({ files: ['server.ts'] });
    expect(existsSync(join(root, 'old.ts'))).toBe(false);
    expect(read(root, 'server.ts')).toBe('mine\n');
  });

  it('reverts a run that was interrupted after any number of files', async () => {
    for (const finished of [0, 1, 2]) {
      const root = make(original);
      const { record } = await write(root);
      const journal = JSON.parse(readFileSync(join(record, 'journal.json'), 'utf8')) as { state: string };
      writeFileSync(join(record, 'journal.json'), JSON.stringify({ ...journal, state: 'writing' }));
      if (finished < 2) rmSync(join(root, 'src'), { recursive: true });
      if (finished < 1) add(root, { 'server.ts': original['server.ts'] });
      expect(await pendingRun(root)).toMatchObject({ files: ['old.ts', 'server.ts', 'src/mcp/lane.ts'] });
      await expect(write(root, { allowDirty: true })).rejects.toMatchObject({ why: 'interrupted' });
      expect(await undo(root)).toMatchObject({ interrupted: true });
      expectOriginal(root);
      expect(await pendingRun(root)).toBeUndefined();
    }
  });

  it('restores nothing from a damaged copy', async () => {
    const root = make(original);
    const { record } = await write(root);
    writeFileSync(join(record, 'before/0'), 'damaged');
    await expect(undo(root)).rejects.toThrow(JournalError);
    expectWritten(root);
  });

  it('refuses the whole write when one file changed since it was read', async () => {
    const root = make(original);
    const before = new DiskSource(root);
    for (const file of Object.keys(original)) before.text(file);
    add(root, { 'old.ts': 'changed\n' });
    await expect(writeChanges(root, changes, { before, allowDirty: true })).rejects.toMatchObject({ why: 'changed', files: ['old.ts'] });
    expect(read(root, 'server.ts')).toBe(original['server.ts']);
    expect(existsSync(join(root, 'src'))).toBe(false);
  });

  it('refuses what exists, what lies outside, and what is reached through a link', async () => {
    const elsewhere = tree();
    const root = make(original);
    symlinkSync(elsewhere, join(root, 'link'));
    await expect(write(root, { allowDirty: true }, [{ kind: 'create', file: 'keep.ts', text: '' }])).rejects.toMatchObject({ why: 'exists' });
    for (const file of ['../escape.ts', '/tmp/escape.ts', 'link/escape.ts', 'src/../../escape.ts']) {
      await expect(write(root, { allowDirty: true }, [{ kind: 'create', file, text: '' }])).rejects.toMatchObject({ why: 'outside', files: [file] });
    }
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('writeChanges in git', () => {
  it('refuses a dirty tree unless it is allowed; untracked files do not count', async () => {
    const root = repository(original);
    add(root, { 'notes.txt': 'mine' });
    await write(root);
    await undo(root);
    add(root, { 'keep.ts': 'edited\n' });
    const error = await write(root).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WriteRefusedError);
    expect(error).toMatchObject({ why: 'dirty', files: ['keep.ts'] });
    await write(root, { allowDirty: true });
    expectWritten(root);
  });

  it('records in the git directory of a linked work tree, apart from the main one', async () => {
    const root = repository(original);
    const linked = join(tree(), 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    expect(await gitState(linked)).toMatchObject({ linked: true, prefix: '', dirty: false });
    const { record } = await write(linked);
    expect(record).toContain(join(root, '.git/worktrees'));
    expect(await undo(root)).toBeUndefined();
    await undo(linked);
    expectOriginal(linked);
  });

  it('keeps runs of different folders of one repository apart, and states changes below the folder', async () => {
    const root = repository({ 'a/server.ts': 'x\n', 'b/server.ts': 'x\n' });
    const edit: readonly FileChange[] = [{ kind: 'edit', file: 'server.ts', edits: [{ start: 0, end: 1, text: 'y' }] }];
    await write(join(root, 'a'), {}, edit);
    await write(join(root, 'b'), {}, edit);
    expect(await gitState(join(root, 'b'))).toMatchObject({ prefix: 'b/', changed: ['server.ts'], dirty: true });
    await undo(join(root, 'a'));
    expect(git(root, 'status', '--porcelain')).toBe(' M b/server.ts\n');
  });

  it('knows no state outside of git and before the first commit no commit', async () => {
    const root = tree({ 'a.ts': '' });
    expect(await gitState(root)).toBeUndefined();
    git(root, 'init', '-q');
    mkdirSync(join(root, 'src'));
    expect(await gitState(join(root, 'src'))).toMatchObject({ commit: undefined, branch: 'main', prefix: 'src/', dirty: false });
  });
});
