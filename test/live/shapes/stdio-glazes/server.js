import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const server = new McpServer({ name: 'glaze-book', version: '1.0.0' });
const glazes = new Map([['celadon', 'cone 10, reduction']]);

server.tool('record_glaze', 'Writes a glaze into the book', { name: z.string(), firing: z.string() }, async ({ name, firing }) => {
  if (firing.length > 200) throw new McpError(ErrorCode.InvalidParams, 'one line is enough');
  glazes.set(name, firing);
  return { content: [{ type: 'text', text: `recorded ${name}` }] };
});
server.tool('price', 'Price of a test tile', { tiles: z.number() }, async ({ tiles }) => ({ content: [{ type: 'text', text: `${tiles * 2} crowns` }] }));

server.resource('glaze', new ResourceTemplate('glaze://{name}', { list: undefined }), async (uri, { name }) => ({
  contents: [{ uri: uri.href, text: glazes.get(String(name)) ?? '' }]
}));

async function main() {
  const transport = new StdioServerTransport();
  await server.connect(transport);
  console.error('the glaze book is open');
}

main().catch(error => {
  console.error('the glaze book cannot be opened:', error);
  process.exit(1);
});
