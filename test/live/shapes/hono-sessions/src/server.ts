import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { logger } from 'hono/logger';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';

const live = new Map<string, WebStandardStreamableHTTPServerTransport>();

function openGreenhouse() {
  const server = new McpServer({ name: 'greenhouse', version: '1.2.0' });
  server.registerTool('humidity', { description: 'Humidity of a bed in percent', inputSchema: { bed: z.number().int() } }, async ({ bed }) => ({
    content: [{ type: 'text', text: `bed ${bed}: ${60 + (bed % 30)} %` }]
  }));
  return server;
}

const api = new Hono();
api.use(logger(() => undefined));
api.use('/mcp', cors({ origin: ['http://localhost:5173'], allowHeaders: ['Content-Type', 'Mcp-Session-Id'], exposeHeaders: ['Mcp-Session-Id'] }));

api.post('/mcp', async c => {
  const id = c.req.header('mcp-session-id');
  const known = id ? live.get(id) : undefined;
  if (known) return known.handleRequest(c.req.raw);
  if (id) return c.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, 404);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: session => {
      live.set(session, transport);
    }
  });
  await openGreenhouse().connect(transport);
  return transport.handleRequest(c.req.raw);
});

api.on(['GET', 'DELETE'], '/mcp', async c => {
  const id = c.req.header('mcp-session-id');
  const known = id ? live.get(id) : undefined;
  if (!known) return c.text('Session not found', 404);
  return known.handleRequest(c.req.raw);
});

serve({ fetch: api.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' });
