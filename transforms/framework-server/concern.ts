import { defineConcern } from '../../src/core/index.js';
import { judge } from './judge.js';
import { typescript } from './typescript.js';
import { wrangler } from './wrangler.js';

/** Servers behind a framework that decides which revisions are spoken: the application has no transport of its own to migrate. */
export const concern = defineConcern({
  id: 'framework-server',
  title: 'Servers whose revision a framework decides',
  spec: ['basic#statelessness', 'basic/versioning#compatibility-matrix'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 30, each: 10 },
  kinds: {
    'framework-instance': {
      what: 'The server is built by `{framework}` (`{call}`).',
      why: 'The framework owns transport and sessions, so the revision that clients are served is that of its version; changing the SDK beside it changes nothing.',
      next: '{advice} The tools behind it are the smaller part of the work.',
      impact: 'degrades',
    },
    'durable-session': {
      what: '`{call}` keeps one Durable Object for each session.',
      why: 'A modern request names no session: each would reach another, empty object, and state kept in it is lost.',
      next: 'Serve modern requests statelessly and name the object by a handle or the principal; keep this class and its binding for legacy clients until the removal date.',
      impact: 'breaks',
      category: 'state',
    },
    'object-class-migration': {
      what: 'A migration {does} the Durable Object class `{name}` of the MCP server (`{setting}`).',
      why: 'What a deployed migration did cannot be taken back: {loss}.',
      next: 'Deploy the change of the code first; keep the class, its binding and its data through the window, export what is worth keeping, and let this migration go out alone, after the legacy lane is gone.',
      impact: 'breaks',
      category: 'infra',
    },
    'session-store-option': {
      what: 'The framework is given a store for its sessions (`{call}`).',
      why: 'Modern requests have no session, so nothing is stored for them; the store serves the legacy lane only.',
      next: 'Keep it while legacy clients exist, then remove it together with the service behind it.',
      impact: 'tidies',
      category: 'infra',
    },
    'sse-endpoint': {
      what: 'The framework serves HTTP+SSE of 2024-11-05 (`{call}`).',
      why: 'The transport is deprecated and no modern client speaks it.',
      next: 'Serve Streamable HTTP on its own path; keep this one, marked, for the clients that know it.',
      impact: 'degrades',
    },
    'session-argument': {
      what: 'A handler of the framework reads the id of the session (`{call}`).',
      why: 'It is empty for modern requests.',
      next: 'Use the request id for logs, an explicit handle for state, the principal for decisions.',
      impact: 'degrades',
      category: 'state',
    },
  },
  literals: {
    strong: [
      "'xmcp'",
      '"xmcp"',
      'mcp-use',
      'fastmcp',
      'mcp-framework',
      'mcp-handler',
      '@vercel/mcp-adapter',
      'agents/mcp',
      '@rekog/mcp-nest',
      'McpAgent',
      'FastMCP',
      'mcp-lite',
      'tmcp',
      '@hono/mcp',
      'elysia-mcp',
      '@platformatic/mcp',
    ],
    weak: ['redisUrl', 'serveSSE', 'MCPServer', 'createMcpHandler'],
    // Settings of Cloudflare Workers.
    python: { strong: [], weak: ['durable_objects', 'deleted_classes', 'renamed_classes', 'transferred_classes'] },
  },
  detect: { data: wrangler, typescript },
  judge,
});
