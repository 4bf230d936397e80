import type { Finding, MigrateResult, NotAnalysed, ScanResult, Site, VerifyReport, WorkItem } from '../../src/core/index.js';
import { MigrateResult as MigrateSchema, ScanResult as ScanSchema, VerifyReport as VerifySchema } from '../../src/core/index.js';

export const site = (file: string, line: number, label?: string): Site => ({
  file,
  span: { start: line * 10, end: line * 10 + 5 },
  line,
  column: 3,
  endLine: line,
  endColumn: 8,
  ...(label === undefined ? {} : { label }),
});

export const finding = (over: Partial<Finding> & Pick<Finding, 'fingerprint'>): Finding => ({
  id: 'session-transport/map',
  site: site('src/server.ts', 8),
  related: [],
  certainty: 'certain',
  impact: 'breaks',
  category: 'transport',
  lane: 'both',
  role: 'source',
  milestone: 'entry',
  evidence: [],
  group: 'mcp',
  data: { variable: 'transports' },
  ...over,
});

export const item = (over: Partial<WorkItem> & Pick<WorkItem, 'id' | 'findings'>): WorkItem => ({
  concern: 'session-transport',
  title: 'Session map and transports of /mcp',
  group: 'mcp',
  package: '.',
  milestone: 'entry',
  category: 'transport',
  lane: 'both',
  files: ['src/server.ts'],
  sites: [site('src/server.ts', 8)],
  remedy: 'automatic',
  reason: 'one route, one factory, no push and no state',
  todo: [],
  effort: 30,
  closes: ['CK-H01'],
  data: {},
  ...over,
});

export const fault = (file: string, why: NotAnalysed['why'] = 'syntax', reason = "line 4: '}' expected"): NotAnalysed => ({ file, why, reason, line: 4 });

/** A scan result that the schema accepts. */
export function scanResult(over: Partial<ScanResult> = {}): ScanResult {
  return ScanSchema.parse({
    schemaVersion: '1',
    tool: { name: 'unsession', version: '0.1.0' },
    target: { root: '/home/ada/loans', commit: 'a1b2c3d4e5f6a7b8', dirty: false },
    stats: { discovered: 42, skipped: 3, read: 40, bytes: 120000, candidates: 6, parsed: 6, walks: 6, programs: 0, rounds: 1 },
    milestone: { sdk: 'done', entry: 'ahead' },
    rules: [
      {
        id: 'session-transport/map',
        concern: 'session-transport',
        title: 'Session transports',
        what: 'Transports are kept in "{variable}" by session id.',
        why: 'Another process does not have them.',
        next: 'Serve {variable} per request.',
        spec: ['basic/transports/streamable-http#sending-messages'],
      },
    ],
    findings: [finding({ fingerprint: 'f1' })],
    inTests: 2,
    inventory: { packages: [], endpoints: [], servers: [], clients: [], stores: [], legacyLane: [] },
    plan: { items: [item({ id: 'a1b2c3', findings: ['f1'] })], lanes: [], phases: [], rollbackBoundary: '', refusals: [], checks: [], effort: 30 },
    notAnalysed: [],
    refusals: [],
    next: [{ command: 'unsession migrate', why: 'shows the rewrite as a diff' }],
    ...over,
  });
}

/** A repository with many work items of every kind, lanes, refusals and faults. */
export function crowdedResult(items: number): ScanResult {
  const findings: Finding[] = [];
  const list: WorkItem[] = [];
  for (let i = 0; i < items; i++) {
    const own = [0, 1, 2].map((n) =>
      finding({
        fingerprint: `f${String(i)}.${String(n)}`,
        site: site(`packages/loans-desk/src/routes/very/deep/folder/endpoint-${String(i)}.ts`, 10 + n),
        impact: i % 3 === 0 ? 'breaks' : 'degrades',
      }),
    );
    findings.push(...own);
    list.push(
      item({
        id: `${String(i).padStart(2, '0')}abcd`,
        findings: own.map((entry) => entry.fingerprint),
        title: `Session-bound basket of the loan desk number ${String(i)} with a title that is much longer than a line of a terminal`,
        remedy: (['automatic', 'guided', 'manual', 'refused'] as const)[i % 4] ?? 'manual',
        todo: ['Bind the handle to the principal of the request and decide how long it lives, then remove the old key.'],
      }),
    );
  }
  const refusal = (id: string): ScanResult['refusals'][number] => ({
    id,
    title: 'The server is reachable from the network without authentication',
    reason: {
      why: 'listens on 0.0.0.0',
      next: 'Add authentication, or bind to loopback, or accept the risk with a reason.',
      sites: [site('src/server.ts', 90)],
    },
  });
  const base = scanResult();
  return scanResult({
    findings,
    plan: {
      ...base.plan,
      items: list,
      effort: 900,
      lanes: [1, 2, 3].map((n) => ({
        endpoint: `e${String(n)}`,
        choice: 'sessionful',
        asked: 'auto',
        reason: 'an event store replays messages to clients that reconnect, so sessions are used for more than routing',
        evidence: [],
      })),
    },
    notAnalysed: [
      fault('src/old.ts'),
      fault('src/older.ts'),
      fault('src/oldest.ts'),
      { file: 'node_modules', why: 'vendored', reason: "somebody else's code" },
    ],
    refusals: [refusal('public-exposure'), refusal('sticky-routing'), refusal('blind-retry')],
    next: [1, 2, 3, 4, 5].map((n) => ({
      command: `unsession migrate --milestone sdk --package loans-desk-${String(n)}`,
      why: 'shows the rewrite of the first milestone as a diff',
    })),
  });
}

export function migrateResult(over: Partial<MigrateResult> = {}): MigrateResult {
  return MigrateSchema.parse({
    schemaVersion: '1',
    tool: { name: 'unsession', version: '0.1.0' },
    target: { root: '/home/ada/loans' },
    stats: scanResult().stats,
    before: scanResult(),
    outcomes: [
      {
        item: 'bbbbbb',
        title: 'Basket by session id',
        milestone: 'entry',
        outcome: 'refused',
        reason: { why: 'the key is written to a database', next: 'Decide where the basket lives.', sites: [site('src/basket.ts', 12)] },
        todo: [],
        notes: [],
        files: [],
      },
      {
        item: 'a1b2c3',
        title: 'Session map and transports of /mcp',
        milestone: 'entry',
        outcome: 'applied',
        todo: ['Set a date for the legacy lane.'],
        notes: ['open.ts is dead now'],
        files: ['src/server.ts'],
      },
    ],
    patches: [
      {
        milestone: 'entry',
        changes: [{ kind: 'edit', file: 'src/server.ts', edits: [{ start: 0, end: 1, text: 'b' }] }],
        diff: 'diff --git a/src/server.ts b/src/server.ts\n--- a/src/server.ts\n+++ b/src/server.ts\n@@ -1,1 +1,1 @@\n-a\u001b[31m\n+b\r\n',
        items: ['a1b2c3'],
      },
    ],
    proofs: [{ file: 'src/server.ts', parses: true, names: true, untouched: true }],
    idempotent: true,
    written: false,
    notAnalysed: [],
    refusals: [],
    next: [{ command: 'npm install', why: 'brings package-lock.json up to date' }],
    ...over,
  });
}

export function verifyReport(over: Partial<VerifyReport> = {}): VerifyReport {
  const exchange = {
    request: { verb: 'POST', url: 'http://127.0.0.1:3000/mcp', headers: {}, body: '{"method":"server/discover"}' },
    answer: { status: 400, headers: {}, body: 'Bad Request: no session\u001b]0;owned\u0007' },
    milliseconds: 4,
  };
  return VerifySchema.parse({
    schemaVersion: '1',
    tool: { name: 'unsession', version: '0.1.0' },
    target: { transport: 'http', address: 'http://127.0.0.1:3000/mcp' },
    startedAt: '2026-08-01T10:00:00Z',
    milliseconds: 1234,
    laneMode: 'stateless',
    eras: { modern: false, legacy: true },
    peer: {
      name: 'loan-desk',
      version: '1.4.0',
      modernVersions: [],
      legacyVersion: '2025-06-18',
      capabilities: ['tools'],
      tools: ['lend'],
      resources: 0,
      prompts: 0,
    },
    conclusion: { speaks: 'legacy', sentence: 'It speaks 2025-06-18 and not 2026-07-28.', missing: ['Answer server/discover.'] },
    results: [
      {
        id: 'CK-H02',
        title: 'tools/list answers',
        level: 'must',
        era: 'legacy',
        class: 'quick',
        deviations: [],
        requirements: [],
        milliseconds: 3,
        verdict: 'pass',
        reason: '200 with a result',
        spec: 'server/tools',
        exchanges: [],
      },
      {
        id: 'CK-H01',
        title: 'discover answers',
        level: 'must',
        era: 'modern',
        class: 'quick',
        deviations: ['the body is not JSON'],
        requirements: ['HTTP-15'],
        milliseconds: 4,
        verdict: 'fail',
        reason: 'expected 200, saw 400',
        spec: 'server/discover',
        exchanges: [exchange],
      },
    ],
    summary: { pass: 1, fail: 1, warn: 0, 'not-applicable': 0, 'not-tested': 0, inconclusive: 0 },
    ...over,
  });
}
