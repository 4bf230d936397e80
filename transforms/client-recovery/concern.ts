import { defineConcern } from '../../src/core/index.js';
import { python } from './python.js';
import { typescript } from './typescript.js';

/** What a client does after an error without looking at it: goes to an older revision, or calls the tool again. */
export const concern = defineConcern({
  id: 'client-recovery',
  title: 'Client recovery that does not look at the error',
  spec: ['basic/versioning#backward-compatibility-with-initialization-based-versions', 'basic/transports/streamable-http#backward-compatibility'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 20, each: 10 },
  kinds: {
    'era-fallback': {
      what: 'The client falls back to an older transport after any error (`{fallback}`).',
      why: 'An error that only a modern server sends (-32020, -32021, -32022, -32602 about `_meta`) is taken for an old server, and so is a 401, a 503 or a time-out: the real fault is hidden, and the wrong era is remembered.',
      next: 'Look at the error first: fall back only when it is none of these, and remember nothing after an answer that says nothing about the era.',
      impact: 'degrades',
    },
    'call-retry': {
      what: 'Tool calls are repeated after a failure (`{call}`).',
      why: 'A lost answer is not replayed any more, so a repeat is a second call: the effect happens twice.',
      next: 'Repeat only tools that say `idempotentHint` or `readOnlyHint`, or send an idempotency key that the tool stores.',
      impact: 'degrades',
    },
  },
  literals: {
    strong: ['@modelcontextprotocol/', 'mcp.client', 'mcp.shared', 'from mcp import', 'fastmcp'],
    weak: ['SSEClientTransport', 'callTool', '.call_tool('],
  },
  detect: { python, typescript },
  assess: (item) => ({
    remedy: 'manual',
    reason: 'which errors may be recovered from depends on the servers and tools that the client speaks to',
    todo: item.sites.map((site) => `${site.file}:${site.line}: look at the error before anything is tried again`),
  }),
});
