import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const openTransports: Record<string, StreamableHTTPServerTransport> = {};

/** The tide table of a small harbour. */
function createTideTable(): McpServer {
  const server = new McpServer({ name: 'tide-table', version: '2.1.0' });
  server.registerTool('high_water', { description: 'Hour of the next high water', inputSchema: { quay: z.string(), day: z.number().int() } }, async ({ quay, day }) => ({
    content: [{ type: 'text', text: `${quay}, day ${day}: ${(day * 50) % 24} o'clock` }]
  }));
  server.registerResource('moon', 'tide://moon', { mimeType: 'text/plain' }, async uri => ({ contents: [{ uri: uri.href, text: 'waxing' }] }));
  return server;
}

const listener = http.createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/health') {
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok');
    return;
  }
  if (pathname === '/mcp') {
    const sessionId = request.headers['mcp-session-id'] as string | undefined;
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const message: unknown = JSON.parse(Buffer.concat(chunks).toString());
      let transport = sessionId ? openTransports[sessionId] : undefined;
      if (!transport && isInitializeRequest(message)) {
        const created = new StreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(),
          onsessioninitialized: id => {
            openTransports[id] = created;
          }
        });
        created.onclose = () => {
          if (created.sessionId) delete openTransports[created.sessionId];
        };
        transport = created;
        await createTideTable().connect(created);
      }
      if (!transport) {
        response.writeHead(sessionId ? 404 : 400).end('No such session');
        return;
      }
      await transport.handleRequest(request, response, message);
      return;
    }
    const transport = sessionId ? openTransports[sessionId] : undefined;
    if (!transport) {
      response.writeHead(400).end('Session missing');
      return;
    }
    await transport.handleRequest(request, response);
    return;
  }
  response.writeHead(404).end();
});

listener.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
