import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Setup } from './options.js';
import type { Json } from './protocol.js';

/** Largest body that is parsed, in bytes. */
const LIMIT = 1024 * 1024;

export const streamHeaders = (setup: Setup): Record<string, string> => ({
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  ...(setup.has('proxy-buffering') ? {} : { 'X-Accel-Buffering': 'no' }),
});

/** Sends one message as the whole answer. */
export function json(setup: Setup, response: ServerResponse, status: number, body: Json, type = 'application/json'): void {
  if (type !== 'application/json') return void response.writeHead(status, { 'Content-Type': type }).end(`data: ${JSON.stringify(body)}\n\n`);
  const message = setup.has('no-jsonrpc-member') ? { ...body, jsonrpc: undefined } : body;
  const text = JSON.stringify(setup.has('answers-in-a-batch') ? [message] : message);
  const headers = { 'Content-Type': setup.has('json-as-text') ? 'text/plain' : type };
  if (!setup.has('breaks-off') || !('result' in body)) return void response.writeHead(status, headers).end(text);
  response.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(text) + 20) });
  response.write(text, () => response.destroy());
}

export const fail = (setup: Setup, response: ServerResponse, status: number, code: number, message: string, id?: unknown): void =>
  json(setup, response, status, { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } });

/** The body, or nothing when it is too large. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
