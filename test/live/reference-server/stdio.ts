import { answerLegacy } from './legacy.js';
import { errorOf, isModern, requireMeta, requireMethod, requireVersion, runMethod } from './modern.js';
import { Setup, type ReferenceOptions } from './options.js';
import { isObject, REVISION, type Json } from './protocol.js';
import { Subscriptions } from './subscriptions.js';

/** Longest line that is parsed, in characters. */
const LIMIT = 1024 * 1024;

/** Serves the reference over standard input and output until the input ends. */
export function serveStdio(options: ReferenceOptions): void {
  const setup = new Setup(options);
  const subscriptions = new Subscriptions(setup);
  const calls = new Map<unknown, AbortController>();
  const write = (message: Json): void => {
    const whole = setup.has('error-beside-result') && 'result' in message ? { ...message, error: { code: -32603, message: 'Internal error' } } : message;
    const text = JSON.stringify(whole);
    if (setup.has('frames-by-length')) return void process.stdout.write(`Content-Length: ${String(Buffer.byteLength(text))}\r\n\r\n${text}`);
    process.stdout.write(`${text}\n`);
    if (setup.has('answers-twice') && 'result' in message) process.stdout.write(`${text}\n`);
  };
  /** Set by a legacy initialize; opens the legacy scope of this process and nothing else. */
  let handshaken = false;
  /** Looked at by the fault `pins-version` alone. */
  let served = false;
  if (setup.has('banner')) process.stdout.write('reference shop is ready\n');
  if (setup.has('exits-at-start')) process.exit(3);

  const take = async (line: string): Promise<void> => {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      write({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } });
      return;
    }
    if (!isObject(message)) {
      write({ jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request' } });
      return;
    }
    if (setup.has('exits-on-probe') && message['method'] !== 'initialize' && !handshaken) process.exit(1);
    if (setup.has('silent')) return;
    if (!('id' in message)) {
      notification(message);
      return;
    }
    if (legacy(message)) {
      handshaken ||= message['method'] === 'initialize';
      const answer = await answerLegacy(setup, message);
      if (answer) write(answer);
      return;
    }
    await modern(message);
  };

  const legacy = (message: Json): boolean => {
    if (setup.has('pins-era') && handshaken) return true;
    if (isModern(message)) return false;
    if (setup.has('bare-is-legacy') || (setup.has('serves-bare-requests') && message['method'] !== 'initialize')) return true;
    return setup.legacy !== 'none' && (message['method'] === 'initialize' || handshaken);
  };

  const notification = (message: Json): void => {
    const params = isObject(message['params']) ? message['params'] : {};
    if (message['method'] !== 'notifications/cancelled') return;
    subscriptions.cancel(params['requestId']);
    if (!setup.has('answers-cancelled')) calls.get(params['requestId'])?.abort();
    if (setup.has('crashes-on-odd-cancel') && typeof params['requestId'] !== 'number') process.exit(1);
  };

  const modern = async (message: Json): Promise<void> => {
    const abort = new AbortController();
    calls.set(message['id'], abort);
    try {
      if (message['method'] === 'initialize' && !setup.has('silent-on-versions')) {
        write({
          jsonrpc: '2.0',
          id: message['id'],
          error: {
            code: -32022,
            message: `Supported versions: ${REVISION}`,
            data: { supported: [REVISION], requested: isObject(message['params']) ? message['params']['protocolVersion'] : undefined },
          },
        });
        return;
      }
      const request = requireMeta(setup, message);
      if (setup.has('handshake-required') && !handshaken && request.method !== 'server/discover') {
        write({ jsonrpc: '2.0', id: request.id, error: { code: -32600, message: 'Not initialized' } });
        return;
      }
      if (!(setup.has('pins-version') && served)) requireVersion(setup, request);
      served ||= request.method === 'tools/list';
      if (request.method === 'subscriptions/listen') return void subscriptions.add(request, write, () => undefined);
      requireMethod(setup, request);
      const result = await runMethod(setup, request, {
        signal: abort.signal,
        announce: (method) => subscriptions.announce(method),
        notify: (method, params) => write({ jsonrpc: '2.0', ...(method === 'elicitation/create' ? { id: 's1' } : {}), method, params }),
      });
      if (setup.has('logs-on-stdout')) process.stdout.write('served a request\n');
      if (!abort.signal.aborted)
        write({
          jsonrpc: '2.0',
          id: setup.has('text-ids-lost') && typeof request.id === 'string' ? null : setup.has('result-id-as-text') ? String(request.id) : request.id,
          result,
        });
    } catch (error) {
      if (setup.has('exits-on-unknown-method') && errorOf(error).body['code'] === -32601) process.exit(1);
      write({ jsonrpc: '2.0', ...(setup.has('error-without-id') ? {} : { id: message['id'] }), error: errorOf(error).body });
    } finally {
      calls.delete(message['id']);
    }
  };

  readLines(
    setup,
    (line) => void take(line),
    () => write({ jsonrpc: '2.0', error: { code: -32600, message: `Lines are limited to ${String(LIMIT)} characters` } }),
  );
  process.on('SIGTERM', () => {
    subscriptions.close(true);
    setTimeout(() => process.exit(0), 20);
  });
}

/** Reads lines with a cap; a line that is too long is dropped and reported once. */
function readLines(setup: Setup, line: (text: string) => void, tooLong: () => void): void {
  let rest = '';
  let dropping = false;
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (!dropping && part.length <= LIMIT && part.trim() !== '') line(part);
      else if (!dropping && part.length > LIMIT) tooLong();
      dropping = false;
    }
    if (rest.length <= LIMIT) return;
    if (setup.has('dies-on-long-line')) process.exit(9);
    if (!dropping) tooLong();
    dropping = true;
    rest = '';
  });
  process.stdin.on('end', () => {
    if (!setup.has('ignores-end-of-input')) process.exit(0);
    setInterval(() => undefined, 1000);
  });
}
