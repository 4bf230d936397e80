import { describe, expect, it } from 'vitest';
import { RunbookModel, type Check, type RunbookModel as Model, type VerifyReport } from '../../src/core/index.js';
import { buildRunbook, renderPullRequest, renderRunbook, violationsOf } from '../../src/runbook/index.js';
import { handleName } from '../../src/runbook/parts/state.js';
import { shippedTemplates } from './port.js';
import { at, checks, endpoint, finding, item, lane, shop } from './shop.js';

const options = { sunset: '2027-05-31', owner: 'Team Checkout', now: '2026-11-30' };
const build = (scan = shop(), more = {}): Model => buildRunbook(scan, checks, { ...options, ...more });
const markdown = (model: Model): string => renderRunbook('runbook', model, shippedTemplates());
const withEndpoints = (...endpoints: readonly ReturnType<typeof endpoint>[]) => shop({ inventory: { ...shop().inventory, endpoints } });
const row = (model: Model, table: number, key: string) =>
  model.endpoints[table]?.rows.find((candidate) => 'say' in candidate.request && candidate.request.say === `request.${key}`);
const statuses = (model: Model, table: number, key: string): readonly string[] => row(model, table, key)?.cells.map((cell) => cell.status) ?? [];

describe('the model', () => {
  it('fits its schema and survives JSON', () => {
    const model = build();
    expect(RunbookModel.parse(JSON.parse(JSON.stringify(model)))).toEqual(model);
  });

  it('is a pure function of its input', () => {
    expect(build()).toEqual(build());
  });
});

describe('endpoint table', () => {
  it('keeps sessions in a sessionful lane until the removal', () => {
    const model = build();
    expect(statuses(model, 0, 'initialize')).toEqual(['200', '200', '200', '400']);
    expect(statuses(model, 0, 'get-session')).toEqual(['200', '200', '200', '405']);
    expect(statuses(model, 0, 'delete')).toEqual(['200', '200', '200', '405']);
    expect(statuses(model, 0, 'dead-session')).toEqual(['400 / 404', '404', '404', '400']);
  });

  it('ends sessions at once in a stateless lane', () => {
    const scan = shop();
    const model = build({ ...scan, plan: { ...scan.plan, lanes: [lane({ choice: 'stateless' })] } });
    expect(statuses(model, 0, 'get-session')).toEqual(['200', '405', '405', '405']);
    expect(statuses(model, 0, 'dead-session')).toEqual(['400 / 404', '200', '200', '400']);
    expect(row(model, 0, 'initialize')?.cells[1]?.body).toEqual({ say: 'body.initialize' });
  });

  it('gives the modern endpoint a path of its own in a separate lane, without a redirect', () => {
    const scan = shop();
    const model = build({ ...scan, plan: { ...scan.plan, lanes: [lane({ choice: 'separate' })] } });
    const paths = new Map(model.endpoints[0]?.rows.map((entry) => [entry.path, entry.cells.at(-1)?.status]));
    expect(paths).toEqual(
      new Map([
        ['/mcp/v2', '202'],
        ['/mcp', '410'],
      ]),
    );
    expect(violationsOf(model, markdown(model))).toEqual([]);
  });

  it('says when a hand-made endpoint must be asked', () => {
    const model = build(withEndpoints(endpoint({ transports: [] })));
    expect(statuses(model, 0, 'modern')[0]).toBe('?');
    expect(model.questions.some((question) => 'say' in question.question && question.question.say === 'question.probe.ask')).toBe(true);
  });

  it('keeps HTTP+SSE routes at their URL and ends them with 410', () => {
    const model = build(
      withEndpoints(
        endpoint({ id: 'sse', transport: 'sse', path: '/sse', methods: ['GET'] }),
        endpoint({ id: 'msg', transport: 'sse-post', path: '/messages', methods: ['POST'] }),
      ),
    );
    expect(statuses(model, 0, 'sse')).toEqual(['200', '200', '200', '410']);
    expect(statuses(model, 1, 'sse-post')).toEqual(['202', '202', '202', '410']);
    expect(model.dates.map((date) => date.date)).toEqual(['2026-09-03']);
  });

  it('has only today for an endpoint that is modern', () => {
    const scan = withEndpoints(endpoint({ era: 'modern', sessions: 'none', methods: ['POST'] }));
    const model = build({ ...scan, findings: [], milestone: { sdk: 'done', entry: 'done' }, plan: { ...scan.plan, items: [], lanes: [] } });
    expect(model.endpoints[0]?.columns).toHaveLength(1);
    expect(model.rollout).toEqual([]);
    expect(markdown(model)).toContain('No legacy route is left');
  });
});

describe('rollout and rollback boundary', () => {
  it('orders probe before code and balancer after the removal', () => {
    const model = build();
    expect(model.rollout.map((stage) => stage.stage)).toEqual(['observe', 'sdk', 'dual', 'default', 'warn', 'remove', 'clean']);
    expect(model.rollout[0]?.order.map((change) => change.layer)).toEqual(['metric', 'probe']);
    expect(model.rollout.at(-1)?.order.map((change) => change.layer)).toEqual(['code', 'balancer']);
    expect(model.infra.map((entry) => [entry.rule, entry.number])).toEqual([
      ['sticky-routing/probe', 1],
      ['sticky-routing/session-affinity', 7],
    ]);
  });

  it('names the last phase before the first one-way step', () => {
    expect(build().boundary).toMatchObject({ last: 5, title: { say: 'stage.warn' } });
  });

  it('moves the boundary forward when the planner found an earlier one-way step', () => {
    const scan = shop();
    const phase = {
      id: 'traffic',
      title: 'Let clients in',
      items: [],
      entry: [],
      exit: [],
      reversible: false,
      oneWay: ['handles are unknown to the build before'],
      rollback: '',
    };
    const model = build({ ...scan, plan: { ...scan.plan, phases: [phase, { ...phase, id: 'retire', oneWay: ['old clients are cut off'] }] } });
    expect(model.boundary.last).toBe(3);
    expect(model.boundary.oneWay.map((step) => step.number)).toEqual([4, 6, 6, 7]);
    // What is taken away with what only sessions needed comes after the removal, and moves nothing forward.
    const retire = { ...phase, id: 'retire', oneWay: ['old clients are cut off'] };
    const clean = { ...phase, id: 'clean', oneWay: ['the class of the carts is deleted'] };
    const later = build({ ...scan, plan: { ...scan.plan, phases: [retire, clean] } });
    expect(later.boundary.last).toBe(5);
    expect(later.rollout.at(-1)?.oneWay.at(-1)).toEqual({ text: 'the class of the carts is deleted' });
  });

  it('names the metric that the code has, or says that there is none', () => {
    expect(markdown(build())).toContain('mcp\\_tool\\_called');
    const scan = shop();
    const without = build({ ...scan, findings: scan.findings.filter((entry) => entry.category !== 'telemetry') });
    expect(markdown(without)).toContain('No metric that tells the eras apart was found in the code');
    expect(without.questions.some((question) => question.who === 'metrics')).toBe(true);
  });

  it('makes the switch the removal when no old client is served', () => {
    const scan = shop();
    const model = build({ ...scan, plan: { ...scan.plan, lanes: [lane({ choice: 'none' })] } });
    expect(model.rollout.map((stage) => stage.stage)).not.toContain('dual');
    expect(model.rollout.find((stage) => stage.stage === 'remove')?.items.map((entry) => entry.id)).toContain('st-1');
  });
});

describe('state inventory', () => {
  it('plans one handle for one place, and asks first whose the state of a server object is', () => {
    const store = finding({
      id: 'session-state/keyed-store',
      category: 'state',
      data: { name: 'carts' },
      site: at('src/cart.ts', 4),
      related: [at('src/cart.ts', 9)],
    });
    const access = finding({ id: 'session-plumbing/keyed-access', category: 'state', data: { name: 'carts' }, site: at('src/cart.ts', 9) });
    const counter = finding({
      id: 'session-state/closure-variable',
      category: 'state',
      data: { name: 'visits', holder: 'server' },
      site: at('src/cart.ts', 20),
    });
    const plans = build(shop({ findings: [store, access, counter] })).state.map((entry) => entry.plan.length);
    expect(plans.filter((length) => length > 0)).toHaveLength(2);
    expect(markdown(build(shop({ findings: [counter] })))).toContain('Decide first whose it is');
  });

  it('tells the categories apart and plans a handle for state', () => {
    const [first, ...rest] = build().state;
    expect(first).toMatchObject({ category: 'state', rule: 'session-state/keyed-map', item: 'ss-1' });
    expect(first?.plan[0]).toEqual({ say: 'handle.mint', with: { handle: 'cart_id' } });
    expect(rest.map((entry) => entry.category)).toEqual(['policy', 'telemetry', 'push', 'push', 'transport']);
    expect(rest.find((entry) => entry.category === 'policy')?.plan.length).toBeGreaterThan(0);
  });

  it.each([
    ['carts', 'cart_id'],
    ['sessionCarts', 'cart_id'],
    ['browsersBySession', 'browser_id'],
    ['Shop.carts', 'cart_id'],
    ['status', 'status_id'],
    ['state', 'workflow_id'],
    ['', 'workflow_id'],
  ])('names the handle of %s %s', (store, handle) => {
    expect(handleName(store)).toBe(handle);
  });

  it('plans nothing for what only the legacy lane does', () => {
    const scan = shop();
    const model = build({ ...scan, findings: scan.findings.map((entry) => ({ ...entry, lane: 'legacy' as const, impact: 'none' as const })) });
    expect(model.state.every((entry) => entry.plan.length === 0)).toBe(true);
  });
});

describe('checklist', () => {
  it('shows the evidence, and not tested for the rest', () => {
    const report = {
      schemaVersion: '1',
      tool: { name: 'unsession', version: '0.1.0' },
      target: { transport: 'http', address: 'http://127.0.0.1:3000/mcp' },
      startedAt: '2026-11-30T10:00:00Z',
      milliseconds: 5,
      laneMode: 'sessionful',
      eras: { modern: true, legacy: true },
      results: [
        {
          id: 'CK-H04',
          title: 't',
          level: 'should',
          era: 'modern',
          class: 'quick',
          verdict: 'fail',
          reason: 'expected 405, saw 200',
          deviations: [],
          spec: 's',
          requirements: [],
          milliseconds: 1,
          exchanges: [],
        },
      ],
      summary: { pass: 0, fail: 1, warn: 0, 'not-applicable': 0, 'not-tested': 0, inconclusive: 0 },
    } as unknown as VerifyReport;
    const model = build(shop(), { evidence: report });
    expect(model.checklist.map((entry) => [entry.id, entry.evidence])).toEqual([
      ['CK-H04', 'fail'],
      ['CK-H18', 'not-tested'],
    ]);
    expect(markdown(model)).toContain('**fail**: expected 405, saw 200');
  });

  it('leaves attested checks to a person', () => {
    const model = build();
    expect(model.checklist.some((entry) => entry.id === 'CK-L15')).toBe(false);
    expect(markdown(model)).toContain('Who attests CK-L15, the rollback was tried?');
  });

  it('starts the clients of the repository against the referee, and no others', () => {
    const client = { ...(checks[0] as Check), id: 'CK-C01', transport: 'client' as const };
    const calling = shop({ inventory: { ...shop().inventory, clients: [at('src/buyer.ts', 4)] } });
    const model = buildRunbook(calling, [...checks, client], options);
    expect(model.checklist.find((entry) => entry.id === 'CK-C01')?.command).toBe('npx unsession verify --client --only CK-C01 -- $MCP_CLIENT');
    expect(model.variables.map(({ name }) => name)).toContain('MCP_CLIENT');
    expect(model.completion.map(({ command }) => command)).toContain('npx unsession verify --client -- $MCP_CLIENT');
    expect(buildRunbook(shop(), [...checks, client], options).checklist.some((entry) => entry.id === 'CK-C01')).toBe(false);
  });

  it('prints the command that fills it whole, so that it runs as printed', () => {
    expect(build(shop(), { owner: "Ada's team" }).completion.at(-1)?.command).toBe(
      "npx unsession runbook --evidence verify.json --sunset 2027-05-31 --owner 'Ada'\\''s team'",
    );
  });

  it('says what closes what', () => {
    expect(build().checklist.find((entry) => entry.id === 'CK-H04')?.closes).toEqual(['session-transport']);
  });
});

describe('a stdio server', () => {
  const stdio = endpoint({
    id: 'stdio',
    transport: 'stdio',
    path: undefined as unknown as string,
    methods: [],
    sessions: 'none',
    routes: [],
    exposure: 'unknown',
    stores: [],
    state: [],
  });
  const scan = shop({
    inventory: { ...shop().inventory, endpoints: [stdio], stores: [] },
    findings: [finding({ id: 'stdio-entry/transport-connect', category: 'transport', site: at('src/index.ts', 8), milestone: 'entry' })],
    plan: {
      ...shop().plan,
      items: [item({ id: 'se-1', concern: 'stdio-entry', title: 'Serve stdio in both eras', findings: ['stdio-entry/transport-connect@src/index.ts:8'] })],
      lanes: [],
    },
  });

  it('has no endpoint table and no HTTP advice', () => {
    const text = markdown(build(scan));
    for (const word of [
      '## 3.',
      '## 4.',
      '## 12.',
      'Mcp-Method',
      'Origin',
      'affinity',
      'CORS',
      '405',
      'MCP_URL',
      'replica',
      '400',
      '`header`',
      'header validation',
    ])
      expect(text, word).not.toContain(word);
    expect(text).toContain('previous version');
    expect(text).toContain('npx unsession verify --stdio --only CK-S01 -- $MCP_COMMAND');
  });
});

describe('dates', () => {
  it('shows a promise that the removal would break', () => {
    const scan = shop();
    const promise = finding({
      id: 'removal-promise/sunset-header',
      category: 'docs',
      impact: 'none',
      site: at('src/legacy.ts', 4),
      data: { promised: '2027-12-31' },
    });
    const model = build({ ...scan, findings: [...scan.findings, promise] });
    expect(model.dates.find((date) => date.kind === 'promise')?.conflict).toBe(true);
    expect(markdown(model)).toContain('the removal on 2027-05-31 breaks it');
  });

  it('ends with the exact date, the owner, and no invented mandate', () => {
    const lines = markdown(build()).trimEnd().split('\n');
    expect(lines.at(-1)).toBe('The legacy routes are removed on **2027-05-31**. Owner: **Team Checkout**.');
    expect(lines.join('\n')).toContain('The specification sets no date');
  });
});

describe('refusals', () => {
  it('records an accepted risk with its reason', () => {
    const refusal = {
      id: 'public-exposure',
      title: 'Public without protection',
      reason: { why: 'No authentication.', next: 'Add one.', sites: [at('src/server.ts', 80)] },
    };
    const scan = shop({ refusals: [refusal] });
    expect(markdown(build(scan))).toContain('not accepted: the plan is not complete');
    expect(markdown(build(scan, { acceptedRisks: { 'public-exposure': 'behind the VPN until March' } }))).toContain('accepted: behind the VPN until March');
  });
});

describe('pull request', () => {
  it('is one per milestone', () => {
    const scan = shop();
    const sdk = renderPullRequest('sdk', build(), scan, shippedTemplates());
    expect(sdk).toContain('sdk-1');
    expect(sdk).not.toContain('st-1');
    expect(renderPullRequest('entry', build(), scan, shippedTemplates())).toContain('carts: say who owns the handle');
  });
});
