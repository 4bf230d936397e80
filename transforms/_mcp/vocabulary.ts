/** Words of the protocol that more than one concern needs. Source: the specification pages of the revisions named in `REVISIONS`. */

/** Revisions with sessions: `initialize`, `Mcp-Session-Id`, GET streams. */
export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** The stateless revision this tool migrates to. */
export const MODERN_REVISION = '2026-07-28';

/** Header names, in lower case as Node delivers them. */
export const HEADERS = {
  sessionId: 'mcp-session-id',
  lastEventId: 'last-event-id',
  protocolVersion: 'mcp-protocol-version',
  method: 'mcp-method',
  name: 'mcp-name',
} as const;

/** Request headers that a browser client of 2026-07-28 sends and CORS must allow, in the spelling of the specification. */
export const MODERN_REQUEST_HEADERS = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'] as const;

/** `_meta` key whose presence makes a request modern (basic: `_meta` of requests). */
export const PROTOCOL_VERSION_META = 'io.modelcontextprotocol/protocolVersion';

/** Names that only the shim of this tool has: files and their export. */
export const SHIM = { stem: 'mcp-dual-era', exported: 'dualEra', template: 'express-dual-era' } as const;

/** The file of that shim, with or without extension; where hosts share a folder, each but the first has one under its name. */
export const SHIM_FILE = /(?:^|\/)mcp-dual-era(?:-[a-z]+)*(?:\.[cm]?[jt]s)?$/;

/** The error handler that answers in JSON-RPC where Express would answer with its error page. */
export const JSON_ERRORS = { exported: 'jsonErrors', stem: 'mcp-json-errors', template: 'json-errors' } as const;

/** The event store that v1 shipped as an example and v2 does not ship: the class is written into the project, for the legacy lane. */
export const EVENT_STORE = { exported: 'InMemoryEventStore', stem: 'in-memory-event-store', template: 'in-memory-event-store' } as const;

/** The words that mark the part of a program which only clients before 2026-07-28 reach. */
export const LANE = 'legacy lane';

/** The mark of a lane in any form that this tool has written: with its date, and while there is none. */
export const LANE_MARK = /\blegacy lane(?:, remove after\b| \(date not set\))/;
