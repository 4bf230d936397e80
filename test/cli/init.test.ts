import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { READY_FILES } from '../../src/cli/options.js';
import { version } from '../../src/cli/version.js';
import { add, git, repository, tree } from '../workspace/tree.js';
import { unsession } from './run.js';

const files = { 'package.json': '{"name":"harbour"}\n', 'src/seal.ts': 'export const seal = () => sealGauge();\n' };
const WRITTEN = ['unsession.config.json', 'unsession.baseline.json', '.github/workflows/unsession.yml'];

interface Workflow {
  readonly on: { readonly push: { readonly branches: readonly string[] } };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>>;
}

describe('init', () => {
  it('writes configuration, baseline and workflow, and the next scan is quiet until something comes', async () => {
    const root = repository(files);
    const ran = await unsession(['init'], { cwd: root });
    expect(ran.code).toBe(0);
    for (const path of WRITTEN) expect(ran.stdout).toContain(`wrote  ${path}\n`);
    expect(await unsession(['scan'], { cwd: root })).toMatchObject({ code: 0, stderr: '1 known finding left out.\n' });
    add(root, { 'src/new.ts': 'export const ebb = () => sealGauge();\n' });
    expect((await unsession(['scan'], { cwd: root })).code).toBe(1);
  });

  it('writes a workflow that is pinned, reads only, and scans this folder', async () => {
    const root = repository(Object.fromEntries(Object.entries(files).map(([path, text]) => [`my services/harbour/${path}`, text])));
    git(root, 'checkout', '-q', '-b', "it's-main");
    await unsession(['init', 'my services/harbour'], { cwd: root });
    expect(existsSync(join(root, 'my services/harbour/unsession.config.json'))).toBe(true);
    const workflow = parse(readFileSync(join(root, '.github/workflows/unsession.yml'), 'utf8')) as Workflow;
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(workflow.on.push.branches).toEqual(["it's-main"]);
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
    expect(steps.map((step) => step.run?.trim()).filter(Boolean)).toEqual([
      `npx --yes --prefix "$(mktemp -d)" unsession@${version} scan 'my services/harbour' --format github --report sarif=unsession.sarif`,
    ]);
  });

  it('never writes over a file, and says what it kept', async () => {
    const mine = { 'unsession.config.json': '{ "failOn": "error" }\n', '.github/workflows/unsession.yml': 'name: mine\n', 'unsession.baseline.json': 'mine\n' };
    const root = repository({ ...files, ...mine });
    const ran = await unsession(['init'], { cwd: root });
    expect(ran.code).toBe(0);
    for (const [path, text] of Object.entries(mine)) {
      expect(readFileSync(join(root, path), 'utf8')).toBe(text);
      expect(ran.stdout).toContain(`kept   ${path}: exists and stays as it is\n`);
    }
    const other = repository({ ...files, '.unsessionrc': '{ "failOn": "error" }' });
    expect((await unsession(['init', '--no-workflow'], { cwd: other })).stdout).toContain(
      'kept   unsession.config.json: .unsessionrc is the configuration already; add "baseline": "unsession.baseline.json" to it\n',
    );
    expect(existsSync(join(other, 'unsession.config.json'))).toBe(false);
  });

  it('writes nothing in a dry run, and shows all', async () => {
    const root = repository(files);
    const ran = await unsession(['init', '--dry-run'], { cwd: root });
    for (const path of WRITTEN) expect(ran.stdout).toContain(`would write ${path}:\n`);
    expect(ran.stdout).toContain('"id":"gauge-seal/call"');
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  it('leaves parts out on request, and refuses a file and a folder that cannot be read', async () => {
    const root = repository(files);
    await unsession(['init', '--no-baseline', '--no-workflow'], { cwd: root });
    expect(JSON.parse(readFileSync(join(root, 'unsession.config.json'), 'utf8'))).toEqual({ failOn: 'warning' });
    expect(git(root, 'status', '--porcelain')).toBe('?? unsession.config.json\n');
    expect((await unsession(['init', 'src/seal.ts'], { cwd: root })).code).toBe(2);
    expect(await unsession(['init'], { cwd: tree() })).toMatchObject({ code: 2, stderr: expect.stringContaining('--no-baseline') as string });
  });

  it.each(READY_FILES)('prints %s, whole and valid', async (name) => {
    const { code, stdout } = await unsession(['init', '--print', name], { cwd: tree(files) });
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/@[A-Z]+@/);
    expect(parse(stdout)).toBeTypeOf('object');
    for (const [, uses = ''] of stdout.matchAll(/uses: (\S+)/g)) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    // What a pull request names (a branch, a title) is never part of a script.
    expect(stdout.split('\n').filter((line) => line.includes('${{') && !/^ *(?:- )?[\w-]+: '?(?:[\w/-]*\$\{\{ [\w.]+ \}\}[\w-]*)'?$/.test(line))).toEqual([]);
    for (const [, used = ''] of stdout.matchAll(/unsession@(\S+?)['" ]/g)) expect(used).toBe(version);
  });

  it('prints rules for the packages of the SDK', async () => {
    const renovate = JSON.parse((await unsession(['init', '--print', 'renovate'], { cwd: tree(files) })).stdout) as {
      packageRules: { matchPackageNames: string[]; enabled?: boolean }[];
    };
    expect(renovate.packageRules.find(({ enabled }) => enabled === false)?.matchPackageNames).toEqual(['mcp']);
    const dependabot = parse((await unsession(['init', '--print', 'dependabot'], { cwd: tree(files) })).stdout) as {
      updates: { 'package-ecosystem': string; ignore?: { 'dependency-name': string }[] }[];
    };
    expect(dependabot.updates.map((entry) => entry['package-ecosystem'])).toEqual(['npm', 'pip']);
    expect(dependabot.updates[1]?.ignore?.[0]).toEqual({ 'dependency-name': 'mcp', 'update-types': ['version-update:semver-major'] });
  });
});
