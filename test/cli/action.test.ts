import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { outputsOf } from '../../src/cli/job-files.js';
import { version } from '../../src/cli/version.js';
import { codeScanningProblems } from '../report/code-scanning.js';
import { scanResult } from '../report/results.js';
import { add, git, repository, tree } from '../workspace/tree.js';

const ROOT = join(import.meta.dirname, '../..');
const SHA = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}
const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;
const [step] = action.runs.steps;

/** A server that keeps a session, and one file with a broken name. */
const library = {
  'package.json': '{"name":"library","type":"module","dependencies":{"@modelcontextprotocol/sdk":"^1.20.0"}}\n',
  'src/desk.js': `import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
export const open = () => new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
`,
};

/**
 * Runs the script of the action as a runner does, in as little as a container has: no variables but those of the runner, an empty home, and an `npx`
 * that has only this package. `inputs` as a workflow gives them.
 */
function run(root: string, inputs: Readonly<Record<string, string>> = {}) {
  const box = tree({
    'home/.keep': '',
    // The prefix decides whose .npmrc and node_modules count: an empty folder, never the checkout.
    'bin/npx': `#!/bin/sh\nset -e\n[ "$1 $2" = "--yes --prefix" ] && [ -z "$(ls -A "$3")" ] && [ "$4" = "unsession@${version}" ] || { echo "unexpected: $*" >&2; exit 99; }\nshift 4\nexec "${process.execPath}" "${join(ROOT, 'bin/unsession.js')}" "$@"\n`,
  });
  spawnSync('chmod', ['+x', join(box, 'bin/npx')]);
  const given = (name: string): string => inputs[name] ?? action.inputs[name]?.default ?? '';
  const variables = Object.entries(step?.env ?? {}).map(([name, value]) => [
    name,
    value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_whole, input: string) => given(input)),
  ]);
  const env = {
    PATH: [join(box, 'bin'), '/usr/bin', '/bin'].join(delimiter),
    HOME: join(box, 'home'),
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(box, 'summary.md'),
    GITHUB_OUTPUT: join(box, 'output.txt'),
    ...(Object.fromEntries(variables) as Record<string, string>),
  };
  const script = join(box, 'step.sh');
  add(box, { 'step.sh': step?.run ?? '' });
  // The flags of `shell: bash`.
  const ran = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], { cwd: root, env, encoding: 'utf8' });
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const outputs = Object.fromEntries(
    read(env.GITHUB_OUTPUT)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('=', 2) as [string, string]),
  );
  return { code: ran.status, log: ran.stdout, errors: ran.stderr, summary: read(env.GITHUB_STEP_SUMMARY), outputs };
}

describe('action.yml', () => {
  it('is a composite action of this version, pinned, without secrets', () => {
    expect(action.runs.using).toBe('composite');
    expect(action.inputs.version?.default).toBe(version);
    for (const { uses } of action.runs.steps) if (uses !== undefined) expect(uses).toMatch(SHA);
    expect(readFileSync(join(ROOT, 'action.yml'), 'utf8')).not.toMatch(/secrets\.|github\.token|GITHUB_TOKEN/);
    for (const [name, input] of Object.entries(action.inputs)) {
      expect(input.description.length, name).toBeGreaterThan(10);
      expect(input.required ?? false, name).toBe(false);
    }
  });

  it('takes every input as a variable, never into the script', () => {
    expect(step?.run).not.toContain('${{');
    const used = Object.values(step?.env ?? {}).map((value) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1]);
    expect([...used].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  it('declares the outputs that the tool writes', () => {
    expect(Object.keys(action.outputs)).toEqual(Object.keys(outputsOf(scanResult(), 0)));
    for (const [name, { value }] of Object.entries(action.outputs)) expect(value).toBe(`\${{ steps.${step?.id ?? ''}.outputs.${name} }}`);
  });

  it('leaves annotations, summary, outputs and files, and fails by threshold', () => {
    const root = repository(library);
    const ran = run(root, { sarif: 'out/scan.sarif', json: 'out/scan.json' });
    expect(ran).toMatchObject({ code: 1, errors: '' });
    expect(ran.log).toMatch(/^::error file=src\/desk\.js,line=3,.*title=session-transport\/session-id-generator::/m);
    expect(ran.summary).toContain('## Migration to the stateless revision');
    expect(ran.summary).toContain('`src/desk.js:3`');
    expect(Object.keys(ran.outputs)).toEqual(Object.keys(action.outputs));
    expect(Number(ran.outputs.findings)).toBeGreaterThan(0);
    expect(ran.outputs).toMatchObject({ 'exit-code': '1', 'milestone-entry': 'ahead' });
    expect(codeScanningProblems(readFileSync(join(root, 'out/scan.sarif'), 'utf8'))).toEqual([]);
    expect(JSON.parse(readFileSync(join(root, 'out/scan.json'), 'utf8'))).toMatchObject({ schemaVersion: '1' });
    expect(run(root, { 'fail-on': 'never' })).toMatchObject({ code: 0, outputs: { 'exit-code': '0', findings: ran.outputs.findings } });
  });

  it('looks at a part: a folder with blanks, a package, what changed, what is new', () => {
    const below = Object.fromEntries(Object.entries(library).map(([path, text]) => [`my desk/${path}`, text]));
    const root = repository(below);
    expect(run(root, { path: 'my desk' }).log).toContain('file=my desk/src/desk.js,');
    expect(run(root, { package: 'library' }).code).toBe(1);
    expect(run(root, { 'changed-since': 'HEAD' }).code).toBe(0);
    git(root, 'commit', '-q', '--allow-empty', '-m', 'second');
    spawnSync(process.execPath, [join(ROOT, 'bin/unsession.js'), 'scan', '--write-baseline', 'known.json'], { cwd: root });
    expect(run(root, { baseline: 'known.json' })).toMatchObject({ code: 0, outputs: { findings: '0' } });
    expect(run(root, { path: 'nosuch' })).toMatchObject({ code: 2 });
    expect(run(root, { path: '--write-baseline=x' })).toMatchObject({ code: 2 });
  }, 60_000);
});

describe('.pre-commit-hooks.yaml', () => {
  it('starts a command line that exists', () => {
    const [hook] = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as { readonly entry: string; readonly language: string }[];
    expect(hook?.language).toBe('node');
    const [name, ...args] = (hook?.entry ?? '').split(' ');
    expect(name).toBe('unsession');
    const root = repository(library);
    const hooked = () => spawnSync(process.execPath, [join(ROOT, 'bin/unsession.js'), ...args], { cwd: root }).status;
    expect(hooked()).toBe(0);
    add(root, { 'src/desk.js': `${library['src/desk.js']}// edited\n` });
    expect(hooked()).toBe(1);
  });
});
