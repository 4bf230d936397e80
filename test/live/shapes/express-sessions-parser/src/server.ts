#!/usr/bin/env -S npx tsx
import cors from 'cors';
import express from 'express';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** Crossings of the harbour ferry. */
const buildFerryServer = () => {
  const server = new McpServer({ name: 'ferry', version: '1.0.0' });

  server.registerTool(
    'next_crossing',
    { title: 'Next crossing', description: 'When the next ferry leaves a pier', inputSchema: { pier: z.string(), after: z.number().int() } },
    async ({ pier, after }) => ({ content: [{ type: 'text', text: `${pier}: ${after + 20} minutes past` }] })
  );

  server.tool('sound_horn', 'Sounds the horn and counts the blasts', { blasts: z.number().int().min(1).max(9) }, async ({ blasts }, extra) => {
    const token = extra._meta?.progressToken;
    for (let blast = 1; blast <= blasts; blast++) {
      if (token !== undefined) {
        await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: token, progress: blast, total: blasts } });
      }
    }
    return { content: [{ type: 'text', text: 'T'.repeat(blasts) }] };
  });

  server.resource('timetable', 'ferry://timetable', { mimeType: 'text/plain' }, async uri => ({
    contents: [{ uri: uri.href, text: 'every 20 minutes' }]
  }));

  server.prompt('announce', 'Words for the loudspeaker', { pier: z.string() }, ({ pier }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Announce the ferry at ${pier}` } }]
  }));

  return server;
};

const app = express();
app.use(cors({ exposedHeaders: ['Mcp-Session-Id'] }));
app.use(express.json({ limit: '2mb' }));

const transports = new Map<string, StreamableHTTPServerTransport>();

app.post('/mcp', async (req, res) => {
  try {
    const sessionId = req.header('Mcp-Session-Id');
    const known = sessionId ? transports.get(sessionId) : undefined;
    if (known) {
      await known.handleRequest(req, res, req.body);
      return;
    }
    if (sessionId || !isInitializeRequest(req.body)) {
      res.status(400).json({ jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: No valid session ID provided' }, id: null });
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: id => {
        transports.set(id, transport);
      }
    });
    transport.onclose = () => {
      if (transport.sessionId) transports.delete(transport.sessionId);
    };
    const server = buildFerryServer();
    await server.connect(transport);
    await transport.handleRequest(req, res, req.body);
  } catch (error) {
    console.error('request failed', error);
    if (!res.headersSent) {
      res.status(500).json({ jsonrpc: '2.0', error: { code: -32603, message: 'Internal server error' }, id: null });
    }
  }
});

app.get('/mcp', async (req, res) => {
  const transport = transports.get(req.header('Mcp-Session-Id') ?? '');
  if (!transport) {
    res.status(400).send('Invalid or missing session ID');
    return;
  }
  await transport.handleRequest(req, res);
});

app.delete('/mcp', async (req, res) => {
  const transport = transports.get(req.header('Mcp-Session-Id') ?? '');
  if (!transport) {
    res.status(400).send('Invalid or missing session ID');
    return;
  }
  await transport.handleRequest(req, res);
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log('ferry is ready'));
