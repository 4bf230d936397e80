import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeEntry } from '../../src/cli/fleet/entries.js';
import { FleetEntry, FleetReport } from '../../src/core/index.js';
import { knowledge, checks } from '../../transforms/index.js';
import { unsession, type Ran } from '../cli/run.js';
import { add, tree } from '../workspace/tree.js';
import { dice, generateFleet } from './generate.js';

const BIN = join(import.meta.dirname, '../../bin/unsession.js');
const NUMBER = 200;
const SHARDS = 8;

/** Starts a shard as its own process and kills it, without a chance to tidy up, when it has told of some repositories. */
function killed(cwd: string, shard: number, after: number): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [BIN, 'scan', '--repos', 'fleet.txt', '--results', 'sharded', '--shard', `${String(shard)}/${String(SHARDS)}`], {
      cwd,
    });
    let lines = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      lines += chunk.toString().split('\n').length - 1;
      if (lines >= after) child.kill('SIGKILL');
    });
    child.on('error', fail);
    child.on('close', (_code, signal) => {
      if (signal === 'SIGKILL') done();
      else fail(new Error('the shard ended before it was killed'));
    });
  });
}

describe('a fleet of 200 repositories', () => {
  let root: string;
  const run = (...args: string[]): Promise<Ran> => unsession(args, { cwd: root, knowledge, checks });
  const shard = (index: number): Promise<Ran> => run('scan', '--repos', 'fleet.txt', '--results', 'sharded', '--shard', `${String(index)}/${String(SHARDS)}`);
  const merge = (folder: string, ...more: string[]): Promise<Ran> =>
    run('report', 'merge', folder, '--runbook', `${folder}.md`, '--sunset', '2027-06-30', '--owner', 'Harbour team', ...more);
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');

  beforeAll(async () => {
    root = tree();
    generateFleet(root, NUMBER);
    const single = await run('scan', '--repos', 'fleet.txt', '--results', 'single');
    expect(single.code).toBe(1);
    expect(single.stdout).toContain(`${String(NUMBER)} repositories in shard 1/1`);
  }, 120_000);

  it('gives the same report and the same runbook in eight shards, killed at random and resumed in any order', async () => {
    const roll = dice(7);
    // A job that was started again while the first still lives: two of one shard, in one folder.
    await Promise.all([2, 2].map((index) => killed(root, index, 4 + roll(12))));
    for (const index of [5, 7]) await killed(root, index, 1 + roll(15));
    // What a kill in the middle of a write and a full disk leave behind.
    const some = readdirSync(join(root, 'sharded'))[0] ?? '';
    writeFileSync(join(root, 'sharded', `${some}.unsession-1.tmp`), '{"schema');
    writeFileSync(join(root, 'sharded', some), read(`sharded/${some}`).slice(0, 900));
    const order = [6, 2, 8, 1, 5, 3, 7, 4];
    let kept = 0;
    for (const index of order) {
      const ran = await shard(index);
      kept += ran.stdout.split(' (kept)').length - 1;
    }
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(NUMBER / 2);
    expect(readdirSync(join(root, 'sharded')).filter((file) => !file.endsWith('.json'))).toEqual([]);

    const formats = ['pretty', 'json', 'markdown'];
    for (const format of formats) expect((await merge('sharded', '--format', format)).stdout).toBe((await merge('single', '--format', format)).stdout);
    expect(read('sharded.md')).toBe(read('single.md'));
    // The same in parts, put together in the other direction, and out of a report that was merged before.
    const files = readdirSync(join(root, 'sharded')).map((file) => `sharded/${file}`);
    await run('report', 'merge', ...files.slice(0, 90), '--format', 'json', '--output', 'part.json');
    expect((await run('report', 'merge', ...files.slice(90).reverse(), 'part.json', '--format', 'json')).stdout).toBe(
      (await merge('single', '--format', 'json')).stdout,
    );
  }, 240_000);

  it('says what stands with each repository, and names no folder of this machine', async () => {
    const ran = await merge('single', '--format', 'json');
    expect(ran.code).toBe(1);
    expect(ran.stdout).not.toContain(root);
    const { summary, repositories } = FleetReport.parse(JSON.parse(ran.stdout));
    expect(summary).toMatchObject({ repositories: NUMBER, failed: 1 });
    expect(summary.incomplete).toBeGreaterThan(5);
    expect(summary.clean).toBeGreaterThan(20);
    expect(summary.items.automatic + summary.items.manual + summary.items.guided).toBeGreaterThan(50);
    expect(repositories.filter(({ result }) => !result)).toEqual([
      { repository: expect.stringContaining('-199') as string, failure: expect.stringContaining('does not exist') as string },
    ]);
    const runbook = read('single.md');
    expect(runbook).not.toContain(root);
    expect(runbook).toContain('# Migration of 200 repositories');
    expect(runbook).toMatch(/### `harbour\/\w+-\d+`[^#]*#### P1\. /);
    expect(runbook).toContain('**2027-06-30**, decided by Harbour team');
  }, 60_000);

  it('scans again what changed, and nothing else', async () => {
    const name = readdirSync(join(root, 'harbour')).find((entry) => entry.endsWith('-4')) ?? '';
    add(root, { [`harbour/${name}/added.js`]: 'export const quay = 1;\n' });
    const ran = await run('scan', '--repos', 'fleet.txt', '--results', 'single');
    const again = ran.stdout.split('\n').filter((line) => /^\w+\//.test(line) && !line.endsWith('(kept)'));
    // The one that is not there, and the one that changed.
    expect(again.map((line) => line.split(':')[0])).toEqual([expect.stringMatching(/-199$/) as string, `harbour/${name}`]);
  }, 60_000);
});

describe('the list and the results', () => {
  const library = { 'library/package.json': '{"name":"library"}\n', 'library/src/seal.ts': 'export const seal = () => sealGauge();\n' };
  const scan = (root: string, ...args: string[]) => unsession(['scan', '--repos', 'fleet.txt', '--results', 'out', ...args], { cwd: root });

  it('takes names, comments and blanks, and says in which line something is wrong', async () => {
    const root = tree({ ...library, 'fleet.txt': '# all of them\r\n\r\nthe library\tlibrary # by the harbour\r\n' });
    expect(await scan(root)).toMatchObject({ code: 1, stdout: expect.stringContaining('the library: 1 finding in 1 work item\n') as string });
    add(root, { 'fleet.txt': 'library\n./library/\n' });
    expect(await scan(root)).toMatchObject({ code: 2, stderr: expect.stringContaining('fleet.txt:2: "library" is there twice') as string });
    add(root, { 'fleet.txt': '# nobody\n' });
    expect((await scan(root)).code).toBe(2);
    for (const wrong of ['0/2', '3/2', '1', '1/0', 'a/b']) expect((await scan(root, '--shard', wrong)).code).toBe(2);
    expect((await unsession(['scan', '--shard', '1/2'], { cwd: root })).code).toBe(2);
    expect((await scan(root, '--format', 'sarif')).code).toBe(2);
  });

  it('keeps nothing that other options made, and scans anew on request', async () => {
    const root = tree({ ...library, 'fleet.txt': 'library\n' });
    await scan(root);
    expect((await scan(root)).stdout).toContain('(kept)');
    expect((await scan(root, '--only', 'gauge-reading')).stdout).not.toContain('(kept)');
    expect((await scan(root, '--only', 'gauge-reading', '--fresh')).stdout).not.toContain('(kept)');
  });

  it('goes on after a repository with a broken configuration, and is a fault when none could be scanned', async () => {
    const root = tree({ ...library, 'broken/unsession.config.json': '{ "failOn": "maybe" }', 'fleet.txt': 'broken\nlibrary\n' });
    const ran = await scan(root);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^broken: not scanned: .*"failOn"/m);
    expect(ran.stdout).toContain('library: 1 finding');
    add(root, { 'fleet.txt': 'broken\nnosuch\n' });
    expect((await scan(root, '--fresh')).code).toBe(3);
  });

  it('misses who is on the list and has no result, and takes plain scans too', async () => {
    const root = tree({ ...library, 'fleet.txt': 'library\nmuseum\n' });
    await unsession(['scan', 'library', '--format', 'json', '--output', 'scan.json'], { cwd: root });
    const ran = await unsession(['report', 'merge', 'scan.json', '--repos', 'fleet.txt', '--fail-on', 'never'], { cwd: root });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('museum   not scanned: it is on the list and has no result');
    expect((await unsession(['report', 'merge', 'scan.json', '--fail-on', 'never'], { cwd: root })).code).toBe(0);
  });

  it('says which results another version made, and what of a folder cannot be written', async () => {
    const root = tree({ ...library, 'fleet.txt': 'library\n' });
    await scan(root);
    const [name = ''] = readdirSync(join(root, 'out'));
    const text = readFileSync(join(root, 'out', name), 'utf8');
    add(root, { [`out/${name}`]: text.replace(/("tool": \{\s*"name": "unsession",\s*"version": )"[^"]+"/, '$1"0.0.1"') });
    const ran = await unsession(['report', 'merge', 'out', '--fail-on', 'never'], { cwd: root });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('1 result of another version') as string });
    expect(() => {
      writeEntry(join(root, 'nowhere'), FleetEntry.parse(JSON.parse(text)));
    }).toThrow('cannot be written (ENOENT)');
    add(root, { taken: '' });
    expect(await unsession(['scan', '--repos', 'fleet.txt', '--results', 'taken'], { cwd: root })).toMatchObject({ code: 2 });
  });

  it('refuses two results of one repository, files of somebody else, and a runbook without a date', async () => {
    const root = tree({ ...library, 'fleet.txt': 'library\n', 'notes.json': '{}', 'mine.md': '# mine\n' });
    await scan(root);
    const merge = (...args: string[]) => unsession(['report', 'merge', ...args], { cwd: root });
    await unsession(['scan', 'library', '--only', 'gauge-reading', '--format', 'json', '--output', 'other.json'], { cwd: root });
    expect(await merge('out', 'other.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('different results of "library"') as string });
    expect((await merge('out', 'out', '--runbook', 'r.html', '--sunset', '2027-06-30', '--owner', 'Ada')).code).toBe(1);
    expect(readFileSync(join(root, 'r.html'), 'utf8')).toMatch(/^<!-- written by unsession [^\n]* -->\n<!doctype html>\n/);
    expect(await merge('notes.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('notes.json is none of') as string });
    expect(await merge('out', '--runbook', 'r.md')).toMatchObject({ code: 2, stderr: expect.stringContaining('--sunset') as string });
    expect((await merge('out', '--runbook', 'mine.md', '--sunset', '2027-06-30', '--owner', 'Ada')).code).toBe(2);
    expect(readFileSync(join(root, 'mine.md'), 'utf8')).toBe('# mine\n');
  });
});
