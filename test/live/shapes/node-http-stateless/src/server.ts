import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const buildScales = () => {
  const server = new McpServer({ name: 'market-scales', version: '0.9.1' });
  server.registerTool('price', { description: 'Price of some goods', inputSchema: { grams: z.number(), perKilo: z.number() } }, async ({ grams, perKilo }) => ({
    content: [{ type: 'text', text: `${((grams * perKilo) / 1000).toFixed(2)} crowns` }]
  }));
  return server;
};

createServer((req, res) => {
  if (req.url !== '/mcp') {
    res.statusCode = 404;
    res.end();
    return;
  }
  void serve();

  async function serve() {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    res.on('close', () => void transport.close());
    await buildScales().connect(transport);
    await transport.handleRequest(req, res);
  }
}).listen({ port: Number(process.env.PORT ?? 3000), host: 'localhost' });
