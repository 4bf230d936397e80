import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder, loaderArguments } from '../../src/cli/conformance-suite.js';
import { VerifyReport } from '../../src/core/index.js';
import { junitVerify, markdownVerify, PLAIN, prettyVerify } from '../../src/report/index.js';
import { exitCodeOf, runChecks, SUITE, type RunSuite, type SuiteOutput } from '../../src/verify/index.js';
import { checks } from '../../transforms/_checks/index.js';
import { unsession } from '../cli/run.js';
import { startReference } from '../live/reference-server/http.js';
import { stdioTarget } from '../live/reference-server/judge.js';
import type { ReferenceOptions } from '../live/reference-server/options.js';
import { add, tree } from '../workspace/tree.js';

const row = (id: string, status: string, more: object = {}): object => ({
  id,
  name: id,
  description: `About ${id}.`,
  status,
  timestamp: '2026-11-30T10:00:00Z',
  ...more,
});

/** A run of the suite against the shop, told in our words: what it writes, and one file that it did not finish. */
const recorded: SuiteOutput = {
  scenarios: new Map([
    [
      'server-stateless',
      JSON.stringify([row('discover-there', 'SUCCESS'), row('version-refused', 'FAILURE', { errorMessage: 'got 200' }), row('server-info', 'INFO')]),
    ],
    ['tools-list', JSON.stringify([row('tools-listed', 'SUCCESS'), row('names', 'WARNING', { errorMessage: 'odd name' })])],
    ['tools-call-image', JSON.stringify([row('image-answered', 'FAILURE', { errorMessage: 'unknown tool "test_image_content"' })])],
    ['caching', JSON.stringify([row('sep-2549-prompts-list-caching-hints', 'FAILURE'), row('sep-2549-tools-list-caching-hints', 'SUCCESS')])],
    ['http-header-validation', JSON.stringify([row('method-compared', 'FAILURE', { errorMessage: 'Bearer abcdef123456 was sent' })])],
    ['tasks-lifecycle', JSON.stringify([row('task-made', 'FAILURE')])],
    ['resources-list', JSON.stringify([row('listed', 'FAILURE', { details: { untestable: true } }), row('read', 'SKIPPED')])],
    ['ping', '{ "half": '],
  ]),
  required: ['server-stateless', 'tools-list', 'tools-call-image', 'caching', 'resources-list', 'ping', 'completion-complete'],
};
const play =
  (output: SuiteOutput): RunSuite =>
  () =>
    Promise.resolve(output);

async function judge(official: RunSuite, reference: ReferenceOptions = {}, options: object = {}): Promise<VerifyReport> {
  const server = await startReference({ pace: 0.2, ...reference });
  try {
    return VerifyReport.parse(await runChecks({ transport: 'http', url: server.url }, checks, { only: ['CK-H01'], official, ...options }));
  } finally {
    await server.kill();
  }
}

describe('--official: the official suite beside our checks', () => {
  it('keeps what applies, drops what is about fixtures that the server does not have, and says what is not covered', async () => {
    const report = await judge(play(recorded));
    const verdicts = Object.fromEntries((report.official?.rows ?? []).map((entry) => [entry.id, entry.verdict]));
    expect(verdicts).toEqual({
      'discover-there': 'pass',
      'version-refused': 'fail',
      'tools-listed': 'pass',
      names: 'warn',
      'image-answered': 'not-applicable',
      'sep-2549-prompts-list-caching-hints': 'fail',
      'sep-2549-tools-list-caching-hints': 'pass',
      'method-compared': 'warn',
      'task-made': 'not-applicable',
      listed: 'not-tested',
      read: 'not-tested',
      ping: 'inconclusive',
    });
    expect(report.official?.notCovered).toEqual([
      '2026-07-28: no result for completion-complete.',
      '1 scenario calls tools, prompts or resources of its own, such as the tool test_image_content, that the server does not have: tools-call-image.',
    ]);
    expect(report.official?.version).toBe(SUITE.version);
    expect(exitCodeOf(report)).toBe(1);
    expect(JSON.stringify(report)).not.toContain('abcdef123456');
  });
  it('counts a failing row only once: not when the baseline has it', async () => {
    const before = await judge(play(recorded));
    expect(exitCodeOf(await judge(play(recorded), {}, { baseline: before }), before)).toBe(0);
  });
  it('runs once for each era, and never against a wall, a process or a client', async () => {
    const asked: string[] = [];
    const suite: RunSuite = ({ revision }) => {
      asked.push(revision);
      return Promise.resolve({ scenarios: new Map(), required: [] });
    };
    await judge(suite, { legacy: 'stateless' });
    expect(asked.splice(0)).toEqual(['2026-07-28', '2025-11-25']);
    const walled = await judge(suite, { token: 'shop-secret-1' }, { token: 'shop-secret-1' });
    const stdio = await runChecks(stdioTarget({}), checks, { only: ['CK-S01'], official: suite });
    const client = await runChecks({ transport: 'client', command: process.execPath, args: ['-e', ''] }, checks, {
      only: ['CK-C01'],
      official: suite,
      timeout: 2000,
    });
    expect(asked).toEqual([]);
    expect([walled, stdio, client].map((report) => report.official?.notCovered[0])).toEqual([
      expect.stringContaining('cannot send a token'),
      expect.stringContaining('HTTP only'),
      expect.stringContaining('written for it'),
    ]);
  });
  it('leaves our verdict alone when the suite cannot be had', async () => {
    const report = await judge(play({ scenarios: new Map(), required: ['tools-list'], problem: 'npm could not fetch it: offline' }));
    expect(report.official?.notCovered).toEqual(['2026-07-28: npm could not fetch it: offline']);
    expect(report.official?.rows).toEqual([]);
    expect(exitCodeOf(report)).toBe(0);
  });
  it('is in every form of the report', async () => {
    const report = await judge(play(recorded));
    const pretty = prettyVerify(report, { ...PLAIN, width: 100 });
    expect(pretty).toContain('Official suite @modelcontextprotocol/conformance@0.2.0-alpha.12, requirements of 2026-07-28');
    expect(pretty).toContain('FAIL       server-stateless 2026-07-28  About version-refused.');
    expect(pretty).toContain('Not covered by it:');
    expect(markdownVerify(report)).toMatch(/\| server-stateless version-refused \| \*\*fail\*\* \|/);
    expect(junitVerify(report)).toContain('name="server-stateless version-refused About version-refused."');
  });
});

/** A package like the suite, in the cache of the user: it needs a name that `fs` of Node 20 does not have, and its exit code says nothing. */
const fake = {
  'package.json': JSON.stringify({ name: SUITE.name, version: SUITE.version, type: 'module' }),
  'requirements/2026-07-28.yaml': 'server:\n  - tools-list\nclient: []\n',
  'dist/index.js': `import { globSync, mkdirSync, writeFileSync } from 'fs';
const word = (name) => process.argv[process.argv.indexOf(name) + 1];
if (typeof globSync !== 'function' || process.argv[2] !== 'server' || word('--requirements') !== '2026-07-28') process.exit(9);
const folder = word('-o') + '/server-tools-list-2026-11-30T10-00-00-000Z';
mkdirSync(folder);
const status = (await fetch(word('--url'), { method: 'GET' })).status === 405 ? 'FAILURE' : 'SUCCESS';
writeFileSync(folder + '/checks.json', JSON.stringify([{ id: 'tools-listed', description: 'Tools are listed.', status, errorMessage: 'GET was 405' }]));
process.exit(3);
`,
};

describe('the suite as a process', () => {
  it('is taken from the cache, loads on this Node, and is read from its files, not from its exit code', { timeout: 30_000 }, async () => {
    const home = tree();
    const env = { XDG_CACHE_HOME: home };
    add(join(cacheFolder(env), 'node_modules', SUITE.name), fake);
    const server = await startReference({ pace: 0.2 });
    const ran = await unsession(['verify', server.url, '--official', '--only', 'CK-H01', '--format', 'json'], { cwd: home, checks, env });
    await server.kill();
    const report = VerifyReport.parse(JSON.parse(ran.stdout));
    expect(report.official?.rows.map((entry) => [entry.scenario, entry.verdict, entry.reason])).toEqual([['tools-list', 'fail', 'GET was 405']]);
    expect(ran.code).toBe(1);
  });
  it('says so when npm cannot fetch it, and still judges', { timeout: 30_000 }, async () => {
    const home = tree({ 'bin/README': 'An npm that has no registry.\n' });
    writeFileSync(join(home, 'bin/npm'), '#!/bin/sh\necho "no route to the registry" >&2\nexit 1\n', { mode: 0o755 });
    const server = await startReference({ pace: 0.2 });
    const env = { XDG_CACHE_HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}` };
    const ran = await unsession(['verify', server.url, '--official', '--only', 'CK-H01'], { cwd: home, checks, env });
    await server.kill();
    expect(ran.stdout.replace(/\s+/g, ' ')).toContain(`npm could not fetch ${SUITE.name}@${SUITE.version}: no route to the registry`);
    expect(ran.code).toBe(0);
  });
  it('needs the loader hook on Node 20 only', () => {
    expect(loaderArguments('20.19.0')[0]).toBe('--import');
    expect(loaderArguments('22.1.0')).toEqual([]);
  });
});
