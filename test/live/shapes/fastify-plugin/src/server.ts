import Fastify, { type FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

function clockTower() {
  const server = new McpServer({ name: 'clock-tower', version: '3.0.0' });
  server.registerTool('strikes', { description: 'Strikes of the bell at an hour', inputSchema: { hour: z.number().int() } }, async ({ hour }) => ({
    content: [{ type: 'text', text: `${hour % 12 === 0 ? 12 : hour % 12} strikes` }]
  }));
  return server;
}

const byId = new Map<string, StreamableHTTPServerTransport>();

async function mcpRoutes(instance: FastifyInstance) {
  instance.all('/mcp', async (request, reply) => {
    request.log.debug('mcp request');
    const header = request.headers['mcp-session-id'];
    const id = Array.isArray(header) ? header[0] : header;
    let transport = id ? byId.get(id) : undefined;
    if (!transport && id) {
      return reply.code(404).send({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null });
    }
    if (!transport) {
      const fresh = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: session => {
          byId.set(session, fresh);
        }
      });
      transport = fresh;
      await clockTower().connect(fresh);
    }
    reply.hijack();
    await transport.handleRequest(request.raw, reply.raw, request.body);
  });
}

const app = Fastify();
app.register(mcpRoutes);
await app.listen({ port: Number(process.env.PORT ?? 3000) });
