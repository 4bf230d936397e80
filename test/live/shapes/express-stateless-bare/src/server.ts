import express from 'express';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

function makeWeatherMast() {
  const mast = new McpServer({ name: 'weather-mast', version: '1.0.0' });
  mast.registerTool('wind_at', { description: 'Wind at a height in metres', inputSchema: { metres: z.number() } }, async ({ metres }) => ({
    content: [{ type: 'text', text: `${metres} m: ${Math.round(metres / 10) + 4} m/s` }]
  }));
  return mast;
}

const app = express();

app.all('/mcp', async (req, res) => {
  const mast = makeWeatherMast();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  res.on('close', () => {
    void transport.close();
    void mast.close();
  });
  await mast.connect(transport);
  await transport.handleRequest(req, res);
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
