import { beforeAll, describe, expect, it } from 'vitest';
import { partOf, tell, treeOf, type Told } from './repositories.js';

/*
 * The six hard rejects and three refusals, on a repository that violates all of them and on one that comes close to each and violates none
 * (S3-R1 to S3-R6, S3-F1 to S3-F3 of the obligations).
 */

let harbour: Told;
let lighthouse: Told;
beforeAll(async () => {
  harbour = await tell(treeOf('harbour'));
  lighthouse = await tell(treeOf('lighthouse'));
});

/** `rule subject` of every refusal. */
const refused = ({ scan }: Told): readonly string[] => scan.refusals.map(({ id, subject }) => `${id} ${subject ?? ''}`);

it('harbour is refused for each rule, at the thing that violates it', () => {
  expect(refused(harbour)).toEqual([
    'blind-retry src/pilot.ts',
    'hidden-affinity deploy/harbour.conf',
    'modern-fallback src/pilot.ts',
    'post-redirect deploy/harbour.conf',
    'public-exposure /mcp',
    'server-request src/harbour.ts',
    'session-as-modern src/server.ts',
    'shared-capabilities src/harbour.ts',
    'stream-resume src/server.ts',
  ]);
});

it.each([
  ['session-as-modern', 'src/server.ts', 'NodeStreamableHTTPServerTransport({ sessionIdGenerator'],
  ['shared-capabilities', 'src/harbour.ts', 'canAsk = server.server'],
  ['server-request', 'src/harbour.ts', 'elicitInput'],
  ['stream-resume', 'src/server.ts', 'eventStore: tideLog'],
  ['modern-fallback', 'src/pilot.ts', 'new SSEClientTransport'],
  ['post-redirect', 'deploy/harbour.conf', 'return 301 /mcp'],
  ['public-exposure', 'src/server.ts', "app.all('/mcp'"],
  ['hidden-affinity', 'deploy/harbour.conf', 'ip_hash'],
  ['blind-retry', 'src/pilot.ts', "client.callTool({ name: 'hire_tug'"],
])('%s names the line in %s', (rule, file, text) => {
  const lines = (treeOf('harbour').get(file) ?? '').split('\n');
  const line = lines.findIndex((candidate) => candidate.includes(text)) + 1;
  const places = harbour.scan.refusals.filter(({ id }) => id === rule).flatMap(({ reason }) => reason.sites.map((site) => `${site.file}:${String(site.line)}`));
  expect(places.some((place) => place === `${file}:${String(line)}` || (place.startsWith(`${file}:`) && near(place, line)))).toBe(true);
});

/** A place may be the statement around the words. */
const near = (place: string, line: number): boolean => Math.abs(Number(place.split(':').at(-1)) - line) <= 2;

it('harbour: the runbook says that the plan is not complete, once for each refusal', () => {
  const part = partOf(harbour.markdown, 1);
  for (const { id, subject } of harbour.scan.refusals) expect(part).toContain(`\`${id}:${subject ?? ''}\``);
  expect(part.match(/not accepted: the plan is not complete/g)).toHaveLength(harbour.scan.refusals.length);
});

it('lighthouse is refused for nothing, and no refusal is printed', () => {
  expect(refused(lighthouse)).toEqual([]);
  expect(lighthouse.markdown).not.toContain('Refusals and accepted risks');
});

describe('accepting a risk', () => {
  it('of one thing leaves the others refused', async () => {
    const { scan, markdown } = await tell(
      new Map([...treeOf('harbour'), ['src/yard.ts', (treeOf('harbour').get('src/server.ts') ?? '').replaceAll("'/mcp'", "'/yard/mcp'")]]),
      { acceptRisk: { 'public-exposure:/mcp': 'the port authority filters this address' } },
    );
    const exposed = scan.refusals.filter(({ id }) => id === 'public-exposure');
    expect(exposed.map(({ subject, accepted }) => [subject, accepted])).toEqual([
      ['/mcp', 'the port authority filters this address'],
      ['/yard/mcp', undefined],
    ]);
    expect(partOf(markdown, 1)).toContain('accepted: the port authority filters this address');
    expect(partOf(markdown, 1)).toContain('`public-exposure:/yard/mcp`');
  });

  it('of a rule accepts it everywhere, and nothing of another rule', async () => {
    const { scan } = await tell(treeOf('harbour'), { acceptRisk: { 'blind-retry': 'tugs are idempotent' } });
    expect(scan.refusals.filter(({ accepted }) => accepted !== undefined).map(({ id }) => id)).toEqual(['blind-retry']);
  });
});
