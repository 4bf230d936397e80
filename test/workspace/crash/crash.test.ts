import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../../src/core/index.js';
import { DiskSource, undo, writeChanges } from '../../../src/workspace/index.js';
import { git, repository, tree } from '../tree.js';

const ROOT = join(import.meta.dirname, '../../..');
const STOP_AT = join(import.meta.dirname, 'stop-at.cjs');
const BUILT = pathToFileURL(join(ROOT, 'dist/src/workspace/index.js')).href;

const before = { 'berth.ts': '\uFEFFconst berths = 4;\r\n', 'old.ts': 'bye\n', 'keep.ts': 'keep\n' };
const after = { 'berth.ts': '\uFEFFconst berths = 12;\r\n', 'old.ts': undefined, 'keep.ts': 'keep\n' };
const changes: readonly FileChange[] = [
  { kind: 'edit', file: 'berth.ts', edits: [{ start: 15, end: 16, text: '12' }] },
  { kind: 'remove', file: 'old.ts' },
  { kind: 'create', file: 'src/mcp/lane.ts', text: 'export {};\n' },
];
const script = (body: string): string => `import { DiskSource, undo, writeChanges } from ${JSON.stringify(BUILT)}; const root = process.argv[1]; ${body}`;
const WRITE = script(`await writeChanges(root, ${JSON.stringify(changes)}, { before: new DiskSource(root) });`);
const UNDO = script('await undo(root);');

/** Runs a script on a root until its n-th change of the disk; true when it was killed there. */
function stopped(body: string, root: string, at: number): boolean {
  const child = spawnSync(process.execPath, ['--require', STOP_AT, '--input-type=module', '--eval', body, root], {
    encoding: 'utf8',
    env: { ...process.env, STOP_AT: String(at) },
  });
  if (child.signal !== 'SIGKILL' && child.status !== 0) throw new Error(child.stderr);
  return child.signal === 'SIGKILL';
}

const textOf = (root: string, file: string): string | undefined => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined);

function expectBefore(root: string, at: number): void {
  for (const [file, text] of Object.entries(before)) expect(textOf(root, file), `${file}, stopped at ${String(at)}`).toBe(text);
  expect(statSync(join(root, 'berth.ts')).mode & 0o777).toBe(0o755);
  expect(
    readdirSync(root).filter((name) => name !== '.git'),
    `stopped at ${String(at)}`,
  ).toEqual(Object.keys(before).sort());
}

function made(make: (files: typeof before) => string): string {
  const root = make(before);
  chmodSync(join(root, 'berth.ts'), 0o755);
  if (make === repository) git(root, 'commit', '-q', '-am', 'mode');
  return root;
}

describe('a run that is killed at any change of the disk', () => {
  it.each([
    ['in git', repository],
    ['outside of git', tree],
  ])(
    'leaves each file old or new, and is taken back whole, %s',
    async (_, make) => {
      let at = 1;
      for (let root = made(make); stopped(WRITE, root, at); root = made(make), at += 1) {
        for (const [file, text] of Object.entries(before))
          expect([text, after[file as keyof typeof after]], `${file}, stopped at ${String(at)}`).toContain(textOf(root, file));
        await undo(root);
        expectBefore(root, at);
        expect(await undo(root)).toBeUndefined();
      }
      expect(at).toBeGreaterThan(12);
    },
    180_000,
  );

  it('is taken back also when the first undo is killed', async () => {
    let at = 1;
    for (let root = await written(); stopped(UNDO, root, at); root = await written(), at += 1) {
      await undo(root);
      expectBefore(root, at);
      expect(await undo(root)).toBeUndefined();
    }
    expect(at).toBeGreaterThan(6);
  }, 180_000);
});

describe('a disk that is full from any change on', () => {
  it('is told as such; every file is as before, at once or after undo, and nothing else stays', async () => {
    let at = 1;
    for (let root = made(tree); ; root = made(tree), at += 1) {
      const child = spawnSync(process.execPath, ['--require', STOP_AT, '--input-type=module', '--eval', WRITE, root], {
        encoding: 'utf8',
        env: { ...process.env, FULL_AT: String(at) },
      });
      if (child.status === 0) break;
      expect(child.stderr, `full at ${String(at)}`).toMatch(/ENOSPC/);
      expect(child.stderr).toMatch(/nothing was changed|everything is as it was|run "unsession undo"/);
      await undo(root);
      expectBefore(root, at);
    }
    expect(at).toBeGreaterThan(8);
  }, 180_000);
});

async function written(): Promise<string> {
  const root = made(tree);
  await writeChanges(root, changes, { before: new DiskSource(root) });
  return root;
}
