import { describe, expect, it } from 'vitest';
import { shimRenderer } from '../../src/cli/templates.js';
import { migrateRepository, scanRepository } from '../../src/engine/pipeline.js';
import { knowledge } from '../../transforms/index.js';
import { repository } from '../workspace/tree.js';

const renderShim = await shimRenderer();
const IMPORT = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n";
const CORE = `${IMPORT}import { z } from 'zod';\nexport function addBerths(server: McpServer) { server.tool('berth', { ship: z.string() }, async ({ ship }) => ({ content: [{ type: 'text', text: ship }] })); }\n`;
const SERVER = `${IMPORT}import { addBerths } from '@harbour/core';\nexport const server = new McpServer({ name: 'harbour', version: '1' });\naddBerths(server);\n`;
const LONER = `${IMPORT}export const alone = new McpServer({ name: 'loner', version: '1' });\n`;

const tree = (own: string): Record<string, string> => ({
  'packages/core/package.json': `{ "name": "@harbour/core", "type": "module", "dependencies": { "@modelcontextprotocol/sdk": "${own}", "zod": "^3.25.0" } }\n`,
  'packages/core/src/index.ts': CORE,
  'packages/server/package.json': `{ "name": "@harbour/server", "type": "module", "dependencies": { "@harbour/core": "*", "@modelcontextprotocol/sdk": "${own}" } }\n`,
  'packages/server/src/index.ts': SERVER,
  'packages/loner/package.json': `{ "name": "@harbour/loner", "type": "module", "dependencies": { "@modelcontextprotocol/sdk": "${own}" } }\n`,
  'packages/loner/src/index.ts': LONER,
});

/** A workspace of each package manager: where it is declared, its lock file, and how it names a version that is kept elsewhere. */
const MANAGERS = [
  {
    name: 'npm',
    files: { 'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n', 'package-lock.json': '{ "lockfileVersion": 3 }\n' },
    lock: 'package-lock.json',
    own: '^1.20.0',
    install: 'npm install',
  },
  {
    name: 'pnpm',
    files: {
      'package.json': '{ "private": true }\n',
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\ncatalog:\n  "@modelcontextprotocol/sdk": ^1.20.0\n',
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    },
    lock: 'pnpm-lock.yaml',
    own: 'catalog:',
    install: 'pnpm install',
  },
  {
    name: 'yarn',
    files: { 'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n', 'yarn.lock': '# yarn lockfile v1\n' },
    lock: 'yarn.lock',
    own: '^1.20.0',
    install: 'yarn install',
  },
  {
    name: 'bun',
    files: { 'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n', 'bun.lock': '{ "lockfileVersion": 1 }\n' },
    lock: 'bun.lock',
    own: '^1.20.0',
    install: 'bun install',
  },
];

describe.each(MANAGERS)('a $name workspace', ({ files, lock, own, install }) => {
  const root = repository({ ...files, ...tree(own) });

  it('moves packages that depend on each other in one item, and the others alone', async () => {
    const { plan } = await scanRepository(root, knowledge, {});
    const sdk = plan.items
      .filter(({ concern }) => concern === 'sdk-v1-typescript')
      .map((item) => [...new Set(item.files.map((file) => file.split('/')[1]))].sort());
    expect(sdk.sort()).toEqual([['core', 'server'], ['loner']]);
  });

  it('edits manifests and code, names the lock file and leaves it alone', async () => {
    const result = await migrateRepository(root, knowledge, { renderShim });
    const changed = result.patches.flatMap((patch) => patch.changes.map((change) => change.file));
    expect(changed).toEqual(expect.arrayContaining(['packages/core/package.json', 'packages/server/package.json', 'packages/loner/package.json']));
    expect(changed).not.toContain(lock);
    expect(result.next.map(({ command }) => command)).toContain(install);
    expect(result.next.map(({ why }) => why).join(' ')).toMatch(new RegExp(`${lock.replace('.', '\\.')}|lock file`));
  });

  it('looks at one package when it is named', async () => {
    const { findings } = await scanRepository(root, knowledge, { package: '@harbour/loner' });
    expect(new Set(findings.map(({ site }) => site.file.split('/')[1]))).toEqual(new Set(['loner']));
  });
});
