import type { IncomingMessage, ServerResponse } from 'node:http';
import { linesOf, requireParameterHeaders, requireRoutingHeaders, requireVersionHeader } from './headers.js';
import { errorOf, isModern, requireMeta, requireMethod, requireVersion, runMethod, type ModernRequest } from './modern.js';
import type { Setup } from './options.js';
import { REVISION, type Json } from './protocol.js';
import { fail, json, streamHeaders } from './replies.js';
import { Subscriptions } from './subscriptions.js';
import { tools } from './tools.js';

/** Milliseconds between keep-alive comments at normal pace. */
const KEEP_ALIVE = 5000;

/** Serves requests of the revision over HTTP: rungs 9 to 18, streams and subscriptions. */
export class ModernLane {
  readonly subscriptions: Subscriptions;

  constructor(private readonly setup: Setup) {
    this.subscriptions = new Subscriptions(setup);
  }

  async serve(message: Json, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { setup } = this;
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    try {
      const bare = !isModern(message) && linesOf(request, 'mcp-protocol-version').length === 0;
      if (bare && message['method'] === 'initialize' && !setup.has('silent-on-versions')) {
        json(setup, response, 400, {
          jsonrpc: '2.0',
          id: message['id'],
          error: { code: -32022, message: `Supported versions: ${REVISION}`, data: { supported: [REVISION] } },
        });
        return;
      }
      if (bare && !setup.has('version-header-optional')) throw Object.assign(new Error('bare'), { bare: true });
      const parsed = requireMeta(setup, message);
      if (setup.has('session-on-lists') && parsed.method === 'tools/list') response.setHeader('Mcp-Session-Id', 'minted');
      if (!(setup.has('lists-unchecked') && parsed.method === 'tools/list')) {
        requireVersionHeader(setup, request, parsed);
        requireVersion(setup, parsed);
        requireRoutingHeaders(setup, request, parsed);
      }
      if (parsed.method === 'subscriptions/listen') {
        this.listen(parsed, request, response);
        return;
      }
      if (setup.has('session-required') && request.headers['mcp-session-id'] !== undefined) {
        fail(setup, response, 404, -32600, 'Session not found', message['id']);
        return;
      }
      requireMethod(setup, parsed);
      requireParameterHeaders(setup, request, parsed);
      await this.answer(parsed, request, response, abort.signal);
    } catch (error) {
      if ((error as { bare?: boolean }).bare === true) {
        fail(setup, response, 400, -32020, `MCP-Protocol-Version is missing; supported versions: ${REVISION}`, message['id']);
        return;
      }
      const { status, body } = errorOf(error);
      if (response.headersSent) return void response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message['id'], error: body })}\n\n`);
      json(setup, response, status, {
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
    const streams =
      acceptsStream &&
      (tool?.streams === true || (setup.has('asks-by-request') && tool?.name === 'book') || (setup.has('changes-on-calls') && tool?.name === 'restock')) &&
      !setup.has('json-only');
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
    const final: Json = {
      jsonrpc: '2.0',
      id: setup.has('text-ids-lost') && typeof parsed.id === 'string' ? null : setup.has('result-id-as-text') ? String(parsed.id) : parsed.id,
      result,
      ...(setup.has('error-beside-result') ? { error: { code: -32603, message: 'Internal error' } } : {}),
    };
    if (setup.has('replays') && request.headers['last-event-id'] !== undefined) {
      response.writeHead(200, streamHeaders(setup));
      return void response.end(`id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"missed"}}\n\n${frame(final)}`);
    }
    if (!response.headersSent && !streams) {
      json(setup, response, setup.has('result-status-202') ? 202 : 200, final, setup.has('streams-to-json-clients') ? 'text/event-stream' : undefined);
      return;
    }
    begin();
    response.write(frame(final));
    if (setup.has('answers-twice')) response.write(frame(final));
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
