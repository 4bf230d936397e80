import { describe, expect, it } from 'vitest';
import { constantOf, dependencies, importedNames, originsOf, otherArms, resolvePath, symbolOf } from '../../../src/languages/python/index.js';
import { given, node } from './given.js';

const origin = (text: string, at: string): readonly string[] => {
  const file = given(text);
  return originsOf(node(file, at), file).map(({ path }) => path);
};

describe('origins', () => {
  it.each([
    ['from mcp.server.fastmcp import FastMCP\nFastMCP()\n', 'FastMCP', 'mcp.server.fastmcp.FastMCP'],
    ['from mcp.server.fastmcp import FastMCP as Shop\nShop()\n', 'Shop', 'mcp.server.fastmcp.FastMCP'],
    ['import mcp.types\nmcp.types.Tool\n', 'mcp.types.Tool', 'mcp.types.Tool'],
    ['import mcp.types as t\nt.Tool\n', 't.Tool', 'mcp.types.Tool'],
    ['from mcp import types\nmodel = types.Tool\nmodel()\n', 'model', 'mcp.types.Tool'],
    ['from . import state\nstate.carts\n', 'state.carts', '.state.carts'],
    ['from ..core.server import app\napp\n', 'app', '..core.server.app'],
    ['import importlib\nerrors = importlib.import_module("mcp.shared.exceptions")\nerrors.McpError\n', 'errors.McpError', 'mcp.shared.exceptions.McpError'],
    [
      'NAME = "mcp." + "types"\nfrom helpers import import_optional\nt = import_optional(NAME)\nkind = getattr(t, "Tool", None)\nkind\n',
      'kind',
      'mcp.types.Tool',
    ],
    ['import pytest\nmcp = pytest.importorskip("mcp")\nmcp.ClientSession\n', 'mcp.ClientSession', 'mcp.ClientSession'],
    ['from mcp.server.fastmcp import Context\ndef f(ctx: Context[str, int]): ...\n', 'Context[str, int]', 'mcp.server.fastmcp.Context'],
  ])('%j', (text, at, path) => {
    expect(origin(text, at)).toEqual([path]);
  });
  it('names every arm', () => {
    expect(origin('try:\n    from a import X\nexcept ImportError:\n    from b import Y as X\nX\n', 'X')).toEqual(['a.X', 'b.Y']);
  });
  it('ends for names that are made of themselves, in every direction, and keeps the import among them', () => {
    const steps = Array.from({ length: 12 }, (_, step) => `    node = node.left${String(step)} or node.right\n    other = node or other\n    node = other\n`);
    const found = origin(`from mcp import types as node\nother = node\nfor _ in range(9):\n${steps.join('')}node\n`, 'node');
    expect(found[0]).toBe('mcp.types');
    expect(found.length).toBeLessThan(20);
  });
  it('knows no local name, no result of a call and no shadowed import', () => {
    expect(origin('from a import X\ndef f(X):\n    return X\n', 'X')).toEqual([]);
    expect(origin('from a import make\nx = make()\nx\n', 'x')).toEqual([]);
  });
});

describe('imported names', () => {
  it('know their guard and the other arms', () => {
    const file = given(
      'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from mcp import types\ntry:\n    from mcp.server.mcpserver import MCPServer\nexcept ModuleNotFoundError:\n    from mcp.server.fastmcp import FastMCP as MCPServer\nfrom os import *\n',
    );
    const names = importedNames(file);
    expect(names.map(({ form, module, name, local, guard }) => [form, module, name, local, guard?.kind])).toEqual([
      ['from', 'typing', 'TYPE_CHECKING', 'TYPE_CHECKING', undefined],
      ['from', 'mcp', 'types', 'types', 'type-checking'],
      ['from', 'mcp.server.mcpserver', 'MCPServer', 'MCPServer', 'import-error'],
      ['from', 'mcp.server.fastmcp', 'FastMCP', 'MCPServer', 'import-error'],
      ['star', 'os', '*', undefined, undefined],
    ]);
    expect(names[2] && otherArms(names[2], file).map(({ module }) => module)).toEqual(['mcp.server.fastmcp']);
  });
});

describe('constants', () => {
  it.each([
    ['X = "a" "b" + \'c\'\nX\n', 'X', 'abc'],
    ['X = r"\\d"\nX\n', 'X', '\\d'],
    ['X = "caf\\u00e9\\n"\nX\n', 'X', 'café\n'],
    ['X = -32_002\nX\n', 'X', -32002],
    ['X = f"{y}"\nX\n', 'X', undefined],
    ['X = 1\nX = 2\nX\n', 'X', undefined],
    ['X = None\nX\n', 'X', null],
    // Every line doubles the text: it has no value that anybody could use.
    [`${Array.from({ length: 38 }, (_, step) => `X${String(step + 1)} = X${String(step)} + X${String(step)}\n`).join('')}X0 = "x"\nX38\n`, 'X38', undefined],
    [`${Array.from({ length: 38 }, (_, step) => `X${String(step + 1)} = X${String(step)} + X${String(step)}\n`).join('')}X0 = "x"\nX5\n`, 'X5', 'x'.repeat(32)],
  ])('%j', (text, at, value) => {
    const file = given(text);
    expect(constantOf(node(file, at), file)).toBe(value);
  });
});

describe('modules of the repository', () => {
  const paths = new Set([
    'src/shop/__init__.py',
    'src/shop/server.py',
    'src/shop/state/__init__.py',
    'src/shop/state/carts.py',
    'tests/test_shop.py',
    'lib/util.py',
  ]);
  const has = (path: string): boolean => paths.has(path);
  it('are found from relative and absolute imports', () => {
    const file = given('from . import state\nfrom .state.carts import Carts\nfrom shop.state import carts\nimport os\n');
    expect(dependencies(file, has)).toEqual(['src/shop/state/__init__.py', 'src/shop/state/carts.py']);
    expect(dependencies(given('from shop.server import mcp\n', 'tests/test_shop.py'), has)).toEqual(['src/shop/server.py']);
    expect(resolvePath('src/shop/server.py', '.state.carts.Carts.all', has)).toEqual({ file: 'src/shop/state/carts.py', name: 'Carts.all' });
  });
  it('give names that are the same from every file', () => {
    const test = given('from shop.server import mcp as app\napp.run()\n', 'tests/test_shop.py');
    expect(symbolOf(node(test, 'app'), test, has)).toEqual({ file: 'src/shop/server.py', name: 'mcp' });
    const file = given(
      'class Hub:\n    def __init__(self):\n        self.sessions = {}\n    def drop(self, key):\n        self.sessions.pop(key)\nmcp = make()\nalias = mcp\nalias\n',
    );
    expect(symbolOf(node(file, 'self.sessions'), file, has)?.name).toBe('Hub.sessions');
    expect(symbolOf(node(file, 'alias'), file, has)?.name).toBe('mcp');
  });
});
