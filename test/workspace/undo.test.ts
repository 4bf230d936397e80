import { chmodSync, chownSync, existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../src/core/index.js';
import { BusyError, DiskSource, JournalError, undo, undoneElsewhere, UndoRefusedError, writeChanges, WriteRefusedError } from '../../src/workspace/index.js';
import { add, git, repository, tree } from './tree.js';

const before = { 'src/pier.ts': 'const boats = 1;\n', 'old.ts': 'bye\n' };
const changes: readonly FileChange[] = [
  { kind: 'edit', file: 'src/pier.ts', edits: [{ start: 14, end: 15, text: '22' }] },
  { kind: 'remove', file: 'old.ts' },
  { kind: 'create', file: 'src/mcp/lane.ts', text: 'export {};\n' },
];
const write = (root: string, list = changes) => writeChanges(root, list, { before: new DiskSource(root), allowDirty: true });
const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');
const mode = (root: string, file: string): number => statSync(join(root, file)).mode & 0o7777;
const failure = (act: Promise<unknown>): Promise<unknown> => act.then(() => undefined).catch((error: unknown) => error);

async function migrated(make: (files: typeof before) => string = tree): Promise<string> {
  const root = make(before);
  await write(root);
  return root;
}

/** The record of a root outside of git, changed by hand. */
function tamper(root: string, change: (text: string) => string): void {
  const path = join(root, '.unsession/000001/journal.json');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

const expectWritten = (root: string): void => {
  expect(read(root, 'src/pier.ts')).toBe('const boats = 22;\n');
  expect(existsSync(join(root, 'old.ts'))).toBe(false);
  expect(existsSync(join(root, 'src/mcp/lane.ts'))).toBe(true);
};
const expectBefore = (root: string): void => {
  for (const [file, text] of Object.entries(before)) expect(read(root, file)).toBe(text);
  expect(existsSync(join(root, 'src/mcp'))).toBe(false);
};

describe('undo after the user went on working', () => {
  it('refuses over an edit, a removal and a folder that became a link, loses nothing, and works once that is put back', async () => {
    const root = await migrated();
    add(root, { 'src/pier.ts': 'mine\n' });
    expect(await failure(undo(root))).toMatchObject({ files: ['src/pier.ts'], name: 'UndoRefusedError' });
    expect(read(root, 'src/pier.ts')).toBe('mine\n');
    rmSync(join(root, 'src/pier.ts'));
    const removed = await failure(undo(root));
    expect((removed as Error).message).toContain('src/pier.ts (removed)');
    // What was there before can still be had.
    expect((removed as Error).message).toContain(join(root, '.unsession/000001/before'));
    add(root, { 'src/pier.ts': 'const boats = 22;\n' });
    const away = tree();
    renameSync(join(root, 'src'), join(away, 'src'));
    symlinkSync(join(away, 'src'), join(root, 'src'));
    expect(await failure(undo(root))).toBeInstanceOf(UndoRefusedError);
    expect(read(away, 'src/pier.ts')).toBe('const boats = 22;\n');
    rmSync(join(root, 'src'));
    renameSync(join(away, 'src'), join(root, 'src'));
    await undo(root);
    expectBefore(root);
    expect(await undo(root)).toBeUndefined();
  });

  it('does not mind that a created file is gone already, that others were made beside it, and a commit in between', async () => {
    const root = await migrated(repository);
    rmSync(join(root, 'src/mcp/lane.ts'));
    add(root, { 'src/mcp/mine.ts': 'mine\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'migrated');
    await undo(root);
    expect(read(root, 'src/mcp/mine.ts')).toBe('mine\n');
    rmSync(join(root, 'src/mcp'), { recursive: true });
    expectBefore(root);
  });

  it('keeps the permission bits, those that were given later too, and refuses what became a link to the same bytes', async () => {
    const root = tree(before);
    chmodSync(join(root, 'src/pier.ts'), 0o640);
    chmodSync(join(root, 'old.ts'), 0o751);
    await write(root);
    expect(mode(root, 'src/pier.ts')).toBe(0o640);
    chmodSync(join(root, 'src/pier.ts'), 0o755);
    await undo(root);
    expect([mode(root, 'src/pier.ts'), mode(root, 'old.ts')]).toEqual([0o755, 0o751]);
    await write(root);
    const real = join(tree(), 'pier.ts');
    renameSync(join(root, 'src/pier.ts'), real);
    symlinkSync(real, join(root, 'src/pier.ts'));
    expect(await failure(undo(root))).toBeInstanceOf(UndoRefusedError);
    expect(readFileSync(real, 'utf8')).toBe('const boats = 22;\n');
  });

  const asRoot = process.getuid?.() === 0 ? it : undefined;
  asRoot?.('keeps the owner of a file when root runs it', async () => {
    const root = tree(before);
    chownSync(join(root, 'src/pier.ts'), 1234, 2345);
    await write(root);
    await undo(root);
    expect(statSync(join(root, 'src/pier.ts'))).toMatchObject({ uid: 1234, gid: 2345 });
  });

  it('leaves the other name of a hard link as it was', async () => {
    const root = tree(before);
    linkSync(join(root, 'src/pier.ts'), join(root, 'other.ts'));
    await write(root);
    expect(read(root, 'other.ts')).toBe('const boats = 1;\n');
  });

  it('says from another folder where there is something to undo', async () => {
    const root = await migrated(repository);
    expect(await undo(join(root, 'src'))).toBeUndefined();
    expect(await undoneElsewhere(join(root, 'src'))).toEqual(['..']);
    expectWritten(root);
  });
});

describe('a record that somebody changed', () => {
  it.each([
    ['a path that leads out', (text: string) => text.replaceAll('"old.ts"', '"../old.ts"')],
    ['an absolute path', (text: string) => text.replaceAll('"old.ts"', '"/etc/hosts"')],
    ['a copy that lies elsewhere', (text: string) => text.replace('"before/0"', '"../../old.ts"')],
    ['a folder that leads out', (text: string) => text.replace('"src/mcp"', '"../other"')],
    ['half of a text', (text: string) => text.slice(0, 100)],
    ['an array', () => '[]'],
  ])('restores nothing: %s', async (_, change) => {
    const root = await migrated();
    tamper(root, change);
    expect(await failure(undo(root))).toBeInstanceOf(JournalError);
    expectWritten(root);
  });

  it('is not followed through a link', async () => {
    const root = tree(before);
    const away = tree();
    symlinkSync(away, join(root, '.unsession'));
    expect(await failure(write(root))).toBeInstanceOf(JournalError);
    expectBefore(root);
  });
});

describe('a name that is in the way', () => {
  it('is not written over and not removed', async () => {
    const root = tree({ ...before, 'src/pier.ts.unsession.tmp': 'mine\n' });
    const error = await failure(write(root));
    expect(error).toBeInstanceOf(WriteRefusedError);
    expect(error).toMatchObject({ why: 'exists', files: ['src/pier.ts.unsession.tmp'] });
    expect(read(root, 'src/pier.ts.unsession.tmp')).toBe('mine\n');
    expectBefore(root);
    expect(existsSync(join(root, '.unsession'))).toBe(false);
  });
});

describe('two at once', () => {
  it('lets one write and tells the other, and takes over what a killed process left', async () => {
    const root = await migrated();
    const lock = join(root, '.unsession/lock');
    for (const holder of [`process ${String(process.ppid)} on ${hostname()}`, 'process 1 on another-machine']) {
      writeFileSync(lock, holder);
      expect(await failure(undo(root))).toBeInstanceOf(BusyError);
      expect(await failure(write(root, [{ kind: 'create', file: 'new.ts', text: '' }]))).toBeInstanceOf(BusyError);
      expectWritten(root);
    }
    writeFileSync(lock, `process 999999999 on ${hostname()}`);
    await undo(root);
    expectBefore(root);
    expect(existsSync(join(root, '.unsession'))).toBe(false);
  });

  it('never lets two writers into one file', async () => {
    const root = tree(before);
    const results = await Promise.allSettled([write(root), write(root), write(root)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expectWritten(root);
    await undo(root);
    expectBefore(root);
  });
});
