import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MigrateResult, ScanResult, type Concern } from '../../src/core/index.js';
import { callConcern } from '../engine/kit.js';
import { add, git, repository, tree } from '../workspace/tree.js';
import { gauges, unsession } from './run.js';

const files = {
  'package.json': '{"name":"harbour","type":"module"}\n',
  'src/tide.ts': 'export const tide = () => readGauge();\ndeclare function readGauge(): number;\ndeclare function readLevel(): number;\n',
  'src/seal.ts': 'export const seal = () => sealGauge();\n',
};

describe('scan', () => {
  it('prints one screen, and exits with 1 for a finding', async () => {
    const ran = await unsession(['scan'], { cwd: tree(files) });
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    expect(ran.stdout).toMatch(/^error {3}Calls of readGauge +automatic\n {8}([\w-]+) {2}src\/tide.ts:1\n {8}next: unsession migrate --item \1$/m);
    expect(ran.stdout).toMatch(/^2 findings in 2 work items.*1 error, 1 warning/m);
    expect(ran.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  });

  it('prints complete JSON and nothing else', async () => {
    const ran = await unsession(['scan', '--format', 'json'], { cwd: tree(files) });
    expect(ScanResult.parse(JSON.parse(ran.stdout)).findings.map((finding) => [finding.id, finding.site.file])).toEqual([
      ['gauge-seal/call', 'src/seal.ts'],
      ['gauge-reading/call', 'src/tide.ts'],
    ]);
  });

  it.each([
    [[], 1],
    [['--fail-on', 'error'], 1],
    [['--only', 'gauge-seal'], 1],
    [['--only', 'gauge-seal', '--fail-on', 'error'], 0],
    [['--only', 'gauge-seal/call,gauge-reading'], 1],
    [['--skip', 'gauge-seal', '--skip', 'gauge-reading/call'], 0],
    [['--fail-on', 'never'], 0],
    [['--exclude', 'src/'], 0],
    [['--include', 'src/seal.ts', '--fail-on', 'error'], 0],
  ])('exits by threshold: %j gives %i', async (args, code) => {
    expect((await unsession(['scan', ...args], { cwd: tree(files) })).code).toBe(code);
  });

  it('exits with 0 for a readable tree without the subject', async () => {
    const ran = await unsession(['scan'], { cwd: tree({ 'src/main.ts': 'export {};\n' }) });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('No MCP code');
  });

  it('never calls unread code clean, whatever the threshold', async () => {
    const broken = { ...files, 'src/broken.ts': 'readGauge( {\n' };
    const some = await unsession(['scan', '--fail-on', 'never'], { cwd: tree(broken) });
    expect(some.code).toBe(1);
    expect(some.stdout).toContain('src/broken.ts');
    const only = await unsession(['scan', '--fail-on', 'never'], { cwd: tree({ 'broken.ts': 'readGauge( {\n' }) });
    expect(only.code).toBe(3);
    expect((await unsession(['scan'], { cwd: tree({}) })).code).toBe(3);
    expect((await unsession(['scan'], { cwd: tree({ 'logo.png': 'x' }) })).code).toBe(3);
  });

  it('says that the manifest lies above the folder', async () => {
    const root = repository(files);
    expect((await unsession(['scan', 'src'], { cwd: root })).stderr).toContain('The manifest of this folder, package.json, lies outside of it');
    expect((await unsession(['scan', 'src', '--quiet'], { cwd: root })).stderr).toBe('');
  });

  it('takes one file', async () => {
    const ran = await unsession(['scan', 'src/seal.ts', '--format', 'json'], { cwd: tree(files) });
    expect(ScanResult.parse(JSON.parse(ran.stdout)).findings.map((finding) => finding.site.file)).toEqual(['src/seal.ts']);
  });

  it('leaves what a job of GitHub Actions asks for, and adds to what is there', async () => {
    const root = tree(files);
    add(root, { 'job/summary.md': '# Before\n', 'job/out.txt': 'first=1\n' });
    const env = { GITHUB_STEP_SUMMARY: join(root, 'job/summary.md'), GITHUB_OUTPUT: join(root, 'job/out.txt') };
    const ran = await unsession(['scan', '--format', 'github'], { cwd: root, env });
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    expect(ran.stdout).toContain('::error file=src/tide.ts,line=1,');
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^# Before\n## Migration to the stateless revision\n/);
    expect(readFileSync(env.GITHUB_OUTPUT, 'utf8')).toBe(
      'first=1\nfindings=2\nerrors=1\nwarnings=1\nnotes=0\nwork-items=2\nautomatic=1\nmilestone-sdk=none\nmilestone-entry=ahead\nexit-code=1\n',
    );
    expect((await unsession(['scan', '--format', 'github'], { cwd: root, env: { ...env, GITHUB_OUTPUT: root } })).code).toBe(2);
  });

  it('writes one result in several forms', async () => {
    const root = tree(files);
    const ran = await unsession(['scan', '--report', 'sarif=out/scan.sarif', '--report', 'junit=out/scan.xml', '--format', 'json'], {
      cwd: root,
      terminal: true,
    });
    expect(ran.code).toBe(1);
    expect(JSON.parse(readFileSync(join(root, 'out/scan.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(readFileSync(join(root, 'out/scan.xml'), 'utf8')).toContain('tests="2" failures="2"');
    expect(await unsession(['scan', '--report', 'pdf=x'], { cwd: root })).toMatchObject({ code: 2, stderr: expect.stringContaining('FORM=FILE') as string });
  });

  it('colours a terminal, not a pipe, not under NO_COLOR, not in a file', async () => {
    const root = tree(files);
    const colored = async (args: readonly string[], terminal: boolean, env = {}): Promise<boolean> =>
      (await unsession(['scan', ...args], { cwd: root, terminal, env })).stdout.includes('\u001b[31m');
    expect(await colored([], true)).toBe(true);
    expect(await colored([], false)).toBe(false);
    expect(await colored([], true, { NO_COLOR: '1' })).toBe(false);
    expect(await colored(['--no-color'], true)).toBe(false);
    expect(await colored([], false, { FORCE_COLOR: '1' })).toBe(true);
    await unsession(['scan', '--output', 'out.txt'], { cwd: root, terminal: true });
    expect(readFileSync(join(root, 'out.txt'), 'utf8')).not.toContain('\u001b');
  });

  it('shows progress on a terminal only, and not when it is quiet', async () => {
    const root = tree(files);
    expect((await unsession(['scan'], { cwd: root, terminal: true })).stderr).toContain('\r');
    expect((await unsession(['scan'], { cwd: root })).stderr).toBe('');
    expect((await unsession(['scan', '--quiet'], { cwd: root, terminal: true })).stderr).toBe('');
  });
});

describe('migrate and undo', () => {
  it('is a dry run by default, with a diff, and exits with 0', async () => {
    const root = repository(files);
    const ran = await unsession(['migrate'], { cwd: root });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Dry run: 1 file would change, nothing was written.');
    expect(ran.stdout).toContain('-export const tide = () => readGauge();\n+export const tide = () => readLevel();');
    expect(ran.stdout).toContain('Work items: 1 applied, 1 manual');
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  it('prints a patch that git takes', async () => {
    const root = repository(files);
    const { stdout } = await unsession(['migrate', '--format', 'diff', '--patch-dir', '.git/patches', '--quiet'], { cwd: root });
    expect(readFileSync(join(root, '.git/patches/1-entry.patch'), 'utf8')).toBe(stdout);
    git(root, 'apply', '--check', '.git/patches/1-entry.patch');
  });

  it('prints patches for a folder below the top that apply from the top', async () => {
    const root = repository(Object.fromEntries(Object.entries(files).map(([path, text]) => [`services/harbour/${path}`, text])));
    const { stdout } = await unsession(['migrate', 'services/harbour', '--format', 'diff'], { cwd: root });
    add(root, { '.git/p.patch': stdout });
    git(root, 'apply', '.git/p.patch');
    expect(git(root, 'status', '--porcelain')).toBe(' M services/harbour/src/tide.ts\n');
  });

  it('writes, converges, and takes it back', async () => {
    const root = repository(files);
    expect((await unsession(['migrate', '--check'], { cwd: root })).code).toBe(1);
    const wrote = await unsession(['migrate', '--write'], { cwd: root });
    expect(wrote.code).toBe(0);
    expect(wrote.stdout).toContain('1 file written; "unsession undo" takes it back');
    expect(git(root, 'diff', '--stat')).toContain('src/tide.ts');
    expect((await unsession(['migrate', '--check'], { cwd: root })).code).toBe(0);
    expect(await unsession(['undo'], { cwd: root })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 file is as before "unsession migrate') as string,
    });
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(await unsession(['undo'], { cwd: root })).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to undo') as string });
  });

  it('refuses a dirty tree with 1 and says how', async () => {
    const root = repository(files);
    add(root, { 'src/seal.ts': 'export {};\n' });
    const ran = await unsession(['migrate', '--write'], { cwd: root });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('--allow-dirty');
    expect((await unsession(['migrate', '--write', '--allow-dirty'], { cwd: root })).code).toBe(0);
    add(root, { 'src/tide.ts': 'mine\n' });
    expect(await unsession(['undo'], { cwd: root })).toMatchObject({ code: 1, stderr: expect.stringContaining('src/tide.ts') as string });
  });

  it('holds back what brings a new type error, with 1, and says which proofs ran', async () => {
    const config = JSON.stringify({ compilerOptions: { lib: ['es5'], types: [], module: 'nodenext' } });
    const typed = (level: string) => ({
      ...files,
      'tsconfig.json': config,
      'src/tide.ts': `declare function readGauge(): number;\ndeclare function readLevel(): ${level};\nexport const tide = (): number => readGauge();\n`,
      'src/seal.ts': 'export {};\n',
    });
    const root = repository(typed('string'));
    const held = await unsession(['migrate', '--write', '--typecheck'], { cwd: root });
    expect(held.code).toBe(1);
    expect(held.stdout).toContain('Nothing was written: 1 file would change, and types are not proved.');
    expect(held.stdout).toContain("1 new type error:\n  src/tide.ts:3 TS2322: Type 'string' is not assignable to type 'number'.");
    expect(held.stdout).toContain('types 0/1');
    expect(git(root, 'status', '--porcelain')).toBe('');

    const wrote = await unsession(['migrate', '--write', '--typecheck'], { cwd: repository(typed('number')) });
    expect(wrote).toMatchObject({ code: 0, stdout: expect.stringContaining('types 1/1') as string });
  });

  it('says in the next command that a run was interrupted', async () => {
    const root = repository(files);
    await unsession(['migrate', '--write'], { cwd: root });
    const journal = join(root, '.git/unsession/000001/journal.json');
    add(root, { '.git/unsession/000001/journal.json': readFileSync(journal, 'utf8').replace('"done"', '"writing"') });
    expect((await unsession(['scan'], { cwd: root })).stderr).toContain('"unsession undo" takes back');
    expect((await unsession(['undo'], { cwd: root })).stdout).toContain('interrupted');
    expect((await unsession(['scan'], { cwd: root })).stderr).toBe('');
  });

  it('does one item by id, and knows ids that do not exist', async () => {
    const root = repository(files);
    const result = MigrateResult.parse(JSON.parse((await unsession(['migrate', '--format', 'json'], { cwd: root })).stdout));
    const seal = result.outcomes.find((entry) => entry.title.includes('seal'))?.item ?? '';
    expect((await unsession(['migrate', '--item', seal], { cwd: root })).code).toBe(1);
    const wrong = await unsession(['migrate', '--item', 'nosuchid'], { cwd: root });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('nosuchid') as string });
  });

  it('exits with 1 when something was to be written and an item was refused; a dry run stays 0', async () => {
    const refusing: Concern = {
      ...callConcern({ id: 'gauge-seal', name: 'sealGauge', to: 'closeGauge' }),
      rewrite: (item) => ({ outcome: 'refuse', reason: { why: 'the seal is under warranty', next: 'Ask the maker.', sites: item.sites } }),
    };
    const knowledge = { ...gauges, concerns: [...gauges.concerns.slice(0, 1), refusing] };
    const root = repository(files);
    const dry = await unsession(['migrate'], { cwd: root, knowledge });
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('the seal is under warranty') as string });
    const wrote = await unsession(['migrate', '--write'], { cwd: root, knowledge });
    expect(wrote).toMatchObject({ code: 1, stdout: expect.stringContaining('1 file written') as string });
  });

  it('asks nobody without a terminal', async () => {
    expect(await unsession(['migrate', '--interactive'], { cwd: repository(files) })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--item') as string,
    });
  });
});

describe('runbook', () => {
  it('is a page too, which it may overwrite', async () => {
    const root = tree(files);
    const args = ['runbook', '--sunset', '2027-03-01', '--owner', 'Harbour team', '--html', '--output', 'docs/migration.html'];
    for (let run = 0; run < 2; run++) expect(await unsession(args, { cwd: root })).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(join(root, 'docs/migration.html'), 'utf8')).toMatch(/^<!-- written by unsession [^\n]* -->\n<!doctype html>\n/);
    expect((await unsession([...args.slice(0, 6), '--pr-body', 'entry'], { cwd: root })).code).toBe(2);
  });

  it('demands a date and an owner before it reads anything', async () => {
    const ran = await unsession(['runbook'], { cwd: tree(files) });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('--sunset');
    expect(ran.stderr).toContain('--owner');
    expect((await unsession(['runbook', '--sunset', '2026-02-30', '--owner', 'Ada'], { cwd: tree(files) })).code).toBe(2);
    expect((await unsession(['runbook', '--sunset', '2026-08-02', '--owner', 'Ada'], { cwd: tree(files) })).code).toBe(2);
  });

  it('writes, overwrites its own file, and spares a file of somebody else', async () => {
    const root = tree(files);
    const args = ['runbook', '--sunset', '2027-03-01', '--owner', 'Harbour team', '--output', 'docs/MIGRATION.md'];
    expect(await unsession(args, { cwd: root })).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(join(root, 'docs/MIGRATION.md'), 'utf8')).toMatch(/^<!-- written by unsession/);
    expect((await unsession(args, { cwd: root })).code).toBe(0);
    add(root, { 'docs/MIGRATION.md': '# Ours\n' });
    expect(await unsession(args, { cwd: root })).toMatchObject({ code: 2, stderr: expect.stringContaining('docs/MIGRATION.md') as string });
    expect(readFileSync(join(root, 'docs/MIGRATION.md'), 'utf8')).toBe('# Ours\n');
  });

  it.each([['--adr'], ['--issue'], ['--summary'], ['--pr-body', 'entry']])('prints %s', async (...flags) => {
    const ran = await unsession(['runbook', '--sunset', '2027-03-01', '--owner', 'Harbour team', ...flags], { cwd: tree(files) });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.length).toBeGreaterThan(200);
  });
});

describe('configuration', () => {
  it('is read from JSON files and package.json, and the command line wins', async () => {
    const root = tree({ ...files, 'unsession.config.json': '{\n  // only what breaks\n  "failOn": "error",\n  "skip": ["gauge-reading"],\n}\n' });
    expect((await unsession(['scan'], { cwd: root })).code).toBe(0);
    expect((await unsession(['scan', '--fail-on', 'warning'], { cwd: root })).code).toBe(1);
    const inManifest = tree({ ...files, 'package.json': '{"name":"harbour","unsession":{"exclude":["src/"]}}' });
    expect((await unsession(['scan'], { cwd: inManifest })).code).toBe(0);
    add(inManifest, { 'other.json': '{}' });
    expect((await unsession(['scan', '--config', 'other.json'], { cwd: inManifest })).code).toBe(1);
  });

  it('is data: a module is neither found nor run', async () => {
    const root = tree({
      ...files,
      'unsession.config.js': 'require("fs").writeFileSync("ran", "")',
      '.unsessionrc.js': 'throw 1',
      'unsession.config.mjs': 'throw 1',
    });
    expect((await unsession(['scan'], { cwd: root })).code).toBe(1);
    expect(await unsession(['scan', '--config', 'unsession.config.js'], { cwd: root })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('never run') as string,
    });
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it.each([
    ['{"skp": []}', 'skp'],
    ['{"failOn": "fatal"}', 'failOn'],
    ['{"skip": ["no-such-rule"]}', 'no-such-rule'],
    ['{\n  "skip": [\n', ':'],
    ['[]', 'unsession.config.json'],
  ])('reports %j', async (text, part) => {
    const ran = await unsession(['scan'], { cwd: tree({ ...files, 'unsession.config.json': text }) });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(part);
  });
});

describe('usage', () => {
  it.each([
    [['scan', '--formt', 'json'], '(Did you mean --format?)'],
    [['scan', '--format', 'xml'], 'Allowed choices are pretty, json'],
    [['scna'], '(Did you mean scan?)'],
    [['scan', 'a', 'b'], 'too many arguments'],
    [['scan', 'nowhere'], 'nowhere does not exist'],
    [['scan', '--package', 'mobile'], 'no package is called mobile; there is harbour'],
    [['scan', '--only', 'nope'], 'nope'],
    [['scan', '--accept-risk', 'x'], '--reason'],
    [['scan', '--accept-risk', 'milestone-ordr', '--reason', 'y'], 'did you mean milestone-order?'],
    [['migrate', '--accept-risk', 'open-quay:/mcp', '--reason', 'y'], 'there is no rule open-quay'],
    [['scan', '--sunset', 'soon'], 'YYYY-MM-DD'],
    [['scan', '--output', 'package.json/x'], 'cannot be written'],
    [['scan', '--baseline', 'package.json'], 'scan --format json'],
    [['migrate', '--write', '--check'], 'give one'],
    [['undo', 'nowhere'], 'nowhere does not exist'],
    [['explain', 'nothing/here'], 'rules'],
    [['verify'], 'nothing to verify'],
    [['verify', 'localhost'], 'not an http or https URL'],
    [['verify', '--stdio'], '--stdio --'],
    [['verify', '--client'], '--client --'],
    [['verify', '--client', '--stdio', '--', 'node'], 'give one'],
    [['verify', 'http://127.0.0.1:1/mcp', '--header', 'broken'], 'Name: value'],
  ])('%j is wrong usage', async (args, part) => {
    const ran = await unsession(args, { cwd: tree(files) });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(part);
    expect(ran.stdout).toBe('');
  });

  it('prints help for nothing, and help and version with 0', async () => {
    expect(await unsession([], { cwd: '/' })).toMatchObject({ code: 2, stdout: expect.stringContaining('Usage: unsession') as string });
    expect(await unsession(['--help'], { cwd: '/' })).toMatchObject({ code: 0, stderr: '' });
    expect((await unsession(['--version'], { cwd: '/' })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('reports a fault of its own with 3 and what to send', async () => {
    const broken = {
      ...gauges,
      concerns: gauges.concerns.map((concern) => ({
        ...concern,
        judge: (): never => {
          throw new Error('gauge fell\u001b[2J into the sea');
        },
      })),
    };
    const ran = await unsession(['scan'], { cwd: tree(files), knowledge: broken });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('This is a fault of unsession');
    expect(ran.stderr).toContain('gauge fell\\x1b[2J into the sea');
    expect(ran.stdout).toBe('');
  });

  it('reports a folder that cannot be listed', async () => {
    const root = tree({ 'src/tide.ts': files['src/tide.ts'] });
    mkdirSync(join(root, 'locked'));
    chmodSync(join(root, 'locked'), 0);
    symlinkSync(root, join(root, 'loop'));
    const ran = await unsession(['scan', '--fail-on', 'never'], { cwd: root });
    chmodSync(join(root, 'locked'), 0o755);
    expect(ran.code).toBe(process.getuid?.() === 0 ? 0 : 1);
  });
});
