import type { IncomingMessage } from 'node:http';
import { isRecord, parseJson } from '../answer.js';

/** One request of the client under test, as the assertions see it. */
export interface Recorded {
  /** From 1. */
  readonly n: number;
  readonly verb: string;
  readonly path: string;
  readonly header: Readonly<Record<string, string>>;
  /** The same headers after decoding the Base64 sentinel. */
  readonly decoded: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly method?: string;
  readonly id?: string | number;
  /** The client closed the connection before the answer was complete. */
  cut?: true;
}

/** Records an HTTP request with its body. */
export function recordHttp(n: number, request: IncomingMessage, body: string): Recorded {
  const header: Record<string, string> = {};
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    const name = (request.rawHeaders[i] ?? '').toLowerCase();
    const value = request.rawHeaders[i + 1] ?? '';
    header[name] = name in header ? `${header[name] ?? ''}, ${value}` : value;
  }
  return {
    n,
    verb: request.method ?? '',
    path: request.url ?? '',
    header,
    decoded: Object.fromEntries(Object.entries(header).map(([name, value]) => [name, decode(value)])),
    ...bodyOf(body),
  };
}

/** Records a line of a stdio client. */
export const recordLine = (n: number, line: string): Recorded => ({ n, verb: 'LINE', path: '', header: {}, decoded: {}, ...bodyOf(line) });

function bodyOf(text: string): Pick<Recorded, 'body' | 'method' | 'id'> {
  const parsed = text === '' ? undefined : parseJson(text);
  if (!parsed) return text === '' ? {} : { body: text };
  const body = parsed.value;
  if (!isRecord(body)) return { body };
  const { method, id } = body;
  return { body, ...(typeof method === 'string' ? { method } : {}), ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}) };
}

function decode(value: string): string {
  const payload = /^=\?base64\?(.*)\?=$/s.exec(value)?.[1];
  return payload === undefined ? value : Buffer.from(payload, 'base64').toString('utf8');
}
