import { describe, expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import { repository } from '../../workspace/tree.js';

const renderShim = await shimRenderer();

/** A prompt takes its arguments in a form that no conversion reaches, and `z.string().ip()` is gone in zod 4: on zod 3 nothing can be done. */
const SERVER = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

export const server = new McpServer({ name: 'lighthouse', version: '1.0.0' });
server.registerPrompt('watch', { argsSchema: { host: z.string().ip() } }, ({ host }) => ({ messages: [{ role: 'user', content: { type: 'text', text: host } }] }));
`;

const own = (zod?: string): string =>
  JSON.stringify({ name: 'lighthouse', type: 'module', dependencies: { '@modelcontextprotocol/sdk': '^1.20.0', ...(zod === undefined ? {} : { zod }) } });

const pnpm = (range: string): Record<string, string> => ({
  'package.json': '{ "private": true }',
  'pnpm-workspace.yaml': `packages:\n  - tools/*\ncatalog:\n  "@modelcontextprotocol/sdk": ^1.20.0\n  zod: ${range}\ncatalogs:\n  old:\n    zod: ^3.23.0\n`,
});

describe('plan and rewrite agree about the zod of a package', () => {
  it.each<[string, Record<string, string>, string]>([
    ['it declares zod 3', { 'tools/lamp/package.json': own('^3.23.0') }, 'refused'],
    ['it declares zod 4', { 'tools/lamp/package.json': own('^4.2.0') }, 'automatic'],
    ['nothing declares zod', { 'tools/lamp/package.json': own() }, 'refused'],
    [
      'the root declares zod 4',
      { 'package.json': '{ "private": true, "devDependencies": { "zod": "^4.2.0" } }', 'tools/lamp/package.json': own() },
      'automatic',
    ],
    [
      'the root declares zod 3',
      { 'package.json': '{ "private": true, "devDependencies": { "zod": "^3.23.0" } }', 'tools/lamp/package.json': own() },
      'refused',
    ],
    ['a catalog has zod 3', { ...pnpm('^3.23.0'), 'tools/lamp/package.json': own('catalog:') }, 'refused'],
    ['a catalog has zod 4', { ...pnpm('^4.2.0'), 'tools/lamp/package.json': own('catalog:') }, 'automatic'],
    ['a named catalog has zod 3', { ...pnpm('^4.2.0'), 'tools/lamp/package.json': own('catalog:old') }, 'refused'],
    [
      'the catalog of Bun has zod 4',
      {
        'package.json': '{ "workspaces": { "packages": ["tools/*"], "catalog": { "zod": "^4.2.0", "@modelcontextprotocol/sdk": "^1.20.0" } } }',
        'tools/lamp/package.json': own('catalog:'),
      },
      'automatic',
    ],
    ['a catalog that nobody has read', { 'tools/lamp/package.json': own('catalog:') }, 'refused'],
  ])('%s', async (_, files, remedy) => {
    const root = repository({ ...files, 'tools/lamp/src/server.ts': SERVER });
    const { before, outcomes } = await migrateRepository(root, knowledge, { renderShim, milestone: 'sdk' });
    const item = before.plan.items.find(({ concern }) => concern === 'sdk-v1-typescript');
    expect(item?.remedy).toBe(remedy);
    expect(outcomes.find((outcome) => outcome.item === item?.id)?.outcome).toBe(remedy === 'refused' ? 'refused' : 'applied');
  });
});
