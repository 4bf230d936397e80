import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/core/index.js';
import { editImports, importCleanup, importedNames, importEdits, syntaxProblem } from '../../../src/languages/python/index.js';
import { given } from './given.js';

const edited = (text: string, drop: readonly string[], add: readonly { module: string; name: string; as?: string }[]): string => {
  const file = given(text);
  const names = importedNames(file).filter(({ local }) => local !== undefined && drop.includes(local));
  return applyEdits(text, editImports(file, names, add));
};

describe('the import editor', () => {
  it.each([
    ['joins a statement of the module', 'from a import x\nx\n', [], [{ module: 'a', name: 'y' }], 'from a import x, y\nx\n'],
    [
      'joins a list of lines',
      'from a import (\n    w,  # kept\n    x,\n)\n',
      [],
      [{ module: 'a', name: 'y', as: 'z' }],
      'from a import (\n    w,  # kept\n    x,\n    y as z,\n)\n',
    ],
    [
      'adds behind the first imports',
      '"""Shop."""\nfrom __future__ import annotations\n\nimport os\n\nx = 1\nimport late\n',
      [],
      [{ module: 'a', name: 'y' }],
      '"""Shop."""\nfrom __future__ import annotations\n\nimport os\nfrom a import y\n\nx = 1\nimport late\n',
    ],
    [
      'adds behind a docstring',
      '#!/usr/bin/env python\n"""Shop."""\nx = 1\n',
      [],
      [{ module: 'httpx2', name: '*' }],
      '#!/usr/bin/env python\n"""Shop."""\n\nimport httpx2\nx = 1\n',
    ],
    ['adds in front of code', '# licence\nx = 1\n', [], [{ module: 'a', name: 'y' }], '# licence\nfrom a import y\n\nx = 1\n'],
    ['drops the first, the middle and the last', 'from a import x, y, z\n', ['x', 'z'], [], 'from a import y\n'],
    ['drops a whole line', 'import os\nfrom a import x\nprint(os)\n', ['x'], [], 'import os\nprint(os)\n'],
    [
      'puts a new module where the old one was',
      'import os\nfrom a import x  # server\nimport sys\n',
      ['x'],
      [{ module: 'b', name: 'y', as: 'x' }],
      'import os\nfrom b import y as x  # server\nimport sys\n',
    ],
    ['leaves what is there already', 'from a import y\n', [], [{ module: 'a', name: 'y' }], 'from a import y\n'],
    [
      'does not join a conditional import',
      'try:\n    from a import x\nexcept ImportError:\n    x = None\n',
      [],
      [{ module: 'a', name: 'y' }],
      'from a import y\n\ntry:\n    from a import x\nexcept ImportError:\n    x = None\n',
    ],
    ['keeps a block from being empty', 'def f():\n    from a import x\n', ['x'], [], 'def f():\n    pass\n'],
    ['keeps CRLF', 'import os\r\nx = 1\r\n', [], [{ module: 'a', name: 'y' }], 'import os\r\nfrom a import y\r\nx = 1\r\n'],
  ])('%s', (_what, text, drop, add, expected) => {
    const result = edited(text, drop, add);
    expect(result).toBe(expected);
    expect(syntaxProblem('a.py', result)).toBeUndefined();
  });
  it('satisfies needs and cleans up what lost its last use', () => {
    const before = given('from a import x, y\nx()\ny()\n');
    expect(importEdits(before, [{ kind: 'import', file: before.path, module: 'a', name: 'x' }])).toEqual([]);
    const after = given('from a import x, y\nx()\n');
    expect(applyEdits(after.text, importCleanup(before, after))).toBe('from a import x\nx()\n');
  });
});

describe('the syntax proof', () => {
  it('sees what the grammar tolerates', () => {
    expect(syntaxProblem('a.py', 'if ready:\nstart()\n')).toMatchObject({ line: 2 });
    expect(syntaxProblem('a.py', 'def f(a, a): pass\n')).toBeDefined();
    expect(syntaxProblem('a.py', 'async def f():\n    async with a as b, c as d:\n        return 1\n')).toBeUndefined();
  });
});
