import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requireParameterHeaders, requireRoutingHeaders, requireVersionHeader, linesOf, wireText } from './headers.js';
import { LegacyLane } from './legacy-http.js';
import { errorOf, isModern, requireMeta, requireMethod, requireVersion, runMethod, type ModernRequest } from './modern.js';
import { Setup, type ReferenceOptions } from './options.js';
import { isObject, REVISION, type Json } from './protocol.js';
import { Subscriptions } from './subscriptions.js';
import { tools } from './tools.js';

/** Largest body that is parsed, in bytes. */
const LIMIT = 1024 * 1024;
/** Milliseconds between keep-alive comments at normal pace. */
const KEEP_ALIVE = 5000;

export interface Running {
  readonly url: string;
  readonly sseUrl: string;
  /** Ends gracefully: subscriptions get their result first. */
  readonly stop: () => Promise<void>;
  /** Ends at once. */
  readonly kill: () => Promise<void>;
}

/** Starts the reference server on 127.0.0.1, on a free port unless one is given. */
export async function startReference(options: ReferenceOptions = {}, port = 0): Promise<Running> {
  const setup = new Setup(options);
  const front = new Front(setup);
  const server = http.createServer((request, response) => void front.serve(request, response));
  if (setup.has('keeps-blanks')) server.on('connection', (socket) => socket.on('data', (data: Buffer) => wireText.set(socket, data.toString('latin1'))));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  front.origin = origin;
  const kill = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `${origin}/mcp`,
    sseUrl: `${origin}/sse`,
    kill,
    stop: async () => {
      front.subscriptions.close(false);
      await new Promise((resolve) => setTimeout(resolve, 30));
      await kill();
    },
  };
}

class Front {
  readonly subscriptions: Subscriptions;
  origin = '';
  private readonly legacy: LegacyLane;
  private readonly authorized = new WeakSet();

  constructor(private readonly setup: Setup) {
    this.subscriptions = new Subscriptions(setup);
    this.legacy = new LegacyLane(setup);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { setup } = this;
    const { pathname } = new URL(request.url ?? '/', 'http://here');
    if (pathname === '/healthz' && !setup.has('no-health')) return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok');
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      this.metadata(response);
      return;
    }
    if (setup.has('adds-session') || (setup.has('echoes-session') && request.headers['mcp-session-id'] !== undefined))
      response.setHeader('Mcp-Session-Id', request.headers['mcp-session-id'] ?? 'minted');
    const refusal = this.refusal(request);
    if (refusal) return void response.writeHead(refusal[0], refusal[1]).end();
    if (setup.options.sse === true && (pathname === '/sse' || pathname === '/messages')) {
      this.legacy.sse(request, response);
      return;
    }
    if (pathname === '/mcp/' && setup.has('redirects-slash')) return void response.writeHead(307, { Location: '/mcp' }).end();
    if (pathname !== '/mcp') return void response.writeHead(404).end();
    if (request.method === 'OPTIONS') {
      this.preflight(request, response);
      return;
    }
    if (request.method !== 'POST') {
      this.otherVerb(request, response);
      return;
    }
    const accept = request.headers.accept ?? '';
    if (!/application\/json|\*\/\*/.test(accept) && !accept.includes('text/event-stream')) return void response.writeHead(406).end();
    if (!/^application\/json\b/.test(request.headers['content-type'] ?? '') && !setup.has('takes-any-content-type')) return void response.writeHead(415).end();
    const body = await readBody(request);
    if (body === undefined) return void response.writeHead(413, { Connection: 'close' }).end();
    return this.message(body, request, response);
  }

  /** Rungs 1 and 2: origin and credentials. */
  private refusal(request: IncomingMessage): [number, Record<string, string>] | undefined {
    const { setup, origin } = this;
    const [from] = linesOf(request, 'origin');
    const allowed = [origin, 'https://shop.example'];
    if (from !== undefined && !allowed.includes(from) && !setup.has('any-origin') && !(from === 'null' && setup.has('null-origin')))
      return [setup.has('origin-status-400') ? 400 : 403, {}];
    if (from !== undefined && allowed.includes(from) && setup.has('refuses-own-origin')) return [403, {}];
    if (from === undefined && setup.has('requires-origin')) return [403, {}];
    const { token } = setup.options;
    if (token === undefined) return undefined;
    const given = request.headers.authorization;
    if (given === `Bearer ${token}`) this.authorized.add(request.socket);
    if (
      given === `Bearer ${token}` ||
      (setup.has('connection-authorized') && this.authorized.has(request.socket)) ||
      (setup.has('any-token') && given !== undefined)
    )
      return undefined;
    return [
      setup.has('auth-status-200') ? 200 : 401,
      setup.has('no-challenge') ? {} : { 'WWW-Authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` },
    ];
  }

  private metadata(response: ServerResponse): void {
    if (this.setup.options.token === undefined || this.setup.has('no-challenge')) return void response.writeHead(404).end();
    json(response, 200, { resource: `${this.origin}/mcp`, authorization_servers: ['https://login.example/'] });
  }

  private preflight(request: IncomingMessage, response: ServerResponse): void {
    const headers = ['content-type', 'mcp-protocol-version', 'mcp-method', ...(this.setup.has('cors-without-name') ? [] : ['mcp-name'])];
    response.writeHead(204, {
      'Access-Control-Allow-Origin': request.headers.origin ?? '',
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': headers.join(', '),
      ...(this.setup.has('cors-exposes-session') ? { 'Access-Control-Expose-Headers': 'Mcp-Session-Id' } : {}),
    });
    response.end();
  }

  private otherVerb(request: IncomingMessage, response: ServerResponse): void {
    const { setup } = this;
    if (this.legacy.takes(request)) return this.legacy.verb(request, response);
    if (request.method === 'GET' && (setup.has('get-stream') || (setup.has('replays') && request.headers['last-event-id'] !== undefined))) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(
        setup.has('replays') ? 'id: 2\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"missed"}}\n\n' : ': open\n\n',
      );
      return;
    }
    if (request.method === 'DELETE' && setup.has('delete-ends-session')) return void response.writeHead(200).end();
    if (setup.has('put-accepted') && request.method === 'PUT') return void response.writeHead(200).end();
    if (setup.has('redirects-get') && request.method === 'GET') return void response.writeHead(302, { Location: '/sse' }).end();
    if (setup.has('verbs-400')) return void response.writeHead(400).end();
    response.writeHead(405, setup.has('no-allow') ? {} : { Allow: 'POST' }).end();
  }

  private async message(body: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { setup } = this;
    let message: unknown;
    try {
      message = JSON.parse(body);
    } catch (error) {
      if (setup.has('crashes-on-garbage')) return void request.socket.destroy();
      if (setup.has('shows-stack')) return void response.writeHead(400).end((error as Error).stack);
      fail(response, setup.has('parse-error-500') ? 500 : 400, setup.has('parse-error-other-code') ? -32600 : -32700, 'Parse error');
      return;
    }
    if (Array.isArray(message) && setup.has('takes-batches')) message = (message as unknown[])[0];
    if (!isObject(message) || message['jsonrpc'] !== '2.0') {
      fail(response, 400, -32600, 'Invalid request');
      return;
    }
    if (typeof message['method'] !== 'string') {
      if (setup.has('takes-responses')) response.writeHead(202).end();
      else fail(response, 400, -32600, 'Invalid request');
      return;
    }
    if (!('id' in message)) {
      if (setup.has('answers-notifications')) {
        json(response, 200, { jsonrpc: '2.0', id: 1, result: {} });
        return;
      }
      if (setup.has('notification-200')) return void response.writeHead(200).end('{}');
      if (setup.has('notification-body') && message['method'] === 'notifications/unknown') {
        json(response, 202, { jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'Method not found' } });
        return;
      }
      return void response.writeHead(202).end();
    }
    if (this.isLegacy(message, request)) return this.legacy.post(message, request, response);
    const id = message['id'];
    if ((typeof id !== 'string' && typeof id !== 'number') || !Number.isInteger(typeof id === 'number' ? id : 0)) {
      fail(response, 400, -32600, 'Invalid request');
      return;
    }
    await this.modern(message, request, response);
  }

  /** Rung 8: the era of a request. A bare initialize is legacy when such a lane is open. */
  private isLegacy(message: Json, request: IncomingMessage): boolean {
    const { setup } = this;
    if (setup.has('era-by-header') && setup.legacy !== 'none') return linesOf(request, 'mcp-protocol-version')[0] !== REVISION;
    if (isModern(message)) return false;
    if (setup.has('bare-is-legacy')) return linesOf(request, 'mcp-protocol-version').length === 0;
    if (setup.has('serves-initialize') && message['method'] === 'initialize') return true;
    if (setup.legacy === 'none') return false;
    const [version] = linesOf(request, 'mcp-protocol-version');
    if (version === undefined && setup.has('session-optional')) return true;
    if (version === REVISION && !setup.has('initialize-under-modern-header')) return false;
    return (
      message['method'] === 'initialize' ||
      (version !== undefined && version !== REVISION) ||
      request.headers['mcp-session-id'] !== undefined ||
      setup.legacy === 'stateless'
    );
  }

  private async modern(message: Json, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { setup } = this;
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    try {
      const bare = !isModern(message) && linesOf(request, 'mcp-protocol-version').length === 0;
      if (bare && message['method'] === 'initialize' && !setup.has('silent-on-versions')) {
        json(response, 400, {
          jsonrpc: '2.0',
          id: message['id'],
          error: { code: -32022, message: `Supported versions: ${REVISION}`, data: { supported: [REVISION] } },
        });
        return;
      }
      if (bare && !setup.has('version-header-optional')) throw Object.assign(new Error('bare'), { bare: true });
      const parsed = requireMeta(setup, message);
      requireVersionHeader(setup, request, parsed);
      requireVersion(setup, parsed);
      requireRoutingHeaders(setup, request, parsed);
      if (parsed.method === 'subscriptions/listen') {
        this.listen(parsed, request, response);
        return;
      }
      if (setup.has('session-required') && request.headers['mcp-session-id'] !== undefined) {
        fail(response, 404, -32600, 'Session not found', message['id']);
        return;
      }
      requireMethod(setup, parsed);
      requireParameterHeaders(setup, request, parsed);
      await this.answer(parsed, request, response, abort.signal);
    } catch (error) {
      if ((error as { bare?: boolean }).bare === true) {
        fail(response, 400, -32020, `MCP-Protocol-Version is missing; supported versions: ${REVISION}`, message['id']);
        return;
      }
      const { status, body } = errorOf(error);
      if (response.headersSent) return void response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message['id'], error: body })}\n\n`);
      json(response, status, {
        jsonrpc: '2.0',
        ...(setup.has('error-without-id') ? {} : { id: setup.has('error-id-as-text') ? String(message['id']) : message['id'] }),
        error: body,
        ...(setup.has('result-beside-error') ? { result: {} } : {}),
      });
    }
  }

  /** Rung 18: JSON for a single answer, a stream when the handler may send more. */
  private async answer(parsed: ModernRequest, request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { setup } = this;
    const acceptsStream = (request.headers.accept ?? '').includes('text/event-stream');
    const tool = tools.find((entry) => entry.name === parsed.params['name']);
    const early: Json[] = [];
    const streams = acceptsStream && (tool?.streams === true || (setup.has('asks-by-request') && tool?.name === 'book')) && !setup.has('json-only');
    const frame = (message: Json): string =>
      `${setup.has('event-ids') ? 'id: 1\n' : ''}${setup.has('retry-field') ? 'retry: 100\n' : ''}event: message\ndata: ${JSON.stringify(message)}\n\n`;
    const begin = (): void => {
      if (!response.headersSent) response.writeHead(200, streamHeaders(setup));
    };
    const result = await runMethod(setup, parsed, {
      signal,
      announce: (method) => this.subscriptions.announce(method),
      notify: (method, params) => {
        const message: Json = {
          jsonrpc: '2.0',
          ...(method === 'elicitation/create' ? { id: 's1' } : {}),
          method,
          params: { ...params, ...(setup.has('tags-progress') ? { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } } : {}) },
        };
        if (setup.has('late-progress')) return void early.push(message);
        if (!streams) return;
        begin();
        response.write(frame(message));
      },
    });
    const final: Json = { jsonrpc: '2.0', id: setup.has('result-id-as-text') ? String(parsed.id) : parsed.id, result };
    if (setup.has('replays') && request.headers['last-event-id'] !== undefined) {
      response.writeHead(200, streamHeaders(setup));
      return void response.end(`id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"missed"}}\n\n${frame(final)}`);
    }
    if (!response.headersSent && !streams) {
      json(response, setup.has('result-status-202') ? 202 : 200, final, setup.has('streams-to-json-clients') ? 'text/event-stream' : undefined);
      return;
    }
    begin();
    response.write(frame(final));
    for (const message of early) response.write(frame(message));
    if (!setup.has('stream-stays-open')) response.end();
  }

  private listen(parsed: ModernRequest, request: IncomingMessage, response: ServerResponse): void {
    const { setup } = this;
    if (!(request.headers.accept ?? '').includes('text/event-stream') && !setup.has('listens-to-json-clients')) return void response.writeHead(406).end();
    response.writeHead(200, streamHeaders(setup));
    const timer = setup.has('no-keep-alive') ? undefined : setInterval(() => response.write(':\r\n'), KEEP_ALIVE * setup.pace);
    const remove = this.subscriptions.add(
      parsed,
      (message) => response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
      () => response.end(),
    );
    response.on('close', () => {
      clearInterval(timer);
      remove();
    });
    if (setup.has('closes-subscription')) response.end();
  }
}

const streamHeaders = (setup: Setup): Record<string, string> => ({
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  ...(setup.has('proxy-buffering') ? {} : { 'X-Accel-Buffering': 'no' }),
});

function json(response: ServerResponse, status: number, body: Json, type = 'application/json'): void {
  response.writeHead(status, { 'Content-Type': type }).end(type === 'application/json' ? JSON.stringify(body) : `data: ${JSON.stringify(body)}\n\n`);
}

const fail = (response: ServerResponse, status: number, code: number, message: string, id?: unknown): void =>
  json(response, status, { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } });

/** The body, or nothing when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
