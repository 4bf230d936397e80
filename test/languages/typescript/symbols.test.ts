import { ts } from 'ts-morph';
import { describe, expect, it } from 'vitest';
import {
  calls,
  constantOf,
  declarationOf,
  eachNode,
  exportsOf,
  functionRef,
  isFunctionNode,
  resolveSpecifier,
  symbolOf,
  symbolOfDeclaration,
} from '../../../src/languages/typescript/index.js';
import { given, identifier, node } from './given.js';

const paths = new Set([
  'src/server.ts',
  'src/store.ts',
  'src/sse/index.ts',
  'src/lane.mts',
  'src/old.cts',
  'src/view.tsx',
  'src/raw.js',
  'src/types.d.ts',
  'index.ts',
]);
const has = (path: string): boolean => paths.has(path);

describe('resolveSpecifier', () => {
  it.each([
    ['./store.js', 'src/store.ts'],
    ['./store', 'src/store.ts'],
    ['./store.ts', 'src/store.ts'],
    ['./view.js', 'src/view.tsx'],
    ['./sse', 'src/sse/index.ts'],
    ['./sse/', 'src/sse/index.ts'],
    ['./sse/index.js', 'src/sse/index.ts'],
    ['./lane.mjs', 'src/lane.mts'],
    ['./old.cjs', 'src/old.cts'],
    ['./raw.js', 'src/raw.js'],
    ['./types', 'src/types.d.ts'],
    ['..', 'index.ts'],
    ['./store.js?worker', 'src/store.ts'],
    ['./missing.js', undefined],
    ['express', undefined],
    ['../../store.js', undefined],
  ])('%s', (specifier, expected) => {
    expect(resolveSpecifier('src/server.ts', specifier, has)).toBe(expected);
  });
});

describe('constantOf', () => {
  const value = (text: string, expression: string, path?: string): unknown => {
    const file = given(text, path);
    return constantOf(node(file, expression), file);
  };
  it.each([
    ["const a = 'x'; a;", 'a', 'x'],
    ['const a = `x`; const b = a + "/y"; b;', 'b', 'x/y'],
    ['const a = 3; const b = `${a}000`; b;', 'b', '3000'],
    ['let port = 3000; port;', 'port', 3000],
    ['const a = -1; a;', 'a', -1],
    ['const a = 60 * 1000; a;', 'a', 60_000],
    ['const a = null; a;', 'a', null],
    ['const a = !true; a;', 'a', false],
    ["const H = { session: 'mcp-session-id' } as const; H.session;", 'H.session', 'mcp-session-id'],
    ["const H = { session: 'mcp-session-id' }; H['session'];", "H['session']", 'mcp-session-id'],
    ["const H = Object.freeze({ 'a-b': 1 }); H['a-b'];", "H['a-b']", 1],
    ["enum E { A = 'a', B = 'b' } E.B;", 'E.B', 'b'],
    ['enum E { A = 5, B } E.B;', 'E.B', 6],
    ["const a = ('x' as string)!; a;", 'a', 'x'],
  ])('%s', (text, expression, expected) => {
    expect(value(text, expression)).toBe(expected);
  });
  it.each([
    ["let a = 'x'; a = 'y'; a;", 'a'],
    ['const a = a + 1; a;', 'a'],
    ["const H = { s: 'x' }; H.s = 'y'; H.s;", 'H.s'],
    ["const H = { s: 'x' }; mutate(H); H.s;", 'H.s'],
    ["const H = { ...other, s: 'x' } as const; H.s;", 'H.s'],
    ["const a = 'x'; function f(a) { a; }", 'a'],
    ['const a = process.env.A; a;', 'a'],
    ['const { a } = { a: 1 }; a;', 'a'],
  ])('nothing for %s', (text, expression) => {
    expect(value(text, expression)).toBeUndefined();
  });
});

/** Names of all functions in source order. */
function functionNames(text: string, path?: string): readonly string[] {
  const file = given(text, path);
  const names: string[] = [];
  eachNode(file.tree, (at) => {
    if (isFunctionNode(at)) names.push(functionRef(at, file).name);
  });
  return names;
}

describe('functionRef', () => {
  it.each([
    ['function a() { function b() {} const c = () => {}; }', ['a', 'a.b', 'a.c']],
    ['export default function main() {}', ['default']],
    ['export default () => {};', ['default']],
    ['export function main() {} export default main;', ['main']],
    ['function start() {} export { start as startServer };', ['startServer']],
    [
      'class A { constructor() {} b() {} static c = () => {}; get d() { return 1; } ["e"]() {} [f]() {} #g() {} }',
      ['A.constructor', 'A.b', 'A.c', 'A.d', 'A.e', '@88', 'A.#g'],
    ],
    ['export default class { b() {} }', ['default.b']],
    ['const h = { a() {}, b: () => {}, c: { d() {} } };', ['h.a', 'h.b', 'h.c.d']],
    ['exports.a = function () {}; module.exports.b = () => {}; A.prototype.c = function () {}; function A() {}', ['a', 'b', 'A.c', 'A']],
    ['module.exports = { a() {}, b: function () {} };', ['a', 'b']],
    ['module.exports = () => {};', ['default']],
    ["app.post('/', async () => {});", ['@14']],
    ['{ const f = () => {}; } { const f = () => {}; }', ['f', 'f@32']],
    ['const f = function named() {};', ['f']],
    ['const f = (async () => {}) satisfies Handler;', ['f']],
  ])('%s', (text, expected) => {
    expect(functionNames(text, text.includes('exports.') ? 'a.cjs' : 'a.ts')).toEqual(expected);
  });

  it('gives every declaration its own name', () => {
    const file = given('function a(x) { let y; { let y; } } function b(x) { let y; } let y; type T = 1; const T = 2;');
    const names = file.bindings.declarations
      .filter((declaration) => declaration.kind !== 'type')
      .map((declaration) => symbolOfDeclaration(declaration, file).name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('symbolOf', () => {
  const ref = (text: string, expression: string, path = 'src/server.ts'): string | undefined => {
    const file = given(text, path);
    const symbol = symbolOf(node(file, expression), file, has);
    return symbol && `${symbol.file}#${symbol.name}`;
  };
  it.each([
    ["import { open } from './store.js'; open;", 'open', 'src/store.ts#open'],
    ["import { open as o } from './store'; const p = o; p;", 'p', 'src/store.ts#open'],
    ["import store from './store.js'; store;", 'store', 'src/store.ts#default'],
    ["import * as store from './store.js'; store.open;", 'store.open', 'src/store.ts#open'],
    ["import { Store } from './store.js'; Store.open;", 'Store.open', 'src/store.ts#Store.open'],
    ["import { Store } from './store.js'; const s = new Store(); s.get;", 's.get', 'src/store.ts#Store.get'],
    ["const { open } = require('./store'); open;", 'open', 'src/store.ts#open'],
    ["const store = require('./store'); store;", 'store', 'src/store.ts#default'],
    ["const { open } = await import('./store.js'); open;", 'open', 'src/store.ts#open'],
    ['const transports = {}; transports;', 'transports', 'src/server.ts#transports'],
    ['function f() { const carts = new Map(); carts; }', 'carts', 'src/server.ts#f.carts'],
    ['function handler() {} const h = handler; h;', 'h', 'src/server.ts#handler'],
    ['function handler() {} handler.bind(null);', 'handler.bind(null)', 'src/server.ts#handler'],
    ['const routes = { post() {} }; routes.post;', 'routes.post', 'src/server.ts#routes.post'],
    ['function post() {} const routes = { post }; routes.post;', 'routes.post', 'src/server.ts#post'],
    ['class A { run() {} go() { this.run; } }', 'this.run', 'src/server.ts#A.run'],
    ['class A { static make() {} } A.make;', 'A.make', 'src/server.ts#A.make'],
    ['class A { run() {} } const a = new A(); a.run;', 'a.run', 'src/server.ts#A.run'],
    ['function register(app) { app; }', 'app', 'src/server.ts#register.app'],
    ['const app = express(); app;', 'app', 'src/server.ts#app'],
  ])('%s', (text, expression, expected) => {
    expect(ref(text, expression)).toBe(expected);
  });
  it.each([
    ["import express from 'express'; express;", 'express'],
    ["import { a } from './missing.js'; a;", 'a'],
    ['console.log;', 'console.log'],
    ['const a = get(); a.b;', 'a.b'],
    ['const a = b; const b = a; unknown;', 'unknown'],
  ])('nothing for %s', (text, expression) => {
    expect(ref(text, expression)).toBeUndefined();
  });
});

describe('exportsOf', () => {
  const names = (text: string, path?: string): readonly string[] =>
    exportsOf(given(text, path)).map(
      ({ name, declaration, from }) => `${name}=${declaration?.name ?? (from ? `${from.specifier}#${from.imported}` : 'value')}`,
    );
  it('reads ESM', () => {
    expect(
      names(
        "export const a = 1, { b: [c] } = x; export function d() {} export { d as e }; export * from 'f'; export { g as h } from 'i'; export default d; export type T = 1;",
      ),
    ).toEqual(['a=a', 'c=c', 'd=d', 'e=d', '*=f#*', 'h=i#g', 'default=d']);
  });
  it('reads CommonJS', () => {
    expect(names('function a() {} exports.b = a; module.exports.c = exports.d = a; module.exports = { a, e: a, f: 1 }; exports.g = void 0;', 'a.cjs')).toEqual([
      'b=a',
      'c=a',
      'd=a',
      'a=a',
      'e=a',
      'f=value',
    ]);
    expect(names('const app = x(); module.exports = app;', 'a.cjs')).toEqual(['default=app']);
  });
});

describe('calls', () => {
  const edges = (text: string, path = 'src/server.ts'): readonly string[] => [
    ...new Set(calls(given(text, path), has).map(({ from, to }) => `${from?.name ?? ''} > ${to.file === path ? to.name : `${to.file}#${to.name}`}`)),
  ];
  it('joins callers, callees and nested functions', () => {
    expect(edges('function a() { b(); function c() { b(); } } function b() {}\na();')).toEqual([' > a', 'a > b', 'a > a.c', 'a.c > b', ' > b']);
  });
  it('follows imports, members and arguments', () => {
    expect(edges("import { open } from './store.js';\nconst h = { get() { open(); } };\napp.get('/', h.get);")).toEqual(
      expect.arrayContaining(['h.get > src/store.ts#open', ' > h.get', 'h > h.get']),
    );
  });
  it('joins a class with its members and this calls', () => {
    expect(edges('class A { constructor() { this.b(); } b() {} c = () => {}; }\nnew A();')).toEqual(
      expect.arrayContaining(['A > A.constructor', 'A > A.b', 'A.constructor > A.b', 'A > A.c', ' > A']),
    );
  });
  it('reaches into wrapped handlers', () => {
    expect(edges('const run = wrap(async () => { go(); });\nfunction go() {}\nrun();')).toEqual(expect.arrayContaining([' > run', 'run > @17', '@17 > go']));
  });
  it('sees module state', () => {
    expect(edges('const carts = new Map();\nfunction add() { carts.set(1, 2); }')).toEqual(expect.arrayContaining(['add > carts']));
  });
  it('names what an export stands for', () => {
    expect(edges("export { open as start } from './store.js';\nexport * from './sse/index.js';\nfunction a() {}\nexport { a, a as b };")).toEqual(
      expect.arrayContaining(['start > src/store.ts#open', '* > src/sse/index.ts#*', 'b > a']),
    );
  });
  it('leaves out what is shadowed', () => {
    expect(edges("import { open } from './store.js';\nfunction f(open) { open(); }")).toEqual([' > f']);
  });
});

describe('indices', () => {
  it('binds once', () => {
    const file = given('const a = 1; a;');
    expect(file.bindings).toBe(file.bindings);
    expect(declarationOf(identifier(file, 'a'), file)).toBe(declarationOf(identifier(file, 'a', 0), file));
    expect(ts.isVariableDeclaration(declarationOf(identifier(file, 'a'), file)?.node ?? file.tree)).toBe(true);
  });
});
