import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { z } from 'zod';

function openBeltWeigher(): McpServer {
  const server = new McpServer({ name: 'belt-weigher', version: '2.4.0' });
  server.registerTool('load_of', { description: 'Tonnes on a belt', inputSchema: { belt: z.number() } }, async ({ belt }) => ({
    content: [{ type: 'text', text: `belt ${belt}: ${belt * 3 + 1} t` }]
  }));
  return server;
}

const streams = new Map<string, SSEServerTransport>();

const http = createServer(async (req, res) => {
  const url = new URL(req.url ?? '/', 'http://localhost');
  if (req.method === 'GET' && url.pathname === '/sse') {
    const transport = new SSEServerTransport('/messages', res);
    streams.set(transport.sessionId, transport);
    res.on('close', () => streams.delete(transport.sessionId));
    await openBeltWeigher().connect(transport);
    return;
  }
  if (req.method === 'POST' && url.pathname === '/messages') {
    const transport = streams.get(url.searchParams.get('sessionId') ?? '');
    if (transport === undefined) {
      res.writeHead(404).end('No such stream');
      return;
    }
    await transport.handlePostMessage(req, res);
    return;
  }
  res.writeHead(404).end();
});

http.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
