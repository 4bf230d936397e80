import { describe, expect, it } from 'vitest';
import { Plan, type Fact, type FactOf, type Finding, type Rule, type WorkItem } from '../../src/core/index.js';
import { judge } from '../../src/engine/judge.js';
import { link } from '../../src/engine/link/link.js';
import { entryHasToWait, milestoneState } from '../../src/engine/milestones.js';
import { plan } from '../../src/engine/plan/plan.js';
import { at, callConcern, knowledge, ref } from './kit.js';

const handler = ref('src/app.ts', 'serve');
const route: Fact = { type: 'route', site: at('src/app.ts', 0, 40), host: 'express', method: 'POST', path: '/gate', handler, middleware: [], parser: 'before' };
const transport = (more: Partial<FactOf<'transport'>> = {}): Fact => ({
  type: 'transport',
  site: at('src/app.ts', 20),
  within: handler,
  kind: 'streamable-http',
  className: 'Sluice',
  sessions: 'minted',
  jsonResponse: 'off',
  eventStore: false,
  hooks: [],
  ...more,
});
const push = (what: FactOf<'push'>['what'], through: 'request' | 'instance'): Fact => ({
  type: 'push',
  site: at('src/app.ts', 25),
  within: handler,
  what,
  through,
});

function planOf(
  facts: readonly Fact[],
  options: Parameters<typeof plan>[1] = {},
  findings: readonly Finding[] = [],
  concerns = [callConcern({ id: 'gauge', name: 'readGauge' })],
  rules: readonly Rule[] = [],
) {
  const packages = ['.', 'a', 'b'].map((folder) => ({ folder, name: undefined, manifest: undefined, moduleType: 'module' as const, candidate: true }));
  const packageOf = (file: string): string => /^[ab](?=\/)/.exec(file)?.[0] ?? '.';
  const links = link(facts, { packages, packageOf, roleOf: () => 'source' });
  const known = { ...knowledge(...concerns), rules };
  const judged = judge(findings, links, facts, known);
  return plan({ findings: judged, facts, links, inventory: links.inventory, knowledge: known, packageOf }, options);
}

const finding = (file: string, start: number, more: Partial<Finding> = {}): Finding => ({
  id: 'gauge/call',
  site: at(file, start, start + 4),
  related: [],
  certainty: 'certain',
  impact: 'breaks',
  category: 'transport',
  lane: 'both',
  role: 'source',
  milestone: 'entry',
  evidence: [],
  group: 'gate',
  data: {},
  fingerprint: `${file}-${start}`,
  ...more,
});

describe('the lane of an endpoint', () => {
  const choiceOf = (facts: readonly Fact[], legacy?: 'stateless' | 'sessionful' | 'separate' | 'none') =>
    planOf([route, ...facts], legacy ? { legacy } : {}).lanes.map(({ choice, reason }) => [choice, reason])[0];

  it.each<[string, readonly Fact[], string, RegExp]>([
    ['nothing in the way', [transport()], 'stateless', /^proved/],
    ['progress on the running request', [transport(), push('progress', 'request')], 'stateless', /^proved/],
    ['a push through the instance', [transport(), push('progress', 'instance')], 'sessionful', /sends on its own \(progress\)/],
    ['a question to the client', [transport(), push('elicitation', 'request')], 'sessionful', /elicitation/],
    [
      'session state',
      [transport(), { type: 'state', site: at('src/app.ts', 30), within: handler, form: 'keyed', category: 'state' }],
      'sessionful',
      /state that lives/,
    ],
    [
      'a label in a log',
      [transport(), { type: 'key-use', site: at('src/app.ts', 30), within: handler, source: 'header', category: 'telemetry' }],
      'stateless',
      /^proved/,
    ],
    ['a push where no session exists today', [transport({ sessions: 'none' }), push('elicitation', 'instance')], 'stateless', /no sessions today/],
    [
      'variables of a server where no session exists today',
      [transport({ sessions: 'none' }), { type: 'state', site: at('src/app.ts', 30), within: handler, form: 'closure', category: 'state' }],
      'stateless',
      /no sessions today/,
    ],
    [
      'state by an id that the program mints itself',
      [transport({ sessions: 'none' }), { type: 'state', site: at('src/app.ts', 30), within: handler, form: 'keyed', category: 'state' }],
      'sessionful',
      /state that lives/,
    ],
    [
      'a push of one server object for all',
      [transport({ sessions: 'none' }), push('list-changed', 'instance'), { type: 'connect', site: at('src/app.ts', 24), within: handler, origin: 'shared' }],
      'sessionful',
      /sends on its own/,
    ],
    ['an event store', [transport({ eventStore: true })], 'sessionful', /event store/],
    ['JSON mode', [transport({ jsonResponse: 'on' })], 'sessionful', /JSON mode$/],
    ['JSON mode that is not a literal', [transport({ jsonResponse: 'unknown' })], 'sessionful', /could not be excluded/],
    ['an end-of-session hook', [transport({ hooks: ['onsessionclosed'] })], 'sessionful', /onsessionclosed/],
    [
      'a dispatch without a transport',
      [{ type: 'dispatch', site: at('src/app.ts', 22), within: handler, body: 'parsed' }],
      'sessionful',
      /could not be followed/,
    ],
    ['HTTP+SSE', [transport({ kind: 'sse' })], 'separate', /2024-11-05/],
  ])('auto with %s', (_name, facts, choice, reason) => {
    const decided = choiceOf(facts);
    expect(decided?.[0]).toBe(choice);
    expect(decided?.[1]).toMatch(reason);
  });

  it('is what the user asks for, with what that costs', () => {
    expect(choiceOf([transport(), push('sampling', 'instance')], 'stateless')).toEqual([
      'stateless',
      expect.stringMatching(/asked for with --legacy stateless; clients of the earlier revisions lose messages .*\(sampling\)/),
    ]);
    expect(choiceOf([transport()], 'separate')).toEqual(['separate', 'asked for with --legacy separate']);
  });

  it('stays as it is on an endpoint that tells the eras apart', () => {
    const era: Fact = { type: 'era', site: at('src/app.ts', 10), within: handler, what: 'entry', legacy: 'stateless', lane: [], spans: [] };
    expect(choiceOf([era])?.[0]).toBe('stateless');
    expect(choiceOf([{ ...era, legacy: 'reject' }])?.[0]).toBe('none');
    expect(choiceOf([{ ...era, legacy: 'handler' }, transport()])?.[0]).toBe('sessionful');
  });
});

describe('work items', () => {
  it('are one per concern, package and group; an SDK group spans packages', () => {
    const sdk = callConcern({ id: 'sdk', name: 'readTide', more: { milestone: 'sdk' } });
    const { items } = planOf(
      [],
      {},
      [
        finding('a/x.ts', 0),
        finding('a/y.ts', 0),
        finding('b/x.ts', 0),
        finding('a/x.ts', 9, { id: 'sdk/call', milestone: 'sdk' }),
        finding('b/x.ts', 9, { id: 'sdk/call', milestone: 'sdk' }),
      ],
      [callConcern({ id: 'gauge', name: 'readGauge' }), sdk],
    );
    expect(items.map((item) => [item.milestone, item.concern, item.package, item.files, item.effort])).toEqual([
      ['sdk', 'sdk', 'a', ['a/x.ts', 'b/x.ts'], 20],
      ['entry', 'gauge', 'a', ['a/x.ts', 'a/y.ts'], 20],
      ['entry', 'gauge', 'b', ['b/x.ts'], 15],
    ]);
    expect(new Set(items.map((item) => item.id)).size).toBe(3);
  });

  it('take their remedy from the concern, and are not made for the legacy lane', () => {
    const assessed = callConcern({
      id: 'gauge',
      name: 'readGauge',
      more: {
        assess: (item: WorkItem) => ({ remedy: 'refused', reason: `${item.sites.length} places hold water`, todo: ['pump'], data: { depth: 3 } }),
        closes: ['CK-H02', 'CK-H01'],
      },
    });
    const result = planOf([], {}, [finding('src/app.ts', 0), finding('src/old.ts', 0, { lane: 'legacy' })], [assessed]);
    expect(result.items).toMatchObject([{ remedy: 'refused', reason: '1 places hold water', todo: ['pump'], data: { depth: 3 }, lane: 'both' }]);
    expect([result.checks, result.effort]).toEqual([['CK-H01', 'CK-H02'], 15]);
    expect(planOf([], {}, [finding('src/app.ts', 0)], [callConcern({ id: 'gauge', name: 'readGauge', to: 'x' })])).toMatchObject({
      items: [{ remedy: 'automatic' }],
      effort: 0,
    });
  });

  it('belong to the endpoint that their places agree on', () => {
    const other: Fact = { ...route, path: '/quay', handler: ref('src/quay.ts', 'dock'), site: at('src/quay.ts', 0, 30) };
    const facts = [route, transport(), other, transport({ within: ref('src/quay.ts', 'dock'), site: at('src/quay.ts', 10) })];
    expect(planOf(facts, {}, [finding('src/quay.ts', 12)]).items[0]?.endpoint).toBe('/quay');
    expect(planOf(facts, {}, [finding('src/quay.ts', 12, { group: '/gate' })]).items[0]?.endpoint).toBe('/gate');
    expect(planOf(facts, {}, [finding('src/none.ts', 12)]).items[0]?.endpoint).toBeUndefined();
  });
});

describe('phases', () => {
  it('end reversibly before the first one-way step', () => {
    const sdk = finding('src/app.ts', 2, { milestone: 'sdk', group: 'sdk' });
    const simple = planOf([route, transport()], {}, [sdk, finding('src/app.ts', 0)]);
    expect(Plan.parse(simple)).toEqual(simple);
    expect([simple.phases.map((phase) => phase.id), simple.rollbackBoundary]).toEqual([['prepare', 'sdk', 'entry', 'retire'], 'entry']);
    const stateful = planOf([route, transport()], { sunset: '2027-03-01', owner: 'Quay team' }, [
      finding('src/app.ts', 0),
      finding('src/app.ts', 9, { category: 'state', group: 'cart' }),
      finding('deploy.yaml', 0, { category: 'infra', group: 'x' }),
    ]);
    expect([stateful.phases.map((phase) => phase.id), stateful.rollbackBoundary]).toEqual([
      ['prepare', 'state', 'entry', 'infra', 'traffic', 'retire'],
      'infra',
    ]);
    expect(stateful.phases.at(-1)?.entry.join(' ')).toContain('2027-03-01');
    const last = planOf([route, transport()], {}, [
      finding('src/app.ts', 0),
      finding('wrangler.toml', 4, { category: 'infra', group: 'class', data: { oneWay: 'The boats are gone' } }),
    ]);
    expect(last.phases.map((phase) => [phase.id, phase.oneWay.length])).toEqual([
      ['prepare', 0],
      ['entry', 0],
      ['retire', 1],
      ['clean', 1],
    ]);
    expect(last.phases.at(-1)?.oneWay[0]).toMatch(/^The boats are gone \(wrangler\.toml:\d+\)\.$/);
    expect(planOf([], {}, []).phases.map((phase) => phase.id)).toEqual(['prepare']);
    expect(planOf([], {}, []).rollbackBoundary).toBe('prepare');
  });
});

it('asks the rules, and marks a refusal that the team accepts', () => {
  const rule: Rule = {
    id: 'open-quay',
    title: 'Open quay',
    spec: [],
    evaluate: (inventory) =>
      inventory.endpoints.map((endpoint) => ({ id: 'open-quay', title: 'Open quay', reason: { why: endpoint.id, next: 'Build a fence.', sites: [] } })),
  };
  expect(planOf([route, transport()], {}, [], undefined, [rule]).refusals).toMatchObject([{ id: 'open-quay', reason: { why: '/gate' } }]);
  expect(planOf([route, transport()], { acceptRisk: { 'open-quay': 'fence ordered' } }, [], undefined, [rule]).refusals[0]?.accepted).toBe('fence ordered');
});

it('keeps a use in the legacy lane for the record only', () => {
  const old = ref('src/old.ts', 'serveOld');
  const era: Fact = { type: 'era', site: at('src/app.ts', 5), within: handler, what: 'branch', legacy: 'handler', lane: [old], spans: [] };
  const facts: readonly Fact[] = [
    era,
    { type: 'function', site: at('src/old.ts', 0, 90), symbol: old },
    { type: 'function', site: at('src/app.ts', 0, 90), symbol: handler },
  ];
  const links = link(facts, { packages: [], packageOf: () => '.', roleOf: () => 'source' });
  const judged = judge([finding('src/old.ts', 5), finding('src/app.ts', 50)], links, facts, knowledge(callConcern({ id: 'gauge', name: 'readGauge' })));
  expect(judged.map(({ site, lane, impact }) => [site.file, lane, impact])).toEqual([
    ['src/app.ts', 'both', 'breaks'],
    ['src/old.ts', 'legacy', 'none'],
  ]);
});

it('knows where a repository stands, and what has to wait', () => {
  const entry = { folder: '.', candidate: true, moduleType: 'module' as const };
  const inventory = { packages: [{ ...entry, sdk: [1], ahead: ['sdk' as const] }], endpoints: [], servers: [], clients: [], stores: [], legacyLane: [] };
  expect(milestoneState(inventory)).toEqual({ sdk: 'ahead', entry: 'none' });
  expect(milestoneState({ ...inventory, packages: [{ ...entry, sdk: [2], ahead: [] }], clients: [at('src/a.ts', 0)] })).toEqual({ sdk: 'done', entry: 'done' });
  const item = { milestone: 'entry', package: '.', sites: [] } as unknown as WorkItem;
  expect(entryHasToWait(inventory)(item)?.next).toContain('--milestone sdk');
  expect(entryHasToWait({ ...inventory, packages: [{ ...entry, sdk: [1, 2], ahead: [] }] })(item)).toBeUndefined();
});
