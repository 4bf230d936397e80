import { describe, expect, it } from 'vitest';
import type { Endpoint, Fact, Finding, Inventory, Plan, Refusal, Site } from '../../../src/core/index.js';
import { rules } from '../../../transforms/_rules/index.js';

const at = (file: string, line: number): Site => ({ file, span: { start: line * 40, end: line * 40 + 8 }, line, column: 1, endLine: line, endColumn: 9 });

const endpoint = (over: Partial<Endpoint> = {}): Endpoint => ({
  id: 'http:/mcp',
  package: '.',
  transport: 'streamable-http',
  host: 'express',
  path: '/mcp',
  methods: ['POST'],
  routes: [at('server.ts', 20)],
  handlers: [],
  transports: [at('server.ts', 12)],
  stores: [],
  sessions: 'none',
  jsonResponse: 'off',
  eventStore: false,
  hooks: [],
  parser: 'before',
  exposure: 'loopback',
  authentication: [],
  originPolicy: [],
  era: 'legacy',
  push: [],
  state: [],
  ...over,
});

const inventory = (endpoints: readonly Endpoint[], legacyLane: readonly string[] = []): Inventory => ({
  packages: [],
  endpoints,
  servers: [],
  clients: [],
  stores: [],
  legacyLane,
});
const plan = (over: Partial<Plan> = {}): Plan => ({
  items: [],
  lanes: [],
  phases: [],
  rollbackBoundary: 'prepare',
  refusals: [],
  checks: [],
  effort: 0,
  ...over,
});

const finding = (over: Partial<Finding>): Finding => ({
  id: 'session-state/keyed-store',
  site: at('server.ts', 5),
  related: [],
  certainty: 'certain',
  impact: 'breaks',
  category: 'state',
  lane: 'both',
  role: 'source',
  milestone: 'entry',
  evidence: [],
  group: 'carts',
  data: {},
  fingerprint: 'f1',
  ...over,
});

const transport = (over: Partial<Extract<Fact, { type: 'transport' }>> = {}): Fact => ({
  type: 'transport',
  site: at('server.ts', 12),
  within: { file: 'server.ts', name: 'serve' },
  kind: 'streamable-http',
  className: 'StreamableHTTPServerTransport',
  sessions: 'minted',
  jsonResponse: 'off',
  eventStore: false,
  hooks: [],
  ...over,
});
const push = (what: Extract<Fact, { type: 'push' }>['what']): Fact => ({
  type: 'push',
  site: at('tools.ts', 3),
  within: { file: 'tools.ts', name: 'ask' },
  what,
  through: 'instance',
});
const origin = (allows: readonly string[]): Fact => ({ type: 'guard', site: at('server.ts', 8), what: 'origin', allows });

interface Scene {
  readonly inventory: Inventory;
  readonly plan?: Plan;
  readonly findings?: readonly Finding[];
  readonly facts?: readonly Fact[];
}

const evaluate = (id: string, scene: Scene): readonly Refusal[] => {
  const rule = rules.find((candidate) => candidate.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return rule.evaluate(scene.inventory, scene.plan ?? plan(), scene.findings ?? [], scene.facts ?? []);
};

const dual = endpoint({ era: 'dual', push: [at('tools.ts', 3)] });
const sticky = finding({
  id: 'sticky-routing/ip-hash',
  category: 'infra',
  role: 'deploy',
  site: at('mcp.conf', 2),
  data: { affinity: true },
  fingerprint: 'sticky',
});
const item = (findings: readonly string[], remedy: 'guided' | 'refused'): Plan['items'][number] => ({
  id: 'i',
  concern: 'session-state',
  title: 't',
  group: 'carts',
  package: '.',
  milestone: 'entry',
  category: 'state',
  lane: 'both',
  findings,
  files: [],
  sites: [],
  remedy,
  reason: '',
  todo: [],
  effort: 1,
  closes: [],
  data: {},
});
const says = (reject: string, over: Partial<Finding> = {}): Finding => finding({ site: at('client.ts', 7), data: { reject }, ...over });
const guarded = endpoint({ exposure: 'public', authentication: [at('server.ts', 7)], originPolicy: [at('server.ts', 8)] });

/** For each rule: scenes that break it and look-alikes that do not. */
const scenes: Readonly<Record<string, { readonly violating: Readonly<Record<string, Scene>>; readonly clean: Readonly<Record<string, Scene>> }>> = {
  'session-as-modern': {
    violating: {
      'an id minted beside the entry': { inventory: inventory([dual]), facts: [transport()] },
      'a session hook beside the entry': { inventory: inventory([dual]), facts: [transport({ sessions: 'unknown', hooks: ['onsessioninitialized'] })] },
      'a modern endpoint that mints': { inventory: inventory([endpoint({ era: 'modern', sessions: 'minted' })]) },
    },
    clean: {
      'a legacy server, which has sessions by right': { inventory: inventory([endpoint({ sessions: 'minted' })]), facts: [transport()] },
      'the legacy lane of a dual-era server': { inventory: inventory([dual], ['server.ts#serve']), facts: [transport()] },
      'a branch of an era test': {
        inventory: inventory([dual]),
        facts: [transport(), { type: 'era', site: at('server.ts', 10), what: 'branch', legacy: 'handler', lane: [], spans: [{ start: 400, end: 600 }] }],
      },
      'a place judged legacy': {
        inventory: inventory([dual]),
        facts: [transport()],
        findings: [finding({ site: at('server.ts', 12), lane: 'legacy', impact: 'none' })],
      },
      'a transport without sessions': { inventory: inventory([dual]), facts: [transport({ sessions: 'none' })] },
    },
  },
  'shared-capabilities': {
    violating: { 'capabilities kept in a module variable': { inventory: inventory([endpoint()]), findings: [says('shared-capabilities')] } },
    clean: {
      'only the legacy lane does it': { inventory: inventory([endpoint()]), findings: [says('shared-capabilities', { lane: 'legacy' })] },
      'only a test does it': { inventory: inventory([endpoint()]), findings: [says('shared-capabilities', { role: 'test' })] },
      'capabilities read from the request': { inventory: inventory([endpoint()]) },
    },
  },
  'server-request': {
    violating: {
      'a question on modern traffic': { inventory: inventory([dual]), facts: [push('elicitation')] },
      'a heartbeat on modern traffic': { inventory: inventory([dual]), facts: [push('ping')] },
      'a stateless lane that was asked for although tools ask': {
        inventory: inventory([endpoint({ push: [at('tools.ts', 3)] })]),
        plan: plan({ lanes: [{ endpoint: 'http:/mcp', choice: 'stateless', asked: 'stateless', reason: '', evidence: [] }] }),
        facts: [push('sampling')],
      },
    },
    clean: {
      'a legacy server with a sessionful lane': {
        inventory: inventory([endpoint({ push: [at('tools.ts', 3)] })]),
        plan: plan({ lanes: [{ endpoint: 'http:/mcp', choice: 'sessionful', asked: 'auto', reason: '', evidence: [] }] }),
        facts: [push('elicitation')],
      },
      'progress, which travels with its request': { inventory: inventory([dual]), facts: [push('progress')] },
      'a legacy-only function': { inventory: inventory([dual], ['tools.ts#ask']), facts: [push('elicitation')] },
    },
  },
  'stream-resume': {
    violating: { 'an event store beside the entry': { inventory: inventory([dual]), facts: [transport({ sessions: 'none', eventStore: true })] } },
    clean: {
      'an event store in the legacy lane': { inventory: inventory([dual], ['server.ts#serve']), facts: [transport({ eventStore: true })] },
      'an event store of a legacy server': { inventory: inventory([endpoint({ eventStore: true })]), facts: [transport({ eventStore: true })] },
    },
  },
  'modern-fallback': {
    violating: { 'a client that falls back blindly': { inventory: inventory([]), findings: [says('modern-fallback')] } },
    clean: { 'a client that looks first': { inventory: inventory([]), findings: [finding({})] } },
  },
  'post-redirect': {
    violating: { 'a proxy that redirects': { inventory: inventory([]), findings: [says('post-redirect', { role: 'deploy', category: 'gateway' })] } },
    clean: { 'a proxy that passes on': { inventory: inventory([]), findings: [sticky] } },
  },
  'public-exposure': {
    violating: {
      'nothing in front': { inventory: inventory([endpoint({ exposure: 'public' })]) },
      'authentication alone': { inventory: inventory([endpoint({ exposure: 'public', authentication: [at('server.ts', 7)] })]) },
      'a list that allows everybody': { inventory: inventory([guarded]), facts: [origin(['*'])] },
    },
    clean: {
      'both, with an exact list': { inventory: inventory([guarded]), facts: [origin(['https://shop.example'])] },
      loopback: { inventory: inventory([endpoint({ exposure: 'loopback' })]) },
      'an address that is not a literal': { inventory: inventory([endpoint({ exposure: 'unknown' })]) },
      stdio: { inventory: inventory([endpoint({ transport: 'stdio', exposure: 'public' })]) },
    },
  },
  'hidden-affinity': {
    violating: {
      'state that no item covers': { inventory: inventory([endpoint()]), findings: [sticky, finding({})] },
      'state whose item was refused': { inventory: inventory([endpoint()]), findings: [sticky, finding({})], plan: plan({ items: [item(['f1'], 'refused')] }) },
      'a dual-era server that kept its state': { inventory: inventory([endpoint({ era: 'dual', state: [at('server.ts', 5)] })]), findings: [sticky] },
    },
    clean: {
      'state that gets a handle': { inventory: inventory([endpoint()]), findings: [sticky, finding({})], plan: plan({ items: [item(['f1'], 'guided')] }) },
      'state without affinity': { inventory: inventory([endpoint()]), findings: [finding({})] },
      'affinity without state': { inventory: inventory([endpoint()]), findings: [sticky] },
      'state of the legacy lane': {
        inventory: inventory([endpoint({ era: 'dual', state: [at('server.ts', 5)] })]),
        findings: [sticky, finding({ lane: 'legacy', impact: 'none' })],
      },
    },
  },
  'blind-retry': {
    violating: { 'a loop around tool calls': { inventory: inventory([]), findings: [says('blind-retry')] } },
    clean: { 'no loop': { inventory: inventory([]), findings: [] } },
  },
};

describe('rules', () => {
  it('are the six hard rejects and the three refusals of the specification digest, each with scenes here', () => {
    expect(rules.map((rule) => rule.id)).toEqual(Object.keys(scenes));
    expect(rules).toHaveLength(9);
  });

  describe.each(rules.map((rule) => ({ id: rule.id, rule })))('$id', ({ id, rule }) => {
    const scene = scenes[id];

    it.each(Object.entries(scene?.violating ?? {}))('refuses %s, with places and a way out', (_name, violating) => {
      const [refused, ...more] = evaluate(id, violating);
      expect(more).toEqual([]);
      expect(refused).toMatchObject({ id, title: rule.title });
      expect(refused?.accepted).toBeUndefined();
      expect(refused?.reason.sites.length).toBeGreaterThan(0);
      expect(refused?.reason.why.length).toBeGreaterThan(40);
      expect(refused?.reason.next.length).toBeGreaterThan(20);
    });

    it.each(Object.entries(scene?.clean ?? {}))('says nothing about %s', (_name, clean) => {
      expect(evaluate(id, clean)).toEqual([]);
    });
  });

  it('say what exactly is missing', () => {
    expect(evaluate('public-exposure', { inventory: inventory([guarded]), facts: [origin(['*'])] })[0]?.reason.why).toContain('it allows `*`');
    expect(evaluate('public-exposure', { inventory: inventory([endpoint({ exposure: 'public' })]) })[0]?.reason.why).toContain(
      '`/mcp` listens on a public address and has no authentication and no Origin policy',
    );
  });
});
