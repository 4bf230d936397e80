/** Names of the revision, written from the specification. */
export const REVISION = '2026-07-28';
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const LOG_KEY = 'io.modelcontextprotocol/logLevel';
export const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';
export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
export const TASKS = 'io.modelcontextprotocol/tasks';
export const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export type Json = Record<string, unknown>;
export type Id = string | number;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON-RPC error with the HTTP status that belongs to it. */
export class ProtocolError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status: number,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** Decodes the Base64 sentinel of a mirrored header; plain values stay. */
export function decodeValue(value: string, lenient: boolean, anyCase: boolean): string {
  const marked = value.length >= 11 && (anyCase ? value.toLowerCase() : value).startsWith('=?base64?') && value.endsWith('?=');
  if (!marked) return value;
  const payload = value.slice(9, -2);
  const wellFormed = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(payload);
  if (!wellFormed && !lenient) throw new ProtocolError(-32020, 'A header value is not well-formed Base64', 400);
  return Buffer.from(payload, 'base64').toString('utf8');
}
