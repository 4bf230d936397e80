import http, { type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { RefereeReply } from '../../core/check-step.js';
import { fillIn, MissingVariable } from '../evaluate/fill.js';
import { recordHttp, recordLine, type Recorded } from './record.js';

/** Largest request that is read, in bytes. */
const LIMIT = 1024 * 1024;

/** A server that plays prepared replies and writes down what it is sent. */
export interface Referee {
  /** Where an HTTP client finds it. */
  readonly url: string;
  /** A command that connects standard input and output with it, for a stdio client. */
  readonly command: readonly string[];
  readonly requests: readonly Recorded[];
  /** From now on a closed connection says nothing about the client: it is being ended. */
  ending(): void;
  close(): Promise<void>;
}

/** Starts a referee on 127.0.0.1. It listens on one port for HTTP and on one for lines. */
export async function startReferee(replies: readonly RefereeReply[]): Promise<Referee> {
  const requests: Recorded[] = [];
  let ending = false;
  const used = new Map<RefereeReply, number>();
  const sockets = new Set<Socket>();
  const choose = (request: Recorded): RefereeReply | undefined => {
    const reply = replies.find((candidate) => fits(candidate, request) && (used.get(candidate) ?? 0) < (candidate.times ?? Infinity));
    if (reply) used.set(reply, (used.get(reply) ?? 0) + 1);
    return reply;
  };
  const front = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body.length > LIMIT ? request.destroy() : (body += chunk)));
    request.on('end', () => {
      const recorded = recordHttp(requests.length + 1, request, body);
      requests.push(recorded);
      response.on('close', () => {
        if (!response.writableFinished && !ending) recorded.cut = true;
      });
      answerHttp(choose(recorded), recorded, response, base(front));
    });
  });
  const lines = net.createServer((socket) => {
    sockets.add(socket);
    let rest = '';
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (chunk: unknown) => {
      const parts = (rest + String(chunk)).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts.filter((part) => part.trim() !== '')) {
        const recorded = recordLine(requests.length + 1, line);
        requests.push(recorded);
        answerLine(choose(recorded), recorded, socket);
      }
    });
  });
  await Promise.all([listen(front), listen(lines)]);
  const port = (lines.address() as AddressInfo).port;
  const relay = `const s=require('net').connect(${String(port)},'127.0.0.1');process.stdin.pipe(s);s.pipe(process.stdout);s.on('close',()=>process.exit(0))`;
  return {
    url: `${base(front)}/mcp`,
    command: [process.execPath, '-e', relay],
    requests,
    ending: () => void (ending = true),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      front.closeAllConnections();
      await Promise.all([front, lines].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

const listen = (server: http.Server | net.Server): Promise<void> => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = (server: http.Server): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

function fits(reply: RefereeReply, request: Recorded): boolean {
  if (reply.to === undefined) return true;
  if (/^[A-Z]+$/.test(reply.to)) return request.verb === reply.to;
  return reply.to.startsWith('/') ? request.path.split('?')[0] === reply.to : request.method === reply.to;
}

/** The text of a reply: JSON with `{id}` of the request and `{base}` of the referee, or a raw text. */
function textOf(reply: RefereeReply, request: Recorded, origin: string): string {
  const variables = { id: request.id ?? null, base: origin, other: origin.replace('127.0.0.1', 'localhost') };
  if (typeof reply.body === 'string') return reply.body.replaceAll('"{id}"', JSON.stringify(variables.id)).replaceAll('{base}', origin);
  if (reply.body === undefined) return '';
  try {
    return JSON.stringify(fillIn(reply.body, variables));
  } catch (error) {
    if (error instanceof MissingVariable) return JSON.stringify(reply.body);
    throw error;
  }
}

function answerHttp(reply: RefereeReply | undefined, request: Recorded, response: ServerResponse, origin: string): void {
  if (!reply) return fallback(request, response);
  if (reply.end === 'hang') return;
  const text = textOf(reply, request, origin);
  const headers = Object.fromEntries(
    Object.entries(reply.headers ?? {}).map(([name, value]) => [
      name,
      value.replaceAll('{base}', origin).replaceAll('{other}', origin.replace('127.0.0.1', 'localhost')),
    ]),
  );
  response.writeHead(reply.status ?? 200, {
    ...(text === '' && reply.type === undefined ? {} : { 'Content-Type': reply.type ?? 'application/json' }),
    ...headers,
  });
  if (reply.end === 'keep') return void response.write(text);
  if (reply.end === 'cut') return void response.write(text, () => setTimeout(() => response.destroy(), 30));
  response.end(text);
}

/** Without a prepared reply: notifications are accepted, other methods unknown, other verbs refused. */
function fallback(request: Recorded, response: ServerResponse): void {
  if (request.verb !== 'POST') return void response.writeHead(request.path.startsWith('/mcp') ? 405 : 404, { Allow: 'POST' }).end();
  if (request.method !== undefined && request.id === undefined) return void response.writeHead(202).end();
  response.writeHead(404, { 'Content-Type': 'application/json' }).end(JSON.stringify(unknown(request)));
}

const unknown = (request: Recorded): unknown => ({
  jsonrpc: '2.0',
  ...(request.id === undefined ? {} : { id: request.id }),
  error: { code: -32601, message: 'Method not found' },
});

function answerLine(reply: RefereeReply | undefined, request: Recorded, socket: Socket): void {
  if (reply?.end === 'hang') return;
  if (reply?.end === 'cut') return void socket.end();
  if (!reply && request.id === undefined) return;
  socket.write(`${reply ? textOf(reply, request, '') : JSON.stringify(unknown(request))}\n`);
}
