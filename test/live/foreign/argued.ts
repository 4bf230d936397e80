/**
 * Failures of foreign servers that stand: what the specification says, and what the server does. Everything else that fails there is a fault of the
 * check. Pages are those of revision 2026-07-28.
 */
export const ARGUED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'typescript http': {
    'CK-H07':
      'transports/streamable-http, security: servers MUST validate the Origin header. The SDK leaves it to middleware, which a bare handler does not have.',
  },
  'typescript stdio': {
    'CK-S03':
      'versioning, negotiation: an unsupported version MUST be answered by -32022; basic, statelessness: earlier requests do not count. The SDK looks at the version until it has served a list, and at none after that.',
    'CK-S15':
      'basic, resultType: every result of a modern request MUST carry it; versioning: a request with the marker in _meta is modern, also after an initialize on the same process. The SDK pins the era of a process by its first message and answers modern requests in the legacy shape. An error would be tolerated: serving both at once is a MAY.',
  },
  'typescript, migrated stdio': {
    'CK-S03': 'as `typescript stdio`: what the SDK does under `serveStdio`.',
    'CK-S15': 'as `typescript stdio`: what the SDK does under `serveStdio`.',
  },
  'python http': {
    'CK-H24': 'streamable-http, protocol version header: a modern request without it MUST be refused with -32020. The SDK answers -32600 "Missing session ID".',
    'CK-H25':
      'streamable-http, server validation: header and body that differ MUST be refused with -32020. The SDK decides the era by the header and answers -32600.',
    'CK-L02': 'streamable-http, earlier revisions: modern traffic has no session. The SDK mints one for a modern body under an older or missing header.',
    'CK-L12': 'streamable-http, server validation: as CK-H25, on the legacy address.',
  },
  'rust http': {
    'CK-H07': 'transports/streamable-http, security: servers MUST validate the Origin header. The SDK checks Host only unless origins are configured.',
    'CK-H65':
      'patterns/mrtr, server requirements: a server MUST NOT ask for input that the request did not declare. The SDK does not look at the capabilities of a hand-built result.',
  },
  'rust stdio': {
    'CK-S04': 'changelog: ping is removed; an unknown method is -32601. The SDK answers ping of a modern request with an empty result.',
    'CK-S13': 'as CK-H65, over stdio.',
  },
  'go, everything-server http': {
    'CK-H07': 'transports/streamable-http, security: servers MUST validate the Origin header. The example lets every origin in.',
    'CK-H15':
      'streamable-http, sending messages: the body MUST be a single request or notification. The SDK accepts a posted response with 202; the other SDKs refuse it.',
    'CK-H18':
      'versioning, negotiation: an unsupported version MUST be answered by UnsupportedProtocolVersionError (-32022) with the supported ones. The SDK answers a plain text.',
    'CK-H34': 'streamable-http, value encoding: Mcp-Name is decoded before it is compared. The SDK decodes Mcp-Param-* only.',
    'CK-H49': 'patterns/progress: progress MUST reference a token that the request gave. The example reports progress with the token null.',
    'CK-H65': 'patterns/mrtr, server requirements: a server MUST NOT ask for input that the request did not declare. The example does not look.',
  },
  'go, everything-server stdio': {
    'CK-S03': 'as CK-H18: over stdio the SDK answers -32601.',
    'CK-S07': 'as CK-H49.',
    'CK-S08':
      'transports/stdio, cancellation: nothing MUST follow for a cancelled request, the response included. The SDK answers the cancelled subscription with a result.',
    'CK-S13': 'as CK-H65, over stdio.',
  },
  'go, hello stdio': {
    'CK-S03': 'as CK-H18: over stdio the SDK answers -32601.',
    'CK-S08': 'transports/stdio, cancellation: nothing MUST follow for a cancelled request. The SDK answers the cancelled subscription with a result.',
  },
};
