import { expect, it } from 'vitest';
import { scanRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import { withTree } from '../../fixtures-kit/tree.js';

/** A tide station whose server is TypeScript, and whose plots are Python. */
const files = {
  'package.json': JSON.stringify({ name: 'tide-station', type: 'module', dependencies: { '@modelcontextprotocol/sdk': '^1.29.0' } }),
  'src/station.ts':
    "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n\nexport const station = new McpServer({ name: 'tide-station', version: '1.0.0' });\n",
  'requirements.txt': 'numpy==2.2.0\ntyping_extensions==4.12.2\n',
};

it.each([
  ['whose Python has no SDK', {}, 0],
  ['whose Python needs SDK v1', { 'requirements.txt': 'mcp<2\ntyping_extensions==4.12.2\n' }, 1],
])('a pin is in the way of SDK v2 only in a package %s', async (_, more, expected) => {
  const pins = await withTree(new Map(Object.entries({ ...files, ...more })), async (root) => {
    const { findings } = await scanRepository(root, knowledge);
    return findings.filter(({ id }) => id === 'sdk-v1-python/conflicting-pin');
  });
  expect(pins).toHaveLength(expected);
});
