import { describe, expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import type { LegacyChoice, MigrateResult } from '../../../src/core/index.js';
import { applyChanges, withTree, type Tree } from '../../fixtures-kit/tree.js';
import { storiesOf } from '../../fixtures-kit/story.js';
import { SPELLINGS } from './spellings.js';

const renderShim = await shimRenderer();

async function migrated(tree: Tree, legacy: LegacyChoice, retire = false): Promise<{ readonly tree: Tree; readonly result: MigrateResult }> {
  return withTree(tree, async (root) => {
    const result = await migrateRepository(root, knowledge, { renderShim, legacy, retire, only: ['session-transport'] });
    return { result, tree: result.patches.reduce((current, patch) => applyChanges(current, patch.changes), tree) };
  });
}

const source = (tree: Tree): string => [...tree].flatMap(([path, text]) => (/\.[jt]s$/.test(path) && !path.includes('mcp-') ? [text] : [])).join('\n');

describe('lanes that are asked for', () => {
  it('none: the modern revision alone is served, and the session code goes', async () => {
    const story = storiesOf('session-transport').find(({ name }) => name === 'library-desk');
    const { tree, result } = await migrated(story?.before ?? new Map(), 'none');
    expect(result.outcomes.map(({ outcome }) => outcome)).toEqual(['applied']);
    expect(source(tree)).toContain("createMcpHandler(() => openDesk(), { legacy: 'reject' })");
    expect(source(tree)).not.toMatch(/mcp-session-id|dualEra|isInitializeRequest/);
    expect(result.idempotent).toBe(true);
  });

  it('none: a handler that does more is refused, and nothing changes', async () => {
    const story = storiesOf('session-transport').find(({ name }) => name === 'switchboard-admin');
    const { tree, result } = await migrated(story?.before ?? new Map(), 'none');
    expect(result.outcomes.map(({ outcome }) => outcome)).toEqual(['refused']);
    expect(tree).toEqual(story?.before);
  });

  it.each(SPELLINGS.filter(({ name }) => /two files|imported class|of another file/.test(name)))('sessionful, then retired: $name', async ({ tree }) => {
    const kept = await migrated(tree, 'sessionful');
    expect(kept.result.outcomes.map(({ outcome, reason }) => reason?.why ?? outcome)).toEqual(['applied']);
    expect(source(kept.tree)).toContain('dualEra(() => createServer()');
    expect(source(kept.tree)).toContain('legacy lane (date not set)');
    const gone = await migrated(kept.tree, 'auto', true);
    const reasons = gone.result.outcomes.map(({ outcome, reason }) => reason?.why ?? outcome);
    if (reasons.every((reason) => reason === 'applied')) expect(source(gone.tree)).not.toMatch(/dualEra|legacy lane/);
    // A lane whose routes stand in several files is told, not half removed.
    else expect(gone.tree).toEqual(kept.tree);
  });
});
