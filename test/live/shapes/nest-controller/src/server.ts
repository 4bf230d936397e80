import 'reflect-metadata';
import { Controller, Delete, Get, Module, Post, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

function ropeWalk() {
  const server = new McpServer({ name: 'rope-walk', version: '1.1.0' });
  server.registerTool('strands', { description: 'Strands of a rope', inputSchema: { millimetres: z.number() } }, async ({ millimetres }) => ({
    content: [{ type: 'text', text: `${Math.max(3, Math.round(millimetres / 4))} strands` }]
  }));
  return server;
}

const ropes = new Map<string, StreamableHTTPServerTransport>();

@Controller('mcp')
class McpController {
  @Post()
  async post(@Req() req: Request, @Res() res: Response): Promise<void> {
    const id = req.headers['mcp-session-id'] as string | undefined;
    let transport = id ? ropes.get(id) : undefined;
    if (id && !transport) {
      res.status(404).json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null });
      return;
    }
    if (!transport) {
      const created = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: session => {
          ropes.set(session, created);
        }
      });
      transport = created;
      await ropeWalk().connect(created);
    }
    await transport.handleRequest(req, res);
  }

  @Get()
  async get(@Req() req: Request, @Res() res: Response): Promise<void> {
    await this.stream(req, res);
  }

  @Delete()
  async delete(@Req() req: Request, @Res() res: Response): Promise<void> {
    await this.stream(req, res);
  }

  private async stream(req: Request, res: Response): Promise<void> {
    const transport = ropes.get(String(req.headers['mcp-session-id']));
    if (!transport) {
      res.status(404).send('Session not found');
      return;
    }
    await transport.handleRequest(req, res);
  }
}

@Module({ controllers: [McpController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false, bodyParser: false });
await app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
