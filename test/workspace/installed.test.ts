import { join } from 'node:path';
import { expect, it } from 'vitest';
import { notInstalled } from '../../src/workspace/index.js';
import { tree } from './tree.js';

it('names what a changed manifest asks for and is not installed like this', () => {
  const installed = (version: string) => JSON.stringify({ name: 'any', version });
  const root = tree({
    'node_modules/zod/package.json': installed('3.25.0'),
    'node_modules/@harbour/server/package.json': installed('2.1.0-beta.1'),
    'packages/gate/node_modules/express/package.json': installed('5.1.0'),
    'node_modules/broken/package.json': '{',
  });
  const before = JSON.stringify({ dependencies: { zod: '^3.25.0', express: '^4.0.0', absent: '^1.0.0' } });
  const after = JSON.stringify({
    dependencies: { zod: '^4.2.0', express: '^5.0.0', absent: '^1.0.0', '@harbour/server': '^2.0.0', quay: 'workspace:*' },
    devDependencies: { broken: '1.0.0', 'types-only': '^1.0.0' },
  });
  expect(notInstalled(join(root, 'packages/gate'), before, after)).toEqual(['broken@1.0.0', 'types-only@^1.0.0', 'zod@^4.2.0']);
  expect(notInstalled(root, after, after)).toEqual([]);
  expect(notInstalled(root, undefined, 'no JSON')).toEqual([]);
});
