import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eachNode, parse, walk } from '../../../src/languages/python/index.js';
import { given } from './given.js';

const GRAMMAR = 'src/languages/python/grammar';

describe('the grammar', () => {
  it('is the file that its notice describes', () => {
    const sum = createHash('sha256')
      .update(readFileSync(`${GRAMMAR}/tree-sitter-python.wasm`))
      .digest('hex');
    expect(readFileSync(`${GRAMMAR}/README.md`, 'utf8')).toContain(sum);
  });
});

describe('offsets', () => {
  it('count UTF-16 units whatever the text holds', () => {
    const text = '# 購物車 🛒\r\nname = "🛒é"\r\n\ttotal = 1\r\n'.replace('\t', '');
    const file = given(text);
    const seen: string[] = [];
    eachNode(file.tree, (node) => {
      if (node.children.length === 0) seen.push(file.textOf(node));
      return undefined;
    });
    expect(seen).toEqual(['name', '"', '🛒é', '"', 'total', '1']);
    expect(file.comments.map((span) => file.textOf(span))).toEqual(['# 購物車 🛒']);
  });
  it('keep words and leave punctuation out', () => {
    const file = given('async def book(a, *, b=1):\n    return a not in b\n');
    const fn = file.tree.children[0];
    expect(fn?.words).toEqual(['async', 'def']);
    expect(fn?.get('parameters')?.children.map(({ kind }) => kind)).toEqual(['identifier', 'keyword_separator', 'default_parameter']);
    expect(fn?.get('body')?.children[0]?.children[0]?.words).toEqual(['not in']);
  });
});

describe('what does not parse', () => {
  it.each([
    ['def f(:\n    pass\n', 1],
    ['if ready:\nstart()\n', 1],
    ['print "hello"\n', 1],
    ['x = 1\nclass Cart:\n', 2],
    ['x = (1,\n', 1],
  ])('%j is a problem with a line', (text, line) => {
    const { problem } = parse('a.py', text);
    expect(problem).toMatchObject({ why: 'syntax', line });
  });
  it('leaves what newer Pythons allow alone', () => {
    const text =
      'match order:\n    case {"id": str(key), **rest}:\n        pass\ntype Ids = list[int]\ndef first[T](items: list[T]) -> T: ...\ntry:\n    pass\nexcept* ValueError:\n    pass\n';
    expect(parse('a.py', text).problem).toBeUndefined();
  });
  it('survives deep nesting', () => {
    expect(parse('a.py', `x = ${'"a" + '.repeat(5000)}"a"\n`).file).toBeDefined();
  });
});

describe('the walk', () => {
  it('gives every node to the listeners of its kind, in source order', () => {
    const file = given('a()\nb(c())\n');
    const seen: string[] = [];
    walk(file, [{ call: (call) => seen.push(file.textOf(call)) }, { identifier: (name) => seen.push(file.textOf(name)) }]);
    expect(seen).toEqual(['a()', 'a', 'b(c())', 'b', 'c()', 'c']);
  });
});
