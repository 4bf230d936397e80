import { beforeAll, describe, expect, it } from 'vitest';
import { buildRunbook } from '../../src/runbook/index.js';
import { checks } from '../../transforms/_checks/index.js';
import { partOf, tell, type Told } from './repositories.js';
import { endpoint, finding, lane, shop, at } from './shop.js';

/** A repository that deploys, documents and calls a server which lives in another one. */
const DEPLOYMENT = new Map([
  [
    'service.yaml',
    `apiVersion: v1
kind: Service
metadata: { name: harbour-mcp }
spec:
  selector: { app: harbour-mcp }
  sessionAffinity: ClientIP
  ports: [{ port: 80, targetPort: 3000 }]
`,
  ],
  [
    'AGENTS.md',
    `# Berth tools

Call the MCP server like this:

1. POST \`/mcp\` with \`initialize\`.
2. Keep the \`Mcp-Session-Id\` of the answer and send it with every request.
`,
  ],
  [
    'berths.ts',
    `let cookie = '';
export async function callBerths(body: unknown): Promise<Response> {
  const answer = await fetch('https://harbour.example/mcp', { method: 'POST', headers: { cookie }, body: JSON.stringify(body) });
  cookie = answer.headers.get('set-cookie') ?? cookie; // the route of the load balancer
  return answer;
}
`,
  ],
]);

describe('a repository without a server of its own', () => {
  let told: Told;
  beforeAll(async () => {
    told = await tell(DEPLOYMENT);
  });

  it('has a plan for what it holds, and asks for the server', () => {
    expect(told.model.kind).toBe('elsewhere');
    expect(told.markdown).toContain('belongs to a server of another repository');
    expect(told.model.endpoints).toEqual([]);
    expect(partOf(told.markdown, 16)).toContain('Which repository holds the server');
  });

  it('keeps the affinity until the old clients are gone', () => {
    const stages = told.model.rollout.map(({ stage }) => stage);
    expect(stages).toEqual(['observe', 'dual', 'default', 'warn', 'remove', 'clean']);
    const last = told.model.rollout.at(-1)?.order ?? [];
    expect(last.find(({ layer }) => layer === 'balancer')?.sites[0]?.file).toBe('service.yaml');
    expect(partOf(told.markdown, 12)).toMatch(/\| P6 \|[^\n]*service\.yaml/);
  });

  it('tells the owner of the client to stop with the cookie, not the owner of the balancer', () => {
    const last = told.model.rollout.at(-1)?.order ?? [];
    expect(last.find(({ sites }) => sites[0]?.file === 'berths.ts')?.layer).toBe('client');
  });

  it('changes the instructions with the code, and says nothing of keys that nobody holds', () => {
    expect(told.model.rollout.find(({ stage }) => stage === 'dual')?.order.some(({ layer, sites }) => layer === 'docs' && sites[0]?.file === 'AGENTS.md')).toBe(
      true,
    );
    expect(told.markdown).not.toMatch(/Deleted (?:session )?keys|Handles minted/);
    // Nothing is installed here, so no rollback installs.
    expect(told.markdown).not.toMatch(/npm install/);
  });

  it('checks the server all the same', () => {
    expect(told.model.checklist.map(({ id }) => id)).toEqual(expect.arrayContaining(['CK-H01', 'CK-L14']));
    expect(told.model.variables.map(({ name }) => name)).toEqual(['MCP_URL', 'MCP_REPLICA']);
  });
});

describe('an SDK that serves both eras by itself', () => {
  const base = shop();
  const dock = endpoint({ id: 'dock:/mcp', host: 'starlette', bothEras: true, stores: [], hooks: [] });
  const scan = shop({
    inventory: { ...base.inventory, endpoints: [dock] },
    plan: { ...base.plan, lanes: [lane({ endpoint: 'dock:/mcp' })] },
  });
  const options = { sunset: '2027-05-31', owner: 'Team Pier', now: '2026-11-30' };
  const model = buildRunbook(scan, checks, options);

  it('answers modern clients from the SDK step on', () => {
    expect(model.sdkStep).toBe('eras');
    const stages = model.endpoints[0]?.columns.map((column) => column.stages);
    expect(stages?.slice(0, 2)).toEqual([['observe'], ['sdk', 'dual', 'default']]);
    const step = model.rollout.find(({ stage }) => stage === 'sdk');
    expect(step?.title).toEqual({ say: 'stage.sdk-eras' });
    expect(step?.order.map(({ layer }) => layer)).toContain('gateway');
  });

  it('warns of what a modern call would lose meanwhile, with its places', () => {
    const early = model.rollout.find(({ stage }) => stage === 'sdk')?.order.find(({ change }) => 'say' in change && change.say === 'order.early');
    expect(early?.sites.map(({ file }) => file)).toEqual(expect.arrayContaining(['src/server.ts', 'src/tools.ts']));
  });

  it('has no switch for the removal, and the table says so', () => {
    const row = model.endpoints[0]?.rows.find(({ request }) => 'say' in request && request.say === 'request.initialize');
    expect(row?.cells.at(-1)).toMatchObject({ status: '400', by: { say: 'by.front' } });
  });

  it('keeps a silent stream for GET where there are no sessions', () => {
    const quiet = buildRunbook({ ...scan, inventory: { ...scan.inventory, endpoints: [{ ...dock, sessions: 'none' }] } }, checks, options);
    const row = quiet.endpoints[0]?.rows.find(({ request }) => 'say' in request && request.say === 'request.get-stream');
    expect(row?.cells.map(({ status }) => status)).toEqual(['200', '200', '200', '405']);
  });
});

describe('a modern endpoint that was built beside the old one', () => {
  const base = shop();
  const old = endpoint();
  const fresh = endpoint({ id: 'http:/mcp/v2', path: '/mcp/v2', era: 'modern', sessions: 'none', methods: ['POST'], stores: [], transports: [] });
  const model = buildRunbook(
    shop({ inventory: { ...base.inventory, endpoints: [old, fresh] }, plan: { ...base.plan, lanes: [lane({ choice: 'separate' })] } }),
    checks,
    { sunset: '2027-05-31', owner: 'Team Pier', now: '2026-11-30' },
  );

  it('is one address and has one table', () => {
    expect(model.variables.map(({ name, value }) => `${name} ${value}`)).toEqual([
      'MCP_URL http://127.0.0.1:3000/mcp/v2',
      'MCP_LEGACY_URL http://127.0.0.1:3000/mcp',
      'MCP_REPLICA http://127.0.0.1:3001/mcp/v2',
    ]);
    expect(model.endpoints.map(({ rows }) => [...new Set(rows.map(({ path }) => path))])).toEqual([['/mcp'], ['/mcp/v2']]);
    expect(model.completion.filter(({ command }) => command === 'npx unsession verify "$MCP_URL"')).toHaveLength(1);
    expect(model.questions.some(({ question }) => 'say' in question && question.say === 'question.modern-path.ask')).toBe(false);
  });
});

describe('exchanges on the wire', () => {
  it('show each era once, where it enters the code, and what it keeps', () => {
    const { traces } = buildRunbook(shop(), checks, { sunset: '2027-05-31', owner: 'Team Pier', now: '2026-11-30' });
    expect(traces.map(({ era }) => era)).toEqual(['modern', 'legacy']);
    expect(traces[0]?.lines).toEqual(expect.arrayContaining(['POST /mcp HTTP/1.1', 'MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/list']));
    expect(traces[0]?.lines.join('\n')).not.toMatch(/Mcp-Session-Id/);
    expect(traces[1]?.keeps).toEqual(['transports']);
    expect(traces[1]?.lines.filter((line) => line.startsWith('Mcp-Session-Id'))).toHaveLength(3);
  });
});

describe('variables of one server object', () => {
  it('share their decisions', () => {
    const variable = (name: string, line: number) =>
      finding({ id: 'session-state/closure-variable', category: 'state', group: name, data: { name, holder: 'server' }, site: at('src/cart.ts', line) });
    const { state } = buildRunbook(shop({ findings: [variable('visits', 4), variable('basket', 5)] }), checks, {
      sunset: '2027-05-31',
      owner: 'Team Pier',
      now: '2026-11-30',
    });
    expect(state[0]?.plan.length).toBeGreaterThan(5);
    expect(state[1]?.plan).toEqual([{ say: 'handle.as-before', with: { name: 'visits', handle: 'basket_id' } }]);
  });
});
