import { expect, it } from 'vitest';
import { scanRepository } from '../../../src/engine/index.js';
import { knowledge } from '../../../transforms/index.js';
import { repository } from '../../engine/kit.js';

const MANIFEST = JSON.stringify({ name: 'recipes', type: 'module', dependencies: { '@modelcontextprotocol/sdk': 'latest', '@kitchen/mcp-oven': '^1.0.0' } });

it('says that a framework is not known, instead of nothing', async () => {
  const root = repository({
    'package.json': MANIFEST,
    'src/oven.ts':
      "import { MCPApp } from '@kitchen/mcp-oven';\nexport function bake(): MCPApp {\n  return new MCPApp({ name: 'oven', path: '/mcp' });\n}\nexport const second = new MCPApp({});\n",
  });
  const result = await scanRepository(root, knowledge);
  expect(result.findings.map(({ id, impact }) => [id, impact])).toEqual([['sdk-v1-typescript/manifest-dependency', 'none']]);
  expect(result.notAnalysed).toMatchObject([{ file: 'src/oven.ts', why: 'unsupported' }]);
  expect(result.notAnalysed[0]?.reason).toContain('`MCPApp` of `@kitchen/mcp-oven`, a framework that is not known here');
});
