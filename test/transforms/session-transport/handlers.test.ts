import { describe, expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import type { LegacyChoice, MigrateResult } from '../../../src/core/index.js';
import { storiesOf } from '../../fixtures-kit/story.js';
import { applyChanges, withTree, type Tree } from '../../fixtures-kit/tree.js';

const renderShim = await shimRenderer();
const stories = storiesOf('session-transport');

async function run(
  tree: Tree,
  options: { readonly legacy?: LegacyChoice; readonly retire?: boolean },
): Promise<{ readonly tree: Tree; readonly result: MigrateResult }> {
  return withTree(tree, async (root) => {
    const result = await migrateRepository(root, knowledge, { ...options, sunset: '2027-06-30', owner: 'Harbour Office', renderShim });
    return { tree: result.patches.reduce((current, patch) => applyChanges(current, patch.changes), tree), result };
  });
}

const before = (story: string): Tree => {
  const found = stories.find(({ name }) => name === story);
  if (!found) throw new Error(`there is no story ${story}`);
  return found.before;
};

/** What became of the hub's item. */
const outcome = (result: MigrateResult): string | undefined => result.outcomes.find(({ item }) => item.startsWith('session-transport'))?.outcome;

describe('lanes that are written into handlers', () => {
  it.each([
    ['clock-tower-fastify', 'server.ts', 'tower.route('],
    ['greenhouse-hono', 'server.ts', 'return mcp.fetch(c.req.raw);'],
    ['bakery-koa', 'server.js', 'await mcp(ctx.req, ctx.res);'],
    ['rope-walk-nest', 'mcp.controller.ts', 'await mcp(req, res, req.body);'],
  ])('%s: kept, then retired to an entry of the modern revision alone', async (story, file, line) => {
    const kept = await run(before(story), { legacy: 'sessionful' });
    expect(outcome(kept.result)).toBe('applied');
    expect(kept.result.idempotent).toBe(true);
    const shim = [...kept.tree.keys()].find((path) => path.includes('mcp-dual-era'));
    expect(kept.tree.get(shim ?? '')).toContain('Wed, 30 Jun 2027 00:00:00 GMT');
    const again = await run(kept.tree, { legacy: 'sessionful' });
    expect(again.tree).toEqual(kept.tree);

    const gone = await run(kept.tree, { retire: true });
    expect(outcome(gone.result)).toBe('applied');
    expect([...gone.tree.keys()]).not.toContain(shim);
    const text = gone.tree.get(file) ?? '';
    expect(text).toContain(line);
    expect(text).toMatch(/legacy: 'reject'/);
    expect(text).not.toMatch(/mcp-session-id|randomUUID|legacy lane [(]|dualEra/);
  });

  it('keeps what stands in front of the session code, for both eras', async () => {
    const { tree } = await run(before('clock-tower-fastify'), {});
    const text = tree.get('server.ts') ?? '';
    expect(text.indexOf("'wrong tower'")).toBeGreaterThan(0);
    expect(text.indexOf("'wrong tower'")).toBeLessThan(text.indexOf('await mcp(request, reply)'));
  });

  it('does not retire a lane that shares its statements with other paths', async () => {
    const kept = await run(before('tide-table-node'), {});
    const { tree, result } = await run(kept.tree, { retire: true });
    expect(outcome(result)).toBe('refused');
    expect(tree).toEqual(kept.tree);
  });
});
