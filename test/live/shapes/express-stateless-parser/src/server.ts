import express from 'express';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const getServer = () => {
  const server = new McpServer({ name: 'kiln', version: '2.1.0' });
  server.registerTool(
    'firing_time',
    { description: 'Hours to reach a temperature', inputSchema: { celsius: z.number(), perHour: z.number() }, outputSchema: { hours: z.number() } },
    async ({ celsius, perHour }) => {
      const hours = celsius / perHour;
      return { content: [{ type: 'text', text: `${hours} h` }], structuredContent: { hours } };
    }
  );
  return server;
};

const app = express();
app.use(express.json());

app.post('/mcp', async (req, res) => {
  const server = getServer();
  try {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    res.on('close', () => {
      void transport.close();
      void server.close();
    });
    await server.connect(transport);
    await transport.handleRequest(req, res, req.body);
  } catch (error) {
    console.error('MCP request failed:', error);
    if (!res.headersSent) {
      res.status(500).json({ jsonrpc: '2.0', error: { code: -32603, message: 'Internal server error' }, id: null });
    }
  }
});

app.get('/mcp', (_req, res) => {
  res.writeHead(405).end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message: 'Method not allowed.' }, id: null }));
});

app.delete('/mcp', (_req, res) => {
  res.writeHead(405).end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message: 'Method not allowed.' }, id: null }));
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
