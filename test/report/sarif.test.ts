import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScanResult } from '../../src/core/index.js';
import { lineHashes, sarif } from '../../src/report/index.js';
import { unsession } from '../cli/run.js';
import { add, repository, tree } from '../workspace/tree.js';
import { codeScanningProblems, runOf } from './code-scanning.js';
import { crowdedResult, fault, finding, scanResult, site } from './results.js';

const PLACE = { prefix: '', part: '' };
const EVIL = 'src/a b#?%:[x](y)\n\u001b[31m\ud800.ts';

const RELATED = Array.from({ length: 150 }, (_entry, line) => site('src/related.ts', line + 1, 'kept here'));

/** Findings of every severity, more than code scanning keeps. */
const huge = (number: number): ScanResult => ({
  ...scanResult(),
  findings: Array.from({ length: number }, (_, index) =>
    finding({
      fingerprint: `f${String(index)}`,
      site: site(`src/${String(index % 700)}.ts`, index + 1),
      impact: (['tidies', 'degrades', 'none', 'breaks'] as const)[index % 4] ?? 'none',
      data: { variable: 'x'.repeat(900) },
      related: RELATED,
      evidence: ['it is written by the handler of initialize'],
    }),
  ),
});

describe('sarif', () => {
  it.each([
    ['an ordinary result', scanResult()],
    ['many work items', crowdedResult(40)],
    ['nothing', scanResult({ findings: [], rules: [] })],
    [
      'names and texts that try to break out',
      scanResult({
        findings: [finding({ fingerprint: 'f1', site: site(EVIL, 3), data: { variable: `[click](https://x)${EVIL}` } })],
        notAnalysed: [fault(EVIL)],
      }),
    ],
    ['more than fits', huge(30_000)],
  ])('is accepted for %s', (_name, result) => {
    expect(codeScanningProblems(sarif(result, PLACE))).toEqual([]);
  });

  it('holds no absolute path and no character that a terminal obeys', () => {
    const text = sarif(scanResult({ findings: [finding({ fingerprint: 'f1', site: site(EVIL, 3), data: { variable: EVIL } })] }), PLACE);
    expect(text).not.toContain('/home/ada');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/); // eslint-disable-line no-control-regex
  });

  it('keeps the worst when not all fit, and says how many it left out', () => {
    const run = runOf(sarif(huge(30_000), PLACE));
    expect(new Set(run.results.map(({ level }) => level))).toEqual(new Set(['error']));
    expect(run.results.length).toBeGreaterThan(1_000);
    const left = 30_000 - run.results.length;
    expect(run.properties.truncated).toMatchObject({ kept: run.results.length, left });
    expect(run.invocations[0]?.toolExecutionNotifications[0]?.message.text).toMatch(
      new RegExp(`^${String(left)} findings of 30000 left out, the least severe ones`),
    );
    expect(runOf(sarif(huge(40), PLACE)).properties.truncated).toBeUndefined();
    expect(runOf(sarif(huge(40), PLACE)).results.map((result) => result.properties.severity)).toEqual(
      huge(40).findings.map(({ impact }) => ({ breaks: 'error', degrades: 'warning', tidies: 'note', none: 'info' })[impact]),
    );
  });

  it('names what was not read, what is refused and what silences, at its place', () => {
    const base = crowdedResult(2);
    const result = { ...base, suppressions: [{ site: site('src/quiet.ts', 4), rule: 'session-transport', reason: 'goes in May', state: 'stale' as const }] };
    const [invocation] = runOf(sarif(result, { prefix: 'services/loans/', part: '' })).invocations;
    const told = (invocation?.toolExecutionNotifications ?? []).map(
      ({ descriptor, level, locations }) => `${descriptor.id} ${level} ${locations?.[0]?.physicalLocation?.artifactLocation?.uri ?? ''}`,
    );
    expect(told).toEqual([
      'refusal/public-exposure error services/loans/src/server.ts',
      'refusal/sticky-routing error services/loans/src/server.ts',
      'refusal/blind-retry error services/loans/src/server.ts',
      'suppression/stale warning services/loans/src/quiet.ts',
      'not-analysed/syntax error services/loans/src/old.ts',
      'not-analysed/syntax error services/loans/src/older.ts',
      'not-analysed/syntax error services/loans/src/oldest.ts',
      'not-analysed/vendored note services/loans/node_modules',
    ]);
    expect(invocation?.executionSuccessful).toBe(true);
    expect(runOf(sarif({ ...base, stats: { ...base.stats, read: 0 } }, PLACE)).invocations[0]?.executionSuccessful).toBe(false);
  });
});

describe('the hash of a line', () => {
  it('is the one that the upload action of GitHub computes', () => {
    // Values of codeql-action 4.36 for this text and for an empty file.
    expect(lineHashes('ferry\r\n \tdeck\nferry\rquay\n')).toEqual([
      '3cf274f1a200f866:1',
      'caab7867ced6c3f0:1',
      '1a10d3cc78fa2fff:1',
      'bac06c0ff9ce4b11:1',
      'c129715d7a2bc9a3:1',
    ]);
    expect(lineHashes('')).toEqual(['c129715d7a2bc9a3:1']);
    expect(lineHashes('ferry\rdeck\n')).toEqual(lineHashes('ferry \r\n\tdeck\r\n'));
  });
});

describe('scan --format sarif', () => {
  const before = 'declare function readGauge(): number;\ndeclare function readLevel(): number;\n';
  const calls = 'export const tide = () => readGauge();\nexport const ebb = () => readGauge();\nexport const seal = () => sealGauge();\n';

  it('keeps its fingerprints when 50 lines are inserted above', async () => {
    const root = tree({ 'package.json': '{"name":"harbour"}\n', 'src/tide.ts': before + calls });
    const prints = async () => {
      const run = runOf((await unsession(['scan', '--format', 'sarif'], { cwd: root })).stdout);
      return run.results.map(({ partialFingerprints }) => partialFingerprints);
    };
    const first = await prints();
    expect(first).toHaveLength(3);
    add(root, { 'src/tide.ts': before + Array.from({ length: 50 }, (_, line) => `export const depth${String(line)} = ${String(line)};\n`).join('') + calls });
    expect(await prints()).toEqual(first);
  });

  it('gives paths from the top of the repository, and one category for each part of it', async () => {
    const root = repository({ 'services/harbour/package.json': '{"name":"harbour"}\n', 'services/harbour/src/tide.ts': before + calls });
    const scan = async (...args: string[]) => runOf((await unsession(['scan', ...args, '--format', 'sarif'], { cwd: root })).stdout);
    const run = await scan('services/harbour');
    expect(run.results[0]?.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe('services/harbour/src/tide.ts');
    expect(run.automationDetails.id).toBe('unsession/services/harbour/');
    expect((await scan()).automationDetails.id).toBe('unsession/');
    expect((await scan('--package', 'harbour')).automationDetails.id).toBe('unsession/harbour/');
    expect(lineHashes(readFileSync(join(root, 'services/harbour/src/tide.ts'), 'utf8'))).toContain(run.results[0]?.partialFingerprints.primaryLocationLineHash);
  });

  it('is accepted for a repository with nothing in it', async () => {
    for (const files of [{}, { 'src/main.ts': 'export {};\n' }])
      expect(codeScanningProblems((await unsession(['scan', '--format', 'sarif'], { cwd: tree(files) })).stdout)).toEqual([]);
  });
});
