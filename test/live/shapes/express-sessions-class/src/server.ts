import express, { Router, type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  isInitializeRequest,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema
} from '@modelcontextprotocol/sdk/types.js';

function buildSeedBank(): Server {
  const server = new Server({ name: 'seed-bank', version: '5.0.0' }, { capabilities: { tools: {}, resources: {} } });

  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [
      {
        name: 'germination',
        description: 'Days until a lot germinates',
        inputSchema: { type: 'object', properties: { lot: { type: 'integer' } }, required: ['lot'] }
      }
    ]
  }));

  server.setRequestHandler(CallToolRequestSchema, async request => {
    if (request.params.name !== 'germination') throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${request.params.name}`);
    const lot = Number(request.params.arguments?.lot);
    return { content: [{ type: 'text', text: `lot ${lot}: ${5 + (lot % 9)} days` }] };
  });

  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [{ uri: 'seeds://vault', name: 'vault' }] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, async request => {
    if (request.params.uri !== 'seeds://vault') throw new McpError(ErrorCode.InvalidParams, `Unknown resource: ${request.params.uri}`);
    return { contents: [{ uri: request.params.uri, text: 'minus 18 degrees' }] };
  });
  return server;
}

/** Keeps one transport per connected client. */
class Sessions {
  private readonly open = new Map<string, StreamableHTTPServerTransport>();

  handlePost = async (req: Request, res: Response): Promise<void> => {
    const id = req.headers['mcp-session-id'] as string | undefined;
    let transport = id ? this.open.get(id) : undefined;
    if (!transport) {
      if (id || !isInitializeRequest(req.body)) {
        res.status(400).json({ jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: No valid session ID provided' }, id: null });
        return;
      }
      const created = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: newId => {
          this.open.set(newId, created);
        }
      });
      created.onclose = () => {
        if (created.sessionId) this.open.delete(created.sessionId);
      };
      await buildSeedBank().connect(created);
      transport = created;
    }
    await transport.handleRequest(req, res, req.body);
  };

  handleStream = async (req: Request, res: Response): Promise<void> => {
    const id = req.headers['mcp-session-id'] as string | undefined;
    const transport = id ? this.open.get(id) : undefined;
    if (!transport) {
      res.status(400).send('Invalid or missing session ID');
      return;
    }
    await transport.handleRequest(req, res);
  };
}

const sessions = new Sessions();
const mcp = Router();
mcp.post('/', sessions.handlePost);
mcp.get('/', sessions.handleStream);
mcp.delete('/', sessions.handleStream);

const app = express();
app.use(express.json());
app.use('/mcp', mcp);
app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
