import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { VerifyReport } from '../../src/core/index.js';
import { exitCodeOf, runChecks, type VerifyOptions } from '../../src/verify/index.js';
import { checks } from '../../transforms/_checks/index.js';
import { judgeClient } from '../live/reference-client/judge.js';
import { startReference } from '../live/reference-server/http.js';
import { judgeHttp } from '../live/reference-server/judge.js';
import { bodyOf, judgeHandler, reply, verdicts } from './peers.js';

/** Failures that users met and that no exception and no green test showed. Each is caught by the check that its test names. */

const judge = (url: string, options: VerifyOptions): Promise<VerifyReport> => runChecks({ transport: 'http', url }, checks, options);
const BOOK = { allowTools: [{ name: 'book', args: {} }] };

describe('one server object for all requests (CK-H53)', () => {
  /** A server that holds one transport; `mixes` gives an answer to whoever asked last, as older SDKs did. */
  const shared = (mixes: boolean) => {
    let busy: unknown;
    return async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
      const message = await bodyOf(request);
      if (busy !== undefined && !mixes)
        return reply(response, 500, { jsonrpc: '2.0', id: message['id'], error: { code: -32603, message: 'Already connected' } });
      busy = message['id'];
      await new Promise((resolve) => setTimeout(resolve, 20));
      const id = mixes ? busy : message['id'];
      busy = undefined;
      const content = message['method'] === 'server/discover' ? { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } : { tools: [] };
      return reply(response, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...content } });
    };
  };
  it.each([
    ['alone every request is fine, together 500', false],
    ['together the answers reach the wrong client', true],
  ] as const)('%s', async (_, mixes) => {
    expect(verdicts(await judgeHandler(shared(mixes), { only: ['CK-H53'], concurrency: 1 }))['CK-H53']).toBe('fail');
  });
});

describe('the modern handler added in front of the old lane (CK-L01)', () => {
  it('answers initialize itself: the sessionful lane is never reached', async () => {
    const report = await judgeHttp({ legacy: 'stateless' }, { lane: 'sessionful', only: ['CK-L01'] });
    expect(verdicts(report)['CK-L01']).toBe('fail');
    expect(report.results[0]?.reason).toContain('a stateless one in front of it answers');
  });
  it('an expected lane is not there at all', async () => {
    expect(verdicts(await judgeHttp({}, { lane: 'stateless', only: ['CK-L01'] }))['CK-L01']).toBe('fail');
  });
});

describe('5xx, a time-out or 401 remembered as "legacy server" (CK-C09, CK-C10)', () => {
  it.each([
    ['falls-back-on-401', 'CK-C09'],
    ['falls-back-on-5xx', 'CK-C10'],
    ['falls-back-on-silence', 'CK-C10'],
  ])('%s', { timeout: 60_000 }, async (fault, id) => {
    expect(verdicts(await judgeClient(fault, { only: [id] }))[id]).toBe('fail');
  });
});

describe('a gate that cannot fail (CK-H01 and every other modern check)', () => {
  const old = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const message = await bodyOf(request);
    const results: Record<string, unknown> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
      'tools/list': { tools: [] },
      ping: {},
    };
    const result = results[String(message['method'])];
    if (message['id'] === undefined) return response.writeHead(202).end();
    return reply(response, 200, { jsonrpc: '2.0', id: message['id'], ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) });
  };
  it.each([[['CK-H']], [['CK-H20', 'CK-L01']], [['CK-L']], [['CK-H44']]])(
    '%j fails against a server of the handshake era',
    { timeout: 30_000 },
    async (only) => {
      const report = await judgeHandler(old, { only });
      expect(report.eras).toEqual({ modern: false, legacy: true });
      expect(exitCodeOf(report)).toBe(1);
    },
  );
});

/** A tool of the official SDK 2 that asks in the middle of a call, as a server with sessions could. */
function pushing(): McpServer {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool('remove', { description: 'Removes.', inputSchema: z.object({}) }, async () => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the deprecated way is what is judged
    await server.server.elicitInput({ message: 'Remove?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } });
    return { content: [{ type: 'text', text: 'removed' }] };
  });
  return server;
}
type NodeRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

describe('HTTP 200 is not success (CK-H50, CK-H63)', () => {
  const allowTools = [{ name: 'remove', args: {} }];
  it('a question that is pushed ends as an error text inside a tool result with status 200', { timeout: 30_000 }, async () => {
    const handler = toNodeHandler(createMcpHandler(pushing, {}));
    const report = await judgeHandler((request, response) => handler(request as NodeRequest, response), { allowTools, only: ['CK-H50', 'CK-H63'] });
    expect(verdicts(report)).toEqual({ 'CK-H50': 'fail', 'CK-H63': 'fail' });
    expect(report.results[0]?.exchanges.some((exchange) => exchange.answer?.status === 200)).toBe(true);
  });
  it('a question in rounds is answered, accepted and declined', async () => {
    expect(verdicts(await judgeHttp({}, { ...BOOK, only: ['CK-H50', 'CK-H63'] }))).toEqual({ 'CK-H50': 'pass', 'CK-H63': 'pass' });
  });
});

describe('requestState that another instance cannot read (CK-H63)', () => {
  it.each([
    ['another key', 'key of one', 'key of the other'],
    ['the right key for another audience: the pod name is in it', 'shared key, shop-7d4f-x1', 'shared key, shop-7d4f-x2'],
  ])('%s', { timeout: 30_000 }, async (_, first, second) => {
    const [one, other] = [await startReference({ stateKey: first }), await startReference({ stateKey: second })];
    const apart = await judge(one.url, { ...BOOK, only: ['CK-H63'], replica: other.url });
    const alone = await judge(one.url, { ...BOOK, only: ['CK-H63'] });
    await Promise.all([one.kill(), other.kill()]);
    expect(apart.results[0]?.reason).toContain('two instances');
    expect([verdicts(apart)['CK-H63'], verdicts(alone)['CK-H63']]).toEqual(['fail', 'pass']);
  });
});

describe('a server that never started (no check: inconclusive)', () => {
  it('violates nothing, and the exit code is not that of a failure', { timeout: 30_000 }, async () => {
    const report = await runChecks({ transport: 'stdio', command: process.execPath, args: ['-e', 'process.exit(127)'] }, checks, { timeout: 1500 });
    expect(report.results.filter((result) => result.verdict === 'fail')).toEqual([]);
    expect(exitCodeOf(report)).toBe(3);
  });
});

describe('a proxy that forwards only name and arguments (CK-H63)', () => {
  it('loses the answers and the state: the question comes again for ever', { timeout: 30_000 }, async () => {
    const server = await startReference();
    const proxy = http.createServer((request, response) => {
      void (async () => {
        const message = await bodyOf(request);
        const { name, arguments: args, _meta } = (message['params'] ?? {}) as Record<string, unknown>;
        const body = JSON.stringify(message['method'] === 'tools/call' ? { ...message, params: { name, arguments: args, _meta } } : message);
        const headers = Object.fromEntries(Object.entries(request.headers).filter(([key]) => /^(mcp-|content-type|accept)/.test(key))) as Record<
          string,
          string
        >;
        const answer = await fetch(server.url, { method: 'POST', headers, body });
        response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? 'application/json' }).end(await answer.text());
      })().catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const report = await judge(`http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}/mcp`, { ...BOOK, only: ['CK-H63'], timeout: 1500 });
    proxy.closeAllConnections();
    proxy.close();
    await server.kill();
    expect(verdicts(report)['CK-H63']).toBe('fail');
    expect(report.results[0]?.reason).toContain('the answers do not reach the tool');
  });
});

describe('a server that answers every error with HTTP 200 (CK-H44, CK-H18)', () => {
  it('fails on unknown methods and versions, and only there', { timeout: 30_000 }, async () => {
    const server = await startReference();
    const flat = await judgeHandler(
      async (request, response) => {
        const headers = Object.fromEntries(Object.entries(request.headers).filter(([key]) => /^(mcp-|content-type|accept)/.test(key))) as Record<
          string,
          string
        >;
        const body = JSON.stringify(await bodyOf(request));
        const answer = await fetch(server.url, { method: 'POST', headers, body }).catch(() => undefined);
        if (!answer) return void response.destroy();
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(await answer.text().catch(() => ''));
      },
      { only: ['CK-H01', 'CK-H18', 'CK-H44'] },
    );
    await server.kill();
    expect(verdicts(flat)).toEqual({ 'CK-H01': 'pass', 'CK-H18': 'fail', 'CK-H44': 'fail' });
  });
});
