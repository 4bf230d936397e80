import { describe, expect, it } from 'vitest';
import { checks } from '../../transforms/_checks/index.js';
import { faults, type FaultRow } from '../live/reference-server/faults.js';
import { baseline, idsOf, judgeFault, judgeHttp, judgeStdio, PACE } from '../live/reference-server/judge.js';
import { survivors } from '../live/reference-server/matrix.js';
import type { ReferenceOptions } from '../live/reference-server/options.js';

/** Faults whose proof is that nothing is judged. */
const silent = new Set(['exits-at-start', 'silent']);

describe('the reference server without a fault', () => {
  const setups: readonly (readonly [string, ReferenceOptions, object])[] = [
    ['modern only', {}, {}],
    ['with a stateless lane and HTTP+SSE', { legacy: 'stateless', sse: true }, {}],
    ['with a sessionful lane', { legacy: 'sessionful' }, { lane: 'sessionful' }],
    ['behind a token', { token: 'shop-secret-1' }, { token: 'shop-secret-1' }],
    ['with tasks', { tasks: true }, {}],
  ];
  it.concurrent.each(setups)('%s passes every check', { timeout: 120_000 }, async (_, reference, options) => {
    const report = await judgeHttp(reference, options);
    expect(report.results.filter((result) => result.verdict === 'fail' || result.verdict === 'inconclusive')).toEqual([]);
    expect(idsOf(report, 'warn')).toEqual(baseline({ with: reference }));
    expect(report.inconclusive).toBeUndefined();
  });
  it.concurrent.each<readonly [string, ReferenceOptions]>([
    ['modern only', {}],
    ['with a legacy lane', { legacy: 'stateless' }],
  ])('over stdio, %s, passes every check', { timeout: 120_000 }, async (_, reference) => {
    const report = await judgeStdio(reference);
    expect([...idsOf(report, 'fail'), ...idsOf(report, 'warn')]).toEqual([]);
    expect(report.summary.pass).toBeGreaterThan(14);
  });
});

describe('each fault turns its checks red', () => {
  const proof = async (row: FaultRow): Promise<void> => {
    const only = [...row.fails, ...(row.warns ?? [])];
    // Silence is proved by waiting: a quarter of the clock of the other checks will do.
    const patience = only.length === 1 && only[0] === 'CK-H58' ? { pace: PACE / 4 } : {};
    const report = await judgeFault(row, { only: [...only, 'CK-H10', 'CK-S10'], ...patience });
    expect(idsOf(report, 'fail')).toEqual(expect.arrayContaining([...row.fails]));
    expect(idsOf(report, 'warn')).toEqual(expect.arrayContaining([...(row.warns ?? [])]));
  };
  const judged = faults.filter((row) => !silent.has(row.id));
  it.concurrent.each(judged.filter((row) => row.over === 'http').map((row) => [row.id, row] as const))('over HTTP: %s', { timeout: 60_000 }, (_, row) =>
    proof(row),
  );
  it.concurrent.each(judged.filter((row) => row.over === 'stdio').map((row) => [row.id, row] as const))('over stdio: %s', { timeout: 60_000 }, (_, row) =>
    proof(row),
  );

  it('leaves no probe untouched', () => {
    expect(survivors(faults.map((row) => ({ fails: row.fails, warns: row.warns ?? [] })))).toEqual([]);
  });
  it('has at least seventy faults, and a fault for every MUST that a probe decides', () => {
    expect(faults.length).toBeGreaterThan(150);
    expect(faults.filter((row) => !silent.has(row.id) && row.fails.length + (row.warns ?? []).length === 0)).toEqual([]);
    const failed = new Set(faults.flatMap((row) => row.fails));
    const must = checks.filter((check) => check.level === 'must' && check.class !== 'attest' && check.transport !== 'client').map((check) => check.id);
    expect(must.filter((id) => !failed.has(id))).toEqual([]);
  });
  it('judges nothing when the server never runs', { timeout: 60_000 }, async () => {
    const never = ['exits-at-start', 'silent'].map((id) => faults.find((row) => row.id === id) as FaultRow);
    for (const report of await Promise.all(never.map((row) => judgeFault(row, { timeout: 1500 })))) {
      expect(report.inconclusive).toBeDefined();
      expect(idsOf(report, 'fail')).toEqual([]);
    }
  });
});
