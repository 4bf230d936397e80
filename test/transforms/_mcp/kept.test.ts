import { expect, it } from 'vitest';
import { factsOfType } from './facts-kit.js';

const kept = (text: string): readonly string[] =>
  factsOfType('factory', text)
    .filter(({ returns }) => returns === 'kept')
    .map(({ symbol }) => symbol.name);

const IMPORT = "import { McpServer } from '@modelcontextprotocol/server';\n";

it('finds functions that give a server of the module or of their object', () => {
  expect(kept(`${IMPORT}let bell: McpServer | undefined;\nexport const getBell = () => (bell ??= new McpServer({ name: 'bell', version: '1' }));\n`)).toEqual([
    'getBell',
  ]);
  expect(kept(`${IMPORT}class Tower {\n  private bell = new McpServer({ name: 'bell', version: '1' });\n  get() {\n    return this.bell;\n  }\n}\n`)).toEqual([
    'Tower.get',
  ]);
  expect(kept(`${IMPORT}export const build = () => new McpServer({ name: 'bell', version: '1' });\n`)).toEqual([]);
});

it('ends where fields are given the value of each other, as in bundles', () => {
  expect(
    kept(
      `${IMPORT}class Tower {\n  swap() {\n    this.left = this.right;\n    this.right = this.left;\n    this.left = this.left;\n    return this.left;\n  }\n}\n`,
    ),
  ).toEqual([]);
});
