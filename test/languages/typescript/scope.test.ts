import { describe, expect, it } from 'vitest';
import { declarationOf, isWrite, referencesOf } from '../../../src/languages/typescript/index.js';
import { given, identifier, nodes } from './given.js';

/** Lines on which a declaration is used. */
function uses(text: string, name: string, index = 0, path?: string): readonly number[] {
  const file = given(text, path);
  const declaration = declarationOf(identifier(file, name, index), file);
  if (!declaration) throw new Error(`${name} is bound nowhere`);
  return referencesOf(declaration, file).map((use) => file.site(use).line);
}

const kindAt = (text: string, name: string, index = -1, path?: string): string | undefined => {
  const file = given(text, path);
  return declarationOf(identifier(file, name, index), file)?.kind;
};

describe('references', () => {
  it('respects shadowing by parameters, blocks, loops and catch', () => {
    expect(
      uses('const id = 1;\nfunction f(id) {\n  return id;\n}\n{ let id = 2; id; }\nfor (const id of []) id;\ntry {} catch (id) { id; }\nid;', 'id'),
    ).toEqual([8]);
  });
  it('sees var and functions before their declaration', () => {
    expect(uses('start();\ncart;\nvar cart;\nfunction start() {}', 'start')).toEqual([1]);
    expect(kindAt('if (x) { var cart = 1; }\nconsole.log(cart);', 'cart')).toBe('var');
    expect(kindAt('function f() { { var inner; } return inner; } var inner;', 'inner', 1)).toBe('var');
    const file = given('function f() { { var inner; } return inner; } var inner;');
    expect(declarationOf(identifier(file, 'inner', 1), file)?.nodes).toHaveLength(1);
  });
  it('keeps a let of a block away from uses after it', () => {
    expect(kindAt('{ let cart = 1; }\ncart;', 'cart')).toBeUndefined();
  });
  it('does not see the body from a parameter default', () => {
    const file = given('const now = 1; function f(at = now) { var now = 2; return now; }');
    const [outer, used, inner, returned] = nodes(file, 'now');
    expect(declarationOf(used as never, file)).toBe(declarationOf(outer as never, file));
    expect(declarationOf(returned as never, file)).toBe(declarationOf(inner as never, file));
  });
  it('sees an earlier parameter from a default, and merges var with a parameter', () => {
    expect(kindAt('function f(a, b = a) {}', 'a')).toBe('parameter');
    const file = given('function f(cart) { var cart = cart || {}; return cart; }');
    expect(declarationOf(identifier(file, 'cart', -1), file)?.kind).toBe('parameter');
  });
  it('binds every name of nested patterns and none of their keys', () => {
    const text = 'const { a: { b: [c = d, ...rest] }, [key]: e = 1 } = source;';
    for (const name of ['c', 'rest', 'e']) expect(kindAt(text, name)).toBe('const');
    for (const name of ['a', 'b', 'd', 'key', 'source']) expect(kindAt(text, name)).toBeUndefined();
  });
  it('keeps the name of a function or class expression inside of it', () => {
    expect(kindAt('const f = function loop() { return loop; }; loop();', 'loop', 1)).toBe('function');
    expect(kindAt('const f = function loop() { return loop; }; loop();', 'loop', 2)).toBeUndefined();
    expect(kindAt('const f = function loop(loop) { return loop; };', 'loop')).toBe('parameter');
    expect(kindAt('const C = class Inner { make() { return new Inner(); } }; Inner;', 'Inner', 1)).toBe('class');
    expect(kindAt('const C = class Inner { make() { return new Inner(); } }; Inner;', 'Inner', 2)).toBeUndefined();
  });
  it('lets a function of a block out in sloppy scripts only', () => {
    const text = '{ function helper() {} }\nhelper();';
    expect(kindAt(text, 'helper', -1, 'a.cjs')).toBe('function');
    expect(kindAt(`'use strict';\n${text}`, 'helper', -1, 'a.cjs')).toBeUndefined();
    expect(kindAt(`${text}\nexport {};`, 'helper', -1, 'a.js')).toBeUndefined();
  });
  it('holds types and values apart', () => {
    const text = 'const Cart = 1;\ntype Cart = number;\nlet a: Cart;\nlet b: typeof Cart;\nCart;\nexport { Cart };';
    expect(uses(text, 'Cart', 0)).toEqual([4, 5, 6]);
    expect(uses(text, 'Cart', 1)).toEqual([3, 6]);
  });
  it('binds type parameters, infer, mapped types and enum members', () => {
    expect(kindAt('function f<T>(a: T): T { return a; }', 'T')).toBe('type-parameter');
    expect(kindAt('type A<F> = F extends (...args: infer P) => infer R ? [P, R] : P;', 'P', 1)).toBe('type-parameter');
    expect(kindAt('type A<F> = F extends (...args: infer P) => infer R ? [P, R] : P;', 'P', 2)).toBeUndefined();
    expect(kindAt('type A = { [K in Keys]: K };', 'K')).toBe('type-parameter');
    expect(kindAt('enum E { A = 1, B = A << 1 } A;', 'A', 1)).toBe('enum-member');
    expect(kindAt('enum E { A = 1, B = A << 1 } A;', 'A', 2)).toBeUndefined();
  });
  it('merges class and interface, overloads and namespace blocks', () => {
    expect(uses('interface Store { a: 1 }\nclass Store {}\nnew Store();\nlet s: Store;', 'Store')).toEqual([3, 4]);
    expect(uses('function f(a: string): void;\nfunction f(a: unknown) {}\nf(1);', 'f')).toEqual([3]);
    expect(kindAt('namespace A { export const x = 1; }\nnamespace A { x; }', 'x')).toBe('const');
  });
  it('does not take properties, labels, attributes and foreign names for references', () => {
    const text = "const id = 1; a.id; ({ id: 2 }); id: for (;;) break id; import { id as other } from 'm'; export { id as more } from 'm'; class C { id = 3 }";
    const file = given(text);
    const declaration = declarationOf(identifier(file, 'id', 0), file);
    expect(declaration && referencesOf(declaration, file)).toEqual([]);
  });
  it('takes shorthand, JSX names, decorators and computed keys for references', () => {
    expect(uses('const id = 1;\n({ id });\n({ [id]: 1 });', 'id')).toEqual([2, 3]);
    expect(uses('const Panel = 1; const div = 2;\n<Panel><div /></Panel>;', 'Panel', 0, 'a.tsx')).toEqual([2, 2]);
    expect(uses('const div = 2;\n<div />;', 'div', 0, 'a.tsx')).toEqual([]);
    expect(uses('const tool = 1 as any;\n@tool class A { @tool() run(@tool x) {} }', 'tool')).toEqual([2, 2, 2]);
  });
  it('resolves a class name in its own body and heritage type arguments', () => {
    expect(uses('class Cart {\n  static one = new Cart();\n}\nclass Big<T> extends Cart implements Sized<T> {}', 'Cart')).toEqual([2, 4]);
  });
});

describe('isWrite', () => {
  const writes = (text: string, name: string): readonly boolean[] => {
    const file = given(text);
    const declaration = declarationOf(identifier(file, name, 0), file);
    return declaration ? referencesOf(declaration, file).map(isWrite) : [];
  };
  it('knows assignments of every form', () => {
    expect(writes('let t; t = 1; t ??= 2; t++; --t; [t] = x; ({ t } = x); ({ a: t = 1 } = x); [...t] = x; for (t of x); (t) = 1;', 't')).toEqual(
      Array.from({ length: 10 }, () => true),
    );
  });
  it('knows reads', () => {
    expect(writes('let t; t.x = 1; t[0] = 1; f(t); a = t; a = [t]; a = { t }; for (const a of t); -t; t == 1;', 't')).toEqual(
      Array.from({ length: 9 }, () => false),
    );
  });
});
