import { execFileSync } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { languageIdOf, loadLanguage } from '../../src/languages/index.js';

describe('languages', () => {
  it('go by extension', () => {
    for (const path of ['a.ts', 'a.tsx', 'a.mts', 'a.cts', 'a.js', 'a.jsx', 'a.mjs', 'a.cjs', 'A.TS', 'a.d.ts', 'src/a.test.ts'])
      expect(languageIdOf(path)).toBe('typescript');
    for (const path of ['a.rb', 'a.json', 'ts', 'a.ts.snap', 'Makefile', '.ts/readme']) expect(languageIdOf(path)).toBeUndefined();
  });
  it('are used after they were loaded', async () => {
    // A registry of its own: other tests have loaded languages into the shared one.
    vi.resetModules();
    const { languageFor, loadLanguage: load } = await import('../../src/languages/index.js');
    expect(() => languageFor('a.ts')).toThrow(/loadLanguage\('typescript'\)/);
    const support = await load('typescript');
    expect(languageFor('a.ts')).toBe(support);
    expect(languageFor('a.rb')).toBeUndefined();
    expect(() => languageFor('a.py')).toThrow(/loadLanguage\('python'\)/);
    expect(support.extensions.every((extension) => languageIdOf(`a${extension}`) === 'typescript')).toBe(true);
  });
  it('load no compiler to name a language', () => {
    const script =
      "const { languageIdOf } = await import('./src/languages/index.ts'); languageIdOf('a.ts'); console.log(process.getBuiltinModule('module')._cache ? Object.keys(process.getBuiltinModule('module')._cache).filter((name) => name.includes('ts-morph')).length : 0);";
    const out = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(out.trim()).toBe('0');
  });
  it('walks each node to the listeners of its kind, in order, once', async () => {
    const support = await loadLanguage('typescript');
    const { file } = support.parse('a.ts', 'f(g(1), `x${h()}`);\nnew K();');
    const seen: string[] = [];
    if (file) {
      support.walk(file, [
        { CallExpression: (call) => seen.push(`call ${call.expression.getText()}`), NewExpression: () => seen.push('new') },
        { CallExpression: () => seen.push('again'), ...{ end: () => seen.push('never') } },
      ]);
    }
    expect(seen).toEqual(['call f', 'again', 'call g', 'again', 'call h', 'again', 'new']);
  });
  it('finds files of the repository that a file depends on', async () => {
    const support = await loadLanguage('typescript');
    const { file } = support.parse('src/a.ts', "import './b.js'; export * from './c'; import('./b.js'); require('../d'); import 'express'; vi.mock('./e.js');");
    const has = (path: string): boolean => ['src/b.ts', 'src/c/index.ts', 'd.js', 'src/e.ts'].includes(path);
    expect(file && support.dependencies(file, has)).toEqual(['src/b.ts', 'src/c/index.ts', 'd.js', 'src/e.ts']);
  });
});
