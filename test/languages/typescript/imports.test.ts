import { describe, expect, it } from 'vitest';
import { type ImportNeed, applyEdits } from '../../../src/core/index.js';
import { importBindings, importCleanup, importEdits, rebindImports } from '../../../src/languages/typescript/index.js';
import { given } from './given.js';

/** `m#a`, `m#a as b`, `type m#a`. */
function need(text: string): ImportNeed {
  const [, type, module = '', name = '', as] = /^(type )?(.*)#(\S+)(?: as (\S+))?$/.exec(text) ?? [];
  return { kind: 'import', file: '', module, name, ...(as === undefined ? {} : { as }), ...(type === undefined ? {} : { typeOnly: true }) };
}

const add = (source: string, needs: readonly string[], path = 'src/http/server.ts'): string =>
  applyEdits(source, importEdits(given(source, path), needs.map(need)));

/** Removes every binding whose exported name is listed, and adds needs. */
function rebind(source: string, remove: readonly string[], needs: readonly string[], path = 'src/http/server.ts'): string {
  const file = given(source, path);
  const gone = importBindings(file).filter((binding) => remove.includes(binding.name) || remove.includes(`${binding.specifier}#${binding.name}`));
  return applyEdits(source, rebindImports(file, { remove: gone, add: needs.map(need) }));
}

describe('adding imports', () => {
  it.each([
    ['joins the statement of the module', "import { a } from 'm';\nuse();", ['m#b'], "import { a, b } from 'm';\nuse();"],
    ['renames', "import { a } from 'm';", ['m#b as c'], "import { a, b as c } from 'm';"],
    ['adds nothing that is there', "import { a, b as c } from 'm';", ['m#a', 'm#b as c'], "import { a, b as c } from 'm';"],
    ['adds a second name for the same export', "import { a } from 'm';", ['m#a as z'], "import { a, a as z } from 'm';"],
    ['takes each need once', "import { a } from 'm';", ['m#b', 'm#b', 'm#c'], "import { a, b, c } from 'm';"],
    ['a new line after the last import', "import { a } from 'm'; // why\n\nuse();", ['n#b'], "import { a } from 'm'; // why\nimport { b } from 'n';\n\nuse();"],
    ['double quotes, no semicolons, tight braces', 'import {a} from "m"\nuse()', ['n#b'], 'import {a} from "m"\nimport {b} from "n"\nuse()'],
    ['CRLF', "import { a } from 'm';\r\nuse();\r\n", ['n#b'], "import { a } from 'm';\r\nimport { b } from 'n';\r\nuse();\r\n"],
    ['one line per name', "import {\n  a,\n  b, // second\n} from 'm';", ['m#c'], "import {\n  a,\n  b, // second\n  c,\n} from 'm';"],
    ['one line per name, no trailing comma', "import {\n\ta,\n\tb\n} from 'm';", ['m#c', 'm#d'], "import {\n\ta,\n\tb,\n\tc,\n\td\n} from 'm';"],
    ['no trailing comma but a comment', "import {\n  a,\n  b // second\n} from 'm';", ['m#c'], "import {\n  a,\n  b, // second\n  c\n} from 'm';"],
    ['an empty list', "import {} from 'm';", ['m#a'], "import { a } from 'm';"],
    ['a default import takes names', "import express from 'express';", ['express#Router'], "import express, { Router } from 'express';"],
    ['a namespace import does not', "import * as sdk from 'm';", ['m#a'], "import * as sdk from 'm';\nimport { a } from 'm';"],
    ['a bare import does not', "import 'm';", ['m#a'], "import 'm';\nimport { a } from 'm';"],
    ['default and namespace', "import { a } from 'm';", ['n#default as n', 'o#* as o'], "import { a } from 'm';\nimport n from 'n';\nimport * as o from 'o';"],
    ['default with names', "import { a } from 'm';", ['n#default as n', 'n#b'], "import { a } from 'm';\nimport n, { b } from 'n';"],
    ['types apart', "import { a } from 'm';", ['type m#T'], "import { a } from 'm';\nimport type { T } from 'm';"],
    [
      'types join types',
      "import { a } from 'm';\nimport type { T } from 'm';",
      ['type m#U', 'm#b'],
      "import { a, b } from 'm';\nimport type { T, U } from 'm';",
    ],
    ['inline types where the file has them', "import { a, type T } from 'm';", ['type m#U'], "import { a, type T, type U } from 'm';"],
    ['a value satisfies a type', "import { a } from 'm';", ['type m#a'], "import { a } from 'm';"],
    ['a type becomes a value', "import type { a } from 'm';", ['m#a'], "import { a } from 'm';"],
    ['an inline type becomes a value', "import { b, type a } from 'm';", ['m#a'], "import { b, a } from 'm';"],
    ['one of two types becomes a value', "import type { a, b } from 'm';", ['m#a'], "import type { b } from 'm';\nimport { a } from 'm';"],
    [
      'stops at the end of the first run',
      "import { a } from 'm';\nuse();\nimport { b } from 'n';",
      ['o#c'],
      "import { a } from 'm';\nimport { c } from 'o';\nuse();\nimport { b } from 'n';",
    ],
    ['minified code', 'import{a}from"m";use(a);', ['n#b'], 'import{a}from"m"; import {b} from "n";use(a);'],
    ['indented in nothing', '', ['n#b'], "import { b } from 'n';\n"],
    ['string names', "import { a } from 'm';", ['m#has-dash as b'], "import { a, 'has-dash' as b } from 'm';"],
  ])('%s', (_, source, needs, expected) => {
    expect(add(source, needs)).toBe(expected);
  });

  it.each([
    ['the first statement', 'use();\n', "import { b } from 'n';\n\nuse();\n"],
    ['a shebang', '#!/usr/bin/env node\nuse();\n', "#!/usr/bin/env node\nimport { b } from 'n';\n\nuse();\n"],
    ['a licence', '/* Copyright the shop */\n/** Starts. */\nuse();\n', "/* Copyright the shop */\nimport { b } from 'n';\n\n/** Starts. */\nuse();\n"],
    ['a comment set apart', '// The shop.\n\n// Starts.\nuse();\n', "// The shop.\n\nimport { b } from 'n';\n\n// Starts.\nuse();\n"],
    ['@ts-nocheck', '// @ts-nocheck\nuse();\n', "// @ts-nocheck\nimport { b } from 'n';\n\nuse();\n"],
    ['@ts-expect-error stays with its statement', '// @ts-expect-error\nuse();\n', "import { b } from 'n';\n\n// @ts-expect-error\nuse();\n"],
    ["'use strict'", "'use strict';\nuse();\n", "'use strict';\n\nimport { b } from 'n';\nuse();\n".replace('use();\n', '\nuse();\n')],
    ["'use client' with a gap", "'use client'\n\nuse()\n", "'use client'\n\nimport { b } from 'n'\n\nuse()\n"],
    ['a byte order mark', '\uFEFFuse();\n', "\uFEFFimport { b } from 'n';\n\nuse();\n"],
    ['only comments', '// nothing yet', "// nothing yet\nimport { b } from 'n';\n"],
  ])('goes behind %s', (_, source, expected) => {
    expect(add(source, ['n#b'])).toBe(expected);
  });

  it('spells paths as the file does', () => {
    expect(add("import { a } from './a.js';", ['src/mcp-dual-era.ts#b'])).toContain("'../mcp-dual-era.js'");
    expect(add("import { a } from './a';", ['src/mcp-dual-era.ts#b'])).toContain("'../mcp-dual-era'");
    expect(add("import { a } from './a.ts';", ['src/mcp-dual-era.ts#b'])).toContain("'../mcp-dual-era.ts'");
    expect(add("import { a } from 'a';", ['src/http/lane.mts#b'])).toContain("'./lane.mjs'");
    expect(add("import { a } from 'a';", ['@modelcontextprotocol/sdk/types.js#b'])).toContain("'@modelcontextprotocol/sdk/types.js'");
  });

  it('writes require into CommonJS', () => {
    const js = 'src/http/server.js';
    expect(add("'use strict';\n\nconst { a } = require('m');\nuse();\n", ['m#b as c', 'n#d'], js)).toBe(
      "'use strict';\n\nconst { a, b: c } = require('m');\nconst { d } = require('n');\nuse();\n",
    );
    expect(add("const m = require('m');\nuse();\n", ['m#b', 'n#* as n'], js)).toBe(
      "const m = require('m');\nconst { b } = require('m');\nconst n = require('n');\nuse();\n",
    );
    expect(add('use();\nmodule.exports = {};\n', ['n#b'], js)).toBe("const { b } = require('n');\n\nuse();\nmodule.exports = {};\n");
    expect(add('use();\n', ['n#b'], 'a.cjs')).toBe("const { b } = require('n');\n\nuse();\n");
    expect(add('"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nconst a_1 = require("a");\nuse();\n', ['n#b'], js)).toContain(
      'const a_1 = require("a");\nconst { b } = require("n");\n',
    );
  });

  it('imports no type into JavaScript', () => {
    expect(add("import { a } from 'm';", ['type m#T'], 'a.js')).toBe("import { a } from 'm';");
  });

  it('leaves patterns alone that it cannot extend', () => {
    expect(add("const { a, ...rest } = require('m');\n", ['m#b'], 'a.cjs')).toBe("const { a, ...rest } = require('m');\nconst { b } = require('m');\n");
  });
});

describe('rebinding imports', () => {
  const V1 = '@modelcontextprotocol/sdk';
  it.each([
    [
      'moves a module in place',
      `import { McpServer } from '${V1}/server/mcp.js'; // the server`,
      ['McpServer'],
      ['@mcp/server#McpServer'],
      "import { McpServer } from '@mcp/server'; // the server",
    ],
    ['renames in place', "import { a, Old, c } from 'm';", ['Old'], ['m#New'], "import { a, New, c } from 'm';"],
    ['keeps a local name', "import { Old as S } from 'm';", ['Old'], ['n#New as S'], "import { New as S } from 'n';"],
    ['moves one of two away', "import { a, b } from 'm';\nuse();", ['a'], ['n#a'], "import { b } from 'm';\nimport { a } from 'n';\nuse();"],
    ['joins two into one that exists', "import { a } from 'm';\nimport { b } from 'old';\nuse();", ['b'], ['m#b'], "import { a, b } from 'm';\nuse();"],
    [
      'joins two into one that is new',
      "import { a } from 'old/a';\nimport { b } from 'old/b';\nuse();",
      ['a', 'b'],
      ['new#a', 'new#b'],
      "import { a, b } from 'new';\nuse();",
    ],
    [
      'keeps comments above and in the list',
      "// the SDK\nimport {\n  a, // first\n  /* second */ b,\n  c,\n} from 'old';",
      ['a', 'b', 'c'],
      ['new#a', 'new#B as b'],
      "// the SDK\nimport {\n  a, // first\n  /* second */ B as b,\n} from 'new';",
    ],
    ['removes the last of a list', "import { a, b, c } from 'm';", ['c', 'b'], [], "import { a } from 'm';"],
    ['removes the first of a list', "import { a, b, c } from 'm';", ['a'], [], "import { b, c } from 'm';"],
    ['removes lines', "import {\n  a,\n  b,\n  c,\n} from 'm';", ['a', 'c'], [], "import {\n  b,\n} from 'm';"],
    ['removes the last line without a trailing comma', "import {\n  a,\n  b\n} from 'm';", ['b'], [], "import {\n  a\n} from 'm';"],
    ['removes statements', "import { a } from 'm';\nimport { b } from 'n';\nuse();", ['a'], [], "import { b } from 'n';\nuse();"],
    ['removes the only statement and its gap', "import { a } from 'm';\n\nuse();", ['a'], [], 'use();'],
    ['removes two from one line', "import { a } from 'm'; import { b } from 'n';\nuse();", ['a', 'b'], [], 'use();'],
    ['keeps the comment of a removed statement', "import { a } from 'm'; // keep me\nuse();", ['a'], [], '// keep me\nuse();'],
    ['keeps comments inside of a removed statement', "import { a /* keep me */ } from 'm';\nuse();", ['a'], [], '/* keep me */\nuse();'],
    ['removes a default', "import d, { a } from 'm';", ['default'], [], "import { a } from 'm';"],
    ['removes names next to a default', "import d, { a } from 'm';", ['a'], [], "import d from 'm';"],
    ['moves a namespace', "import * as sdk from 'old';", ['*'], ['new#* as sdk'], "import * as sdk from 'new';"],
    ['turns a namespace into names', "import * as sdk from 'old';", ['*'], ['new#a'], "import { a } from 'new';"],
    ['moves a type import', "import type { T } from 'old';", ['T'], ['type new#T'], "import type { T } from 'new';"],
    ['moves inline types', "import { a, type T } from 'old';", ['a', 'T'], ['new#a', 'type new#T'], "import { a } from 'new';\nimport type { T } from 'new';"],
    [
      'several packages',
      "import { a, b, c } from 'old';\nuse();",
      ['a', 'b', 'c'],
      ['x#a', 'y#b', 'x#c'],
      "import { a, c } from 'x';\nimport { b } from 'y';\nuse();",
    ],
    ['moves import equals', "import sdk = require('old');", ['*'], ['new#* as sdk'], "import sdk = require('new');"],
    ['leaves bare imports', "import 'old';\nimport { a } from 'old';", ['a'], ['new#a'], "import 'old';\nimport { a } from 'new';"],
  ])('%s', (_, source, remove, needs, expected) => {
    expect(rebind(source, remove, needs)).toBe(expected);
  });

  it('edits require', () => {
    expect(rebind("const { A, b: c } = require('old');\nuse();", ['A', 'b'], ['new#A', 'new#B as c'], 'a.cjs')).toBe(
      "const { A, B: c } = require('new');\nuse();",
    );
    expect(rebind("const sdk = require('old');\nuse();", ['*'], ['new#* as sdk'], 'a.cjs')).toBe("const sdk = require('new');\nuse();");
    expect(rebind("const { A, B } = require('old');\nuse();", ['A'], ['new#A'], 'a.cjs')).toBe(
      "const { B } = require('old');\nconst { A } = require('new');\nuse();",
    );
  });

  it('ignores what is not there', () => {
    const file = given("import { a } from 'm';");
    expect(rebindImports(file, { remove: [{ specifier: 'm', name: 'z', local: 'z', typeOnly: false }], add: [] })).toEqual([]);
  });
});

describe('importCleanup', () => {
  it('drops what became unused, and only that', () => {
    const before = given("import React from 'react';\nimport { a, b, unused } from 'm';\nimport type { T } from 't';\na(b as T);");
    const after = given("import React from 'react';\nimport { a, b, unused } from 'm';\nimport type { T } from 't';\na();");
    expect(applyEdits(after.text, importCleanup(before, after))).toBe("import React from 'react';\nimport { a, unused } from 'm';\na();");
  });
});
