import type { CheckRequest } from '../core/check-step.js';

/** The revision that the checks are written for. */
export const REVISION = '2026-07-28';
/** The newest revision of the handshake era. */
export const LEGACY_REVISION = '2025-11-25';

/** Keys of `params._meta` and `result._meta`. Source: specification, basic/index#meta. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Which parameter `Mcp-Name` mirrors, by method. Source: basic/transports/streamable-http#standard-request-headers. */
export const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** Error codes that only a server of the modern revision sends. */
export const MODERN_CODES: readonly number[] = [-32020, -32021, -32022];

const ME = { name: 'unsession', version: '1' };

/** The JSON-RPC message of a request. Strings are already filled in. */
export function messageOf(request: CheckRequest, id: string | number): Record<string, unknown> {
  const params: Record<string, unknown> = typeof request.params === 'object' ? { ...request.params } : {};
  const enveloped = (request.era ?? 'modern') === 'modern' && request.notification !== true;
  if (enveloped && request.meta !== 'none') {
    const meta: Record<string, unknown> = {
      [META.protocolVersion]: REVISION,
      [META.clientInfo]: ME,
      [META.clientCapabilities]: request.capabilities ?? {},
      ...request.meta,
    };
    params['_meta'] = Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== null));
  } else if (typeof request.meta === 'object') params['_meta'] = request.meta;
  const bare = Object.keys(params).length === 0 && !enveloped;
  return {
    jsonrpc: '2.0',
    ...(request.notification === true ? {} : { id }),
    ...(request.method === undefined ? {} : { method: request.method }),
    ...(bare ? {} : { params }),
  };
}

/** The standard headers of a request of its era. Source: basic/transports/streamable-http#standard-request-headers. */
export function standardHeaders(request: CheckRequest): Record<string, string> {
  const era = request.era ?? 'modern';
  const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  if (era === 'raw') return {};
  if (era === 'legacy') {
    // What has no body has no type either: some servers refuse an empty JSON body.
    const own = (request.verb ?? 'POST') === 'POST' ? json : { Accept: json.Accept };
    return request.method === 'initialize' ? own : { ...own, 'MCP-Protocol-Version': LEGACY_REVISION };
  }
  if ((request.verb ?? 'POST') !== 'POST') return { Accept: 'text/event-stream', 'MCP-Protocol-Version': REVISION };
  const key = request.method === undefined ? undefined : NAMED[request.method];
  const name = key === undefined || typeof request.params !== 'object' ? undefined : request.params[key];
  return {
    ...json,
    'MCP-Protocol-Version': REVISION,
    ...(request.method === undefined ? {} : { 'Mcp-Method': request.method }),
    ...(typeof name === 'string' ? { 'Mcp-Name': encodeValue(name) } : {}),
  };
}

/** Wraps a header value in the Base64 sentinel when it cannot travel plain. Source: streamable-http#value-encoding. */
export function encodeValue(value: string): string {
  const plain = /^[\x20-\x7e]*$/.test(value) && value === value.trim() && !(value.startsWith('=?base64?') && value.endsWith('?='));
  return plain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
