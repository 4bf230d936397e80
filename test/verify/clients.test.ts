import { describe, expect, it } from 'vitest';
import { checks } from '../../transforms/_checks/index.js';
import { clientFaults } from '../live/reference-client/faults.js';
import { judgeClient } from '../live/reference-client/judge.js';
import { idsOf } from '../live/reference-server/judge.js';

describe('the referee', () => {
  it('finds nothing wrong with the reference client', { timeout: 120_000 }, async () => {
    const report = await judgeClient(undefined);
    expect(report.results.filter((result) => result.verdict === 'fail' || result.verdict === 'warn')).toEqual([]);
    const untested = report.results.filter((result) => result.verdict !== 'pass').map((result) => result.id);
    expect(untested).toEqual(['CK-C18', 'CK-C24', 'CK-C28', 'CK-C29']);
  });
  it('finds nothing wrong with it over stdio', { timeout: 60_000 }, async () => {
    const report = await judgeClient('stdio', { only: ['CK-C29'] });
    expect(report.results.map((result) => result.verdict)).toEqual(['pass']);
  });
  it.concurrent.each(Object.entries(clientFaults))('sees %s', { timeout: 90_000 }, async (id, fault) => {
    const report = await judgeClient(id, { only: [...fault.fails, ...(fault.warns ?? [])] });
    expect(idsOf(report, 'fail')).toEqual([...fault.fails]);
    expect(idsOf(report, 'warn')).toEqual([...(fault.warns ?? [])]);
  });
  it('has a fault for every check that a referee decides', () => {
    const red = new Set(Object.values(clientFaults).flatMap((fault) => [...fault.fails, ...(fault.warns ?? [])]));
    const decided = checks.filter((check) => check.transport === 'client' && check.class !== 'attest').map((check) => check.id);
    expect(decided.filter((id) => !red.has(id))).toEqual([]);
  });
  it('calls a client inconclusive that cannot be started', async () => {
    const { runChecks } = await import('../../src/verify/index.js');
    const report = await runChecks({ transport: 'client', command: 'no-such-client', args: ['{url}'] }, checks, { only: ['CK-C01'] });
    expect(report.results[0]?.verdict).toBe('inconclusive');
    expect(report.inconclusive).toBeDefined();
  });
});
