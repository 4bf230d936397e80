import { describe, expect, it } from 'vitest';
import { saysSomething } from '../../src/verify/evaluate/assert.js';
import { runChecks } from '../../src/verify/index.js';
import { checks } from '../../transforms/_checks/index.js';
import { startReference } from '../live/reference-server/http.js';
import { stdioTarget } from '../live/reference-server/judge.js';
import { bodyOf, judgeHandler, reply, verdicts } from './peers.js';

describe('a pass needs an answer that shows it', () => {
  it('an expectation of which nothing applies here says nothing', () => {
    const elsewhere = [{ at: 'status', is: 405, lanes: ['none' as const] }];
    expect(saysSomething([elsewhere], {}, 'sessionful')).toBe(false);
    expect(saysSomething([elsewhere], {}, 'none')).toBe(true);
    expect(saysSomething([[]], {}, 'none')).toBe(false);
  });
  it('without a tool that may be called, nothing about tools passes', { timeout: 30_000 }, async () => {
    const server = await startReference();
    const only = ['38', '39', '40', '41', '42', '43', '49', '50', '56', '59', '60', '63', '64', '65', '67'].map((number) => `CK-H${number}`);
    const report = await runChecks({ transport: 'http', url: server.url }, checks, { only, classes: ['quick', 'slow'] });
    await server.kill();
    expect(report.results.filter((result) => result.verdict !== 'not-tested').map((result) => result.id)).toEqual([]);
    expect(report.results.every((result) => /allow one with --allow-tool|name it: --tool|--control change/.test(result.reason))).toBe(true);
    const over = await runChecks(stdioTarget({}), checks, { only: ['CK-S09', 'CK-S13', 'CK-S16'] });
    expect(new Set(Object.values(verdicts(over)))).toEqual(new Set(['not-tested']));
  });
  it('a server that says yes to everything passes hardly anything', { timeout: 30_000 }, async () => {
    const report = await judgeHandler(async (request, response) => {
      const { id } = await bodyOf(request);
      const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, tools: [], ttlMs: 0, cacheScope: 'private' };
      return reply(response, 200, { jsonrpc: '2.0', id, result });
    });
    const passed = report.results.filter((result) => result.verdict === 'pass').map((result) => result.id);
    // Discovery, what must be ignored or tolerated, lists: that it does.
    expect(passed).toEqual(['CK-H02', 'CK-H03', 'CK-H10', 'CK-H11', 'CK-H23', 'CK-H29', 'CK-H52', 'CK-H53', 'CK-H62', 'CK-L08']);
    expect(report.summary.fail).toBeGreaterThan(25);
  });
});
