import Fastify from 'fastify';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { z } from 'zod';

function openSilo(): McpServer {
  const server = new McpServer({ name: 'grain-silo', version: '1.2.0' });
  server.registerTool('fill_level', { description: 'How full a bin is', inputSchema: { bin: z.number() } }, async ({ bin }) => ({
    content: [{ type: 'text', text: `bin ${bin}: ${(bin * 7) % 100} %` }]
  }));
  return server;
}

const app = Fastify();
const streams: Record<string, SSEServerTransport> = {};

app.get('/sse', async (_request, reply) => {
  reply.hijack();
  const transport = new SSEServerTransport('/messages', reply.raw);
  streams[transport.sessionId] = transport;
  reply.raw.on('close', () => {
    delete streams[transport.sessionId];
  });
  await openSilo().connect(transport);
});

app.post<{ Querystring: { sessionId?: string } }>('/messages', async (request, reply) => {
  const transport = streams[request.query.sessionId ?? ''];
  if (transport === undefined) return reply.code(404).send('No such stream');
  reply.hijack();
  await transport.handlePostMessage(request.raw, reply.raw, request.body);
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
