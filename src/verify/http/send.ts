import http from 'node:http';
import https from 'node:https';
import { liftResponse, parseJson, type Answer, type Problem, type StreamEvent } from '../answer.js';
import { problemOf } from './problem.js';
import { readStream } from './stream.js';

/** One HTTP request, exact to the byte: header names keep their case, order and repetitions, values their blanks. */
export interface HttpRequest {
  readonly url: URL;
  readonly verb: string;
  /** Flat list of names and values. `Host` and `Content-Length` are added. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  readonly id?: string | number | undefined;
  readonly method?: string | undefined;
}

export interface SendOptions {
  /** Milliseconds until an answer must be complete. */
  readonly timeout: number;
  readonly maxBytes: number;
  /** Keep reading this long after the first piece of the body. */
  readonly readFor?: number | undefined;
  readonly abortAfter?: number | undefined;
  /** Finish with the headers. */
  readonly headersOnly?: boolean | undefined;
  /** True as soon as enough has been read. */
  readonly enough?: ((messages: readonly unknown[], comments: readonly string[]) => boolean) | undefined;
  /** Called once with the first event of a stream; reading goes on while it works. */
  readonly onOpen?: ((events: readonly StreamEvent[]) => Promise<readonly Answer[]>) | undefined;
  readonly agent?: http.Agent | https.Agent | undefined;
  readonly tls?: https.RequestOptions | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** After the response on a stream, time to see whether something else follows or the stream ends, in milliseconds. */
const GRACE = 150;
/** A stream that stays mute is treated as open after this many milliseconds. */
export const LATE = 1000;

/** Sends one request on its own connection (or the agent's) and reads what comes back. Never throws, never follows a redirect. */
export function send(request: HttpRequest, options: SendOptions): Promise<Answer> {
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  return new Promise((resolve) => {
    let settled = false;
    let bytes = 0;
    let body = '';
    let status: number | undefined;
    let header: Record<string, string> = {};
    let ended = false;
    let during: readonly Answer[] = [];
    let working = false;
    let opened = false;
    const stream = readStream(elapsed);
    const timers = new Set<NodeJS.Timeout>();
    const after = (milliseconds: number, action: () => void): void => void timers.add(setTimeout(action, milliseconds));
    const type = (): string | undefined => header['content-type']?.split(';')[0]?.trim().toLowerCase();
    const streaming = (): boolean => type() === 'text/event-stream';

    const finish = (problem?: Problem): void => {
      if (settled) return;
      settled = true;
      for (const timer of timers) clearTimeout(timer);
      options.signal?.removeEventListener('abort', stop);
      if (!ended) outgoing?.destroy();
      const parsed = streaming() ? undefined : parseJson(body);
      // An array stays what it is: an answer in a batch is no answer.
      const messages = streaming() ? stream.record.messages : parsed ? [parsed.value] : [];
      const mediaType = type();
      resolve({
        ...(status === undefined ? {} : { status }),
        ...(status !== undefined && status >= 200 && status < 300 ? { succeeded: true as const } : {}),
        ...(mediaType === undefined ? {} : { type: mediaType }),
        header,
        body,
        messages,
        ...liftResponse(messages, request.id),
        events: stream.record.events,
        comments: stream.record.comments,
        retries: stream.record.retries,
        ended,
        silent: status === undefined,
        ...(problem ? { problem } : {}),
        stray: [],
        milliseconds: elapsed(),
        during,
        sent: sentOf(request),
      });
    };
    const stop = (): void => finish({ kind: 'stopped', text: 'the run was stopped' });

    const look = (late = false): void => {
      if (!streaming() || working || settled) return;
      const { messages, comments, events } = stream.record;
      if (!opened && (events.length > 0 || late) && options.onOpen) {
        opened = true;
        working = true;
        void options.onOpen(events).then((answers) => {
          during = answers;
          working = false;
          if (options.readFor !== undefined) after(options.readFor, () => finish());
          look();
        });
        return;
      }
      if (options.enough?.(messages, comments)) finish();
      else if (options.enough === undefined && options.readFor === undefined && request.id !== undefined && liftResponse(messages).id === request.id)
        after(GRACE, () => finish());
    };

    let outgoing: http.ClientRequest | undefined;
    try {
      const secure = request.url.protocol === 'https:';
      const payload = request.body === undefined ? undefined : Buffer.from(request.body, 'utf8');
      // A compressed body would be legal, and unreadable to a judge of bytes.
      const plain = request.headers.some(([name]) => name.toLowerCase() === 'accept-encoding') ? [] : [['Accept-Encoding', 'identity']];
      const pairs = [['Host', request.url.host], ...request.headers, ...plain, ...(payload ? [['Content-Length', String(payload.length)]] : [])];
      if (!options.agent) pairs.push(['Connection', 'close']);
      outgoing = (secure ? https : http).request({
        ...options.tls,
        host: request.url.hostname.replace(/^\[|\]$/g, ''),
        port: request.url.port || (secure ? 443 : 80),
        path: `${request.url.pathname}${request.url.search}`,
        method: request.verb,
        headers: pairs.flat(),
        agent: options.agent ?? false,
      });
      outgoing.on('error', (error) => finish(problemOf(error)));
      outgoing.on('response', (response) => {
        status = response.statusCode ?? 0;
        header = joinHeaders(response.rawHeaders);
        if (options.headersOnly === true) return finish();
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          bytes += Buffer.byteLength(text);
          if (bytes === Buffer.byteLength(text) && options.readFor !== undefined && !options.onOpen) after(options.readFor, () => finish());
          if (streaming()) stream.feed(text);
          if (body.length < options.maxBytes) body += text;
          if (bytes > options.maxBytes) return finish({ kind: 'too-large', text: `the answer is larger than ${String(options.maxBytes)} bytes` });
          look();
        });
        response.on('end', () => {
          ended = true;
          if (!working) finish();
        });
        response.on('error', (error) => finish(problemOf(error)));
        response.on('close', () => {
          if (!working) finish(ended ? undefined : { kind: 'reset', text: 'the peer broke the answer off' });
        });
        if (options.onOpen && streaming()) after(LATE, () => look(true));
        if (options.readFor !== undefined && !options.onOpen) after(LATE + options.readFor, () => finish());
      });
      after(options.timeout, () =>
        finish({
          kind: 'timeout',
          text: status === undefined ? `no answer within ${String(options.timeout)} ms` : `the answer was not complete within ${String(options.timeout)} ms`,
        }),
      );
      if (options.abortAfter !== undefined) after(options.abortAfter, () => finish({ kind: 'aborted', text: 'closed by the check' }));
      if (options.signal?.aborted) return stop();
      options.signal?.addEventListener('abort', stop, { once: true });
      outgoing.end(payload);
    } catch (error) {
      finish({ kind: 'unsendable', text: error instanceof Error ? error.message : String(error) });
    }
  });
}

function sentOf(request: HttpRequest): Answer['sent'] {
  const headers: Record<string, string> = {};
  for (const [name, value] of request.headers) headers[name] = name in headers ? `${headers[name] ?? ''}, ${value}` : value;
  return {
    ...(request.id === undefined ? {} : { id: request.id }),
    ...(request.method === undefined ? {} : { method: request.method }),
    verb: request.verb,
    url: request.url.href,
    headers,
    ...(request.body === undefined ? {} : { body: request.body }),
  };
}

function joinHeaders(raw: readonly string[]): Record<string, string> {
  const joined: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    joined[name] = name in joined ? `${joined[name] ?? ''}, ${raw[i + 1] ?? ''}` : (raw[i + 1] ?? '');
  }
  return joined;
}
