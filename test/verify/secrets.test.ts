import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../transforms/_checks/index.js';
import { unsession } from '../cli/run.js';
import { startReference } from '../live/reference-server/http.js';
import { tree } from '../workspace/tree.js';
import { bodyOf, judgeHandler, reply } from './peers.js';

const SECRET = 'shop-secret-7421';

describe('no secret of the user is in any form of the report', () => {
  it.each([
    ['--token', (): readonly string[] => ['--token', SECRET]],
    ['--token-env', (): readonly string[] => ['--token-env', 'SHOP_TOKEN']],
    [
      '--token-file',
      (folder: string): readonly string[] => {
        writeFileSync(join(folder, 'token'), `${SECRET}\n`);
        return ['--token-file', 'token'];
      },
    ],
    ['--header', (): readonly string[] => ['--header', `Authorization: Bearer ${SECRET}`]],
  ])('%s', { timeout: 60_000 }, async (_, options) => {
    const server = await startReference({ token: SECRET, pace: 0.2 });
    const cwd = tree();
    const words = options(cwd);
    for (const format of ['pretty', 'json', 'junit', 'markdown']) {
      const ran = await unsession(['verify', server.url, ...words, '--format', format, '--verbose', '--only', 'CK-H01,CK-H61'], {
        cwd,
        checks,
        env: { SHOP_TOKEN: SECRET },
      });
      expect(ran.code, `${format}: ${ran.stdout}${ran.stderr}`).toBe(0);
      expect(ran.stdout + ran.stderr).not.toContain(SECRET);
      expect(ran.stdout).toContain('CK-H61');
    }
    await server.kill();
  });
  it('not those in an address, a command line or the answer of a server', { timeout: 30_000 }, async () => {
    const echo = await judgeHandler(
      async (request, response) => {
        const id = (await bodyOf(request))['id'];
        const said = `https://ada:pass-4812@shop.example/?api_key=key-4812 Bearer bearer-4812`;
        return reply(
          response,
          200,
          { jsonrpc: '2.0', id, result: { resultType: 'complete', access_token: 'member-4812', said } },
          { 'Set-Cookie': 'id=cookie-4812' },
        );
      },
      { only: ['CK-H0'] },
    );
    const stdio = await unsession(
      ['verify', '--format', 'json', '--only', 'CK-S01', '--stdio', '--', process.execPath, '-e', '0', '--api-key', 'option-4812'],
      { cwd: tree(), checks },
    );
    const http = await unsession(
      ['verify', 'http://ada:pass-4812@127.0.0.1:1/mcp?token=query-4812', '--replica', 'http://127.0.0.1:1/?key=query-4812', '--format', 'json'],
      { cwd: tree(), checks },
    );
    for (const text of [JSON.stringify(echo), stdio.stdout, http.stdout]) {
      expect(text).toContain('[redacted]');
      expect(text).not.toMatch(/(?:pass|key|bearer|member|cookie|option|query)-4812/);
    }
  });
  it.each([
    [['--token', 'a', '--token-env', 'B'], 'give the token once'],
    [['--token-file', 'missing'], 'cannot be read'],
    [['--control', 'reboot=now'], 'restart="command"'],
    [['--control', 'restart='], 'restart="command"'],
    [['--tool', 'lazy=pack'], 'slow'],
    [['--tool', 'slow=pack={broken'], 'not a JSON object'],
    [['--ca', 'missing.pem'], 'cannot be read'],
    [['--health-url', '/healthz'], 'not an http or https URL'],
  ])('%j is wrong usage, and the message says what is right', async (words, expected) => {
    const ran = await unsession(['verify', 'http://127.0.0.1:1/mcp', ...words], { cwd: tree(), checks, env: { B: 'b' } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(expected);
  });
});
