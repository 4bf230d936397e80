import { readFileSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ScanResult } from '../../src/core/index.js';
import { add, git, repository, tree } from '../workspace/tree.js';
import { gauges, unsession } from './run.js';

const TIDE = 'export const tide = () => readGauge();\ndeclare function readGauge(): number;\ndeclare function readLevel(): number;\n';
const files = {
  'package.json': '{"name":"harbour","type":"module"}\n',
  'src/tide.ts': TIDE,
  'src/seal.ts': 'export const seal = () => sealGauge();\n',
};
const contains = (text: string): string => expect.stringContaining(text) as string;
const places = (stdout: string): readonly string[] => ScanResult.parse(JSON.parse(stdout)).findings.map(({ site }) => `${site.file}:${String(site.line)}`);

describe('--write-baseline and --baseline', () => {
  it('accepts what is there, and shows what comes, by content and not by number', async () => {
    const root = tree(files);
    const wrote = await unsession(['scan', '--write-baseline', 'known.json'], { cwd: root });
    expect(wrote).toMatchObject({ code: 0, stderr: 'wrote known.json with 2 findings; --baseline leaves them out from now on.\n' });
    // Never called clean: what is known is still there.
    for (const format of ['pretty', 'github', 'markdown'])
      expect(await unsession(['scan', '--baseline', 'known.json', '--format', format], { cwd: root })).toMatchObject({
        code: 0,
        stderr: '2 known findings left out.\n',
        stdout: contains('Nothing new: 2 known findings left out by the baseline.'),
      });
    // One goes, another comes, and the known one moves down: two before, two after.
    add(root, { 'src/tide.ts': `// moved down\n${TIDE}export const ebb = () => readGauge();\n`, 'src/seal.ts': 'export {};\n' });
    const ran = await unsession(['scan', '--baseline', 'known.json', '--format', 'json'], { cwd: root });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toBe(
      '1 known finding left out; 1 gone from the code, --prune-baseline takes them out of the baseline: gauge-seal/call in src/seal.ts.\n',
    );
    expect(places(ran.stdout)).toEqual(['src/tide.ts:5']);
    expect(ScanResult.parse(JSON.parse(ran.stdout)).baseline).toMatchObject({ known: 1, gone: [{ id: 'gauge-seal/call', file: 'src/seal.ts' }] });
  });

  it('holds no line, is sorted, and is the same after code has moved', async () => {
    const root = tree(files);
    await unsession(['scan', '--write-baseline', 'known.json'], { cwd: root });
    const first = readFileSync(join(root, 'known.json'), 'utf8');
    expect(JSON.parse(first)).toMatchObject({
      schemaVersion: '1',
      kind: 'baseline',
      findings: [{ file: 'src/seal.ts', id: 'gauge-seal/call' }, { file: 'src/tide.ts' }],
    });
    add(root, { 'src/tide.ts': `${'// moved\n'.repeat(50)}${TIDE}` });
    unlinkSync(join(root, 'known.json'));
    await unsession(['scan', '--write-baseline', 'known.json'], { cwd: root });
    expect(readFileSync(join(root, 'known.json'), 'utf8')).toBe(first);
  });

  it('is never written over, and not from nothing', async () => {
    const root = tree(files);
    await unsession(['scan', '--write-baseline', 'known.json'], { cwd: root });
    const before = readFileSync(join(root, 'known.json'), 'utf8');
    add(root, { 'src/new.ts': 'export const ebb = () => sealGauge();\n' });
    expect(await unsession(['scan', '--write-baseline', 'known.json'], { cwd: root })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: contains('--prune-baseline'),
    });
    expect(readFileSync(join(root, 'known.json'), 'utf8')).toBe(before);
    const empty = tree({ 'broken.ts': 'readGauge( {\n' });
    expect((await unsession(['scan', '--write-baseline', 'known.json'], { cwd: empty })).code).toBe(3);
    expect(() => readFileSync(join(empty, 'known.json'))).toThrow();
    const partly = tree({ ...files, 'src/broken.ts': 'readGauge( {\n' });
    expect((await unsession(['scan', '--write-baseline', 'known.json'], { cwd: partly })).code).toBe(1);
  });

  it('is pruned apart from being written: what is new stays visible', async () => {
    const root = tree(files);
    await unsession(['scan', '--write-baseline', 'known.json'], { cwd: root });
    add(root, { 'src/seal.ts': 'export {};\n', 'src/new.ts': 'export const ebb = () => readGauge();\n' });
    const ran = await unsession(['scan', '--baseline', 'known.json', '--prune-baseline'], { cwd: root });
    expect(ran).toMatchObject({ code: 1, stderr: contains('1 taken out of the baseline: gauge-seal/call in src/seal.ts') });
    expect((JSON.parse(readFileSync(join(root, 'known.json'), 'utf8')) as { findings: unknown[] }).findings).toHaveLength(1);
    const again = await unsession(['scan', '--baseline', 'known.json', '--format', 'json'], { cwd: root });
    expect(places(again.stdout)).toEqual(['src/new.ts:1']);
    expect(again.stderr).toBe('1 known finding left out.\n');
  });

  it('says nothing about what a partial scan did not look at, and does not prune by it', async () => {
    const root = tree(files);
    await unsession(['scan', '--write-baseline', 'known.json'], { cwd: root });
    expect((await unsession(['scan', '--baseline', 'known.json', '--only', 'gauge-seal'], { cwd: root })).stderr).toBe('1 known finding left out.\n');
    expect((await unsession(['scan', 'src/seal.ts', '--baseline', 'known.json'], { cwd: root })).stderr).toBe('1 known finding left out.\n');
    expect((await unsession(['scan', '--baseline', 'known.json', '--prune-baseline', '--only', 'gauge-seal'], { cwd: root })).code).toBe(2);
    expect((await unsession(['scan', '--prune-baseline'], { cwd: root })).code).toBe(2);
    expect((await unsession(['scan', '--write-baseline', 'b.json', '--baseline', 'known.json'], { cwd: root })).code).toBe(2);
  });

  it('fits every folder of the repository, and is written from any of them', async () => {
    const root = repository({ ...files, ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`services/quay/${path}`, text])) });
    await unsession(['scan', '--write-baseline', 'known.json'], { cwd: root });
    const top = readFileSync(join(root, 'known.json'), 'utf8');
    for (const below of ['services/quay', 'services', 'services/quay/src'])
      expect(await unsession(['scan', below, '--baseline', 'known.json'], { cwd: root })).toMatchObject({
        code: 0,
        stderr: contains('2 known findings left out.\n'),
      });
    // One goes in the folder: that is seen from it and from the top, and not from its neighbour.
    add(root, { 'services/quay/src/seal.ts': 'export {};\n' });
    const gone = contains('1 gone from the code, --prune-baseline takes them out of the baseline: gauge-seal/call in services/quay/src/seal.ts');
    expect(await unsession(['scan', '--baseline', 'known.json'], { cwd: root })).toMatchObject({ code: 0, stderr: gone });
    expect(await unsession(['scan', 'services', '--baseline', 'known.json'], { cwd: root })).toMatchObject({ code: 0, stderr: gone });
    expect((await unsession(['scan', 'src', '--baseline', 'known.json'], { cwd: root })).stderr).toContain('2 known findings left out.\n');
    // The folder's own baseline holds the same entries, so it fits the top as far as it goes; a result as JSON does too.
    add(root, { 'services/quay/src/seal.ts': files['src/seal.ts'] });
    await unsession(['scan', 'services/quay', '--write-baseline', 'quay.json'], { cwd: root });
    const entries = (text: string): readonly object[] => (JSON.parse(text) as { findings: readonly object[] }).findings;
    expect(entries(top)).toEqual(expect.arrayContaining([...entries(readFileSync(join(root, 'quay.json'), 'utf8'))]));
    await unsession(['scan', 'services/quay', '--format', 'json', '--output', 'quay-scan.json'], { cwd: root });
    for (const file of ['quay.json', 'quay-scan.json'])
      expect(places((await unsession(['scan', '--baseline', file, '--format', 'json'], { cwd: root })).stdout)).toEqual(['src/seal.ts:1', 'src/tide.ts:1']);
    // Pruning from a folder keeps what lies outside of it.
    add(root, { 'services/quay/src/seal.ts': 'export {};\n' });
    await unsession(['scan', 'services/quay', '--baseline', 'known.json', '--prune-baseline'], { cwd: root });
    expect(entries(readFileSync(join(root, 'known.json'), 'utf8'))).toHaveLength(3);
  });

  it('knows a finding whose file got another name, and none that went to another file', async () => {
    const root = tree(files);
    await unsession(['scan', '--write-baseline', 'known.json'], { cwd: root });
    renameSync(join(root, 'src/tide.ts'), join(root, 'src/ebb.ts'));
    const ran = await unsession(['scan', '--baseline', 'known.json', '--format', 'json'], { cwd: root });
    expect(ran).toMatchObject({ code: 0, stderr: '2 known findings left out (src/tide.ts is src/ebb.ts).\n' });
    expect(ScanResult.parse(JSON.parse(ran.stdout)).baseline).toMatchObject({ known: 2, moved: [{ from: 'src/tide.ts', to: 'src/ebb.ts' }], gone: [] });
    expect((await unsession(['scan', '--baseline', 'known.json', '--prune-baseline'], { cwd: root })).code).toBe(0);
    expect(await unsession(['scan', '--baseline', 'known.json'], { cwd: root })).toMatchObject({ code: 0, stderr: '2 known findings left out.\n' });
    // A copy is new although its text is known, and so is text that left a file which is still there.
    add(root, { 'src/copy.ts': TIDE, 'src/seal.ts': 'export {};\n', 'src/hatch.ts': files['src/seal.ts'] });
    const again = await unsession(['scan', '--baseline', 'known.json', '--format', 'json'], { cwd: root });
    expect(places(again.stdout)).toEqual(['src/copy.ts:1', 'src/hatch.ts:1']);
    expect(again.stderr).toContain('1 gone');
  });

  it('takes the result of a scan too, and cuts nothing out of it', async () => {
    const root = tree(files);
    await unsession(['scan', '--format', 'json', '--output', 'known.json'], { cwd: root });
    add(root, { 'src/seal.ts': 'export {};\n' });
    expect(await unsession(['scan', '--baseline', 'known.json'], { cwd: root })).toMatchObject({ code: 0, stderr: contains('gauge-seal/call in src/seal.ts') });
    expect((await unsession(['scan', '--baseline', 'known.json', '--prune-baseline'], { cwd: root })).code).toBe(1);
  });

  it('comes from the configuration, beside it', async () => {
    const root = tree({ ...files, 'config/unsession.config.json': '{ "baseline": "known.json" }' });
    await unsession(['scan', '--write-baseline', 'config/known.json'], { cwd: root });
    expect((await unsession(['scan', '--config', 'config/unsession.config.json'], { cwd: root })).stderr).toBe('2 known findings left out.\n');
  });

  it('accepts refusals by what they are about', async () => {
    const refusing = {
      ...gauges,
      rules: [
        {
          id: 'open-sluice',
          title: 'The sluice is open',
          spec: [],
          evaluate: (_inventory: unknown, _plan: unknown, findings: readonly { readonly site: { readonly file: string } }[]) =>
            findings.map(({ site }) => ({
              id: 'open-sluice',
              title: 'The sluice is open',
              reason: { why: 'It leaks.', next: 'Shut it.', sites: [site] },
            })) as never,
        },
      ],
    };
    const root = tree(files);
    const scan = (...args: string[]) => unsession(['scan', '--fail-on', 'never', ...args], { cwd: root, knowledge: refusing });
    expect((await scan()).code).toBe(1);
    await scan('--write-baseline', 'known.json');
    expect((await scan('--baseline', 'known.json')).code).toBe(0);
    add(root, { 'src/new.ts': 'export const ebb = () => sealGauge();\n' });
    expect(await scan('--baseline', 'known.json')).toMatchObject({ code: 1, stdout: contains('src/new.ts') });
  });
});

describe('--changed-since', () => {
  const setUp = (): string => {
    const root = repository({ ...files, 'src/broken.ts': 'readGauge( {\n' });
    git(root, 'checkout', '-q', '-b', 'work');
    return root;
  };
  const scan = async (root: string, ...args: string[]) => unsession(['scan', ...args, '--format', 'json'], { cwd: root });

  it('reports the files that a branch changed: committed, edited, new', async () => {
    const root = setUp();
    expect(await scan(root, '--changed-since', 'main')).toMatchObject({ code: 0, stderr: '' });
    expect((await unsession(['scan', '--changed-since', 'main'], { cwd: root })).stdout).toContain('Nothing new: 2 findings in files that did not change.');
    add(root, { 'src/ebb.ts': 'export const ebb = () => sealGauge();\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'ebb');
    add(root, { 'src/seal.ts': `// edited\n${files['src/seal.ts']}`, 'src/flood.ts': 'export const flood = () => sealGauge();\n' });
    // What main did since then is not the work of the branch.
    git(root, 'stash', '-q', '-u');
    git(root, 'checkout', '-q', 'main');
    add(root, { 'src/tide.ts': `// on main\n${TIDE}` });
    git(root, 'commit', '-q', '-a', '-m', 'main moves');
    git(root, 'checkout', '-q', 'work');
    git(root, 'stash', 'pop', '-q');
    const ran = await scan(root, '--changed-since', 'main');
    expect(places(ran.stdout)).toEqual(['src/ebb.ts:1', 'src/flood.ts:1', 'src/seal.ts:2']);
    expect(ran.code).toBe(1);
  });

  it('works below the top, and together with a baseline', async () => {
    const below = Object.fromEntries(Object.entries(files).map(([path, text]) => [`services/harbour/${path}`, text]));
    const root = repository(below);
    add(root, { 'services/harbour/src/seal.ts': `// edited\n${files['src/seal.ts']}`, 'other/x.ts': 'export {};\n' });
    expect(places((await scan(root, 'services/harbour', '--changed-since', 'HEAD')).stdout)).toEqual(['src/seal.ts:2']);
    await unsession(['scan', 'services/harbour', '--write-baseline', 'known.json'], { cwd: root });
    expect(places((await scan(root, 'services/harbour', '--changed-since', 'HEAD', '--baseline', 'known.json')).stdout)).toEqual([]);
  });

  it('fails for an unreadable file only when it changed', async () => {
    const root = setUp();
    expect((await scan(root, '--changed-since', 'main')).code).toBe(0);
    add(root, { 'src/broken.ts': 'readGauge( { \n' });
    expect((await scan(root, '--changed-since', 'main', '--fail-on', 'never')).code).toBe(1);
  });

  it('says what is wrong with the commit', async () => {
    const root = setUp();
    expect(await scan(root, '--changed-since', 'nosuch')).toMatchObject({ code: 2, stderr: contains('fetch-depth: 0') });
    expect(await unsession(['scan', '--changed-since=--output=x'], { cwd: root })).toMatchObject({ code: 2, stderr: contains('no commit') });
    expect(await scan(tree(files), '--changed-since', 'main')).toMatchObject({ code: 2, stderr: contains('git repository') });
  });
});

describe('suppressions', () => {
  it('that are stale or do nothing are on the first screen, in the report and among the annotations', async () => {
    const root = tree({
      ...files,
      'src/quiet.ts': '// unsession-ignore gauge-seal -- sealed by hand until May\nexport const hush = () => sealGauge();\n',
      'src/old.ts': '// unsession-ignore gauge-seal -- was sealed by hand\nexport const old = () => readGauge();\n',
      'src/bare.ts': 'export const bare = () => sealGauge(); // unsession-ignore gauge-seal\n',
    });
    const screen = (await unsession(['scan'], { cwd: root })).stdout;
    expect(screen).toMatch(/^src\/bare\.ts:1: suppression has no effect: it gives no reason \(1 more\)$/m);
    expect(screen).not.toContain('src/quiet.ts');
    const verbose = (await unsession(['scan', '--verbose'], { cwd: root })).stdout;
    expect(verbose).toContain('src/quiet.ts:1  gauge-seal silences a finding (sealed by hand until May)');
    expect(verbose).toContain('src/old.ts:1  gauge-seal silences nothing any longer');
    expect((await unsession(['scan', '--format', 'github'], { cwd: root })).stdout).toContain('::warning file=src/old.ts,line=1,title=unsession-ignore::');
    expect((await unsession(['scan', '--format', 'markdown'], { cwd: root })).stdout).toContain('- `src/old.ts:1`: `gauge-seal` silences nothing any longer');
  });
});
