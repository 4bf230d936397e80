import type { Check, Finding, ScanResult, Site, WorkItem } from '../../src/core/index.js';
import type { Endpoint, LaneDecision } from '../../src/core/index.js';

/** A place in a file of the shop. Offsets do not matter here. */
export const at = (file: string, line: number): Site => ({
  file,
  span: { start: line * 40, end: line * 40 + 5 },
  line,
  column: 1,
  endLine: line,
  endColumn: 6,
});

export const endpoint = (over: Partial<Endpoint> = {}): Endpoint => ({
  id: 'http:/mcp',
  package: '.',
  transport: 'streamable-http',
  host: 'express',
  path: '/mcp',
  methods: ['POST', 'GET', 'DELETE'],
  routes: [at('src/server.ts', 55), at('src/server.ts', 56), at('src/server.ts', 57)],
  handlers: [],
  transports: [at('src/server.ts', 45)],
  stores: [{ file: 'src/server.ts', name: 'transports' }],
  sessions: 'minted',
  jsonResponse: 'off',
  eventStore: false,
  hooks: ['onsessioninitialized', 'onsessionclosed'],
  parser: 'before',
  exposure: 'public',
  authentication: [],
  originPolicy: [],
  era: 'legacy',
  push: [],
  state: [at('src/server.ts', 14)],
  ...over,
});

export const finding = (over: Partial<Finding> & Pick<Finding, 'id' | 'site'>): Finding => ({
  related: [],
  certainty: 'certain',
  impact: 'breaks',
  category: 'state',
  lane: 'both',
  role: 'source',
  milestone: 'entry',
  evidence: [],
  group: over.site.file,
  data: {},
  fingerprint: `${over.id}@${over.site.file}:${over.site.line}`,
  ...over,
});

export const item = (over: Partial<WorkItem> & Pick<WorkItem, 'id' | 'concern' | 'title'>): WorkItem => ({
  group: '',
  package: '.',
  milestone: 'entry',
  category: 'transport',
  lane: 'both',
  findings: [],
  files: ['src/server.ts'],
  sites: [at('src/server.ts', 55)],
  remedy: 'automatic',
  reason: 'the factory takes no argument',
  todo: [],
  effort: 30,
  closes: [],
  data: {},
  ...over,
});

export const lane = (over: Partial<LaneDecision> = {}): LaneDecision => ({
  endpoint: 'http:/mcp',
  choice: 'sessionful',
  asked: 'auto',
  reason: 'state is keyed by session (`carts`), so old clients keep the old stack',
  evidence: [at('src/server.ts', 14)],
  ...over,
});

const carts = finding({
  id: 'session-state/keyed-map',
  site: at('src/server.ts', 14),
  related: [at('src/server.ts', 22), at('src/server.ts', 24)],
  evidence: ['`carts` is read with `extra.sessionId`'],
  group: 'carts',
  data: { name: 'carts', key: 'extra.sessionId' },
});

/** A web shop: Express, sessions, a cart by session id, elicitation, a Service with affinity, a probe on the endpoint. */
export function shop(over: Partial<ScanResult> = {}): ScanResult {
  const findings: Finding[] = [
    carts,
    finding({ id: 'session-transport/transport-map', category: 'transport', site: at('src/server.ts', 40), group: 'http:/mcp' }),
    finding({ id: 'server-push/elicitation', category: 'push', site: at('src/tools.ts', 18), data: { what: 'elicitation' } }),
    finding({ id: 'server-push/list-changed', category: 'push', site: at('src/tools.ts', 60), data: { what: 'list-changed' } }),
    finding({ id: 'session-state/policy-key', category: 'policy', site: at('src/limit.ts', 9), data: { name: 'quota', key: 'mcp-session-id' } }),
    finding({
      id: 'session-state/telemetry-label',
      category: 'telemetry',
      impact: 'degrades',
      site: at('src/metrics.ts', 7),
      data: { metric: 'mcp_tool_called', name: 'session_id' },
    }),
    finding({
      id: 'sticky-routing/session-affinity',
      category: 'infra',
      impact: 'tidies',
      role: 'deploy',
      site: at('deploy/service.yaml', 6),
      data: { stage: 'clean', affinity: true },
    }),
    finding({
      id: 'sticky-routing/probe',
      category: 'infra',
      role: 'deploy',
      site: at('deploy/deployment.yaml', 12),
      data: { stage: 'observe', path: '/mcp' },
    }),
    finding({ id: 'session-state/test-asserts-session', category: 'transport', role: 'test', site: at('test/server.test.ts', 31) }),
    finding({ id: 'sdk-v1-typescript/import', category: 'sdk', milestone: 'sdk', site: at('src/server.ts', 3) }),
  ];
  const rules = [
    ['session-state/keyed-map', '`{name}` keeps state by session id (`{key}`).', 'Give the work a handle.'],
    ['session-transport/transport-map', 'Live transports are kept by session id.', 'Use the dual-era entry.'],
    ['server-push/elicitation', 'The tool asks the user in the middle of a call.', 'Return `input_required`.'],
    ['server-push/list-changed', 'A list change is pushed to the connected client.', 'Notify listeners.'],
    ['session-state/policy-key', 'The quota `{name}` is kept by session id.', 'Key it by principal.'],
    ['session-state/telemetry-label', 'The metric is labelled by session id.', 'Label it by request.'],
    [
      'sticky-routing/session-affinity',
      'The Service pins a client to one pod (`sessionAffinity: ClientIP`).',
      'Remove the two affinity fields, then raise the replicas.',
    ],
    ['sticky-routing/probe', 'The liveness probe asks GET `{path}`.', 'Give probes a route of their own, `/healthz`.'],
    ['session-state/test-asserts-session', 'A test asserts the session header.', 'Add a modern twin.'],
    ['sdk-v1-typescript/import', 'SDK v1 is imported.', 'Import the v2 packages.'],
  ].map(([id = '', what = '', next = '']) => ({ id, concern: id.split('/')[0] ?? '', title: id, what, why: 'w', next, spec: [] }));
  return {
    schemaVersion: '1',
    tool: { name: 'unsession', version: '0.1.0' },
    target: { root: '/home/dev/shop', commit: '8f2c11d0a3', dirty: false },
    stats: { discovered: 12, skipped: 0, read: 12, bytes: 20_000, candidates: 5, parsed: 5, walks: 5, programs: 0, rounds: 1 },
    milestone: { sdk: 'ahead', entry: 'ahead' },
    rules,
    findings,
    inTests: 1,
    inventory: {
      packages: [{ folder: '.', name: 'shop', manifest: 'package.json', candidate: true, sdk: [1], ahead: ['sdk', 'entry'], moduleType: 'module' }],
      endpoints: [endpoint()],
      servers: [],
      clients: [],
      stores: [{ site: at('src/server.ts', 40), symbol: { file: 'src/server.ts', name: 'transports' }, holds: 'transport', form: 'object' }],
      legacyLane: [],
    },
    plan: {
      items: [
        item({
          id: 'sdk-1',
          concern: 'sdk-v1-typescript',
          title: 'Move to SDK v2',
          milestone: 'sdk',
          category: 'sdk',
          findings: ['sdk-v1-typescript/import@src/server.ts:3'],
          effort: 40,
        }),
        item({
          id: 'st-1',
          concern: 'session-transport',
          title: 'Serve /mcp through the dual-era entry',
          findings: ['session-transport/transport-map@src/server.ts:40'],
          closes: ['CK-H04'],
        }),
        item({
          id: 'ss-1',
          concern: 'session-state',
          title: 'Give `carts` a handle',
          category: 'state',
          remedy: 'guided',
          findings: [carts.fingerprint],
          todo: ['carts: say who owns the handle'],
          effort: 90,
        }),
      ],
      lanes: [lane()],
      phases: [],
      rollbackBoundary: '',
      refusals: [],
      checks: [],
      effort: 160,
    },
    notAnalysed: [{ file: 'src/old.ts', why: 'syntax', reason: 'unexpected token', line: 4 }],
    refusals: [],
    next: [],
    ...over,
  };
}

/** Three checks of the kinds that a checklist shows: by status, by error code, and one that only a person attests. */
export const checks: readonly Check[] = [
  {
    id: 'CK-H04',
    title: 'GET is refused',
    level: 'should',
    era: 'modern',
    transport: 'http',
    class: 'quick',
    spec: 'basic/transports/streamable-http',
    requirements: ['HTTP-15'],
    failure: 'GET was served',
    needs: [],
    steps: [{ request: { verb: 'GET' }, expect: [[{ at: 'status', is: 405 }]] }],
  },
  {
    id: 'CK-H18',
    title: 'an unsupported version is named',
    level: 'must',
    era: 'modern',
    transport: 'http',
    class: 'quick',
    spec: 'server/discover',
    requirements: ['ERR-06'],
    failure: 'the version was accepted',
    needs: [],
    steps: [
      {
        request: { method: 'server/discover' },
        expect: [
          [
            { at: 'status', is: 400 },
            { at: 'error.code', is: -32022 },
          ],
        ],
      },
    ],
  },
  {
    id: 'CK-L15',
    title: 'the rollback was tried',
    level: 'local',
    era: 'both',
    transport: 'http',
    class: 'attest',
    spec: 'local',
    requirements: [],
    failure: 'nobody tried it',
    needs: [],
    steps: [],
  },
  {
    id: 'CK-S01',
    title: 'discover on stdio',
    level: 'must',
    era: 'modern',
    transport: 'stdio',
    class: 'quick',
    spec: 'server/discover',
    requirements: ['DISC-01'],
    failure: 'no answer',
    needs: [],
    steps: [{ request: { method: 'server/discover' }, expect: [[{ at: 'result', present: true }]] }],
  },
];
