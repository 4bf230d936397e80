import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Setup } from './options.js';
import { isObject, LEVELS, LOG_KEY, ProtocolError, type Json } from './protocol.js';

/** What a handler may use: nothing outlives the request. */
export interface Call {
  readonly setup: Setup;
  readonly params: Json;
  readonly meta: Json;
  readonly capabilities: Json;
  readonly signal: AbortSignal;
  /** Sends a notification on the stream of this request. */
  readonly notify: (method: string, params: Json) => void;
  /** Tells all subscriptions of a change. */
  readonly announce: (method: string) => void;
}

export interface Tool {
  readonly name: string;
  readonly inputSchema: Json;
  readonly annotations?: Json;
  /** May send notifications, so that the answer must be a stream. */
  readonly streams?: boolean;
  readonly run: (call: Call, args: Json) => Json | Promise<Json>;
}

const text = (value: string): Json => ({ content: [{ type: 'text', text: value }] });
const EMPTY: Json = { type: 'object', properties: {} };

const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });

const seal = (setup: Setup, payload: Json): string => {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${body}.${createHmac('sha256', setup.stateKey).update(body).digest('base64url')}`;
};

function unseal(setup: Setup, state: unknown): Json {
  const refuse = (): never => {
    throw new ProtocolError(-32602, 'Invalid or expired requestState', 200);
  };
  if (typeof state !== 'string') return refuse();
  const [body = '', mac = ''] = state.split('.');
  const wanted = createHmac('sha256', setup.stateKey).update(body).digest('base64url');
  const genuine = mac.length === wanted.length && timingSafeEqual(Buffer.from(mac), Buffer.from(wanted));
  if (!genuine && !setup.has('believes-forged-state')) return refuse();
  try {
    return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Json;
  } catch {
    return setup.has('believes-forged-state') ? { city: 'Oslo' } : refuse();
  }
}

function needs(call: Call, capability: string): void {
  const known = call.setup.has('remembers-capabilities') ? { ...call.setup.memory.capabilities, ...call.capabilities } : call.capabilities;
  call.setup.memory.capabilities = { ...call.setup.memory.capabilities, ...call.capabilities };
  if (isObject(known[capability])) return;
  if (call.setup.has('asks-undeclared') && capability === 'elicitation') return;
  const required = call.setup.has('capability-list') ? [capability] : { [capability]: {} };
  throw new ProtocolError(
    call.setup.has('capability-other-code') ? -32603 : -32021,
    `Needs the client capability ${capability}`,
    call.setup.has('capability-status-200') ? 200 : 400,
    call.setup.has('capability-no-data') ? undefined : { requiredCapabilities: required },
  );
}

const question = (setup: Setup, message: string): Json => ({
  method: 'elicitation/create',
  ...(setup.has('input-with-id') ? { id: 'e1', jsonrpc: '2.0' } : {}),
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
});

/** Asks for a city, then for a confirmation, and keeps the first answer in a sealed state. */
function book(call: Call): Json {
  const { setup } = call;
  const { inputResponses, requestState } = call.params;
  if (setup.has('push-error-text')) return { ...text('Client does not support form elicitation: no back-channel for elicitation/create'), isError: true };
  needs(call, 'elicitation');
  const stated = requestState === undefined ? undefined : unseal(setup, requestState);
  const answers = isObject(inputResponses) && !setup.has('drops-answers') ? inputResponses : {};
  const hints = setup.has('hints-on-interim') ? { ttlMs: 0, cacheScope: 'private' } : {};
  if (setup.has('fails-on-odd-answers') && 'unknown_key' in answers) throw new ProtocolError(-32602, 'Unexpected answer', 200);
  if (stated) {
    const sure = answers['sure'];
    if (!isObject(sure))
      return { resultType: 'input_required', inputRequests: { sure: question(setup, 'Sure?') }, requestState: seal(setup, stated), ...hints };
    return text(sure['action'] === 'accept' ? `booked ${String(stated['city'])}` : 'kept');
  }
  const city = answers['city'];
  if (!isObject(city)) {
    if (setup.has('asks-by-request')) call.notify('elicitation/create', {});
    return { resultType: 'input_required', inputRequests: { city: question(setup, 'Which city?') }, ...hints };
  }
  if (city['action'] !== 'accept') return setup.has('decline-crashes') ? (Promise.reject(new Error('declined')) as unknown as Json) : text('kept');
  return {
    resultType: 'input_required',
    inputRequests: { sure: question(setup, 'Sure?') },
    requestState: seal(setup, { city: isObject(city['content']) ? city['content']['city'] : '' }),
    ...hints,
  };
}

/** Keeps what it wants to confirm in a sealed state from the first round on. */
function cancelOrder(call: Call): Json {
  const { setup } = call;
  needs(call, 'elicitation');
  const { inputResponses, requestState } = call.params;
  if (requestState === undefined)
    return { resultType: 'input_required', inputRequests: { sure: question(setup, 'Cancel order 7?') }, requestState: seal(setup, { order: 7 }) };
  if (setup.has('reprompts-on-forgery')) {
    try {
      unseal(setup, requestState);
    } catch {
      return { resultType: 'input_required', inputRequests: { sure: question(setup, 'Cancel order 7?') }, requestState: seal(setup, { order: 7 }) };
    }
  }
  const stated = unseal(setup, requestState);
  return text(`order ${String(stated['order'])} ${isObject(inputResponses) && isObject(inputResponses['sure']) ? 'cancelled' : 'kept'}`);
}

async function pack(call: Call): Promise<Json> {
  call.setup.memory.running++;
  const token = call.meta['progressToken'];
  for (let step = 1; step <= 10; step++) {
    await wait(200 * call.setup.pace, call.setup.has('ignores-disconnect') ? new AbortController().signal : call.signal);
    if (call.signal.aborted && !call.setup.has('ignores-disconnect')) break;
    if (token !== undefined) call.notify('notifications/progress', { progressToken: token, progress: step, total: 10 });
  }
  call.setup.memory.running--;
  return text('packed');
}

function audit(call: Call): Json {
  const { setup } = call;
  const given = call.meta[LOG_KEY];
  const wanted = given === undefined ? undefined : typeof given === 'string' ? given : '';
  if (wanted !== undefined && !LEVELS.includes(wanted) && !setup.has('takes-any-log-level')) throw new ProtocolError(-32602, 'Unknown log level', 200);
  for (const level of ['debug', 'info', 'error']) {
    const due = wanted !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
    if (due || (wanted === undefined && setup.has('logs-unasked')) || (wanted !== undefined && setup.has('ignores-log-level')))
      call.notify('notifications/message', { level, data: `${level} entry` });
  }
  return text('audited');
}

function count(call: Call): Json {
  const { setup } = call;
  const token = setup.has('progress-unasked') ? (call.meta['progressToken'] ?? 'made-up') : call.meta['progressToken'];
  if (token === undefined || setup.has('no-progress')) return text('counted');
  const values = setup.has('progress-falls') ? [0, 100, 50] : [0, 50, 100];
  for (const progress of values)
    call.notify('notifications/progress', { progressToken: setup.has('wrong-progress-token') ? 'other' : token, progress, total: 100 });
  return text('counted');
}

/** The tools of a small shop, one for each role of the checks. */
export const tools: readonly Tool[] = [
  { name: 'price', inputSchema: EMPTY, annotations: { readOnlyHint: true }, run: () => text('12') },
  {
    name: 'ship',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, parcels: { type: 'integer', 'x-mcp-header': 'Parcels' } },
    },
    run: (_call, args) => text(`to ${String(args['region'])}`),
  },
  { name: 'count', inputSchema: EMPTY, streams: true, run: count },
  { name: 'audit', inputSchema: EMPTY, streams: true, run: audit },
  { name: 'book', inputSchema: EMPTY, run: book },
  { name: 'cancel-order', inputSchema: EMPTY, run: cancelOrder },
  {
    name: 'summarise',
    inputSchema: EMPTY,
    run: (call) => {
      needs(call, 'sampling');
      return text('all is well');
    },
  },
  { name: 'pack', inputSchema: EMPTY, streams: true, run: pack },
  { name: 'jobs', inputSchema: EMPTY, annotations: { readOnlyHint: true }, run: (call) => text(String(call.setup.memory.running)) },
  {
    name: 'restock',
    inputSchema: EMPTY,
    run: (call) => {
      call.announce('notifications/tools/list_changed');
      if (call.setup.has('changes-on-calls')) call.notify('notifications/tools/list_changed', {});
      return text('restocked');
    },
  },
];
