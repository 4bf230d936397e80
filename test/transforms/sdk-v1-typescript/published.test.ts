import { describe, expect, it } from 'vitest';
import { migrated } from './migrated.js';

/** Shapes that only published packages showed: each broke a server that ran before. */
const MANIFEST = (more: object = {}): string =>
  JSON.stringify({ name: 'quay', dependencies: { '@modelcontextprotocol/sdk': '^1.20.0', zod: '^3.25.16' }, ...more });
const CJS = "const mcp_js_1 = require('@modelcontextprotocol/sdk/server/mcp.js');\nconst zod_1 = require('zod');\n";

describe('registrations in a loop', () => {
  const text = `${CJS}function build(tools) {\n  const server = new mcp_js_1.McpServer({ name: 'quay', version: '1' });\n  for (const { name, description, inputSchema, run } of tools) server.tool(name, description, inputSchema.shape, run);\n  return server;\n}\nexports.build = build;\n`;

  it('become registerTool when a description and a shape are told by their names', () => {
    const { outcome, texts } = migrated({ 'package.json': MANIFEST(), 'server.js': text });
    expect(outcome).toBe('rewrite');
    expect(texts['server.js']).toContain('server.registerTool(name, { description, inputSchema: zod_1.z.object(inputSchema.shape) }, run)');
  });

  it('block the item when the arguments cannot be told apart', () => {
    const { outcome, why } = migrated({ 'package.json': MANIFEST(), 'server.js': text.replace('inputSchema.shape, run', 'more, run') });
    expect(outcome).toBe('refuse');
    expect(why).toContain('cannot be told apart');
  });

  it('of an object that is no server stay', () => {
    const other = "const { desk } = require('./desk.js');\nfor (const [name, run] of []) desk.tool(name, run);\n";
    expect(migrated({ 'package.json': MANIFEST(), 'server.js': text, 'other.js': other }).texts['other.js']).toBe(other);
  });
});

describe('zod that has to stay on 3', () => {
  const text =
    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { z } from 'zod';\nimport { zodToJsonSchema } from 'zod-to-json-schema';\nexport const server = new McpServer({ name: 'quay', version: '1' });\nexport const berth = z.object({ n: z.number() });\nexport const json = zodToJsonSchema(berth);\nserver.registerTool('berth', { inputSchema: { n: z.number() } }, async () => ({ content: [] }));\n";

  it('is handed over with its conversion', () => {
    const { outcome, texts, needs } = migrated({
      'package.json': MANIFEST({ dependencies: { '@modelcontextprotocol/sdk': '^1.20.0', zod: '^3.23.8', 'zod-to-json-schema': '^3.23.5' } }),
      'server.ts': text,
    });
    expect(outcome).toBe('rewrite');
    expect(texts['server.ts']).toContain('inputSchema: zod3Schema(z.object({ n: z.number() }))');
    expect(needs).toContainEqual({ kind: 'shim', template: 'zod3-schema', path: 'zod3-schema.ts', model: { typescript: true, commonjs: false } });
    expect(needs).toContainEqual({ kind: 'dependency', manifest: 'package.json', name: 'zod', range: '^3.25.0' });
  });

  it('blocks the item when a schema is not written where it is registered', () => {
    const { outcome } = migrated({ 'package.json': MANIFEST(), 'server.ts': text.replace('{ inputSchema: { n: z.number() } }', 'config') });
    expect(outcome).toBe('refuse');
  });
});

describe('a completion handler', () => {
  const text = (options: string): string =>
    `import { Server } from '@modelcontextprotocol/sdk/server/index.js';\nimport { CompleteRequestSchema } from '@modelcontextprotocol/sdk/types.js';\nexport const build = (given) => {\n  const server = new Server({ name: 'quay', version: '1' }, ${options});\n  server.setRequestHandler(CompleteRequestSchema, async () => ({ completion: { values: [] } }));\n  return server;\n};\n`;

  it('gets the capability where capabilities are written in place', () => {
    expect(migrated({ 'package.json': MANIFEST(), 'server.js': text('{ capabilities: { tools: {} } }') }).texts['server.js']).toContain(
      '{ capabilities: { tools: {}, completions: {} } }',
    );
  });

  it('blocks the item where they come from elsewhere', () => {
    expect(migrated({ 'package.json': MANIFEST(), 'server.js': text('{ capabilities: given }') }).why).toContain('completions');
  });
});

describe('a server that is handed to consumers', () => {
  const text =
    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nexport function serve(initialize) {\n  const server = new McpServer({ name: 'quay', version: '1' });\n  initialize(server);\n  return server;\n}\n";

  it('blocks a published package, not a private one', () => {
    expect(migrated({ 'package.json': MANIFEST({ main: 'index.js' }), 'index.js': text }).why).toContain('`initialize` is a function of a consumer');
    expect(migrated({ 'package.json': MANIFEST({ main: 'index.js', private: true }), 'index.js': text }).outcome).toBe('rewrite');
  });
});

describe('the event store of the examples', () => {
  it('is written into the project once, and v1 goes', () => {
    const use = (name: string): string =>
      `import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';\nexport const ${name} = new InMemoryEventStore();\n`;
    const { outcome, needs, texts } = migrated({ 'package.json': MANIFEST(), 'src/a.ts': use('a'), 'src/b.ts': use('b') });
    expect(outcome).toBe('rewrite');
    expect(needs.filter((need) => 'template' in need)).toEqual([
      { kind: 'shim', template: 'in-memory-event-store', path: 'src/in-memory-event-store.ts', model: { typescript: true, commonjs: false } },
    ]);
    expect(needs).toContainEqual({ kind: 'dependency', manifest: 'package.json', name: '@modelcontextprotocol/sdk', remove: true });
    expect(texts['src/a.ts']).not.toContain('@modelcontextprotocol/sdk');
  });
});
