import { describe, expect, it } from 'vitest';
import { parse, syntaxProblem, unresolvedNames } from '../../../src/languages/typescript/index.js';

describe('parse', () => {
  it.each([
    ['a.ts', 'const a = <T>(x: T) => x;'],
    ['a.tsx', 'const a = <T,>(x: T) => <b>{x}</b>;'],
    ['a.mts', 'export type A = 1;'],
    ['a.cts', 'import a = require("a"); export = a;'],
    ['a.js', 'const a = <b />;'],
    ['a.jsx', 'const a = <b />;'],
    ['a.mjs', 'await import("a");'],
    ['a.cjs', 'if (x) return; with (a) b;'],
    ['a.d.ts', 'export declare const a: number; declare global { interface Window { b: 1 } }'],
    ['shebang.js', '#!/usr/bin/env node\nconst a = 1;'],
    ['bom.ts', '\uFEFFconst a = 1;'],
    ['bom-shebang.js', '\uFEFF#!/usr/bin/env node\nconst a = 1;'],
    ['crlf.ts', 'const a = `x\r\n`;\r\n'],
    ['cr.ts', 'const a = 1;\rconst b = 2;\r'],
    ['nocheck.ts', '// @ts-nocheck\nconst a: Missing = 1;'],
    ['decorated.ts', '@tool() class A { @inject accessor b = 1; constructor(@c private d: E) {} }'],
    ['using.ts', 'await using a = open(); for (using b of c) {}'],
    ['flow.js', '// @flow\ntype A = number;\nconst a: A = 1;'],
    ['empty.ts', ''],
  ])('reads %s', (path, text) => {
    const { file, problem } = parse(path, text);
    expect(problem).toBeUndefined();
    expect(file?.text).toBe(text);
  });

  it.each([
    ['a.ts', 'const a = 1;\nconst b = ;\n', 2],
    ['a.ts', 'a;\r\nb;\r\nfunction (', 3],
    ['a.ts', 'const a = <b />;', 1],
    ['a.js', 'const a = 1;\nlet b: string;', 2],
    ['a.js', 'interface A {}', 1],
    ['a.js', 'a as B;', 1],
    ['a.js', 'class A { private b = 1 }', 1],
    ['a.js', "import type { A } from 'b';", 1],
    ['a.js', 'function f(a?) {}', 1],
    ['a.js', '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x', 1],
  ])('refuses %s %j with its line', (path, text, line) => {
    expect(parse(path, text).problem).toMatchObject({ why: 'syntax', line });
  });

  it('says so when code is nested too deeply, and walks what is deep but parsed', () => {
    expect(parse('a.ts', `${'('.repeat(50_000)}1${')'.repeat(50_000)}`).problem).toMatchObject({ why: 'too-deep' });
    const { file } = parse('a.ts', `a${'.b()'.repeat(10_000)};`);
    expect(file?.bindings.unresolved).toHaveLength(1);
  });
});

describe('syntaxProblem', () => {
  it.each([
    ["import { a } from 'm';\nimport { a } from 'n';", 2, /`a` is declared twice; first in line 1/],
    ["import { a } from 'm';\nconst a = 1;", 2, /declared twice/],
    ['let a;\n{ let a; }\nlet a;', 3, /declared twice/],
    ['class A {}\nfunction A() {}', 2, /declared twice/],
    ['function f() {\n  await g();\n}', 2, /outside of an async function/],
    ['const f = async () => {\n  list.forEach((x) => {\n    await g(x);\n  });\n};', 3, /outside of an async function/],
    ['export {};\nreturn 1;', 2, /`return` outside/],
    ['for (const a of b) {\n  a.forEach(() => {\n    continue;\n  });\n}', 3, /`continue` outside of a loop/],
    ['const a = ;', 1, /Expression expected/],
  ])('%j', (text, line, message) => {
    const problem = syntaxProblem('a.ts', text);
    expect(problem?.line).toBe(line);
    expect(problem?.message).toMatch(message);
  });
  it('refuses await at the top level of CommonJS', () => {
    expect(syntaxProblem('a.cjs', 'const a = require("a");\nawait a();')?.line).toBe(2);
  });
  it.each([
    ['overloads', 'function f(a: string): void;\nfunction f(a: unknown) {}'],
    ['merging', 'interface A {}\nclass A {}\nnamespace A {}\nenum E { a }\nenum E { b = 1 }'],
    ['types beside values', 'const Cart = 1;\ntype Cart = typeof Cart;'],
    ['var twice', 'var a = 1; var a = 2; function a() {}'],
    ['a type import beside a value', "import type { A } from 'm';\nconst A = 1;"],
    ['shadowing', "import { a } from 'm';\nfunction f(a) { { let a; } }"],
    [
      'await where it may be',
      'export {};\nawait a;\nasync function f() { for await (const x of y) await x; }\nclass A { async b() { await c; } d = async () => { await e; }; }',
    ],
    ['labels', 'outer: for (;;) { for (;;) { continue outer; } }\nblock: { break block; }\nswitch (a) { case 1: break; }'],
    ['switch cases', 'switch (a) { case 1: { const b = 1; } case 2: { const b = 2; } }'],
  ])('accepts %s', (_, text) => {
    expect(syntaxProblem('a.ts', text)).toBeUndefined();
  });
});

describe('unresolvedNames', () => {
  const names = (text: string, path = 'a.ts'): readonly string[] => [...unresolvedNames(path, text)].sort();
  it('finds values and types that nothing binds', () => {
    expect(names("import { a } from 'm';\na(b, c.d);\nlet e: F<G>;\nnew H();\n<I />;", 'a.tsx')).toEqual(['F', 'G', 'H', 'I', 'b', 'c']);
  });
  it('knows what environments bind', () => {
    expect(
      names(
        'const x: Record<string, Promise<Response>> = await fetch(new URL(process.env.A ?? ""), {} as RequestInit);\nconsole.log(Buffer, structuredClone, arguments);',
      ),
    ).toEqual([]);
    expect(names('module.exports = require("a") + __dirname;', 'a.cjs')).toEqual([]);
    expect(names("describe('x', () => { it('y', () => { expect(vi.fn()).toBe(1); }); });")).toEqual([]);
  });
  it('knows every kind of binding', () => {
    expect(
      names(
        'function f<T>({ a, b: [c] }: T, ...rest: T[]): asserts a is T { try {} catch (error) { error; } for (const i of rest) i; class K extends f { m() { return K; } } enum E { A, B = A } namespace N { export const o = 1; o; } label: for (;;) break label; a; c; return new.target; } type M = { [P in keyof X as `${P}`]: X[P] }; type X = M extends infer U ? U : never; import q = require("q"); q; declare global { var shop: string } shop; export { f as g };',
      ),
    ).toEqual([]);
  });
  it('is what an edit broke, by comparison', () => {
    const before = unresolvedNames('a.ts', 'known(a);');
    const after = unresolvedNames('a.ts', 'known(b);');
    expect([...after].filter((name) => !before.has(name))).toEqual(['b']);
  });
});
