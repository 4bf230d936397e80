import { defineConcern, type Assessment, type Remedy, type WorkItem } from '../../src/core/index.js';
import { typescript } from './typescript.js';

/** Decides by what was seen of the server's construction: the modern entry needs a function that builds one. */
function assess(item: WorkItem, known: Assessment): { readonly remedy: Remedy; readonly reason: string; readonly todo: readonly string[] } {
  const own = new Set(item.findings);
  const origins = known.findings.filter((finding) => own.has(finding.fingerprint)).map((finding) => String(finding.data.origin));
  if (origins.every((origin) => origin === 'fresh')) {
    return {
      remedy: 'guided',
      reason: 'the server is built by a function, and the modern entry takes that function',
      todo: ['replace `connect` by `serveStdio` with the function that builds the server; close through the handle that it returns'],
    };
  }
  if (origins.every((origin) => origin !== 'unknown')) {
    return {
      remedy: 'guided',
      reason: 'one server object exists for the process, and the modern entry builds one for each connection and each probe',
      todo: ['move the construction and its registrations into a function, then hand that function to `serveStdio`; shared data stays outside of it'],
    };
  }
  return {
    remedy: 'manual',
    reason: 'where the server is built could not be followed',
    todo: ['find the construction, put it into a function, and hand that function to `serveStdio`'],
  };
}

/** A stdio server that is connected to its transport by hand and therefore speaks one era only. */
export const concern = defineConcern({
  id: 'stdio-entry',
  title: 'stdio entry that speaks the old revisions only',
  spec: ['basic/transports/stdio#backward-compatibility', 'basic/versioning#backward-compatibility-with-initialization-based-versions'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 15, each: 10 },
  kinds: {
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
  closes: ['CK-S01', 'CK-S05', 'CK-S11', 'CK-S15'],
});
