import type { Problem } from '../answer.js';

const KINDS: Readonly<Record<string, readonly [Problem['kind'], string]>> = {
  ECONNREFUSED: ['refused', 'the connection was refused: nothing listens there'],
  EHOSTUNREACH: ['refused', 'the host cannot be reached'],
  ENETUNREACH: ['refused', 'the network cannot be reached'],
  ENOTFOUND: ['unknown-host', 'the host name is not known'],
  EAI_AGAIN: ['unknown-host', 'the host name could not be looked up'],
  ETIMEDOUT: ['timeout', 'the connection could not be opened in time'],
  ECONNRESET: ['reset', 'the peer closed the connection without an answer'],
  EPIPE: ['reset', 'the peer closed the connection while the request was sent'],
  HPE_INVALID_CONSTANT: ['reset', 'the answer is no HTTP'],
};

/** A network error in words. Certificate errors are a kind of their own: the server may be fine. */
export function problemOf(error: Error): Problem {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = KINDS[code];
  if (known) return { kind: known[0], text: known[1] };
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code)) return { kind: 'tls', text: `the TLS connection failed: ${error.message}` };
  return { kind: 'reset', text: error.message };
}
