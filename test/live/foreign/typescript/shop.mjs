// A shop on the official TypeScript SDK 2: `shop.mjs stdio` or `shop.mjs http <port>`.
import { createServer } from 'node:http';
import process from 'node:process';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const said = (text) => ({ content: [{ type: 'text', text }] });

function shop() {
  const server = new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  server.registerTool('price', { description: 'Tells the price.', inputSchema: z.object({}) }, () => said('12'));
  server.registerTool(
    'ship',
    { description: 'Ships to a region.', inputSchema: z.object({ region: z.string().optional().meta({ 'x-mcp-header': 'Region' }) }) },
    () => said('on its way'),
  );
  server.registerTool('remove', { description: 'Removes an offer.', inputSchema: z.object({}) }, (_args, context) => {
    if (acceptedContent(context.mcpReq.inputResponses, 'sure')) return said('removed');
    const requestedSchema = { type: 'object', properties: { sure: { type: 'boolean' } } };
    return inputRequired({ inputRequests: { sure: inputRequired.elicit({ message: 'Remove it?', requestedSchema }) } });
  });
  server.registerResource('terms', 'shop://terms', {}, () => ({ contents: [{ uri: 'shop://terms', text: 'Fair terms.' }] }));
  server.registerPrompt('hello', { description: 'Greets a customer.' }, () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] }));
  return server;
}

if (process.argv[2] === 'stdio') serveStdio(shop);
else createServer(toNodeHandler(createMcpHandler(shop))).listen(Number(process.argv[3]), '127.0.0.1');
