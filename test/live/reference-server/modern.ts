import { envelope, methods } from './methods.js';
import type { Setup } from './options.js';
import { CAPABILITIES_KEY, isObject, ProtocolError, REVISION, VERSION_KEY, type Id, type Json } from './protocol.js';
import type { Call } from './tools.js';

/** A modern request after rungs 10 and 12 of the ladder. */
export interface ModernRequest {
  readonly id: Id;
  readonly method: string;
  readonly params: Json;
  readonly meta: Json;
  readonly capabilities: Json;
}

/** Era marker: the protocol version key inside `params._meta`, nothing else. */
export const isModern = (message: Json): boolean =>
  isObject(message['params']) && isObject(message['params']['_meta']) && VERSION_KEY in message['params']['_meta'];

/** Required `_meta` fields with their types. Source: basic/index#meta. */
export function requireMeta(setup: Setup, message: Json): ModernRequest {
  const params = isObject(message['params']) ? message['params'] : {};
  const meta = params['_meta'];
  const missing = (key: string): never => {
    throw new ProtocolError(setup.has('meta-other-code') ? -32600 : -32602, `Missing ${key} in params._meta`, setup.has('meta-status-200') ? 200 : 400);
  };
  const unchecked = setup.has('lists-unchecked') && message['method'] === 'tools/list';
  const lenient = setup.has('assumes-meta') || unchecked;
  if (!isObject(meta)) {
    if (!lenient) return missing(`_meta (${VERSION_KEY}, ${CAPABILITIES_KEY})`);
  } else {
    if (typeof meta[VERSION_KEY] !== 'string' && !setup.has('header-repairs-version') && !unchecked) return missing(VERSION_KEY);
    if (!isObject(meta[CAPABILITIES_KEY]) && !setup.has('assumes-capabilities') && !unchecked) return missing(CAPABILITIES_KEY);
    if (setup.has('requires-client-info') && !('io.modelcontextprotocol/clientInfo' in meta)) return missing('io.modelcontextprotocol/clientInfo');
  }
  const fields = isObject(meta) ? meta : {};
  const declared = fields[CAPABILITIES_KEY];
  return { id: message['id'] as Id, method: String(message['method']), params, meta: fields, capabilities: isObject(declared) ? declared : {} };
}

/** Rung 12: the version of this request. */
export function requireVersion(setup: Setup, request: ModernRequest): void {
  const version = request.meta[VERSION_KEY];
  if (version === REVISION || version === undefined) return;
  if (setup.has('serves-any-version') || (setup.has('discover-any-version') && request.method === 'server/discover')) return;
  if (setup.has('lists-any-version') && request.method === 'tools/list') return;
  if (setup.has('serves-legacy-version') && version === '2025-11-25') return;
  const supported = setup.has('supported-not-in-discover') ? [REVISION, '2027-01-01'] : [REVISION];
  const data = setup.has('version-error-old-keys')
    ? { supportedVersions: supported, requestedVersion: version }
    : { supported, requested: setup.has('requested-differs') ? 'another one' : version };
  throw new ProtocolError(setup.has('version-old-code') ? -32004 : -32022, 'Unsupported protocol version', setup.has('version-status-200') ? 200 : 400, data);
}

/** Rung 14: the method is known and its capability is advertised. */
export function requireMethod(setup: Setup, request: ModernRequest): void {
  if (request.method in methods(setup)) return;
  const code = setup.has('unknown-method-other-code') ? -32600 : -32601;
  const status = setup.has('always-200') ? 200 : 404;
  throw new ProtocolError(
    code,
    request.method === 'initialize' && !setup.has('silent-on-versions') ? `Method not found; supported versions: ${REVISION}` : 'Method not found',
    status,
  );
}

/** Rungs 17 and 18: runs the handler and wraps its result. */
export async function runMethod(setup: Setup, request: ModernRequest, rest: Pick<Call, 'signal' | 'notify' | 'announce'>): Promise<Json> {
  const method = methods(setup)[request.method];
  if (!method) throw new ProtocolError(-32601, 'Method not found', 404);
  const result = await method({ setup, params: request.params, meta: request.meta, capabilities: request.capabilities, ...rest });
  return envelope(setup, result);
}

/** Error object of a failure, reflected nowhere. */
export function errorOf(error: unknown): { readonly status: number; readonly body: Json } {
  const failure = error instanceof ProtocolError ? error : new ProtocolError(-32603, 'Internal error', 200);
  return { status: failure.status, body: { code: failure.code, message: failure.message, ...(failure.data === undefined ? {} : { data: failure.data }) } };
}
