import { defineConcern } from '../../src/core/index.js';
import { assess } from './assess.js';
import { rewrite } from './rewrite.js';
import { typescript } from './typescript.js';

/** A stdio server that is connected to its transport by hand and therefore speaks one era only. */
export const concern = defineConcern({
  id: 'stdio-entry',
  title: 'Entry and output of a server on stdio',
  spec: ['basic/transports/stdio#backward-compatibility', 'basic/versioning#backward-compatibility-with-initialization-based-versions'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 15, each: 10 },
  kinds: {
    'stdout-log': {
      what: '`console.{method}` writes into the stream of the protocol.',
      why: 'On stdio nothing but JSON-RPC may go to stdout: a client takes the line for a broken message, and some end the connection.',
      next: 'Log to stderr with `console.error`, which clients show or keep.',
      impact: 'degrades',
    },
    'transport-connect': {
      what: 'The server is connected to stdio by hand (`{server}`).',
      why: 'Such a process waits for `initialize`: a client of 2026-07-28 that asks `server/discover` or calls a tool first gets an error and has to fall back, or gives up.',
      next: 'Serve stdio with `serveStdio` and a function that builds the server: it tells the eras apart by the first message and serves both.',
      impact: 'degrades',
    },
  },
  literals: { strong: ['StdioServerTransport', '@modelcontextprotocol/'], weak: [] },
  detect: { typescript },
  assess,
  rewrite,
  closes: ['CK-S01', 'CK-S05', 'CK-S11', 'CK-S15'],
});
