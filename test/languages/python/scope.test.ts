import { describe, expect, it } from 'vitest';
import { unresolvedNames } from '../../../src/languages/python/index.js';
import { given, node, nodes } from './given.js';

/** Lines on which the name that is bound first is read. */
function uses(text: string, name: string): readonly number[] {
  const file = given(text);
  const binding = file.bindings.all.find((each) => each.name === name);
  return binding ? file.bindings.usesOf(binding).map((use) => file.site(use).line) : [];
}

describe('scopes', () => {
  it('keep a local name of a function apart from the module', () => {
    expect(uses('cart = 1\ndef f():\n    cart = 2\n    return cart\ncart\n', 'cart')).toEqual([5]);
  });
  it('follow global and nonlocal', () => {
    const file = given('count = 0\ndef f():\n    global count\n    count += 1\n    def g():\n        return count\n');
    expect(
      new Set(
        nodes(file, 'count')
          .map((each) => file.bindings.of(each))
          .filter(Boolean),
      ).size,
    ).toBe(1);
  });
  it('hide names of a class body from its methods', () => {
    const file = given('limit = 1\nclass Cart:\n    limit = 2\n    size = limit\n    def f(self):\n        return limit\n');
    expect(file.bindings.of(node(file, 'limit'))?.scope.kind).toBe('module');
    expect(file.bindings.of(node(file, 'limit', 2))?.scope.kind).toBe('class');
  });
  it('give comprehensions their own names, and walrus the names around them', () => {
    const file = given('items = [1]\nx = [item for item in items if (last := item)]\nlast\nitem\n');
    expect(file.bindings.of(node(file, 'last'))?.sites[0]?.how).toBe('walrus');
    expect(file.bindings.unresolved.map((each) => file.textOf(each))).toEqual(['item']);
  });
  it('evaluate decorators, defaults and annotations outside', () => {
    const file = given('size = 1\n@route(size)\ndef f(a: size = size, size=2):\n    return size\n');
    expect(
      nodes(file, 'size')
        .filter(({ kind }) => kind === 'identifier')
        .map((each) => file.bindings.of(each)?.scope.kind),
    ).toEqual(['module', 'module', 'module', 'module', 'function', 'function']);
  });
  it('bind targets of with, for, except, match, import and unpacking with the way to them', () => {
    const text = [
      'import a.b as c, d.e',
      'from f import g as h',
      'async def run():',
      '    async with c() as (r, w, *rest), d.x as e:',
      '        for i, (j, k) in w: pass',
      '    try: pass',
      '    except* Err as err: pass',
      '    match r:',
      '        case Point(x=px) | [first, *others]: pass',
      '        case {"k": v} as whole: pass',
      '    del v',
    ].join('\n');
    const found = given(`${text}\n`).bindings.all.map(({ name, sites }) => `${name}:${sites[0]?.how ?? ''}${sites[0]?.path.join('.') ?? ''}`);
    expect(found).toEqual(
      [
        'c:import',
        'd:import',
        'h:import',
        'run:function',
        'r:with0',
        'w:with1',
        'rest:with*',
        'e:with',
        'i:for0',
        'j:for1.0',
        'k:for1.1',
        'err:except',
        'px:match',
        'first:match',
        'others:match',
        'v:match',
        'whole:match',
      ].sort((a, b) => found.indexOf(a) - found.indexOf(b)),
    );
  });
  it('take members and keywords of calls for no names', () => {
    expect(unresolvedNames('a.py', 'import os\nos.path.join(sep=os.sep)\nprint(undefined_one, __file__)\n')).toEqual(new Set(['undefined_one']));
  });
});
