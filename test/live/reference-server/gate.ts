import type { IncomingMessage, ServerResponse } from 'node:http';
import { linesOf } from './headers.js';
import type { LegacyLane } from './legacy-http.js';
import type { Setup } from './options.js';
import { json } from './replies.js';

/** What is decided before a message is read: origin, credentials, CORS, verbs. */
export class Gate {
  origin = '';
  private readonly authorized = new WeakSet();

  constructor(
    private readonly setup: Setup,
    private readonly legacy: LegacyLane,
  ) {}

  /** Rungs 1 and 2: origin and credentials. */
  refusal(request: IncomingMessage): [number, Record<string, string>] | undefined {
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

  /** Where to get a token. */
  metadata(response: ServerResponse): void {
    if (this.setup.options.token === undefined || this.setup.has('no-challenge')) return void response.writeHead(404).end();
    json(this.setup, response, 200, { resource: `${this.origin}/mcp`, authorization_servers: ['https://login.example/'] });
  }

  preflight(request: IncomingMessage, response: ServerResponse): void {
    const headers = ['content-type', 'mcp-protocol-version', 'mcp-method', ...(this.setup.has('cors-without-name') ? [] : ['mcp-name'])];
    response.writeHead(204, {
      'Access-Control-Allow-Origin': request.headers.origin ?? '',
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': headers.join(', '),
      ...(this.setup.has('cors-exposes-session') ? { 'Access-Control-Expose-Headers': 'Mcp-Session-Id' } : {}),
    });
    response.end();
  }

  /** GET, DELETE and what else is no POST. */
  otherVerb(request: IncomingMessage, response: ServerResponse): void {
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
}
