import Koa from 'koa';
import Router from '@koa/router';
import bodyParser from 'koa-bodyparser';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const kilns: Record<string, StreamableHTTPServerTransport> = {};

function bakery() {
  const server = new McpServer({ name: 'bakery', version: '5.0.0' });
  server.registerTool('loaves', { description: 'Loaves from some flour', inputSchema: { kilos: z.number() } }, async ({ kilos }) => ({
    content: [{ type: 'text', text: `${Math.floor(kilos * 1.6)} loaves` }]
  }));
  return server;
}

const app = new Koa();
const router = new Router();
app.use(bodyParser());

router.post('/mcp', async ctx => {
  const id = ctx.get('mcp-session-id');
  let transport = id ? kilns[id] : undefined;
  if (!transport && !id && isInitializeRequest(ctx.request.body)) {
    const created = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: session => {
        kilns[session] = created;
      }
    });
    transport = created;
    await bakery().connect(created);
  }
  if (!transport) {
    ctx.status = id ? 404 : 400;
    ctx.body = 'Session not found';
    return;
  }
  ctx.respond = false;
  await transport.handleRequest(ctx.req, ctx.res, ctx.request.body);
});

const stream = async (ctx: Koa.Context) => {
  const transport = kilns[ctx.get('mcp-session-id')];
  if (!transport) {
    ctx.status = 400;
    ctx.body = 'Session missing';
    return;
  }
  ctx.respond = false;
  await transport.handleRequest(ctx.req, ctx.res);
};
router.get('/mcp', stream);
router.delete('/mcp', stream);

app.use(router.routes()).use(router.allowedMethods());
app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
