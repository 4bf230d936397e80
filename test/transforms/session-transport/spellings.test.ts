import { describe, expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import { applyChanges, withTree } from '../../fixtures-kit/tree.js';
import { SPELLINGS } from './spellings.js';

const renderShim = await shimRenderer();

describe('handlers, stores and applications in every spelling', () => {
  for (const { name, lane, tree } of SPELLINGS) {
    it(`${name}: ${lane}`, async () => {
      const { result, after } = await withTree(tree, async (root) => {
        const migrated = await migrateRepository(root, knowledge, { renderShim });
        return { result: migrated, after: migrated.patches.reduce((current, patch) => applyChanges(current, patch.changes), tree) };
      });
      const left = result.outcomes.filter(({ outcome }) => outcome !== 'applied').map(({ item, reason }) => `${item}: ${reason?.why ?? ''}`);
      expect(left).toEqual([]);
      expect(result.idempotent).toBe(true);
      const text = [...after].flatMap(([path, content]) => (/\.[jt]s$/.test(path) && !path.includes('dual-era') ? [content] : [])).join('\n');
      if (lane === 'sessionful') expect(text).toContain('dualEra(() => createServer())');
      else {
        expect(text).toContain('createMcpHandler(() => createServer())');
        // Nothing of the sessions is left, in any file.
        expect(text).not.toMatch(/mcp-session-id|isInitializeRequest|randomUUID|NodeStreamableHTTPServerTransport/);
        expect(text).not.toMatch(/\n\n\n|\{\n\n|\n\n\s*\}/);
      }
    });
  }
});
