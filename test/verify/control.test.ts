import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { VerifyReport } from '../../src/core/index.js';
import { checks } from '../../transforms/_checks/index.js';
import { unsession } from '../cli/run.js';
import { compiledEntry } from '../live/reference-server/compile.js';
import { startReference } from '../live/reference-server/http.js';
import type { ReferenceOptions } from '../live/reference-server/options.js';
import { freePort } from '../live/server-process.js';
import { tree } from '../workspace/tree.js';
import { verdicts } from './peers.js';

const running: string[] = [];
afterAll(() => {
  for (const file of running) {
    try {
      process.kill(Number(readFileSync(file, 'utf8')));
    } catch {
      // It has ended by itself.
    }
  }
});

interface Deployed {
  readonly folder: string;
  readonly url: string;
  readonly restart: string;
  readonly stop: string;
}

/** The reference server as a process with a pid file, and the commands by which an operator stops and restarts it. */
async function deploy(options: ReferenceOptions): Promise<Deployed> {
  const folder = tree();
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}/mcp`;
  running.push(join(folder, 'pid'));
  const server = `"${process.execPath}" "${compiledEntry('http-main')}" '${JSON.stringify(options)}' ${String(port)}`;
  const start = `${server} >/dev/null 2>&1 & echo $! > pid`;
  const stop = 'kill -TERM "$(cat pid)"; while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.05; done';
  await new Promise((resolve) => spawn(start, { cwd: folder, shell: true, stdio: 'ignore' }).on('exit', resolve));
  while (!(await fetch(new URL('/healthz', url)).catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 30));
  return { folder, url, stop, restart: `${stop}; ${start}` };
}

const judge = async (deployed: { readonly folder: string; readonly url: string }, ...args: string[]): Promise<VerifyReport> => {
  const ran = await unsession(['verify', deployed.url, '--format', 'json', ...args], { cwd: deployed.folder, checks });
  expect(ran.stderr).toBe('');
  return VerifyReport.parse(JSON.parse(ran.stdout));
};

describe('control over the server from the command line', () => {
  it('stops and restarts it: a planned end is told, state outlives the process, a lost session is 404', { timeout: 60_000 }, async () => {
    const shop = await deploy({ legacy: 'sessionful', pace: 0.2 });
    const report = await judge(
      shop,
      '--control',
      `stop=${shop.stop}`,
      '--control',
      `restart=${shop.restart}`,
      '--tool',
      'eliciting=book',
      '--only',
      'CK-H57,CK-H63,CK-L04',
    );
    expect(verdicts(report)).toEqual({ 'CK-H57': 'pass', 'CK-H63': 'pass', 'CK-L04': 'pass' });
  });
  it('sees requestState that a restart makes worthless (key of the process)', { timeout: 60_000 }, async () => {
    const shop = await deploy({ stateKey: 'random', pace: 0.2 });
    const options = ['--tool', 'eliciting=book', '--only', 'CK-H63'];
    const report = await judge(shop, '--control', `restart=${shop.restart}`, ...options);
    expect(verdicts(report)['CK-H63']).toBe('fail');
    expect(report.results[0]?.reason).toContain('with a restart before each');
    expect(verdicts(await judge(shop, ...options))['CK-H63']).toBe('pass');
  });
  it('has the list changed from outside', { timeout: 60_000 }, async () => {
    const server = await startReference({ pace: 0.2 });
    const mute = await startReference({ pace: 0.2, faults: ['announces-nothing'] });
    const folder = tree({
      'change.mjs': `const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
await fetch(process.argv[2], { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'restock' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'restock', arguments: {}, _meta: meta } }) });`,
    });
    const change = (url: string): string => `change="${process.execPath}" change.mjs ${url}`;
    const heard = await judge({ folder, url: server.url }, '--control', change(server.url), '--only', 'CK-H56');
    const unheard = await judge({ folder, url: mute.url }, '--control', change(mute.url), '--only', 'CK-H56');
    await Promise.all([server.kill(), mute.kill()]);
    expect([verdicts(heard)['CK-H56'], verdicts(unheard)['CK-H56']]).toEqual(['pass', 'warn']);
  });
  it('says nothing about the server when the command fails', { timeout: 30_000 }, async () => {
    const server = await startReference({ pace: 0.2 });
    const report = await judge({ folder: tree(), url: server.url }, '--control', 'stop=echo no such unit >&2; exit 5', '--only', 'CK-H57');
    await server.kill();
    expect(verdicts(report)['CK-H57']).toBe('inconclusive');
    expect(report.results[0]?.reason).toContain('ended with 5: no such unit');
  });
  it('does not disturb a server whose checks of that class were not asked for', { timeout: 30_000 }, async () => {
    const server = await startReference({ pace: 0.2 });
    const report = await judge(
      { folder: tree(), url: server.url },
      '--control',
      'restart=exit 1',
      '--class',
      'quick',
      '--tool',
      'eliciting=book',
      '--only',
      'CK-H57,CK-H63',
    );
    await server.kill();
    expect(verdicts(report)).toEqual({ 'CK-H57': 'not-tested', 'CK-H63': 'pass' });
  });
});

describe('roles of tools from the command line', () => {
  it.each([
    ['a call that ends with its connection', [], 'pass'],
    ['a call that goes on for a client that is gone', ['ignores-disconnect'], 'fail'],
  ] as const)('slow and observer: %s', { timeout: 60_000 }, async (_, faults, verdict) => {
    const server = await startReference({ faults });
    const report = await judge({ folder: tree(), url: server.url }, '--class', 'slow', '--tool', 'slow=pack', '--tool', 'observer=jobs', '--only', 'CK-H59');
    await server.kill();
    expect(verdicts(report)['CK-H59']).toBe(verdict);
  });
});

describe('the route that balancers ask', () => {
  it('is judged apart from the endpoint, which refuses GET with 405', { timeout: 30_000 }, async () => {
    const server = await startReference({ pace: 0.2 });
    const at = (path: string): string => new URL(path, server.url).href;
    const only = ['--only', 'CK-H04,CK-H69'];
    const good = await judge({ folder: tree(), url: server.url }, '--health-url', at('/healthz'), ...only);
    const endpoint = await judge({ folder: tree(), url: server.url }, '--health-url', server.url, ...only);
    await server.kill();
    expect(verdicts(good)).toEqual({ 'CK-H04': 'pass', 'CK-H69': 'pass' });
    expect(verdicts(endpoint)).toEqual({ 'CK-H04': 'pass', 'CK-H69': 'fail' });
  });
});
