import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import Handlebars from 'handlebars';
import { McpServer } from '@modelcontextprotocol/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

type Wrap = (legacy: (req: Request, res: Response) => unknown) => RequestHandler;
type DualEra = (factory: () => McpServer) => Wrap;

const TEMPLATE = new URL('../../../templates/shims/express-dual-era.hbs', import.meta.url);
const FOLDER = fileURLToPath(new URL('../../../.cache/shim-test/', import.meta.url));
const MODEL = {
  typescript: false,
  commonjs: false,
  laneMark: 'legacy lane, remove after 2027-06-30',
  owner: 'Front of House',
  maxBodyBytes: '64 * 1024',
  deprecation: '@1785196800',
  sunsetHttpDate: 'Wed, 30 Jun 2027 00:00:00 GMT',
};

const render = (model: object): string => Handlebars.compile(readFileSync(TEMPLATE, 'utf8'), { strict: true, knownHelpersOnly: true, noEscape: true })(model);

let dualEra: DualEra;
const open: Server[] = [];

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/mcp-dual-era.mjs`, render(MODEL));
  ({ dualEra } = (await import(pathToFileURL(`${FOLDER}/mcp-dual-era.mjs`).href)) as { dualEra: DualEra });
});
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});
afterAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
});

/** Legacy handlers that get the body in different ways, and answer what they got. */
const READERS: Readonly<Record<string, (req: Request) => Promise<string>>> = {
  'for await': async (req) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  },
  'data events': (req) =>
    new Promise((resolve) => {
      let text = '';
      req.on('data', (chunk: Buffer) => (text += chunk.toString()));
      req.on('end', () => {
        resolve(text);
      });
    }),
  'a late reader': async (req) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    let text = '';
    req.setEncoding('utf8');
    for await (const chunk of req) text += String(chunk);
    return text;
  },
};

async function start(front: (app: Express) => void, read: (req: Request) => Promise<string>): Promise<string> {
  const app = express();
  front(app);
  const mcp = dualEra(() => {
    const server = new McpServer({ name: 'front-desk', version: '1.0.0' });
    server.registerTool('hours', { description: 'When it is open' }, () => ({ content: [{ type: 'text', text: 'nine to five' }] }));
    return server;
  });
  app.all(
    '/mcp',
    mcp(async (req, res) => {
      if (req.get('x-fail') !== undefined) throw new Error('the legacy stack failed');
      res.json({ lane: 'legacy', got: await read(req) });
    }),
  );
  app.use(((_error, _req, res, _next) => void res.status(500).json({ failed: true })) as express.ErrorRequestHandler);
  const server = createServer(app).listen(0, '127.0.0.1');
  open.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const meta = (version = '2026-07-28') => ({
  [VERSION]: version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
});
const headers = (version: string, method: string) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': version,
  'mcp-method': method,
});
const modern = (url: string, method = 'tools/list', version?: string, extra = {}): Promise<globalThis.Response> =>
  fetch(url, {
    method: 'POST',
    headers: headers(version ?? '2026-07-28', method),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...extra, _meta: meta(version) } }),
  });
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
});
const legacy = (url: string, body = INITIALIZE, extra: Record<string, string> = {}): Promise<globalThis.Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...extra }, body });

const FRONTS: Readonly<Record<string, (app: Express) => void>> = {
  'no parser': () => undefined,
  'express.json()': (app) => void app.use(express.json()),
  'express.text()': (app) => void app.use(express.text({ type: '*/*' })),
  'a parser of other types': (app) => void app.use(express.urlencoded({ extended: false })),
};

describe.each(Object.entries(FRONTS))('behind %s', (name, front) => {
  const parsed = name === 'express.json()' || name === 'express.text()';
  const read = parsed
    ? (req: Request) => Promise.resolve(typeof req.body === 'string' ? req.body : JSON.stringify(req.body))
    : (READERS['for await'] as (req: Request) => Promise<string>);

  it('serves both eras, many at a time', async () => {
    const url = await start(front, read);
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const [now, old] = await Promise.all([modern(url), legacy(url, INITIALIZE.replace('"id":1', `"id":${String(index)}`))]);
        expect(now.status).toBe(200);
        expect(((await now.json()) as { result: { tools: { name: string }[] } }).result.tools.map((tool) => tool.name)).toEqual(['hours']);
        const answer = (await old.json()) as { lane: string; got: string };
        expect(answer.lane).toBe('legacy');
        expect((JSON.parse(answer.got) as { id: number }).id).toBe(index);
      }),
    );
  });

  it('announces the end of the legacy lane there and only there', async () => {
    const url = await start(front, read);
    const [now, old] = await Promise.all([modern(url), legacy(url)]);
    expect([old.headers.get('sunset'), old.headers.get('deprecation')]).toEqual(['Wed, 30 Jun 2027 00:00:00 GMT', '@1785196800']);
    expect([now.headers.get('sunset'), now.headers.get('deprecation')]).toEqual([null, null]);
  });
});

describe('the stream of an unparsed body', () => {
  it.each(Object.entries(READERS))('is whole for %s', async (_name, read) => {
    const url = await start(() => undefined, read);
    expect(((await (await legacy(url)).json()) as { got: string }).got).toBe(INITIALIZE);
  });

  it('is whole over the limit of the shim, too', async () => {
    const url = await start(() => undefined, READERS['for await'] as (req: Request) => Promise<string>);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hours', arguments: { note: 'x'.repeat(300_000) } } });
    expect(((await (await legacy(url, body)).json()) as { got: string }).got).toBe(body);
  });

  it('is given to the legacy lane when it is no JSON', async () => {
    const url = await start(() => undefined, READERS['data events'] as (req: Request) => Promise<string>);
    expect(((await (await legacy(url, '{broken')).json()) as { got: string }).got).toBe('{broken');
  });

  it('is refused over the limit on the modern lane', async () => {
    const url = await start(() => undefined, READERS['for await'] as (req: Request) => Promise<string>);
    expect((await modern(url, 'tools/call', undefined, { name: 'hours', arguments: { note: 'x'.repeat(300_000) } })).status).toBe(413);
  });
});

describe('other methods', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s is answered 405', async (method) => {
    const url = await start(
      () => undefined,
      () => Promise.resolve(''),
    );
    const answer = await fetch(url, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each(['GET', 'DELETE'])('%s of a session goes to the legacy lane', async (method) => {
    const url = await start(
      () => undefined,
      () => Promise.resolve('stream'),
    );
    expect(await (await fetch(url, { method, headers: { 'mcp-session-id': 'a' } })).json()).toEqual({ lane: 'legacy', got: 'stream' });
  });
});

describe('errors', () => {
  it('name the version that was asked for, when it is well-formed', async () => {
    const url = await start(
      (app) => void app.use(express.json()),
      () => Promise.resolve(''),
    );
    const answer = await modern(url, 'tools/list', '1999-01-01');
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: object }).error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested: '1999-01-01' } });
  });

  it('repeat hostile text neither whole nor raw', async () => {
    const url = await start(
      () => undefined,
      () => Promise.resolve(''),
    );
    const hostile = `2099-01-01\u001b[31m\u202e${'x'.repeat(20_000)}`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers('2026-07-28', 'tools/list'), 'mcp-protocol-version': '2026-07-28' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta(hostile) } }),
    });
    const text = await answer.text();
    expect(answer.status).toBe(400);
    expect(text.length).toBeLessThan(1_000);
    expect(JSON.stringify(JSON.parse(text))).not.toMatch(/\\u00|\u202e/);
  });

  it('of the legacy handler reach the error middleware', async () => {
    const url = await start(
      (app) => void app.use(express.json()),
      () => Promise.resolve(''),
    );
    expect(await (await legacy(url, INITIALIZE, { 'x-fail': '1' })).json()).toEqual({ failed: true });
  });
});

describe('the template', () => {
  it.each([
    ['TypeScript', { ...MODEL, typescript: true }, /^import type \{[^}]*\} from 'express';$/m],
    ['ESM', MODEL, /^export function dualEra\(factory, /m],
    ['CommonJS', { ...MODEL, commonjs: true }, /^module\.exports = \{ dualEra \};$/m],
  ])('has a %s form', (_name, model, expected) => {
    const text = render(model);
    expect(text).toMatch(expected);
    expect(text).toContain('legacy lane, remove after 2027-06-30 (owner: Front of House)');
    expect(text).not.toMatch(/\{\{|\}\}|[ \t]$/m);
  });

  it('says when no date is set', () => {
    const text = render({ ...MODEL, laneMark: 'legacy lane (date not set)', sunsetHttpDate: '' });
    expect(text).toContain('legacy lane (date not set)');
    expect(text).not.toMatch(/^ *res\.set\('Deprecation'/m);
  });
});
