import { defineConcern } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';
import { python } from './python.js';
import { typescript } from './typescript.js';

/** The session header where it is written, listed, named or asserted: requests made by hand, answers, CORS lists, constants, tests. */
export const concern = defineConcern({
  id: 'session-headers',
  title: 'The session header in requests, answers, CORS lists and tests',
  spec: ['basic/transports/streamable-http#standard-request-headers', 'basic/transports/streamable-http#earlier-streamable-http-revisions'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 5, each: 3 },
  kinds: {
    'header-sent': {
      what: 'A request carries `Mcp-Session-Id`.',
      why: 'A modern server ignores it; what the server needs instead (`MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name`, `_meta`) is missing, so the request is answered as one of the old revision or refused.',
      next: 'Send the standard headers and `_meta` with every request, or use the SDK client; send the session header only to a server that answered as a legacy one.',
      impact: 'degrades',
    },
    'header-issued': {
      what: 'An answer issues `Mcp-Session-Id`.',
      why: 'An answer to a modern request must not carry one, and no modern client sends it back.',
      next: 'Set it in the legacy lane only.',
      impact: 'degrades',
    },
    'header-read': {
      what: 'The session id is taken from a message (`{name}`).',
      why: 'Messages of 2026-07-28 carry none: the value is always absent, and what depends on it never happens, or always.',
      next: 'Keep the read for clients of earlier revisions, and give modern requests an explicit handle or an identity instead.',
      impact: 'degrades',
    },
    'header-name': {
      what: 'The name of the session header is kept here.',
      why: 'Only the legacy lane needs it; code that takes the name from here reads or writes a header that modern requests do not have.',
      next: 'Follow its uses; it goes with the legacy lane.',
      impact: 'tidies',
    },
    'header-asserted': {
      what: 'A test demands or forbids `Mcp-Session-Id`.',
      why: 'For modern requests the header is never there: a test that demands it turns red, one that only forbids it can no longer fail.',
      next: 'Keep the test for the legacy lane, and add a twin that sends a modern request and expects no such header.',
      impact: 'tidies',
    },
    'cors-allowed': {
      what: 'Browsers may send the session header, but not {missing}.',
      why: 'A modern request from a browser needs these headers, so its preflight fails before the server is asked.',
      next: 'Add {missing} (and the `Mcp-Param-*` headers that are in use) to the list; keep the old entries while the legacy lane lives.',
      impact: 'breaks',
    },
    'header-list': {
      what: 'Requests are passed on with the headers of a list that lacks {missing}.',
      why: 'The next server takes a modern request without its headers for one of the old revision, opens a session for it or refuses it with -32020.',
      next: 'Add {missing} (and the `Mcp-Param-*` headers that are in use) to the list, or pass on every header that is not meant for one hop.',
      impact: 'breaks',
      category: 'gateway',
    },
    'cors-legacy-entry': {
      what: 'A CORS list names the session header ({list}).',
      why: 'Clients of the legacy lane need it; nobody else does.',
      next: 'Leave it until the legacy routes are removed, then take it out.',
      impact: 'none',
    },
  },
  literals: {
    strong: ['mcp-session-id', 'Mcp-Session-Id', 'MCP-Session-Id'],
    weak: ['SESSION_HEADER', 'SESSION_ID_HEADER', 'Mcp-Session-ID', 'MCP-SESSION-ID'],
  },
  detect: { python, typescript },
  judge: settle,
});
