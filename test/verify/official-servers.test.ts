import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { VerifyReport } from '../../src/core/index.js';
import type { VerifyOptions } from '../../src/verify/index.js';
import { bodyOf, judgeHandler } from './peers.js';

const failing = (report: VerifyReport): Readonly<Record<string, string>> =>
  Object.fromEntries(
    report.results.filter((result) => result.verdict === 'fail' || result.verdict === 'inconclusive').map((result) => [result.id, result.reason]),
  );

/** The SDK's own name for a request does not fit exactOptionalPropertyTypes. */
type NodeRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

/** A shop on the official TypeScript SDK 2, with one tool for each kind of check. */
function shop(): McpServer {
  const server = new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
  server.registerTool('price', { description: 'A price.', inputSchema: z.object({}) }, () => said('12'));
  server.registerTool('ship', { description: 'Ships.', inputSchema: z.object({ region: z.string().optional().meta({ 'x-mcp-header': 'Region' }) }) }, () =>
    said('on its way'),
  );
  server.registerTool('remove', { description: 'Removes.', inputSchema: z.object({}) }, (_args, context) => {
    const sure = acceptedContent(context.mcpReq.inputResponses, 'sure');
    if (sure) return said('removed');
    return inputRequired({
      inputRequests: { sure: inputRequired.elicit({ message: 'Remove?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } }) },
    });
  });
  server.registerResource('terms', 'shop://terms', {}, () => ({ contents: [{ uri: 'shop://terms', text: 'Fair terms.' }] }));
  server.registerPrompt('hello', {}, () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] }));
  return server;
}

const allowTools = [
  { name: 'price', args: {} },
  { name: 'ship', args: {} },
  { name: 'remove', args: {} },
];

async function judgeShop(legacy: 'stateless' | 'reject', options: VerifyOptions = {}): Promise<VerifyReport> {
  const handler = toNodeHandler(createMcpHandler(shop, { legacy }));
  const guarded = (request: IncomingMessage, response: ServerResponse): unknown =>
    request.headers.origin === undefined ? handler(request as NodeRequest, response) : response.writeHead(403).end();
  return judgeHandler(guarded, { allowTools, timeout: 5000, ...options });
}

describe('the official TypeScript SDK 2', () => {
  it.each(['stateless', 'reject'] as const)('behind an Origin guard has no failure (legacy: %s)', { timeout: 60_000 }, async (legacy) => {
    const report = await judgeShop(legacy);
    expect(failing(report)).toEqual({});
    expect(report.conclusion.speaks).toBe(legacy === 'reject' ? 'modern' : 'dual-era');
    // Ten seconds on a quiet machine, whatever else runs here; and no evidence without bounds.
    expect(report.milliseconds).toBeLessThan(30_000);
    expect(JSON.stringify(report).length).toBeLessThan(3_000_000);
  });
  it('without a guard fails the Origin check, and no other', { timeout: 60_000 }, async () => {
    const handler = toNodeHandler(createMcpHandler(shop, {}));
    const report = await judgeHandler((request, response) => handler(request as NodeRequest, response), { allowTools, timeout: 5000 });
    expect(Object.keys(failing(report))).toEqual(['CK-H07']);
  });
});

/** The template of the official SDK 1: one transport for each session. */
function oldShop(sessionful: boolean): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const build = (): OldServer => {
    const server = new OldServer({ name: 'old-shop', version: '1.0.0' });
    server.registerTool('price', { description: 'A price.' }, () => ({ content: [{ type: 'text', text: '12' }] }));
    return server;
  };
  return async (request, response) => {
    const body = request.method === 'POST' ? await bodyOf(request) : undefined;
    const known = transports.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response, body);
    if (sessionful && body?.['method'] !== 'initialize')
      return void response
        .writeHead(400, { 'Content-Type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}');
    const transport: StreamableHTTPServerTransport = sessionful
      ? new StreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(),
          onsessioninitialized: (id) => void transports.set(id, transport),
          onsessionclosed: (id) => void transports.delete(id),
        })
      : new StreamableHTTPServerTransport({});
    // The SDK's own type of a transport does not fit exactOptionalPropertyTypes.
    await build().connect(transport);
    await transport.handleRequest(request, response, body);
  };
}

describe('the official TypeScript SDK 1', () => {
  it.each([
    ['sessionful', true],
    ['stateless', false],
  ] as const)('%s is judged as legacy', { timeout: 60_000 }, async (_, sessionful) => {
    const report = await judgeHandler(oldShop(sessionful), { timeout: 4000 });
    expect(report.conclusion.speaks).toBe('legacy');
    expect(Object.keys(failing(report))).toEqual(['CK-H01']);
    expect(report.conclusion.missing.length).toBeGreaterThan(3);
  });
});
