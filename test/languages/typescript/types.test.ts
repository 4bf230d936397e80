import { describe, expect, it } from 'vitest';
import { compareTypes } from '../../../src/languages/typescript/types/index.js';
import { tree } from '../../workspace/tree.js';

const MARK = 'TODO(unsession)';
/** The smallest library: what is checked here is not the compiler. */
const config = (more: object = {}): string => JSON.stringify({ compilerOptions: { lib: ['es5'], types: [], module: 'nodenext', strict: true }, ...more });
const compare = (files: Readonly<Record<string, string>>, after: Readonly<Record<string, string | undefined>>) =>
  compareTypes(tree(files), new Map(Object.entries(after)), MARK);

describe('types before and after', () => {
  it('tell what is new, wherever it is, and nothing that was there before', () => {
    const files = {
      'tsconfig.json': config(),
      'src/tide.ts': "export const level: number = 'low';\nexport const depth = (metres: number): number => metres;\n",
      'src/quay.ts': "import { depth } from './tide.js';\nexport const draught = depth(4);\n",
    };
    expect(compare(files, { 'src/tide.ts': `// Soundings\n${files['src/tide.ts']}` })).toEqual({ checked: ['src/tide.ts'], errors: [], left: [] });
    const changed = compare(files, {
      'src/tide.ts': files['src/tide.ts'].replace('metres: number', 'metres: string').replace('number => metres', 'string => metres'),
    });
    expect(changed.errors).toEqual([
      { file: 'src/quay.ts', line: 2, code: 2345, message: "Argument of type 'number' is not assignable to parameter of type 'string'.", marked: false },
    ]);
    // The same mistake once more is a new one.
    expect(compare(files, { 'src/tide.ts': `${files['src/tide.ts']}export const low: number = 'low';\n` }).errors).toMatchObject([{ line: 3, code: 2322 }]);
    expect(compare(files, { 'src/tide.ts': undefined }).errors).toMatchObject([{ file: 'src/quay.ts', line: 1, code: 2307 }]);
  });

  it('know the places that are marked for people', () => {
    const files = { 'tsconfig.json': config(), 'a.ts': 'export {};\n' };
    const after = [
      '// TODO(unsession) session-state/handle: bind it to the caller',
      "const owner: number = 'nobody';",
      "const other: number = 'nobody';",
      'export const make = (): number => {',
      '  // TODO(unsession) session-state/handle: count per handle',
      "  return 'one';",
      '};',
      'export { owner, other };',
    ].join('\n');
    expect(compare(files, { 'a.ts': after }).errors.map(({ line, marked }) => [line, marked])).toEqual([
      [2, true],
      [3, false],
      [6, true],
    ]);
  });

  it('prove nothing without the packages, and name them', () => {
    const files = { 'tsconfig.json': config(), 'a.ts': 'export {};\n' };
    const text = "import { serve } from '@harbour/server/stdio';\nimport 'node:nothing';\nexport const gate: string = serve(1);\n";
    expect(compare(files, { 'a.ts': text })).toEqual({
      checked: [],
      errors: [],
      left: [{ file: 'a.ts', why: '@harbour/server is not installed', missing: ['@harbour/server'] }],
    });
    const installed = {
      ...files,
      'node_modules/@harbour/server/package.json': '{"name":"@harbour/server","version":"2.0.0","exports":{"./stdio":"./stdio.d.ts"}}',
      'node_modules/@harbour/server/stdio.d.ts': 'export declare function serve(berth: number): number;\n',
    };
    expect(compare(installed, { 'a.ts': text.replace("import 'node:nothing';\n", '') })).toMatchObject({
      checked: ['a.ts'],
      errors: [{ line: 2, code: 2322 }],
    });
  });

  it('follow the configurations of the repository', () => {
    const files = {
      'tsconfig.json': JSON.stringify({ files: [], references: [{ path: './apps/gate' }] }),
      'apps/gate/tsconfig.json': config({ compilerOptions: { lib: ['es5'], types: [], strict: false, composite: true }, include: ['src'] }),
      'apps/gate/src/a.ts': 'export const open = (berth) => berth;\n',
      'apps/gate/tool.js': 'exports.a = 1;\n',
      'loose.ts': 'export {};\n',
    };
    const result = compare(files, {
      'apps/gate/src/a.ts': 'export const open = (quay) => quay;\n',
      'apps/gate/src/lane.ts': "import { open } from './a';\nexport const lane: string = open;\n",
      'apps/gate/tool.js': 'exports.a = 2;\n',
      'loose.ts': 'export const a = 1;\n',
      'package.json': '{}',
    });
    expect(result.checked).toEqual(['apps/gate/src/a.ts', 'apps/gate/src/lane.ts']);
    expect(result.errors).toMatchObject([{ file: 'apps/gate/src/lane.ts', line: 2, code: 2322 }]);
    expect(result.left.map(({ file, why }) => `${file}: ${why}`)).toEqual([
      'apps/gate/tool.js: no tsconfig.json includes it',
      'loose.ts: no tsconfig.json includes it',
    ]);
  });

  it('check JavaScript where the configuration does', () => {
    const options = { lib: ['es5'], types: [], allowJs: true, noEmit: true };
    const files = (more: object) => ({ 'tsconfig.json': JSON.stringify({ compilerOptions: { ...options, ...more } }), 'a.js': 'export {};\n' });
    const after = { 'a.js': '/** @type {number} */\nexport const berth = "a";\n' };
    expect(compare(files({ checkJs: true }), after)).toMatchObject({ checked: ['a.js'], errors: [{ line: 2, code: 2322 }] });
    expect(compare(files({}), after)).toMatchObject({ checked: [], left: [{ file: 'a.js', why: 'tsconfig.json checks no JavaScript' }] });
  });

  it('report a configuration that cannot be read as not checked', () => {
    expect(compare({ 'tsconfig.json': '{ "compilerOptions": {', 'a.ts': 'export {};\n' }, { 'a.ts': 'export const a = 1;\n' })).toMatchObject({
      checked: [],
      left: [{ file: 'a.ts' }],
    });
  });
});
