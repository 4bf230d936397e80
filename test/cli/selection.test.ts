import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MigrateResult, ScanResult } from '../../src/core/index.js';
import { git, repository, tree } from '../workspace/tree.js';
import { unsession } from './run.js';

const TIDE = 'export const tide = () => readGauge();\ndeclare function readGauge(): number;\ndeclare function readLevel(): number;\n';

/** Two packages below a root, each with a place that is rewritten, and one with a place for people. */
const workspace = {
  'package.json': '{"name":"port","workspaces":["packages/*"],"type":"module"}\n',
  'packages/harbour/package.json': '{"name":"@port/harbour","type":"module"}\n',
  'packages/harbour/src/tide.ts': TIDE,
  'packages/harbour/dist/tide.js': 'export const tide = () => readGauge();\n',
  'packages/lock/package.json': '{"name":"@port/lock","type":"module"}\n',
  'packages/lock/src/tide.ts': TIDE,
  'packages/lock/src/seal.ts': 'export const seal = () => sealGauge();\n',
};

const scanned = async (root: string, ...args: string[]): Promise<readonly string[]> => {
  const ran = await unsession(['scan', ...args, '--format', 'json'], { cwd: root });
  return ScanResult.parse(JSON.parse(ran.stdout)).findings.map(({ site }) => site.file);
};
const migrated = async (root: string, ...args: string[]): Promise<MigrateResult> =>
  MigrateResult.parse(JSON.parse((await unsession(['migrate', ...args, '--format', 'json'], { cwd: root })).stdout));
const files = (result: MigrateResult): readonly string[] => result.patches.flatMap((patch) => patch.changes.map((change) => change.file));

describe('--package', () => {
  it.each(['@port/lock', 'packages/lock', './packages/lock/'])('takes %s: its name or its folder', async (name) => {
    const root = repository(workspace);
    expect(await scanned(root, '--package', name)).toEqual(['packages/lock/src/seal.ts', 'packages/lock/src/tide.ts']);
    expect(files(await migrated(root, '--package', name))).toEqual(['packages/lock/src/tide.ts']);
  });

  it('writes in that package only', async () => {
    const root = repository(workspace);
    expect((await unsession(['migrate', '--package', '@port/harbour', '--write'], { cwd: root })).code).toBe(0);
    expect(git(root, 'status', '--porcelain')).toBe(' M packages/harbour/src/tide.ts\n');
  });

  it('names the packages that there are for one that there is not', async () => {
    const ran = await unsession(['scan', '--package', 'quay'], { cwd: repository(workspace) });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(/no package is called quay; there is .*@port\/harbour, @port\/lock/);
  });
});

describe('--include and --exclude', () => {
  it.each([
    [
      ['--include', 'packages/lock/'],
      ['packages/lock/src/seal.ts', 'packages/lock/src/tide.ts'],
    ],
    [
      ['--include', 'seal.ts', '--include', 'packages/harbour/src/*'],
      ['packages/harbour/src/tide.ts', 'packages/lock/src/seal.ts'],
    ],
    [
      ['--exclude', 'seal.ts'],
      ['packages/harbour/src/tide.ts', 'packages/lock/src/tide.ts'],
    ],
    [['--exclude', '**/src/tide.ts'], ['packages/lock/src/seal.ts']],
    [['--include', 'packages/lock/', '--exclude', 'tide.ts'], ['packages/lock/src/seal.ts']],
    // What the user names is source, also a build folder.
    [['--include', 'packages/harbour/dist/**'], ['packages/harbour/dist/tide.js']],
    [['--include', '*.{ts,md}'], []],
  ])('%j', async (args, found) => {
    expect(await scanned(repository(workspace), ...args)).toEqual(found);
  });

  it('hold for a rewrite too, and a comma is part of a glob', async () => {
    const root = repository({ ...workspace, 'packages/lock/src/a,b/tide.ts': TIDE });
    expect(files(await migrated(root, '--include', 'packages/lock/src/a,b/'))).toEqual(['packages/lock/src/a,b/tide.ts']);
    expect(files(await migrated(root, '--exclude', 'packages/lock/'))).toEqual(['packages/harbour/src/tide.ts']);
  });

  it('come from the configuration, and the command line wins', async () => {
    const root = repository({ ...workspace, 'unsession.config.json': '{ "exclude": ["packages/lock/"] }' });
    expect(await scanned(root)).toEqual(['packages/harbour/src/tide.ts']);
    expect(await scanned(root, '--exclude', 'packages/harbour/')).toEqual(['packages/lock/src/seal.ts', 'packages/lock/src/tide.ts']);
  });

  it('that match nothing are no clean result', async () => {
    expect((await unsession(['scan', '--include', 'nosuch/'], { cwd: repository(workspace) })).code).toBe(3);
  });
});

describe('--item', () => {
  it('does the items that are named, and leaves the others', async () => {
    const root = repository(workspace);
    const all = await migrated(root);
    expect(files(all)).toEqual(['packages/harbour/src/tide.ts', 'packages/lock/src/tide.ts']);
    const [first, second] = all.outcomes.filter(({ outcome }) => outcome === 'applied');
    const one = await migrated(root, '--item', first?.item ?? '');
    expect(files(one)).toEqual(first?.files);
    expect(files(await migrated(root, '--item', `${first?.item ?? ''},${second?.item ?? ''}`))).toEqual(files(all));
    expect(files(await migrated(root, '--item', first?.item ?? '', '--item', second?.item ?? ''))).toEqual(files(all));
    expect((await unsession(['migrate', '--item', first?.item ?? '', '--write'], { cwd: root })).code).toBe(0);
    expect(git(root, 'status', '--porcelain')).toBe(` M ${first?.files[0] ?? ''}\n`);
  });
});

describe('--patch-dir', () => {
  it('writes one patch for each milestone, in the order in which they apply, and says so', async () => {
    const root = repository(workspace);
    const ran = await unsession(['migrate', '--patch-dir', 'out/patches'], { cwd: root });
    expect(ran.stderr).toBe('wrote out/patches/1-entry.patch\n');
    expect(readdirSync(join(root, 'out/patches'))).toEqual(['1-entry.patch']);
    git(root, 'apply', 'out/patches/1-entry.patch');
    expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe(' M packages/harbour/src/tide.ts\n M packages/lock/src/tide.ts\n');
    expect(readFileSync(join(root, 'packages/lock/src/tide.ts'), 'utf8')).toContain('export const tide = () => readLevel();');
  });

  it('writes none when nothing would change, and says which folder cannot be written', async () => {
    const root = tree({ 'src/main.ts': 'export {};\n', taken: 'a file\n' });
    expect((await unsession(['migrate', '--patch-dir', 'out'], { cwd: root })).stderr).toBe('');
    expect(readdirSync(root)).not.toContain('out');
    const port = repository({ ...workspace, taken: 'a file\n' });
    expect(await unsession(['migrate', '--patch-dir', 'taken'], { cwd: port })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('taken/1-entry.patch cannot be written') as string,
    });
  });
});
