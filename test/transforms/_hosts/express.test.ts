import { describe, expect, it } from 'vitest';
import { factsOfType } from '../_mcp/facts-kit.js';

const routes = (text: string, path?: string, files?: readonly string[]): readonly string[] =>
  factsOfType('route', text, path, files).map(
    (route) => `${route.method} ${route.path ?? '?'} ${route.handler?.name.replace(/^@\d+$/, '@') ?? '-'} ${route.parser}`,
  );
const E = "import express from 'express';\n";

describe('routes of Express', () => {
  it.each([
    ['a verb', `${E}const app = express();\napp.post('/mcp', (req, res) => res.end());`, ['POST /mcp @ none']],
    ['a parser in front', `${E}const app = express();\napp.use(express.json());\napp.post('/mcp', (req, res) => res.end());`, ['POST /mcp @ before']],
    ['a parser behind', `${E}const app = express();\napp.post('/mcp', (req, res) => res.end());\napp.use(express.json());`, ['POST /mcp @ none']],
    ['a chain', `${E}const app = express().use(express.json());\napp.all('/mcp', (req, res) => res.end());`, ['ALL /mcp @ before']],
    ['a parser of the route', `${E}const app = express();\napp.post('/mcp', express.json(), (req, res) => res.end());`, ['POST /mcp @ before']],
    [
      'a parser of another path',
      `${E}const app = express();\napp.use('/api', express.json());\napp.post('/mcp', (req, res) => res.end());`,
      ['POST /mcp @ none'],
    ],
    [
      'body-parser',
      `${E}import { json } from 'body-parser';\nconst app = express();\napp.use(json());\napp.post('/mcp', (req, res) => res.end());`,
      ['POST /mcp @ before'],
    ],
    [
      'unknown middleware',
      `${E}import { stuff } from './stuff.js';\nconst app = express();\napp.use(stuff);\napp.post('/mcp', (req, res) => res.end());`,
      ['POST /mcp @ unknown'],
    ],
    [
      'route()',
      `${E}const app = express();\nconst h = (req: any, res: any) => res.end();\napp.route('/mcp').post(h).get(h);`,
      ['POST /mcp h none', 'GET /mcp h none'],
    ],
    [
      'a router',
      `${E}import { Router } from 'express';\nconst app = express();\nconst router = Router();\nrouter.post('/', (req, res) => res.end());\napp.use(express.json());\napp.use('/api/mcp', router);`,
      ['POST /api/mcp @ before'],
    ],
    [
      'a parameter',
      "import type { Express } from 'express';\nexport function mount(app: Express) { app.get('/mcp', (req, res) => res.end()); }",
      ['GET /mcp @ unknown'],
    ],
    [
      'a field',
      `${E}class Desk { app = express(); constructor() { this.app.post('/mcp', this.handle.bind(this)); } handle(req: any, res: any) {} }`,
      ['POST /mcp Desk.handle none'],
    ],
    ['an imported handler', `${E}import { handle } from './handle.js';\nconst app = express();\napp.post('/mcp', handle);`, ['POST /mcp handle none']],
    [
      'a wrapped handler',
      `${E}import wrap from 'express-async-handler';\nconst app = express();\nasync function handle(req: any, res: any) {}\napp.post('/mcp', wrap(handle));`,
      ['POST /mcp handle none'],
    ],
    ['a mounted handler', `${E}const app = express();\nconst handle = (req: any, res: any) => res.end();\napp.use('/mcp', handle);`, ['ALL /mcp handle none']],
    ['several paths', `${E}const app = express();\napp.all(['/sse', '/messages'], (req, res) => res.end());`, ['ALL /sse @ none', 'ALL /messages @ none']],
    [
      'the application of the SDK',
      "import { createMcpExpressApp } from '@modelcontextprotocol/express';\nconst app = createMcpExpressApp();\napp.post('/mcp', (req, res) => res.end());",
      ['POST /mcp @ before'],
    ],
  ])('%s', (_name, text, expected) => {
    expect(routes(text, 'server.ts', ['handle.ts'])).toEqual(expected);
  });

  it('reads CommonJS', () => {
    expect(
      routes("const express = require('express');\nconst app = express();\napp.use(express.json());\napp.post('/mcp', (req, res) => res.end());", 'server.cjs'),
    ).toEqual(['POST /mcp @ before']);
  });

  it.each([
    ['Hono', "import { Hono } from 'hono';\nconst app = new Hono();\napp.post('/mcp', (c) => c.text(''));"],
    ['Fastify', "import Fastify from 'fastify';\nconst app = Fastify();\napp.post('/mcp', async (req, reply) => reply.send());"],
    ['a setting', `${E}const app = express();\napp.get('trust proxy');`],
    ['middleware of a path', `${E}const app = express();\napp.use('/mcp', (req, res, next) => next());`],
  ])('%s is none', (_name, text) => {
    expect(routes(text)).toEqual([]);
  });
});

describe('addresses', () => {
  it.each([
    ["app.listen(3000, '127.0.0.1')", 'loopback'],
    ["app.listen(3000, 'localhost', () => {})", 'loopback'],
    ["app.listen({ port: 3000, host: '::1' })", 'loopback'],
    ['app.listen(3000)', 'public'],
    ['app.listen(3000, () => {})', 'public'],
    ["app.listen(3000, '0.0.0.0')", 'public'],
    ["app.listen(3000, process.env.HOST ?? '127.0.0.1')", 'unknown'],
    ["createServer(app).listen(3000, '127.0.0.1')", 'loopback'],
  ])('%s', (call, exposure) => {
    expect(factsOfType('listen', `${E}import { createServer } from 'node:http';\nconst app = express();\n${call};`).map((fact) => fact.exposure)).toEqual([
      exposure,
    ]);
  });
});

describe('guards', () => {
  it('names them by what they are', () => {
    const text = `${E}import cors from 'cors';
import rateLimit from 'express-rate-limit';
import { requireBearerAuth, localhostOriginValidation } from '@modelcontextprotocol/express';
const app = express();
app.use(cors({ origin: ['https://desk.example'] }));
app.use(rateLimit({ limit: 9 }), localhostOriginValidation());
app.post('/mcp', requireBearerAuth({} as never), (req, res) => res.end());`;
    expect(factsOfType('guard', text).map(({ what, allows }) => [what, allows.length])).toEqual([
      ['cors', 1],
      ['rate-limit', 0],
      ['origin', 3],
      ['authentication', 0],
    ]);
  });
});

describe('fields that are given to each other', () => {
  it('cost one walk, and keep the application among them', () => {
    const steps = Array.from({ length: 12 }, (_, step) => `    this.a = this.b; this.b = this.c${String(step)}; this.c${String(step)} = this.a;\n`).join('');
    const text = `${E}class Desk {\n  a: any; b: any;\n  turn() {\n${steps}  }\n  open() {\n    this.c3 = express();\n    this.a.post('/mcp', (req: any, res: any) => res.end());\n  }\n}`;
    expect(routes(text)).toHaveLength(1);
  });
});
