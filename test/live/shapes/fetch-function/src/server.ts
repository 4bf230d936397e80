import { serve } from '@hono/node-server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';

const stampShop = () => {
  const server = new McpServer({ name: 'stamp-shop', version: '1.0.4' });
  server.registerTool('postage', { description: 'Postage of a letter', inputSchema: { grams: z.number() } }, async ({ grams }) => ({
    content: [{ type: 'text', text: `${grams <= 20 ? 1 : Math.ceil(grams / 50) + 1} stamps` }]
  }));
  return server;
};

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname === '/') return new Response('stamp shop');
  if (url.pathname !== '/mcp') return new Response('not here', { status: 404 });
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  await stampShop().connect(transport);
  return transport.handleRequest(request);
}

serve({ fetch: answer, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' });
