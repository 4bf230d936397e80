import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { runChecks } from '../../src/verify/index.js';
import { checks } from '../../transforms/_checks/index.js';
import { startReference } from '../live/reference-server/http.js';
import { bodyOf, judgeHandler, reply } from './peers.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const MB = 1024 * 1024;

/** Heap in use after everything that is free was collected, in MB. */
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed / MB;
};

describe('memory of the judge', () => {
  it('is flat over many runs: what one run kept is free after it', { timeout: 120_000 }, async () => {
    const server = await startReference({ legacy: 'stateless', pace: 0.05 });
    const options = { allowTools: [{ name: 'price', args: {} }], pace: 0.05, skip: ['CK-H54', 'CK-H55', 'CK-H56', 'CK-H12'] };
    const figures: number[] = [];
    let probes = 0;
    for (let run = 0; run < 8; run++) {
      const report = await runChecks({ transport: 'http', url: server.url }, checks, options);
      probes += report.results.reduce((sum, result) => sum + result.exchanges.length, 0);
      figures.push(heap());
    }
    await server.kill();
    expect(probes).toBeGreaterThan(700);
    // The first runs fill caches; from then on nothing is added.
    const [warm = 0, last = 0] = [figures[3], figures.at(-1)];
    expect(last - warm, `MB after each run: ${figures.map((figure) => figure.toFixed(1)).join(' ')}`).toBeLessThan(4);
  });
  it('is bounded by a cap for each answer when a server answers megabytes to everything', { timeout: 120_000 }, async () => {
    const before = heap();
    let highest = 0;
    const blob = 'x'.repeat(2 * MB);
    const report = await judgeHandler(
      async (request, response) => {
        highest = Math.max(highest, process.memoryUsage().heapUsed / MB);
        const id = (await bodyOf(request))['id'];
        reply(response, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, blob } });
      },
      { maxBytes: 3 * MB, only: ['CK-H0', 'CK-H1', 'CK-H2'] },
    );
    expect(report.results.length).toBeGreaterThan(20);
    expect(highest - before).toBeLessThan(400);
    expect(heap() - before).toBeLessThan(20);
    expect(JSON.stringify(report).length).toBeLessThan(2 * MB);
  });
  it('is bounded when a process writes without end', { timeout: 60_000 }, async () => {
    const before = heap();
    const flood =
      "const line = 'y'.repeat(65536) + '\\n'; const more = () => { while (process.stdout.write(line)); process.stdout.once('drain', more); }; more();";
    const report = await runChecks({ transport: 'stdio', command: process.execPath, args: ['-e', flood] }, checks, {
      timeout: 2000,
      maxBytes: 2 * MB,
      only: ['CK-S01', 'CK-S07'],
    });
    expect(report.results.filter((result) => result.verdict === 'pass')).toEqual([]);
    expect(heap() - before).toBeLessThan(20);
  });
});
