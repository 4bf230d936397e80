import { methods, SERVER, capabilities } from './methods.js';
import type { Setup } from './options.js';
import { isObject, ProtocolError, type Json } from './protocol.js';

const KNOWN = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const MODERN_ONLY = new Set(['resultType', 'ttlMs', 'cacheScope', '_meta']);

/** Results of the handshake era: the same content, without what only the modern envelope has. */
const plain = (result: Json): Json => Object.fromEntries(Object.entries(result).filter(([key]) => !MODERN_ONLY.has(key)));

/** Answers one message of the handshake era. `undefined` for notifications. */
export async function answerLegacy(setup: Setup, message: Json): Promise<Json | undefined> {
  const { method, id, params } = message;
  if (id === undefined) return undefined;
  try {
    return { jsonrpc: '2.0', id, result: await serve(setup, String(method), isObject(params) ? params : {}) };
  } catch (error) {
    const failure = error instanceof ProtocolError ? error : new ProtocolError(-32603, 'Internal error', 200);
    return { jsonrpc: '2.0', id, error: { code: setup.has('modern-code-in-legacy') ? -32020 : failure.code, message: failure.message } };
  }
}

async function serve(setup: Setup, method: string, params: Json): Promise<Json> {
  if (method === 'initialize') {
    const wanted = String(params['protocolVersion']);
    return {
      protocolVersion: KNOWN.includes(wanted) ? wanted : '2025-11-25',
      // The older lane has no logging/setLevel.
      capabilities: { ...capabilities(setup), logging: undefined },
      serverInfo: SERVER,
      ...(setup.has('stamps-legacy') ? { resultType: 'complete' } : {}),
    };
  }
  if (method === 'ping' && setup.has('legacy-without-ping')) throw new ProtocolError(-32601, 'Method not found', 200);
  if (method === 'ping') return setup.has('stamps-legacy') ? { resultType: 'complete' } : {};
  if (setup.has('meta-means-modern') && isObject(params['_meta'])) throw new ProtocolError(-32602, 'Missing io.modelcontextprotocol/protocolVersion', 400);
  const known = methods(setup)[method];
  if (!known || method === 'server/discover') throw new ProtocolError(-32601, 'Method not found', 200);
  const result = await known({
    setup,
    params,
    meta: {},
    capabilities: {},
    signal: new AbortController().signal,
    notify: () => undefined,
    announce: () => undefined,
  });
  // Older clients get the list in one page.
  if (Array.isArray(result['tools']) && typeof result['nextCursor'] === 'string') {
    const rest = await known({
      setup,
      params: { cursor: result['nextCursor'] },
      meta: {},
      capabilities: {},
      signal: new AbortController().signal,
      notify: () => undefined,
      announce: () => undefined,
    });
    result['tools'] = [...(result['tools'] as unknown[]), ...(rest['tools'] as unknown[])];
    delete result['nextCursor'];
  }
  const shaped = setup.has('stamps-legacy') ? { ...result, resultType: 'complete' } : plain(result);
  return setup.has('other-legacy-tools') && Array.isArray(shaped['tools']) ? { ...shaped, tools: (shaped['tools'] as unknown[]).slice(1) } : shaped;
}
