import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

export function createObservatory(): McpServer {
  const server = new McpServer({ name: 'observatory', version: '1.2.0' });
  server.registerTool('altitude', { description: 'Altitude of a star at an hour', inputSchema: { star: z.string(), hour: z.number() } }, async ({ star, hour }) => ({
    content: [{ type: 'text', text: `${star} at ${hour}: ${90 - Math.abs(12 - hour) * 5} degrees` }]
  }));
  return server;
}
