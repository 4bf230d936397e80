import { describe, expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import { withTree } from '../../fixtures-kit/tree.js';

const renderShim = await shimRenderer();

/** A lighthouse log on SDK v2 with sessions. `checks` stands in front of its routes. */
const server = (checks: string): string => `import express from 'express';
import { randomUUID } from 'node:crypto';
import { McpServer, isInitializeRequest } from '@modelcontextprotocol/server';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';

const app = express();
app.use(express.json());
const lamps: Record<string, NodeStreamableHTTPServerTransport> = {};
const keeper = (req: express.Request, res: express.Response, next: express.NextFunction) => {
  if (req.headers.authorization !== 'Bearer ' + process.env.LAMP_KEY) res.status(401).end();
  else next();
};
${checks}
app.post('/mcp', async (req, res) => {
  const id = req.headers['mcp-session-id'] as string | undefined;
  let lamp = id ? lamps[id] : undefined;
  if (!lamp && !id && isInitializeRequest(req.body)) {
    const lit = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized: (session) => { lamps[session] = lit; } });
    await new McpServer({ name: 'lighthouse', version: '1.0.0' }).connect(lit);
    lamp = lit;
  }
  if (!lamp) {
    res.status(400).end();
    return;
  }
  await lamp.handleRequest(req, res, req.body);
});
app.listen(3000, '127.0.0.1', () => console.log('http://127.0.0.1:3000/mcp'));
`;

const MANIFEST = JSON.stringify({
  name: 'lighthouse',
  type: 'module',
  dependencies: { '@modelcontextprotocol/server': '^2.4.0', '@modelcontextprotocol/node': '^2.1.0', express: '^5.0.0' },
});

/** What a migration to a separate lane makes of the sessions, and the text of the server then. */
async function separated(files: Record<string, string>): Promise<{ readonly outcome: string | undefined; readonly text: string }> {
  return withTree(new Map([['package.json', MANIFEST], ...Object.entries(files)]), async (root) => {
    const result = await migrateRepository(root, knowledge, { legacy: 'separate', renderShim });
    const changed = result.patches.flatMap(({ changes }) => changes);
    return { outcome: result.outcomes.find(({ item }) => item.startsWith('session-transport'))?.outcome, text: JSON.stringify(changed) };
  });
}

describe('a modern endpoint beside the old one passes no check by', () => {
  it.each([
    ['a comparison of the path', "app.use((req, res, next) => (req.path === '/mcp' ? keeper(req, res, next) : next()));"],
    ['a comparison of the address', "app.use((req, res, next) => (req.url === '/mcp' || req.url.startsWith('/mcp?') ? keeper(req, res, next) : next()));"],
    ['a pattern', 'app.use(/^\\/mcp$/, keeper);'],
    [
      'a list of guarded paths',
      "const guarded = new Set(['/mcp', '/logbook']);\napp.use((req, res, next) => (guarded.has(req.path) ? keeper(req, res, next) : next()));",
    ],
    ['a constant', "const GUARDED = '/mcp';\napp.use((req, res, next) => (req.path === GUARDED ? keeper(req, res, next) : next()));"],
    ['middleware for the path alone', "app.all('/mcp', keeper);"],
    ['the length of the path', 'app.use((req, res, next) => (req.path.length === 4 ? keeper(req, res, next) : next()));'],
    ['a part of the path', "app.use((req, res, next) => (req.path.slice(1) === 'mcp' ? keeper(req, res, next) : next()));"],
    [
      'the last part of the path',
      "app.use((req, res, next) => {\n  const [, ...parts] = req.path.split('/');\n  if (parts.at(-1) === 'mcp') keeper(req, res, next);\n  else next();\n});",
    ],
    [
      'a table of keys',
      "const keys = Object.fromEntries(['mcp', 'logbook'].map((name) => ['/' + name, true]));\napp.use((req, res, next) => (keys[req.path] ? keeper(req, res, next) : next()));",
    ],
    ['the path below a mount', "app.use('/mcp', (req, res, next) => (req.path === '/' ? keeper(req, res, next) : next()));"],
    ['a function that is handed the path', 'app.use((req, res, next) => (isGuarded(req.path) ? keeper(req, res, next) : next()));'],
  ])('%s', async (_, checks) => {
    const { outcome, text } = await separated({ 'src/lighthouse.ts': server(checks) });
    expect(outcome).toBe('refused');
    expect(text).not.toContain('/mcp/v2');
  });

  it('a comparison in the file of the middleware', async () => {
    const { outcome } = await separated({
      'src/lighthouse.ts': server('app.use(guard);').replace(
        "import express from 'express';",
        "import express from 'express';\nimport { guard } from './guard.js';",
      ),
      'src/guard.ts': `import type { RequestHandler } from 'express';

export const guard: RequestHandler = (req, res, next) => {
  if (req.path === '/mcp' && req.headers.authorization === undefined) res.status(401).end();
  else next();
};
`,
    });
    expect(outcome).toBe('refused');
  });

  it.each([
    ["if (pathname === '/mcp' && !request.headers.authorization) {\n    response.writeHead(401).end();\n    return;\n  }", 'refused'],
    ["if (pathname === '/health') {\n    response.end('ok');\n    return;\n  }", 'applied'],
  ])('in front of the branches of node:http: %s', async (check, expected) => {
    const text = `import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/server';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';

const lamps = new Map<string, NodeStreamableHTTPServerTransport>();
createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  ${check}
  if (pathname === '/mcp') {
    const id = request.headers['mcp-session-id'] as string | undefined;
    let lamp = id ? lamps.get(id) : undefined;
    if (!lamp) {
      const lit = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized: (session) => { lamps.set(session, lit); } });
      await new McpServer({ name: 'lighthouse', version: '1.0.0' }).connect(lit);
      lamp = lit;
    }
    await lamp.handleRequest(request, response);
    return;
  }
  response.writeHead(404).end();
}).listen(3000, '127.0.0.1');
`;
    expect((await separated({ 'src/lighthouse.ts': text })).outcome).toBe(expected);
  });

  it('stands in the function that tells the paths apart, also behind a test of their beginning', async () => {
    const text = `import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/server';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';

const lamps = new Map<string, NodeStreamableHTTPServerTransport>();
async function answer(request: IncomingMessage, response: ServerResponse) {
  if (!request.url?.startsWith('/mcp')) {
    response.writeHead(404).end();
    return;
  }
  const id = request.headers['mcp-session-id'] as string | undefined;
  let lamp = id ? lamps.get(id) : undefined;
  if (!lamp) {
    const lit = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized: (session) => { lamps.set(session, lit); } });
    await new McpServer({ name: 'lighthouse', version: '1.0.0' }).connect(lit);
    lamp = lit;
  }
  await lamp.handleRequest(request, response);
}
createServer((request, response) => {
  answer(request, response).catch(() => response.end());
}).listen(3000, '127.0.0.1');
`;
    const { outcome, text: changed } = await separated({ 'src/lighthouse.ts': text });
    expect(outcome).toBe('applied');
    expect(changed).toContain("if (request.url?.startsWith('/mcp/v2')) {");
  });

  it.each([
    ['a prefix covers it', "app.use('/mcp', keeper);"],
    ['a pattern of both', 'app.use(/^\\/mcp/, keeper);'],
    [
      'routes that turn GET and DELETE away',
      "app.get('/mcp', (_req, res) => res.status(405).end());\napp.delete('/mcp', (_req, res) => res.status(405).end());",
    ],
    ['another path', "app.use((req, res, next) => (req.path === '/logbook' ? keeper(req, res, next) : next()));"],
    ['a beginning of both', "app.use((req, res, next) => (req.path.startsWith('/mcp') ? keeper(req, res, next) : next()));"],
    ['a pattern of neither', "app.use((req, res, next) => (/\\.css$/.test(req.path) || req.path.startsWith('/public') ? next() : keeper(req, res, next)));"],
    ['a log of the path', 'app.use((req, _res, next) => {\n  console.error(req.method, req.path.slice(0, 80));\n  next();\n});'],
    ['a route of another path', "app.get('/files/:name', (req, res) => {\n  if (req.path.length > 40) res.status(414).end();\n  else res.end();\n});"],
  ])('and is written where nothing is: %s', async (_, checks) => {
    const { outcome, text } = await separated({ 'src/lighthouse.ts': server(checks) });
    expect(outcome).toBe('applied');
    expect(text).toContain('/mcp/v2');
  });
});
