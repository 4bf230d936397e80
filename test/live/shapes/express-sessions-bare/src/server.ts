import express, { type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

function createApiary() {
  const server = new McpServer({ name: 'apiary', version: '0.4.0' });
  server.registerTool('weigh_hive', { description: 'Weight of a hive in kilograms', inputSchema: { hive: z.number().int() } }, async ({ hive }) => ({
    content: [{ type: 'text', text: `hive ${hive}: ${30 + hive} kg` }]
  }));
  server.registerResource('season', 'apiary://season', { mimeType: 'text/plain' }, async uri => ({ contents: [{ uri: uri.href, text: 'linden bloom' }] }));
  return server;
}

const app = express();

// No body parser: the transport reads the request itself.
const transports: { [id: string]: StreamableHTTPServerTransport } = {};

app.post('/mcp', async (req: Request, res: Response) => {
  const sessionId = req.headers['mcp-session-id'] as string | undefined;
  if (sessionId && transports[sessionId]) {
    await transports[sessionId].handleRequest(req, res);
  } else if (!sessionId) {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: id => {
        transports[id] = transport;
      },
      onsessionclosed: id => {
        delete transports[id];
      }
    });
    await createApiary().connect(transport);
    await transport.handleRequest(req, res);
  } else {
    res.status(404).json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null });
  }
});

app.get('/mcp', async (req, res) => {
  const sessionId = req.headers['mcp-session-id'] as string | undefined;
  if (!sessionId || !transports[sessionId]) {
    res.status(404).send('Session not found');
    return;
  }
  await transports[sessionId].handleRequest(req, res);
});

app.delete('/mcp', async (req, res) => {
  const sessionId = req.headers['mcp-session-id'] as string | undefined;
  if (!sessionId || !transports[sessionId]) {
    res.status(404).send('Session not found');
    return;
  }
  await transports[sessionId].handleRequest(req, res);
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
