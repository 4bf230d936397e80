import { describe, expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import type { ItemOutcome } from '../../../src/core/index.js';
import { applyChanges, withTree } from '../../fixtures-kit/tree.js';

const renderShim = await shimRenderer();

const HEAD = `import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
const open = (name = 'weather-mast') => new McpServer({ name, version: '1.0.0' });
const masts = new Map();
`;
const NEW = `const fresh = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized: (id) => { masts.set(id, fresh); } });
  await open().connect(fresh);`;

/** Migrates one file; answers what became of the hub's item, and the text afterwards. */
async function migrate(text: string, name = 'server.js'): Promise<{ readonly item: ItemOutcome | undefined; readonly text: string }> {
  const manifest = JSON.stringify({
    name: 'mast',
    type: 'module',
    dependencies: { '@modelcontextprotocol/server': '^2.4.0', '@modelcontextprotocol/node': '^2.1.0' },
  });
  const tree = new Map([
    ['package.json', manifest],
    [name, text],
  ]);
  return withTree(tree, async (root) => {
    const result = await migrateRepository(root, knowledge, { renderShim });
    const after = result.patches.reduce<ReadonlyMap<string, string>>((current, patch) => applyChanges(current, patch.changes), new Map(tree));
    return { item: result.outcomes.find(({ item }) => item.startsWith('session-transport')), text: after.get(name) ?? '' };
  });
}

const listener = (body: string): string =>
  `import { createServer } from 'node:http';\n${HEAD}createServer(async (req, res) => {\n  ${body}\n}).listen(3000);\n`;

describe('handlers that only look as if the entry could be written into them', () => {
  it.each([
    [
      'a body that was read and has no name',
      listener(`for await (const part of req) console.log(part);\n  ${NEW}\n  await fresh.handleRequest(req, res);`),
      'has no name there',
    ],
    [
      'a body that code further out listens to',
      listener(
        `req.on('data', (part) => console.error(part.length));\n  if (req.url === '/mcp') {\n  ${NEW}\n  await fresh.handleRequest(req, res);\n  return;\n  }\n  res.end();`,
      ),
      'has no name there',
    ],
    [
      'another path behind the session code',
      listener(
        `const known = masts.get(req.headers['mcp-session-id']);\n  if (known) { await known.handleRequest(req, res); return; }\n  if (req.url === '/health') { res.end('ok'); return; }\n  ${NEW}\n  await fresh.handleRequest(req, res);`,
      ),
      'could not be told apart',
    ],
    [
      'statements that run behind the session code',
      listener(
        `switch (req.url) {\n    case '/mcp': {\n  ${NEW}\n  await fresh.handleRequest(req, res);\n  break;\n    }\n    default:\n      res.end();\n  }\n  console.error('served', req.url);`,
      ),
      'runs for its requests too',
    ],
    [
      'a factory that needs the request',
      listener(`${NEW.replace('open()', "open(req.headers['x-mast'])")}\n  await fresh.handleRequest(req, res);`),
      'exists only inside of the handler',
    ],
    ['a transport that leaks to a global', listener(`${NEW}\n  globalThis.latest = fresh;\n  await fresh.handleRequest(req, res);`), 'checks requests itself'],
    [
      'a request that is taken apart',
      `import Fastify from 'fastify';\n${HEAD}const app = Fastify();\napp.all('/mcp', async ({ raw, body }, reply) => {\n  reply.hijack();\n  ${NEW}\n  await fresh.handleRequest(raw, reply.raw, body);\n});\n`,
      'takes its request apart',
    ],
    [
      'a middleware that is not asynchronous',
      `import Koa from 'koa';\n${HEAD}new Koa().use((ctx) => {\n  ctx.respond = false;\n  const fresh = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });\n  return open().connect(fresh).then(() => fresh.handleRequest(ctx.req, ctx.res));\n}).listen(3000);\n`,
      'not asynchronous',
    ],
  ])('%s', async (_what, text, why) => {
    const { item, text: after } = await migrate(text);
    expect(item?.outcome).toBe('refused');
    expect(item?.reason?.why).toContain(why);
    expect(after).toBe(text);
  });

  it('a function of the project that is called like one of Node', async () => {
    const text = `${HEAD}function createServer(listener) {\n  return { listen: () => listener({}, {}) };\n}\ncreateServer(async (req, res) => {\n  ${NEW}\n  await fresh.handleRequest(req, res);\n}).listen(3000);\n`;
    const { item, text: after } = await migrate(text);
    expect(item?.outcome).toBe('manual');
    expect(after).toBe(text);
  });
});

describe('what the legacy code tells its transport', () => {
  const worker = (options: string): string =>
    `${HEAD}import { verify } from './passes.js';\nexport default {\n  async fetch(request) {\n    const authInfo = await verify(request);\n    if (!authInfo) return new Response('no', { status: 401 });\n    const parsedBody = await request.json();\n    const fresh = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });\n    await open().connect(fresh);\n    return fresh.handleRequest(request, ${options});\n  },\n};\n`;

  it('reaches the modern entry too', async () => {
    const { item, text } = await migrate(worker('{ parsedBody, authInfo }'));
    expect(item?.outcome).toBe('applied');
    expect(text).toContain('await mcp(request, { parsedBody, authInfo })');
  });

  it('keeps the entry out when it cannot be read', async () => {
    const { item } = await migrate(worker('{ ...passes(), parsedBody }'));
    expect(item?.outcome).toBe('refused');
    expect(item?.reason?.why).toContain('what is not known in front of it');
  });
});

describe('two hosts in one folder', () => {
  it('have a shim each, in the words of each', async () => {
    const hono = `import { Hono } from 'hono';\n${HEAD}export const app = new Hono();\napp.all('/mcp', async (c) => {\n  const known = masts.get(c.req.header('mcp-session-id'));\n  if (known) return known.handleRequest(c.req.raw);\n  const fresh = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized: (id) => { masts.set(id, fresh); } });\n  await open().connect(fresh);\n  return fresh.handleRequest(c.req.raw);\n});\n`;
    const tree = new Map([
      ['edge.js', hono],
      ['package.json', JSON.stringify({ name: 'mast', type: 'module', dependencies: { '@modelcontextprotocol/server': '^2.4.0', hono: '^4.0.0' } })],
      ['server.js', listener(`${NEW}\n  await fresh.handleRequest(req, res);`)],
    ]);
    const written = await withTree(tree, async (root) => {
      const result = await migrateRepository(root, knowledge, { renderShim, legacy: 'sessionful' });
      expect(result.idempotent).toBe(true);
      return result.patches.reduce<ReadonlyMap<string, string>>((current, patch) => applyChanges(current, patch.changes), tree);
    });
    expect(written.get('edge.js')).toContain("from './mcp-dual-era.js'");
    expect(written.get('server.js')).toContain("from './mcp-dual-era-node-http.js'");
    expect(written.get('mcp-dual-era.js')).not.toBe(written.get('mcp-dual-era-node-http.js'));
  });
});
