import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VerifyReport } from '../../src/core/index.js';
import { exitCodeOf, runChecks } from '../../src/verify/index.js';
import { checks } from '../../transforms/_checks/index.js';
import { startReference } from '../live/reference-server/http.js';
import { bodyOf, judgeHandler, reply, verdicts } from './peers.js';

const stdio = (...args: string[]) => runChecks({ transport: 'stdio', command: process.execPath, args }, checks, { timeout: 1500 });
const violated = (report: VerifyReport): readonly string[] =>
  report.results.filter((result) => result.verdict === 'fail' || result.verdict === 'warn').map((result) => result.id);

describe('a peer that cannot be judged is inconclusive, and nothing is called violated', () => {
  it('when nothing listens', async () => {
    const report = await runChecks({ transport: 'http', url: 'http://127.0.0.1:1/mcp' }, checks);
    expect(report.inconclusive).toContain('refused');
    expect(violated(report)).toEqual([]);
    expect(exitCodeOf(report)).toBe(3);
    expect(VerifyReport.parse(report)).toEqual(report);
  });
  it.each([
    [401, { 'Content-Type': 'text/plain' }, '', 'Authorization is required'],
    [200, { 'Content-Type': 'text/html' }, '<!doctype html><title>Sign in</title>', 'not an MCP endpoint (a proxy'],
    [421, {}, 'Misdirected', 'allow-list'],
    [502, {}, 'Bad gateway', 'not working'],
    [302, { Location: 'https://login.example/' }, '', 'redirects'],
    [403, {}, '', 'forbidden'],
    [404, { 'Content-Type': 'text/html' }, '<pre>Cannot POST /</pre>', 'the path is often /mcp'],
    [200, { 'Content-Type': 'application/json' }, '{"ok":true}', 'no answer is JSON-RPC'],
  ] as const)('when every answer is HTTP %i', async (status, headers, body, words) => {
    const report = await judgeHandler((_, response) => response.writeHead(status, headers).end(body));
    expect(report.inconclusive).toContain(words);
    expect(violated(report).filter((id) => id !== 'CK-H61')).toEqual([]);
    expect(exitCodeOf(report)).toBe(3);
  });
  it('when the server stops answering in the middle: what is not judged is no pass', { timeout: 20_000 }, async () => {
    const server = await startReference();
    let served = 0;
    const report = await judgeHandler(
      async (request, response) => {
        if (++served > 12) return undefined;
        if (request.method !== 'POST') return response.writeHead(405, { Allow: 'POST' }).end();
        const body = JSON.stringify(await bodyOf(request));
        const headers = Object.fromEntries(Object.entries(request.headers).filter(([key]) => /^(mcp-|content-type|accept)/.test(key)));
        const answer = await fetch(server.url, { method: 'POST', headers: headers as Record<string, string>, body });
        return response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? 'application/json' }).end(await answer.text());
      },
      { timeout: 300, only: ['CK-H'] },
    );
    await server.kill();
    expect(violated(report)).toEqual([]);
    expect(report.summary.inconclusive).toBeGreaterThan(40);
    expect(report.milliseconds).toBeLessThan(10_000);
    expect(exitCodeOf(report)).toBe(3);
  });
  it('when the server takes the connection and stays silent', { timeout: 20_000 }, async () => {
    const server = net.createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const report = await runChecks({ transport: 'http', url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp` }, checks, {
      timeout: 400,
    });
    server.close();
    expect(report.inconclusive).toContain('no answer within');
    expect(violated(report)).toEqual([]);
  });
  it('when a command that fails takes longer on its next start', { timeout: 30_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'starts-'));
    const slower = `const { readdirSync, writeFileSync } = require('node:fs');
      writeFileSync(process.argv[1] + '/' + process.pid, '');
      setTimeout(() => process.exit(1), readdirSync(process.argv[1]).length > 2 ? 1200 : 100);`;
    const report = await runChecks({ transport: 'stdio', command: process.execPath, args: ['-e', slower, folder] }, checks);
    expect(readdirSync(folder)).toHaveLength(3);
    rmSync(folder, { recursive: true });
    expect(report.inconclusive).toContain('did not start');
    expect(exitCodeOf(report)).toBe(3);
  });
  it('when the command cannot be started, or ends before it reads', { timeout: 30_000 }, async () => {
    const missing = await runChecks({ transport: 'stdio', command: 'no-such-server', args: [] }, checks);
    expect(missing.inconclusive).toContain('did not start');
    const failing = await stdio('-e', 'console.error("destination path already exists"); process.exit(128)');
    expect(failing.inconclusive).toContain('exit 128');
    expect(failing.inconclusive).toContain('already exists');
    expect(violated(failing)).toEqual([]);
    expect(exitCodeOf(failing)).toBe(3);
  });
  it('when the run is stopped', async () => {
    const report = await judgeHandler(
      async (request, response) =>
        reply(response, 200, {
          jsonrpc: '2.0',
          id: (await bodyOf(request))['id'],
          result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' },
        }),
      {
        signal: AbortSignal.abort(),
      },
    );
    expect(exitCodeOf(report)).toBe(3);
  });
});

describe('over stdio, what the process did is told apart', () => {
  const handshake = `const r=require('readline').createInterface({input:process.stdin});const say=o=>console.log(JSON.stringify(o));
    const init=m=>say({jsonrpc:'2.0',id:m.id,result:{protocolVersion:'2025-11-25',capabilities:{tools:{}},serverInfo:{name:'old',version:'1'}}});`;
  it('ended on the probe', { timeout: 30_000 }, async () => {
    const report = await stdio(
      '-e',
      `${handshake}let first=true;r.on('line',l=>{const m=JSON.parse(l);if(first&&m.method!=='initialize')process.exit(1);first=false;if(m.method==='initialize')init(m);else if(m.id!==undefined)say({jsonrpc:'2.0',id:m.id,result:m.method==='tools/list'?{tools:[]}:{}})})`,
    );
    expect(report.conclusion.speaks).toBe('legacy');
    expect(report.conclusion.sentence).toContain('ended when its first message was not initialize');
    expect(verdicts(report)['CK-S01']).toBe('fail');
    expect(violated(report)).toEqual(['CK-S01']);
    // It was gone before its input ended.
    expect(verdicts(report)['CK-S10']).toBe('not-applicable');
  });
  it('answered, then a handshake on the same process works', { timeout: 30_000 }, async () => {
    const report = await stdio(
      '-e',
      `${handshake}r.on('line',l=>{const m=JSON.parse(l);if(m.method==='initialize')init(m);else if(m.id!==undefined)say(m.method==='tools/list'||m.method==='ping'?{jsonrpc:'2.0',id:m.id,result:m.method==='ping'?{}:{tools:[]}}:{jsonrpc:'2.0',id:m.id,error:{code:-32601,message:'Method not found'}})});process.stdin.on('end',()=>process.exit(0))`,
    );
    expect(report.conclusion.speaks).toBe('legacy');
    expect(report.conclusion.sentence).toContain('error -32601, and a handshake on the same process works');
    expect(report.conclusion.missing.length).toBeGreaterThan(2);
    expect(violated(report)).toEqual(['CK-S01']);
  });
  it('stayed silent: nothing is violated', { timeout: 30_000 }, async () => {
    const report = await stdio('-e', 'process.stdin.resume(); setInterval(() => undefined, 1000)');
    expect(report.inconclusive).toContain('answers nothing');
    expect(violated(report)).toEqual([]);
    expect(exitCodeOf(report)).toBe(3);
  });
});
