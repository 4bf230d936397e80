import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Elysia } from 'elysia';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';

const flights = new Map<string, WebStandardStreamableHTTPServerTransport>();

function openOwlPost() {
  const server = new McpServer({ name: 'owl-post', version: '2.1.0' });
  server.registerTool('flight_time', { description: 'Minutes that an owl needs', inputSchema: { miles: z.number() } }, async ({ miles }) => ({
    content: [{ type: 'text', text: `${miles} miles: ${miles * 3} minutes` }],
  }));
  return server;
}

const noSession = () => Response.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, { status: 404 });

const routes = new Elysia({ name: 'owls' })
  .post(
    '/mcp',
    async (context) => {
      const id = context.request.headers.get('mcp-session-id');
      const known = id ? flights.get(id) : undefined;
      if (known) return known.handleRequest(context.request);
      if (id) return noSession();
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (session) => {
          flights.set(session, transport);
        },
      });
      await openOwlPost().connect(transport);
      return transport.handleRequest(context.request);
    },
    { parse: 'none' },
  )
  .get('/mcp', async ({ request }) => {
    const known = flights.get(request.headers.get('mcp-session-id') ?? '');
    return known ? known.handleRequest(request) : noSession();
  })
  .delete('/mcp', async ({ request }) => {
    const known = flights.get(request.headers.get('mcp-session-id') ?? '');
    return known ? known.handleRequest(request) : noSession();
  });

const app = new Elysia().get('/health', () => 'perched').use(routes);

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' });
