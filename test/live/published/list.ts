/** How a published package is started and what works on it today. `{PORT}`, `{UPSTREAM}` and `{TMP}` are filled in. */
export interface Published {
  /** `name@version`. */
  readonly id: string;
  readonly name: string;
  readonly install: readonly string[];
  readonly installFlags?: readonly string[];
  /** A consumer of a library, as its users write it. */
  readonly harness?: readonly string[];
  readonly start: { readonly kind: 'http' | 'sse' | 'stdio'; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };
  /** Path of the Streamable HTTP endpoint, or of the stream of HTTP+SSE. */
  readonly path: string;
  readonly call: { readonly name: string; readonly arguments: Record<string, unknown>; readonly expect: RegExp };
  /** Needs a server behind it. */
  readonly upstream?: boolean;
  /** A client that answers elicitation. */
  readonly answers?: boolean;
  /** `modern`: migrated by the tool alone, it answers a modern client. `legacy`: it keeps serving its clients, and what is left is said. */
  readonly expect: 'modern' | 'legacy';
  readonly why: string;
}

const HTTP_BRIDGE = [
  "http.createServer(async (q, r) => { const b = []; for await (const c of q) b.push(c); const w = await h(new Request('http://127.0.0.1' + q.url, { method: q.method, headers: q.headers, body: b.length ? Buffer.concat(b) : undefined }));",
  "r.writeHead(w.status, Object.fromEntries(w.headers)); if (w.body) Readable.fromWeb(w.body).pipe(r); else r.end(); }).listen(Number(process.env.PORT), '127.0.0.1');",
];

/** Ten published legacy packages at pinned versions; all start on loopback without credentials. */
export const PUBLISHED: readonly Published[] = [
  {
    id: 'supergateway@3.4.3',
    name: 'supergateway',
    install: ['supergateway@3.4.3', '@modelcontextprotocol/server-memory@2025.11.25'],
    start: {
      kind: 'http',
      args: [
        'node_modules/supergateway/dist/index.js',
        '--stdio',
        'node node_modules/@modelcontextprotocol/server-memory/dist/index.js',
        '--outputTransport',
        'streamableHttp',
        '--stateful',
        '--port',
        '{PORT}',
      ],
      env: { MEMORY_FILE_PATH: '{TMP}/m.jsonl' },
    },
    path: '/mcp',
    call: { name: 'read_graph', arguments: {}, expect: /entities/ },
    expect: 'legacy',
    why: 'a proxy: one child process per session and a raw message pump; a server per request would start a child per call',
  },
  {
    id: 'express-mcp-handler@0.3.0',
    name: 'express-mcp-handler',
    install: ['express-mcp-handler@0.3.0', 'express@5', '@modelcontextprotocol/sdk@1.20.2', 'zod@3'],
    harness: [
      "import express from 'express'; import { randomUUID } from 'node:crypto'; import { z } from 'zod';",
      "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'; import { statefulHandlers } from 'express-mcp-handler';",
      'const app = express(); app.use(express.json());',
      "const h = statefulHandlers(() => { const s = new McpServer({ name: 'fixture', version: '1.0.0' }); s.tool('echo', { text: z.string() }, async ({ text }) => ({ content: [{ type: 'text', text: 'echo:' + text }] })); return s; }, { sessionIdGenerator: () => randomUUID() });",
      "app.post('/mcp', h.postHandler); app.get('/mcp', h.getHandler); app.delete('/mcp', h.deleteHandler);",
      "app.listen(Number(process.env.PORT), '127.0.0.1');",
    ],
    start: { kind: 'http', args: ['harness.mjs'], env: { PORT: '{PORT}' } },
    path: '/mcp',
    call: { name: 'echo', arguments: { text: 'hi' }, expect: /echo:hi/ },
    expect: 'legacy',
    why: 'a library of handlers without routes: its consumers pass servers of their own SDK copy',
  },
  {
    id: 'mcp-echarts@0.7.1',
    name: 'mcp-echarts',
    install: ['mcp-echarts@0.7.1'],
    start: { kind: 'http', args: ['node_modules/mcp-echarts/build/index.js', '-t', 'streamable', '-p', '{PORT}'] },
    path: '/mcp',
    call: {
      name: 'generate_pie_chart',
      arguments: {
        data: [
          { category: 'a', value: 1 },
          { category: 'b', value: 2 },
        ],
        outputType: 'option',
      },
      expect: /series/,
    },
    expect: 'modern',
    why: 'Express with a session map, compiled to CommonJS with __awaiter',
  },
  {
    id: 'hono-mcp-server-sse-transport@0.0.7',
    name: 'hono-mcp-server-sse-transport',
    install: ['hono-mcp-server-sse-transport@0.0.7', 'hono@4', '@hono/node-server@1', '@modelcontextprotocol/sdk@1.20.2', 'zod@3'],
    harness: [
      "import { Hono } from 'hono'; import { serve } from '@hono/node-server'; import { streamSSE } from 'hono/streaming'; import { z } from 'zod';",
      "import { SSETransport } from 'hono-mcp-server-sse-transport'; import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';",
      'const app = new Hono(); const transports = {};',
      "app.get('/sse', c => streamSSE(c, async stream => { const s = new McpServer({ name: 'fixture', version: '1.0.0' }); s.tool('echo', { text: z.string() }, async ({ text }) => ({ content: [{ type: 'text', text: 'echo:' + text }] }));",
      "const t = new SSETransport('/messages', stream); transports[t.sessionId] = t; stream.onAbort(() => { delete transports[t.sessionId]; }); await s.connect(t); while (true) await stream.sleep(60000); }));",
      "app.post('/messages', async c => { const t = transports[c.req.query('sessionId')]; if (!t) return c.text('No transport found for sessionId', 400); return t.handlePostMessage(c); });",
      "serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });",
    ],
    start: { kind: 'sse', args: ['harness.mjs'], env: { PORT: '{PORT}' } },
    path: '/sse',
    call: { name: 'echo', arguments: { text: 'hi' }, expect: /echo:hi/ },
    expect: 'legacy',
    why: 'a transport class of the retired HTTP+SSE transport: nothing in it can serve a modern request',
  },
  {
    id: 'mcp-proxy@2.4.0',
    name: 'mcp-proxy',
    install: ['mcp-proxy@2.4.0', '@modelcontextprotocol/sdk@1.11.5', '@modelcontextprotocol/server-memory@2025.11.25'],
    start: {
      kind: 'sse',
      args: [
        'node_modules/mcp-proxy/dist/bin/mcp-proxy.js',
        '--port',
        '{PORT}',
        '--endpoint',
        '/sse',
        'node',
        'node_modules/@modelcontextprotocol/server-memory/dist/index.js',
      ],
      env: { MEMORY_FILE_PATH: '{TMP}/m.jsonl' },
    },
    path: '/sse',
    call: { name: 'read_graph', arguments: {}, expect: /entities/ },
    expect: 'legacy',
    why: 'HTTP+SSE only, on node:http, with one upstream for all sessions',
  },
  {
    id: 'mcp-remote@0.1.38',
    name: 'mcp-remote',
    install: ['mcp-remote@0.1.38'],
    start: {
      kind: 'stdio',
      args: ['node_modules/mcp-remote/dist/proxy.js', '{UPSTREAM}', '{PORT}', '--allow-http', '--transport', 'http-only'],
      env: { HOME: '{TMP}', MCP_REMOTE_CONFIG_DIR: '{TMP}/auth' },
    },
    path: '',
    call: { name: 'echo', arguments: { text: 'hi' }, expect: /upstream-echo:hi/ },
    upstream: true,
    expect: 'legacy',
    why: 'a transport proxy as one bundle with SDK v1 inlined: no line of it is application code',
  },
  {
    id: '@modelcontextprotocol/server-sequential-thinking@2025.7.1',
    name: '@modelcontextprotocol/server-sequential-thinking',
    install: ['@modelcontextprotocol/server-sequential-thinking@2025.7.1'],
    start: {
      kind: 'stdio',
      args: ['node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js'],
      env: { DISABLE_THOUGHT_LOGGING: 'true' },
    },
    path: '',
    call: {
      name: 'sequentialthinking',
      arguments: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      expect: /thoughtHistoryLength/,
    },
    expect: 'modern',
    why: 'stdio: the SDK step and the entry are automatic',
  },
  {
    id: 'mcp-memory-keeper@0.14.0',
    name: 'mcp-memory-keeper',
    install: ['mcp-memory-keeper@0.14.0'],
    installFlags: [],
    start: { kind: 'stdio', args: ['node_modules/mcp-memory-keeper/bin/mcp-memory-keeper'], env: { DATA_DIR: '{TMP}/mk' } },
    path: '',
    call: { name: 'context_status', arguments: {}, expect: /Current Session/ },
    expect: 'modern',
    why: 'stdio in CommonJS; its sessions are rows of its own database, not of the protocol',
  },
  {
    id: '@vercel/mcp-adapter@0.11.2',
    name: '@vercel/mcp-adapter',
    install: ['@vercel/mcp-adapter@0.11.2', '@modelcontextprotocol/sdk@1.20.2', 'zod@3'],
    harness: [
      "import http from 'node:http'; import { Readable } from 'node:stream'; import { z } from 'zod'; import { createMcpHandler } from '@vercel/mcp-adapter';",
      "const h = createMcpHandler(s => { s.tool('echo', { text: z.string() }, async ({ text }) => ({ content: [{ type: 'text', text: 'echo:' + text }] })); }, {}, { basePath: '', disableSse: true });",
      ...HTTP_BRIDGE,
    ],
    start: { kind: 'http', args: ['harness.mjs'], env: { PORT: '{PORT}' } },
    path: '/mcp',
    call: { name: 'echo', arguments: { text: 'hi' }, expect: /echo:hi/ },
    expect: 'legacy',
    why: 'fetch handlers of a library, as CommonJS and ESM twins',
  },
  {
    id: 'mcp-lite@0.8.2',
    name: 'mcp-lite',
    install: ['mcp-lite@0.8.2'],
    harness: [
      "import http from 'node:http'; import { Readable } from 'node:stream'; import { McpServer, StreamableHttpTransport, InMemorySessionAdapter, InMemoryClientRequestAdapter } from 'mcp-lite';",
      "const s = new McpServer({ name: 'fixture', version: '1.0.0' });",
      "s.tool('ask', { description: 'asks the user', inputSchema: { type: 'object' }, handler: async (a, c) => { const r = await c.elicit({ message: 'go on?', schema: { type: 'object', properties: { confirmation: { type: 'string' } } } }); return { content: [{ type: 'text', text: 'asked:' + r.action }] }; } });",
      'const h = new StreamableHttpTransport({ sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 64 }), clientRequestAdapter: new InMemoryClientRequestAdapter({ defaultTimeoutMs: 8000 }) }).bind(s);',
      ...HTTP_BRIDGE,
    ],
    start: { kind: 'http', args: ['harness.mjs'], env: { PORT: '{PORT}' } },
    path: '/mcp',
    call: { name: 'ask', arguments: {}, expect: /asked:accept/ },
    answers: true,
    expect: 'legacy',
    why: 'a whole implementation of its own, without the SDK: its migration is a new version of it',
  },
];
