import { defineConcern } from '../../src/core/index.js';
import { data } from './data.js';
import { judge } from './judge.js';
import { text } from './text.js';
import { typescript } from './typescript.js';

/** Documents, agent instructions and client settings that teach or use the session handshake. */
export const concern = defineConcern({
  id: 'stale-instructions',
  title: 'Documents and settings that teach the session handshake',
  spec: ['basic#statelessness', 'basic/transports/streamable-http#earlier-streamable-http-revisions'],
  category: 'docs',
  milestone: 'entry',
  effort: { base: 10, each: 3 },
  kinds: {
    'agent-instruction': {
      what: 'Coding agents are told to write code of the session era here: {words}.',
      why: 'An agent follows this file at every change: it writes the session code again that the migration takes out.',
      next: 'Rewrite the line in the same pull request as the code: requests are independent, POST only, state by handle; name the legacy lane where it is meant.',
      impact: 'degrades',
    },
    document: {
      what: 'A document shows how clients of the old revisions connect: {words}.',
      why: 'Readers copy it. A modern endpoint has one URL that takes POST: it issues no session id, answers GET and DELETE with 405, and knows no HTTP+SSE.',
      next: 'Show that URL and a request of the new revision. Put the old way, where it still works, under a heading that names the legacy lane.',
      impact: 'tidies',
    },
    'session-prose': {
      what: 'A document speaks of sessions of the server in its own words: {words}.',
      why: 'Modern requests have none. Readers who count on what the text says of ownership, storage or routing of sessions find it true for the legacy lane only.',
      next: 'Say what takes their place (a handle, the authenticated principal), and put what is left under a heading of the legacy lane.',
      impact: 'tidies',
    },
    'stated-revision': {
      what: 'A document says which revision a server speaks: {words}.',
      why: 'After the migration it speaks 2026-07-28 as well: readers choose their client by such a line.',
      next: 'Name both revisions, or leave them to `server/discover`, which tells every client.',
      impact: 'tidies',
    },
    'health-advice': {
      what: 'A document tells operators to look after the server by a request that the modern endpoint refuses: {words}.',
      why: 'The modern endpoint answers GET with 405. An orchestrator that is set up so takes a healthy instance out.',
      next: 'Name a health route of its own, or a port check.',
      impact: 'degrades',
    },
    'embedded-text': {
      what: 'A text in the code shows the session handshake to its readers ({words}).',
      why: 'It is documentation that no search through the documents finds: people copy the command from it.',
      next: 'Show a request of the new revision in it, in the pull request that changes the documents.',
      impact: 'none',
    },
    'client-setting': {
      what: 'A client is set up for the HTTP+SSE transport ({words}).',
      why: 'That transport is deprecated, and a client that is told to use it never tries the Streamable HTTP endpoint. It stops working with the legacy lane.',
      next: 'Set the type to `http` and the URL to the endpoint that takes POST; keep the old block for clients that cannot.',
      impact: 'degrades',
    },
  },
  literals: {
    strong: ['mcp-session-id', 'Mcp-Session-Id', 'notifications/initialized'],
    weak: [
      '@modelcontextprotocol/sdk',
      'extra.sessionId',
      'mcpServers',
      '/sse',
      'DELETE',
      'transports',
      '`initialize`',
      '"initialize"',
      'MCP session',
      'ession ownership',
      'session:',
      'ealth check',
      'ealth Check',
      '2024-11-05',
      '2025-03-26',
      '2025-06-18',
      '2025-11-25',
    ],
  },
  detect: { data, text, typescript },
  judge,
  assess: () => ({
    remedy: 'manual',
    reason: 'Prose is written by people; the lines are named.',
    todo: ['write the lines anew, with the code that makes them true'],
  }),
});
