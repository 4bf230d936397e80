import { beforeAll, describe, expect, it } from 'vitest';
import { partOf, tell, treeOf, type Told } from './repositories.js';

/*
 * The nine outputs and five deliverables (S3-01 to S3-27, S3-D1 to S3-D5 of the obligations): what the runbook says about a repository with
 * everything ahead of it, and that it does not say it about one that has nothing left to do. Parts are those of the document.
 */

let ferry: Told;
let lighthouse: Told;
beforeAll(async () => {
  ferry = await tell(treeOf('ferry'));
  lighthouse = await tell(treeOf('lighthouse'));
});

interface Row {
  readonly id: string;
  readonly part: number;
  /** A sentence, cell or command of the part. */
  readonly says: RegExp;
  /** The rule holds for every modern server, so the part says it about the other repository too, without a place. */
  readonly always?: true;
}

const ROWS: readonly Row[] = [
  { id: 'S3-01 one endpoint that takes POST', part: 3, says: /\*\*POST\*\* `\/mcp` request with the `_meta` protocol version \| \*\*400\*\*.*\*\*200\*\*/ },
  { id: 'S3-02 notifications are POSTs of their own', part: 3, says: /notification with the `_meta` protocol version \| \*\*400\*\*.*\*\*202\*\*, empty/ },
  { id: 'S3-03 a single answer is JSON', part: 4, says: /one answer, nothing before it \| 200 \| `application\/json`/, always: true },
  { id: 'S3-04 notifications and the answer share a stream', part: 4, says: /\| 200 \| `text\/event-stream` \|.*\[`src\/ferry\.ts:\d+`\]/ },
  { id: 'S3-05 GET and DELETE answer 405', part: 5, says: /GET.*405.*\[`src\/server\.ts:\d+`\]/ },
  { id: 'S3-06 the old headers are ignored', part: 5, says: /`Mcp-Session-Id`.*ignored.*\[`src\/server\.ts:\d+`\]/ },
  { id: 'S3-07 no session is issued, no stream resumed', part: 5, says: /`Last-Event-ID`.*\[`src\/server\.ts:\d+`\]/ },
  { id: 'S3-08 version and capabilities in `_meta`', part: 6, says: /`io\.modelcontextprotocol\/clientCapabilities`/, always: true },
  { id: 'S3-09 client identity is recommended', part: 6, says: /`io\.modelcontextprotocol\/clientInfo`/, always: true },
  { id: 'S3-10 version and method headers', part: 6, says: /`MCP-Protocol-Version`[\s\S]*`Mcp-Method`/, always: true },
  { id: 'S3-11 the name header', part: 6, says: /`Mcp-Name`/, always: true },
  { id: 'S3-12 the Base64 sentinel', part: 6, says: /`=\?base64\?…\?=`/, always: true },
  { id: 'S3-13 a difference is -32020', part: 6, says: /-32020/, always: true },
  { id: 'S3-14 -32022 with supported and requested', part: 6, says: /-32022[^\n]*`supported`[^\n]*`requested`|`supported`[^\n]*`requested`/, always: true },
  { id: 'S3-15 subscriptions/listen', part: 7, says: /`subscriptions\/listen`.*\[`src\/(?:ferry|server)\.ts:\d+`\]/ },
  { id: 'S3-16 the subscription id', part: 7, says: /subscriptionId/ },
  { id: 'S3-17 state becomes a handle of a principal', part: 8, says: /`bookings`[\s\S]*Handle `\w+`[\s\S]*principal/ },
  { id: 'S3-18 old endpoints are separate and marked', part: 9, says: /legacy lane, remove after 2027-05-31/ },
  { id: 'S3-19 the error is looked at before a fallback', part: 9, says: /-32020, -32021, -32022/ },
  { id: 'S3-20 no redirect', part: 9, says: /No 301, 302, 303, 307 or 308/ },
  { id: 'S3-21 Origin rejection', part: 14, says: /--only CK-H07\b/, always: true },
  { id: 'S3-22 media negotiation', part: 14, says: /--only CK-H11\b/, always: true },
  { id: 'S3-23 metadata and headers', part: 14, says: /--only CK-H20[\s\S]*--only CK-H36\b/, always: true },
  { id: 'S3-24 notifications answer 202', part: 14, says: /--only CK-H16\b/, always: true },
  { id: 'S3-25 streams carry the subscription', part: 14, says: /--only CK-H54\b/, always: true },
  { id: 'S3-26 GET, DELETE and removed headers', part: 14, says: /--only CK-H02[\s\S]*--only CK-H06\b/, always: true },
  { id: 'S3-27 a broken stream is asked again', part: 14, says: /--only CK-H60\b/, always: true },
  {
    id: 'S3-D1 endpoint table before and after',
    part: 3,
    says: /\| Request \| Today P1, P2 \| Both lanes P3, P4 \| Announced P5 \| After 2027-05-31 P6, P7 \|/,
  },
  { id: 'S3-D2 staged rollout', part: 10, says: /### P1\.[\s\S]*### P3\.[\s\S]*### P7\./ },
  { id: 'S3-D3 rollback boundary', part: 11, says: /The last reversible phase is \*\*P3\*\*/ },
  { id: 'S3-D4 executable checklist', part: 14, says: /`npx unsession verify "\$MCP_URL" --only CK-H01/, always: true },
  { id: 'S3-D5 exact removal date', part: 17, says: /The legacy routes are removed on \*\*2027-05-31\*\*/ },
];

describe.each(ROWS)('$id', ({ part, says, always }) => {
  it(always === true ? 'is told of every server' : 'is told of the ferry, and not of the lighthouse', () => {
    expect(partOf(ferry.markdown, part)).toMatch(says);
    if (always === true) expect(partOf(lighthouse.markdown, part)).toMatch(says);
    else expect(partOf(lighthouse.markdown, part)).not.toMatch(says);
  });
});

describe('the lighthouse, which has nothing left to do', () => {
  it('has no phase, no boundary, no legacy row and no removal', () => {
    expect(lighthouse.model.rollout).toEqual([]);
    expect(lighthouse.model.state.filter(({ remedy }) => remedy !== 'none')).toEqual([]);
    expect(lighthouse.model.lanes.map(({ choice }) => choice)).toEqual(['none']);
    // Whatever an old client sends is refused, today as after.
    for (const { rows } of lighthouse.model.endpoints)
      for (const { era, cells } of rows) if (era !== 'modern') expect(cells.map(({ status }) => status)).toEqual([expect.stringMatching(/^40[05]$/)]);
    expect(partOf(lighthouse.markdown, 17)).toContain('No legacy route is left');
  });
});

describe('what runs around the ferry', () => {
  const changes = (stage: string): readonly string[] =>
    ferry.model.rollout
      .find((entry) => entry.stage === stage)
      ?.order.map(({ layer, sites }) => `${layer} ${sites.map((site) => `${site.file}:${String(site.line)}`).join(' ')}`.trim()) ?? [];

  it('probes move before the server, balancers after the legacy lane, and are kept in between', () => {
    expect(changes('observe')).toContain('probe deploy/ferry.yaml:22');
    expect(changes('dual')).toContain('balancer deploy/ferry.conf:2 deploy/ferry.yaml:32');
    expect(
      changes('clean')
        .filter((change) => change.startsWith('balancer'))
        .join(' '),
    ).toMatch(/ferry\.conf:2.*ferry\.yaml:32|ferry\.yaml:32.*ferry\.conf:2/);
    expect(partOf(ferry.markdown, 10)).toContain('hot spot');
    expect(partOf(ferry.markdown, 16)).toContain('monitors, health checks and load tests outside of the repository');
  });

  it('proxies stop to buffer before modern clients come', () => {
    expect(changes('dual').some((change) => change.startsWith('gateway deploy/ferry.conf:'))).toBe(true);
  });

  it('instructions for agents change with the code, and those outside are asked for', () => {
    expect(partOf(ferry.markdown, 12)).toContain('AGENTS.md:3');
    expect(partOf(ferry.markdown, 16)).toContain('`server.json`');
    expect(partOf(ferry.markdown, 14)).toContain('`npx unsession scan --only stale-instructions --fail-on note`');
  });

  it('each test has its fate', () => {
    expect(ferry.model.tests.length).toBeGreaterThan(0);
    expect(ferry.model.tests.every(({ fate }) => ['kept', 'twin', 'changed'].includes(fate))).toBe(true);
    expect(partOf(ferry.markdown, 14)).toContain('an assertion on 401 or 403 stays');
  });
});

describe('what counts the old clients of the ferry', () => {
  it('is named, must hold without a session before anything else, and is the gate of the removal', () => {
    expect(partOf(ferry.markdown, 10)).toMatch(
      /### P1\.[\s\S]*\*\*Metric\*\*: [^\n]*at src\/events\.ts:\d+[^\n]*: make sure that it accepts requests without a session id[\s\S]*### P2\./,
    );
    expect(partOf(ferry.markdown, 17)).toContain('shows an empty lane that is not empty');
    expect(partOf(ferry.markdown, 16)).not.toContain('Which metric will show');
  });
});

describe('addresses', () => {
  it('the stream shares the file of a Streamable HTTP endpoint: its clients go there, and no second endpoint is made up', () => {
    expect(ferry.model.variables.filter(({ name }) => name.startsWith('MCP_URL')).map(({ value }) => value)).toEqual(['http://127.0.0.1:3000/mcp']);
    expect(ferry.markdown).not.toContain('/v2');
  });

  it('a stream alone gets the endpoint that the rewriter adds, with its checks', async () => {
    const server = (treeOf('ferry').get('src/server.ts') ?? '').replace(/app\.post\('\/mcp'[\s\S]*?(?=app\.get\('\/sse')/, '');
    const { model, markdown } = await tell(new Map([...treeOf('ferry'), ['src/server.ts', server]]));
    expect(model.endpoints.map(({ path }) => path)).toEqual(['/messages', '/sse']);
    expect(partOf(markdown, 3)).toContain('**POST** `/mcp` request with the `_meta` protocol version | **404**');
    expect(model.variables.map(({ name, value }) => `${name}=${value}`)).toContain('MCP_URL=http://127.0.0.1:3000/mcp');
    expect(partOf(markdown, 14)).toContain('npx unsession verify "$MCP_URL" --only CK-H01');
  });

  it('paths that are no literals are told apart by their expression, and a health route is no part of them', async () => {
    const server = (treeOf('ferry').get('src/server.ts') ?? '')
      .replaceAll("'/mcp'", 'config.endpoint')
      .replace("app.get('/sse'", 'app.get(config.stream')
      .replace("app.post('/messages'", "for (const path of config.health) app.get(path, (_req, res) => void res.send('afloat'));\napp.post(config.inbox")
      .replace('import { sailings }', "import { config } from './config.js';\nimport { sailings }");
    const { model } = await tell(new Map([...treeOf('ferry'), ['src/server.ts', server]]));
    expect(model.endpoints.map(({ path }) => path).sort()).toEqual(['{config.endpoint}', '{config.inbox}', '{config.stream}']);
    expect(model.endpoints.find(({ path }) => path === '{config.endpoint}')?.rows[0]?.sites).toHaveLength(1);
  });
});
