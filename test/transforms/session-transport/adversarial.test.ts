import { describe, expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import { applyChanges, withTree } from '../../fixtures-kit/tree.js';
import { TRAPS } from './adversarial.js';
import { HANDLER_TRAPS } from './adversarial-handlers.js';

const renderShim = await shimRenderer();

describe('servers that invite a wrong edit', () => {
  for (const { name, becomes, tree, keeps, says } of [...TRAPS, ...HANDLER_TRAPS]) {
    it(`${name}: ${becomes}`, async () => {
      const { result, after } = await withTree(tree, async (root) => {
        const migrated = await migrateRepository(root, knowledge, { renderShim, only: ['session-transport', 'shared-server'] });
        return { result: migrated, after: migrated.patches.reduce((current, patch) => applyChanges(current, patch.changes), tree) };
      });
      const reasons = result.outcomes.map(({ outcome, reason }) => `${outcome}: ${reason?.why ?? ''}`).join('\n');
      const text = [...after].flatMap(([path, content]) => (/\.[jt]s$/.test(path) && !/mcp-(?:dual-era|json-errors)/.test(path) ? [content] : [])).join('\n');
      expect(result.idempotent).toBe(true);
      if (becomes === 'left') {
        expect(after, reasons).toEqual(tree);
        if (says !== undefined) expect(reasons).toContain(says);
      } else if (becomes === 'stateless') {
        expect(text, reasons).toContain('createMcpHandler(() => createServer())');
        expect(text, reasons).not.toMatch(/isInitializeRequest|sessionIdGenerator/);
      } else expect(text, reasons).toContain('dualEra(() => createServer()');
      for (const piece of keeps ?? []) expect(text, reasons).toContain(piece);
    });
  }
});
