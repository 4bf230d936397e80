import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/verify/index.js';
import { judgeHttp } from '../live/reference-server/judge.js';
import { bodyOf, judgeHandler, reply, verdicts } from './peers.js';

/** Hand-rolled servers of the handshake era. */
const sessions = new Set<string>();
const initialized = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } };
async function sessionful(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  if (request.method !== 'POST') return response.writeHead(request.method === 'GET' ? 405 : 200).end();
  const message = await bodyOf(request);
  if (message['method'] === 'initialize') {
    const id = randomUUID();
    sessions.add(id);
    return reply(response, 200, { jsonrpc: '2.0', id: message['id'], result: initialized }, { 'Mcp-Session-Id': id });
  }
  if (!sessions.has(String(request.headers['mcp-session-id'])))
    return reply(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: Server not initialized' } });
  return message['id'] === undefined
    ? response.writeHead(202).end()
    : reply(response, 200, { jsonrpc: '2.0', id: message['id'], result: message['method'] === 'tools/list' ? { tools: [] } : {} });
}
async function stateless(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const message = await bodyOf(request);
  if (message['id'] === undefined) return response.writeHead(202).end();
  const results: Record<string, unknown> = { initialize: initialized, 'tools/list': { tools: [] }, ping: {} };
  const result = results[String(message['method'])];
  return reply(
    response,
    200,
    result ? { jsonrpc: '2.0', id: message['id'], result } : { jsonrpc: '2.0', id: message['id'], error: { code: -32601, message: 'Method not found' } },
  );
}

describe('a server of the handshake era gets its era and the missing steps, not a wall of red', () => {
  it.each([
    ['sessionful', sessionful, 'with sessions'],
    ['stateless', stateless, '2025-11-25 only'],
  ] as const)('%s', async (_, handler, words) => {
    const report = await judgeHandler(handler);
    expect(report.conclusion.speaks).toBe('legacy');
    expect(report.conclusion.sentence).toContain(words);
    expect(report.conclusion.missing.length).toBeGreaterThan(3);
    expect(report.results.filter((result) => result.verdict === 'fail').map((result) => result.id)).toEqual(['CK-H01']);
    expect(verdicts(report)['CK-L01']).toBe('pass');
    expect(exitCodeOf(report)).toBe(1);
  });
  it.each([
    ['has no ping', ['ping'], (response: ServerResponse, id: unknown) => reply(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'No' } })],
    ['answers 500 to what it does not know', [], (response: ServerResponse) => response.writeHead(500).end('TypeError')],
    ['breaks on what it does not know', [], (response: ServerResponse) => response.destroy()],
  ] as const)('hand-rolled, %s', { timeout: 20_000 }, async (_, lacking, refuse) => {
    const results: Readonly<Record<string, unknown>> = { initialize: initialized, 'tools/list': { tools: [] }, ping: {} };
    const report = await judgeHandler(async (request, response) => {
      if (request.method !== 'POST') return response.writeHead(501).end();
      const { id, method } = await bodyOf(request);
      if (method === 'notifications/initialized') return response.writeHead(202).end();
      const result = (lacking as readonly unknown[]).includes(method) ? undefined : results[String(method)];
      return result === undefined ? refuse(response, id) : reply(response, 200, { jsonrpc: '2.0', id, result });
    });
    expect(report.conclusion.speaks).toBe('legacy');
    expect(report.conclusion.missing.length).toBeGreaterThan(3);
    expect(report.results.filter((result) => result.verdict === 'fail').map((result) => result.id)).toEqual(['CK-H01']);
    expect(exitCodeOf(report)).toBe(1);
  });
  it('HTTP+SSE only', { timeout: 20_000 }, async () => {
    let stream: ServerResponse | undefined;
    const report = await judgeHandler(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://here');
      if (request.method === 'GET') {
        stream = response;
        return response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('event: endpoint\ndata: /messages?sessionId=1\n\n');
      }
      if (pathname !== '/messages') return response.writeHead(405).end();
      const { id } = await bodyOf(request);
      response.writeHead(202).end();
      return stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: initialized })}\n\n`);
    });
    expect(report.conclusion.speaks).toBe('legacy-sse');
    expect(report.conclusion.sentence).toContain('2024-11-05');
    expect(report.results.filter((result) => result.verdict === 'fail').map((result) => result.id)).toEqual(['CK-H01']);
    expect(verdicts(report)['CK-L06']).toBe('pass');
  });
  it('discovery alone is not serving', async () => {
    const report = await judgeHandler(async (request, response) => {
      const message = await bodyOf(request);
      if (message['method'] === 'server/discover')
        return reply(response, 200, {
          jsonrpc: '2.0',
          id: message['id'],
          result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' },
        });
      return sessionful(request, response);
    });
    expect(report.conclusion.speaks).toBe('announced');
    expect(report.conclusion.sentence).toContain('not served');
    expect(verdicts(report)['CK-H51']).toBe('fail');
    expect(exitCodeOf(report)).toBe(1);
  });
});

describe('a server that announces and refuses the revision', () => {
  it('is not serving', async () => {
    const report = await judgeHandler(async (request, response) => {
      const message = await bodyOf(request);
      const supported = ['2025-11-25'];
      if (message['method'] === 'server/discover')
        return reply(response, 200, { jsonrpc: '2.0', id: message['id'], result: { supportedVersions: supported, capabilities: {} } });
      if ((message['params'] as { _meta?: unknown } | undefined)?._meta !== undefined)
        return reply(response, 400, {
          jsonrpc: '2.0',
          id: message['id'],
          error: { code: -32022, message: 'Unsupported', data: { supported, requested: '2026-07-28' } },
        });
      return sessionful(request, response);
    });
    expect(report.eras.modern).toBe(false);
    expect(report.conclusion.speaks).toBe('announced');
    expect(exitCodeOf(report)).toBe(1);
  });
});

describe('the report', () => {
  it('compares with an earlier one', async () => {
    const before = await judgeHttp({ faults: ['any-origin', 'serves-ping'] }, { only: ['CK-H07', 'CK-H45', 'CK-H20'] });
    const after = await judgeHttp({ faults: ['assumes-meta'] }, { only: ['CK-H07', 'CK-H45', 'CK-H20'], baseline: before });
    expect(after.comparison).toEqual({ fixed: ['CK-H07', 'CK-H45'], regressed: ['CK-H20'], unchanged: [] });
    expect(exitCodeOf(after)).toBe(1);
  });
  it('shows no secret and calls no tool that was not allowed', async () => {
    const called: unknown[] = [];
    const report = await judgeHandler(
      async (request, response) => {
        const message = await bodyOf(request);
        if (message['method'] === 'tools/call') called.push(message['params']);
        return reply(response, 200, {
          jsonrpc: '2.0',
          id: message['id'],
          result: {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
            tools: [{ name: 'drop-table', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
            ttlMs: 0,
            cacheScope: 'private',
            echoed: request.headers.authorization,
          },
        });
      },
      { token: 'top-secret-7421', headers: { 'X-Tenant': 'tenant-4812' } },
    );
    expect(JSON.stringify(report)).not.toContain('top-secret-7421');
    expect(JSON.stringify(report)).not.toContain('tenant-4812');
    expect(called.filter((params) => (params as { name?: string }).name !== 'no_such_tool')).toEqual([]);
  });
});
