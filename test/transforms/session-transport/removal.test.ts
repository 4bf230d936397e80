import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { afterAll, describe, expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import type { LegacyChoice } from '../../../src/core/index.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import { storiesOf } from '../../fixtures-kit/story.js';
import { applyChanges, withTree, type Tree } from '../../fixtures-kit/tree.js';

const FOLDER = fileURLToPath(new URL('../../../.cache/removal-test/', import.meta.url));
const SUNSET = 'Wed, 30 Jun 2027 00:00:00 GMT';
const renderShim = await shimRenderer();

async function migrated(tree: Tree, options: { readonly legacy?: LegacyChoice; readonly sunset?: string; readonly retire?: boolean }): Promise<Tree> {
  return withTree(tree, async (root) => {
    const result = await migrateRepository(root, knowledge, { ...options, renderShim });
    return result.patches.reduce((current, patch) => applyChanges(current, patch.changes), tree);
  });
}

const before = (story: string): Tree => storiesOf('session-transport').find(({ name }) => name === story)?.before ?? new Map();

/** The entry that stands in front of legacy code, as `dualEra` of the rendered shim makes it. */
type Entry = ((c: unknown) => Promise<Response | undefined>) & { readonly announceRemoval: <Answer>(answer: Answer) => Promise<Awaited<Answer>> };

afterAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
});

describe('Deprecation and Sunset, once the day is known', () => {
  it('reach clients of a Hono route that returns the response of its transport', async () => {
    const tree = await migrated(before('greenhouse-hono'), { legacy: 'sessionful', sunset: '2027-06-30' });
    const shim = [...tree].find(([path]) => path.includes('mcp-dual-era'))?.[1] ?? '';
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${FOLDER}/shim.ts`, shim);
    const { dualEra } = (await import(pathToFileURL(`${FOLDER}/shim.ts`).href)) as { dualEra: (factory: () => McpServer) => Entry };
    const mcp = dualEra(() => new McpServer({ name: 'greenhouse', version: '1.0.0' }));
    const app = new Hono();
    app.post('/mcp', async (c) => (await mcp(c)) ?? mcp.announceRemoval(Promise.resolve(new Response('{"jsonrpc":"2.0"}', { status: 202 }))));
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} } };
    const legacy = await app.request('/mcp', { method: 'POST', body: JSON.stringify(initialize) });
    expect([legacy.status, legacy.headers.get('deprecation'), legacy.headers.get('sunset')]).toEqual([202, '@1785196800', SUNSET]);
    expect(await legacy.text()).toBe('{"jsonrpc":"2.0"}');
    expect(await mcp.announceRemoval('no response')).toBe('no response');
    const modern = await app.request('/mcp', { method: 'POST', headers: { 'mcp-protocol-version': '2026-07-28' }, body: '{}' });
    expect(modern.headers.get('sunset')).toBeNull();
  });

  it.each([
    ['greenhouse-hono', 'server.ts', /return mcp\.announceRemoval\(/],
    ['stamp-shop-workers', 'worker.ts', /return mcp\.announceRemoval\(transport\.handleRequest\(request\)\)/],
    ['lantern-next-route', 'app/api/mcp/route.ts', /return mcp\.announceRemoval\(/],
  ])('%s: what the legacy code returns is announced, and returned as it was without a date', async (story, path, announced) => {
    const dated = await migrated(before(story), { legacy: 'sessionful', sunset: '2027-06-30' });
    expect(dated.get(path)).toMatch(announced);
    const dateless = await migrated(before(story), { legacy: 'sessionful' });
    expect([...dateless.values()].join('\n')).not.toContain('announceRemoval');
  });

  it.each([
    ['greenhouse-beside', 'server.ts', 'announceRemoval('],
    ['tide-table-beside', 'server.ts', `.setHeader('Sunset', '${SUNSET}');`],
    ['clock-tower-beside', 'server.ts', `reply.raw.setHeader('Sunset', '${SUNSET}');`],
    ['rope-walk-beside', 'mcp.controller.ts', `res.setHeader('Sunset', '${SUNSET}');`],
    ['bakery-beside', 'server.js', `ctx.res.setHeader('Sunset', '${SUNSET}');`],
  ])('%s: the old path announces its end, and nothing of that stays when it is retired', async (story, path, line) => {
    const dated = await migrated(before(story), { legacy: 'separate', sunset: '2027-06-30' });
    expect(dated.get(path)).toContain(line);
    const gone = await migrated(dated, { retire: true });
    expect([...gone.values()].join('\n')).not.toMatch(/Sunset|announceRemoval|Clients of 2025-11-25/);
  });
});
