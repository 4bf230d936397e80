/** Switches of the client: the deviations that it is to show. */
export type Has = (fault: string) => boolean;
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What came back for one POST. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly message?: Json;
  /** The stream ended before the response. */
  readonly broken?: boolean;
}

/** Milliseconds until a request is given up. */
export const PATIENCE = 1500;

/** Sends one body and reads JSON or a stream up to the response with this id. */
export async function post(has: Has, url: string, headers: Record<string, string>, body: unknown, id?: unknown): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    redirect: has('follows-redirects') ? 'follow' : 'manual',
    signal: AbortSignal.timeout(PATIENCE),
  });
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream') && !has('reads-json-only')) return stream(has, response, url, headers, id);
  const text = await response.text();
  try {
    const message: unknown = JSON.parse(text);
    return { status: response.status, headers: response.headers, ...(isObject(message) ? { message } : {}) };
  } catch {
    if (type.startsWith('text/event-stream')) throw new Error('the answer is no JSON');
    return { status: response.status, headers: response.headers };
  }
}

async function stream(has: Has, response: Response, url: string, headers: Record<string, string>, id: unknown): Promise<Reply> {
  const common = { status: response.status, headers: response.headers };
  let rest = '';
  try {
    for await (const chunk of response.body ?? []) {
      rest += Buffer.from(chunk as Uint8Array).toString('utf8');
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        if (has('chokes-on-comments') && block.startsWith(':')) throw new SyntaxError('not an event');
        const data = block
          .split(/\r?\n/)
          .filter((line) => line.startsWith('data:'))
          .map((line) => line.slice(5).trim())
          .join('\n');
        if (data === '') continue;
        const message: unknown = JSON.parse(data);
        if (!isObject(message)) continue;
        if (message['id'] === id && !('method' in message)) return { ...common, message };
        if ('method' in message && 'id' in message && has('answers-server-requests'))
          await post(has, url, headers, { jsonrpc: '2.0', id: message['id'], result: {} });
      }
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
  }
  return { ...common, broken: true };
}

/** Wraps a value in the Base64 sentinel when it cannot travel plain. */
export function encode(has: Has, value: string): string {
  if (has('percent-encodes')) return encodeURIComponent(value);
  const plain = /^[\x20-\x7e]*$/.test(value) && value === value.trim() && !(value.startsWith('=?base64?') && value.endsWith('?='));
  return plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
