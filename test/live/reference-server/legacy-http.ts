import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerLegacy } from './legacy.js';
import type { Setup } from './options.js';
import { isObject, type Json } from './protocol.js';

const SUNSET = { Deprecation: '@1785196800', Sunset: 'Wed, 28 Jul 2027 00:00:00 GMT' };

/** legacy lane, remove after 2027-07-28: sessions, GET, DELETE and HTTP+SSE, for the checks of the window. */
export class LegacyLane {
  private readonly sessions = new Set<string>();
  private readonly streams = new Map<string, ServerResponse>();
  private busy = false;

  constructor(private readonly setup: Setup) {}

  /** GET and DELETE belong to this lane only with a live session. */
  takes(request: IncomingMessage): boolean {
    const session = String(request.headers['mcp-session-id'] ?? '');
    return this.setup.legacy === 'sessionful' && (this.sessions.has(session) || this.setup.has('opens-stream-for-nobody'));
  }

  verb(request: IncomingMessage, response: ServerResponse): void {
    const session = String(request.headers['mcp-session-id'] ?? '');
    if (request.method === 'DELETE') {
      if (this.setup.has('session-cannot-end')) return void response.writeHead(500).end();
      if (!this.setup.has('session-lives-on')) this.sessions.delete(session);
      return void response.writeHead(200).end();
    }
    if (request.method !== 'GET') return void response.writeHead(405, { Allow: 'GET, POST, DELETE' }).end();
    if (this.setup.has('legacy-get-500')) return void response.writeHead(500).end();
    response.writeHead(200, { 'Content-Type': 'text/event-stream', ...this.sign() });
    response.write(': open\n\n');
  }

  async post(message: Json, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { setup } = this;
    const given = request.headers['mcp-session-id'];
    const opening = message['method'] === 'initialize';
    if (setup.has('legacy-closed')) {
      reply(response, 400, { jsonrpc: '2.0', id: message['id'], error: { code: -32000, message: 'Server not initialized' } });
      return;
    }
    if (setup.has('one-legacy-at-a-time') && this.busy) {
      reply(response, 500, { jsonrpc: '2.0', id: message['id'], error: { code: -32603, message: 'Still serving another request' } });
      return;
    }
    const stateful = setup.legacy === 'sessionful' && !setup.has('stateless-in-front');
    if (stateful && !opening && setup.has('era-by-header') && given === undefined) response.setHeader('Mcp-Session-Id', randomUUID());
    if (stateful && !opening && !this.sessions.has(String(given)) && !(given === undefined && setup.has('session-optional'))) {
      const known = given === undefined ? [400, -32000, 'Mcp-Session-Id header is required'] : [404, -32001, 'Session not found'];
      reply(response, Number(known[0]), { jsonrpc: '2.0', id: message['id'], error: { code: known[1], message: known[2] } });
      return;
    }
    this.busy = true;
    await new Promise((resolve) => setTimeout(resolve, setup.has('one-legacy-at-a-time') ? 30 : 0));
    const answer = await answerLegacy(setup, message);
    this.busy = false;
    const session = stateful && opening ? randomUUID() : undefined;
    if (session !== undefined) this.sessions.add(session);
    reply(response, 200, answer ?? {}, { ...this.sign(), ...(session === undefined ? {} : { 'Mcp-Session-Id': session }) });
  }

  /** HTTP+SSE of 2024-11-05. */
  sse(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://here');
    const { setup } = this;
    if (pathname === '/sse') {
      if (request.method !== 'GET') return void response.writeHead(405).end();
      const session = randomUUID();
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      if (!setup.has('sse-without-endpoint'))
        response.write(`event: endpoint\ndata: ${setup.has('sse-other-origin') ? 'https://elsewhere.example' : ''}/messages?sessionId=${session}\n\n`);
      this.streams.set(session, response);
      response.on('close', () => this.streams.delete(session));
      return;
    }
    const stream = this.streams.get(searchParams.get('sessionId') ?? '');
    if (!stream || setup.has('sse-post-broken')) return void response.writeHead(404).end();
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const message: unknown = JSON.parse(body || '{}');
      response.writeHead(202).end();
      if (isObject(message))
        void answerLegacy(setup, message).then(
          (answer) => answer && !setup.has('sse-mute') && stream.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`),
        );
    });
  }

  private sign(): Record<string, string> {
    return this.setup.has('no-signage') ? {} : SUNSET;
  }
}

const reply = (response: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(body));
