import { describe, expect, it } from 'vitest';
import { migrated } from './migrated.js';

const server = (body: string): string =>
  `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { z } from 'zod';\nconst server = new McpServer({ name: 'a', version: '1' });\n${body}\n`;
const manifest = (dependencies: Record<string, string>): string =>
  JSON.stringify({ dependencies: { '@modelcontextprotocol/sdk': '^1.29.0', ...dependencies } });
const zodOf = (body: string, dependencies: Record<string, string> = { zod: '^3.25.0' }) => {
  const { needs, outcome } = migrated({ 'package.json': manifest(dependencies), 'server.ts': server(body) });
  return { raised: needs.some((need) => need.name === 'zod'), outcome };
};

const REGISTERS = "server.registerTool('t', { inputSchema: { q: z.string() } }, async () => ({ content: [] }));";

describe('zod', () => {
  it('is raised when a schema reaches the SDK and every use is proved', () => {
    expect(zodOf(REGISTERS)).toEqual({ raised: true, outcome: 'rewrite' });
    expect(
      zodOf(
        `const Q = z.object({ q: z.string().min(1).optional() });\nserver.registerTool('t', { inputSchema: Q }, async (a) => ({ content: [Q.parse(a)] }));`,
      ),
    ).toEqual({ raised: true, outcome: 'rewrite' });
  });

  it('stays when no schema reaches the SDK', () => {
    expect(zodOf('export const Q = z.object({ q: z.string() });')).toEqual({ raised: false, outcome: 'rewrite' });
  });

  it('stays when the range is high enough, and is lifted within 4', () => {
    expect(zodOf(REGISTERS, { zod: '^4.2.0' })).toEqual({ raised: false, outcome: 'rewrite' });
    expect(zodOf(REGISTERS, { zod: '^4.0.0' })).toEqual({ raised: true, outcome: 'rewrite' });
  });

  it.each([
    ['a package built on zod 3', REGISTERS, { zod: '^3.25.0', 'zod-to-json-schema': '^3.24.0' }],
    ['an option that is gone', `${REGISTERS}\nexport const Q = z.string({ required_error: 'x' });`, { zod: '^3.25.0' }],
    ['a method that changed', `${REGISTERS}\nexport const Q = z.function();`, { zod: '^3.25.0' }],
    ['a record without a key', `${REGISTERS}\nexport const Q = z.record(z.string());`, { zod: '^3.25.0' }],
    ['internals', `${REGISTERS}\nconst Q = z.object({});\nlog(Q._def);`, { zod: '^3.25.0' }],
    ['a schema that goes elsewhere', `${REGISTERS}\nform(z.object({}));`, { zod: '^3.25.0' }],
    ['the error list of zod 3', `${REGISTERS}\ntry { z.string().parse(1); } catch (error) { log(error.errors); }`, { zod: '^3.25.0' }],
  ])('stays, and its schemas are handed over with a conversion, with %s', (_name, body, dependencies) => {
    expect(zodOf(body, dependencies)).toEqual({ raised: false, outcome: 'rewrite' });
  });
});

describe('dependencies', () => {
  it('adds what is named and its peers, and removes v1', () => {
    const { needs } = migrated({
      'package.json': manifest({}),
      'server.ts':
        "import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';\nnew StreamableHTTPServerTransport({});\n",
    });
    expect(needs.map(({ name, remove }) => `${String(name)}${remove ? ' removed' : ''}`)).toEqual([
      '@modelcontextprotocol/node',
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/sdk removed',
      'node',
    ]);
  });

  it('declares what only came along with v1', () => {
    const { needs } = migrated({
      'package.json': manifest({}),
      'server.ts':
        "import express from 'express';\nimport { Server } from '@modelcontextprotocol/sdk/server/index.js';\nexport const make = () => [express(), Server];\n",
    });
    expect(needs.find(({ name }) => name === 'express')).toMatchObject({ range: '^5.2.1' });
  });

  it('keeps v1 while something has no counterpart', () => {
    const { needs, todo } = migrated({
      'package.json': manifest({}),
      'server.ts':
        "import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';\nimport { Client } from '@modelcontextprotocol/sdk/client/index.js';\nexport const all = [new WebSocketClientTransport(new URL('ws://localhost')), Client];\n",
    });
    expect(needs.some(({ remove }) => remove)).toBe(false);
    expect(todo[0]).toContain('unmapped-import');
  });

  it('writes the event store of the examples into the project', () => {
    const { needs } = migrated({
      'package.json': manifest({}),
      'server.ts':
        "import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';\nexport const store = new InMemoryEventStore();\n",
    });
    expect(needs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'shim', path: 'in-memory-event-store.ts' }),
        expect.objectContaining({ name: '@modelcontextprotocol/sdk', remove: true }),
      ]),
    );
  });
});
