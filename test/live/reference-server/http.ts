import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gate } from './gate.js';
import { linesOf, wireText } from './headers.js';
import { LegacyLane } from './legacy-http.js';
import { isModern } from './modern.js';
import { ModernLane } from './modern-http.js';
import { Setup, type ReferenceOptions } from './options.js';
import { isObject, REVISION, type Json } from './protocol.js';
import { fail, json, readBody } from './replies.js';

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
  front.gate.origin = origin;
  const kill = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `${origin}/mcp`,
    sseUrl: `${origin}/sse`,
    kill,
    stop: async () => {
      front.modern.subscriptions.close(false);
      await new Promise((resolve) => setTimeout(resolve, 30));
      await kill();
    },
  };
}

/** Finds the address, reads the message, decides its era. */
class Front {
  readonly gate: Gate;
  readonly modern: ModernLane;
  private readonly legacy: LegacyLane;

  constructor(private readonly setup: Setup) {
    this.legacy = new LegacyLane(setup);
    this.gate = new Gate(setup, this.legacy);
    this.modern = new ModernLane(setup);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { setup } = this;
    const { pathname } = new URL(request.url ?? '/', 'http://here');
    if (pathname === '/healthz' && !setup.has('no-health')) return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok');
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      this.gate.metadata(response);
      return;
    }
    if (setup.has('adds-session') || (setup.has('echoes-session') && request.headers['mcp-session-id'] !== undefined))
      response.setHeader('Mcp-Session-Id', request.headers['mcp-session-id'] ?? 'minted');
    const refusal = this.gate.refusal(request);
    if (refusal && setup.has('origin-error-with-id')) {
      fail(setup, response, refusal[0], -32600, 'Origin not allowed', 1);
      return;
    }
    if (refusal) return void response.writeHead(refusal[0], refusal[1]).end();
    if (setup.options.sse === true && (pathname === '/sse' || pathname === '/messages')) {
      this.legacy.sse(request, response);
      return;
    }
    if (pathname === '/mcp/' && setup.has('redirects-slash')) return void response.writeHead(307, { Location: '/mcp' }).end();
    if (pathname !== '/mcp') return void response.writeHead(404).end();
    if (request.method === 'OPTIONS') {
      this.gate.preflight(request, response);
      return;
    }
    if (request.method !== 'POST') {
      this.gate.otherVerb(request, response);
      return;
    }
    const accept = request.headers.accept ?? '';
    if (!/application\/json|\*\/\*/.test(accept) && !accept.includes('text/event-stream')) return void response.writeHead(406).end();
    if (!/^application\/json\b/.test(request.headers['content-type'] ?? '') && !setup.has('takes-any-content-type')) return void response.writeHead(415).end();
    const body = await readBody(request);
    if (body === undefined) return void response.writeHead(413, { Connection: 'close' }).end();
    return this.message(body, request, response);
  }

  private async message(body: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { setup } = this;
    let message: unknown;
    try {
      message = JSON.parse(body);
    } catch (error) {
      if (setup.has('crashes-on-garbage')) return void request.socket.destroy();
      if (setup.has('shows-stack')) return void response.writeHead(400).end((error as Error).stack);
      fail(
        setup,
        response,
        setup.has('parse-error-500') ? 500 : 400,
        setup.has('parse-error-other-code') ? -32600 : -32700,
        'Parse error',
        setup.has('parse-error-with-id') ? 1 : undefined,
      );
      return;
    }
    if (Array.isArray(message) && setup.has('takes-batches')) message = (message as unknown[])[0];
    if (!isObject(message) || message['jsonrpc'] !== '2.0') {
      fail(setup, response, 400, -32600, 'Invalid request');
      return;
    }
    if (typeof message['method'] !== 'string') {
      if (setup.has('takes-responses')) response.writeHead(202).end();
      else fail(setup, response, 400, -32600, 'Invalid request');
      return;
    }
    if (!('id' in message)) {
      if (setup.has('answers-notifications')) {
        json(setup, response, 200, { jsonrpc: '2.0', id: 1, result: {} });
        return;
      }
      if (setup.has('notification-200')) return void response.writeHead(200).end('{}');
      if (setup.has('notification-body') && message['method'] === 'notifications/unknown') {
        json(setup, response, 202, { jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'Method not found' } });
        return;
      }
      return void response.writeHead(202).end();
    }
    if (this.isLegacy(message, request)) return this.legacy.post(message, request, response);
    const id = message['id'];
    if ((typeof id !== 'string' && typeof id !== 'number') || !Number.isInteger(typeof id === 'number' ? id : 0)) {
      fail(setup, response, 400, -32600, 'Invalid request');
      return;
    }
    await this.modern.serve(message, request, response);
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
}
