import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/core/index.js';
import { runJscodeshift, scratchProject, tokenDiff } from '../../../src/languages/typescript/index.js';
import { tokensOf } from '../../../src/languages/typescript/tokens/tokens.js';
import { given } from './given.js';

const diff = (before: string, after: string, path = 'src/server.ts'): string => applyEdits(before, tokenDiff(before, after, { path }));
const keys = (text: string, path = 'src/server.ts'): readonly string[] => tokensOf(given(text, path)).map((token) => token.key);

describe('tokens', () => {
  it('are those of the tree', () => {
    expect(keys('const a = /["\'`]/g, b = `x${c / 2}y`;')).toEqual(['const', 'a', '=', '/["\'`]/g', ',', 'b', '=', '`x${', 'c', '/', '2', '}y`', ';']);
    expect(keys('let a: Map<string, Array<number>> = b;')).toContain('>');
    expect(keys("<p title='a'>it's {b}</p>;", 'a.tsx')).toEqual(
      ['<', 'p', 'title', '=', '"a', '>', ">it's ", '{', 'b', '}', '<', '/', 'p', '>', ';'].map((key) => key),
    );
  });
});

describe('tokenDiff', () => {
  it.each([
    ['quotes and layout do not count', "import { a } from 'm' ;\n\n\nuse( a ) ;", 'import { a } from "m";\nuse(a);', "import { a } from 'm' ;\n\n\nuse( a ) ;"],
    ['a rename', 'new Old( /* why */ a ) // end', 'new New(a)', 'new New( /* why */ a ) // end'],
    ['a new argument', 'f(a); // c\n', 'f(a, "b");\n', "f(a, 'b'); // c\n"],
    ['double quotes stay', 'g("x"); f(a);', "g('x'); f(a, 'b');", 'g("x"); f(a, "b");'],
    ['await', 'function f() {\n  // c\n  g();\n}', 'async function f() {\n    await g();\n}', 'async function f() {\n  // c\n  await g();\n}'],
    ['export', '/** Doc. */\nfunction f() {}', '/** Doc. */\nexport function f() {}', '/** Doc. */\nexport function f() {}'],
    ['a new statement in the middle', 'a();\n\n// about b\nb();\n', 'a();\nx();\nb();\n', 'a();\nx();\n\n// about b\nb();\n'],
    ['a new statement behind a comment', 'a(); // about a\nb();\n', 'a();\nx();\nb();\n', 'a(); // about a\nx();\nb();\n'],
    ['a new statement at the end', 'a(); // about a\n', 'a();\nx();\n', 'a(); // about a\nx();\n'],
    ['a new statement at the beginning', '#!/usr/bin/env node\n// header\n\na();\n', 'x();\na();\n', '#!/usr/bin/env node\n// header\n\nx();\na();\n'],
    ['a deleted statement', 'a();\n\n// about b\nb();\n\nc();\n', 'a();\nc();\n', 'a();\n\n// about b\n\nc();\n'],
    ['a deleted statement between blank lines', 'a();\n\nb();\n\nc();\n', 'a();\nc();\n', 'a();\n\nc();\n'],
    ['a deleted argument', 'f(a, b, /* c */ c);', 'f(a, c);', 'f(a, /* c */ c);'],
    [
      'comments of deleted code stay',
      'f(\n  a, // first\n  b, // second\n);',
      'f(\n  b,\n);',
      'f(\n   // first\n  b, // second\n);'.replace('   // first', '  // first'),
    ],
    ['a comment that would part a statement', 'x = y as Z; // note\nx = y as Z;\n', 'x = renamed as Z;\n', '// note\nx = renamed as Z;\n'],
    ['a filled block', 'f(() => {});', 'f(() => {\n    a();\n});', 'f(() => {\n  a();\n});'],
    ['tabs', 'class A {\n\tb() {\n\t\tc();\n\t}\n}', 'class A {\n\tb() {\n\t\tc();\n    if (x) {\n        d();\n    }\n\t}\n}', undefined],
    ['CRLF', 'a();\r\nb();\r\n', 'a();\nx({\n  y,\n});\nb();\n', 'a();\r\nx({\r\n  y,\r\n});\r\nb();\r\n'],
    ['lone CR', 'a();\rb();\r', 'a();\nx();\nb();\n', 'a();\rx();\rb();\r'],
    ['template line ends do not count', 'f(`a\r\nb`);\r\n', 'g(`a\nb`);\n', 'g(`a\r\nb`);\r\n'],
    ['minified', 'if(a)b();else c();', 'if (a) { await b(); } else c();', 'if(a) { await b(); } else c();'],
    ['parentheses to await', 'async () => { return(x) }', 'async () => { return await x; }', undefined],
    [
      'wrapped arguments',
      "s.tool('a', desc, schema, async () => {\n  // body\n});",
      "s.registerTool('a', {\n    description: desc,\n    inputSchema: schema\n}, async () => {\n  // body\n});",
      "s.registerTool('a', {\n  description: desc,\n  inputSchema: schema\n}, async () => {\n  // body\n});",
    ],
  ])('%s', (_, before, after, expected) => {
    const result = diff(before, after);
    expect(keys(result)).toEqual(keys(after));
    if (expected !== undefined) expect(result).toBe(expected);
  });

  it('says which text does not parse', () => {
    expect(() => tokenDiff('a(', 'a()', { path: 'src/cart.ts' })).toThrow(/src\/cart\.ts: the text before/);
  });

  it('holds for random edits of a program', () => {
    const blank = fc.constantFrom('\n', '\n\n', ' // note\n', '\n/* block */\n', ' ');
    const statement = fc.constantFrom(
      'const cart = new Map();',
      'app.post("/mcp", async (req, res) => { await handle(req, res, req.body); });',
      'if (a) { b(); } else { c(`x${d}y`); }',
      'export class Store<T> { #items = new Map<string, T[]>(); get size() { return this.#items.size; } }',
      'for (const id of ids) { if (/["/]/.test(id)) continue; }',
      'server.tool("add", { a: z.number() }, ({ a }) => ({ content: [] }));',
      'type Entry = { id: string } | undefined;',
      'label: while (true) break label;',
      'x = y as unknown as Z;',
    );
    const lines = fc.array(fc.tuple(statement, blank), { maxLength: 8 });
    const eol = fc.constantFrom('\n', '\r\n');
    const change = fc.array(fc.tuple(fc.nat(), fc.constantFrom('delete', 'insert', 'reword'), statement), { maxLength: 4 });
    fc.assert(
      fc.property(lines, change, eol, (parts, changes, end) => {
        const before = parts
          .map(([text, gap]) => (text.includes('"add"') ? text : text.replace(/"/g, "'")) + gap)
          .join('')
          .replace(/\n/g, end);
        const list: string[] = parts.map(([text]) => text);
        for (const [at, how, text] of changes) {
          const index = list.length === 0 ? 0 : at % list.length;
          if (how === 'delete') list.splice(index, 1);
          else if (how === 'insert') list.splice(index, 0, text);
          else if (list[index] !== undefined) list[index] = list[index].replace(/\b(cart|handle|items|id|y)\b/, 'renamed');
        }
        const after = list.join('\n');
        const edits = tokenDiff(before, after, { path: 'a.ts' });
        const result = applyEdits(before, edits);
        expect(keys(result)).toEqual(keys(after));
        if (keys(before).join() === keys(after).join()) expect(edits).toEqual([]);
        const comments = (text: string): number => text.match(/\/\/ note|\/\* block \*\//g)?.length ?? 0;
        expect(comments(result)).toBe(comments(before));
        // What lies in front of the first and behind the last changed token is byte for byte the same.
        const [old, next] = [tokensOf(given(before, 'a.ts')), tokensOf(given(after, 'a.ts'))];
        let head = 0;
        while (head < Math.min(old.length, next.length) && old[head]?.key === next[head]?.key) head++;
        let tail = 0;
        while (tail < Math.min(old.length, next.length) - head && old.at(-1 - tail)?.key === next.at(-1 - tail)?.key) tail++;
        if (comments(before) === 0) expect(result.startsWith(before.slice(0, old[head - 1]?.end ?? 0))).toBe(true);
        if (tail > 0) expect(result.endsWith(before.slice(old.at(-tail)?.start))).toBe(true);
        if (before.includes('\r\n')) expect(result).not.toMatch(/[^\r]\n/);
      }),
      { numRuns: 150 },
    );
  });
});

describe('runJscodeshift', () => {
  it('takes over what a transform changes and nothing else', () => {
    const file = given("// keep\nres.status( 400 ).json({error:'Invalid session'}) // here\n", 'src/a.ts');
    const edits = runJscodeshift(({ source }, { j }) => {
      const root = j(source);
      root.find(j.Literal, { value: 400 }).replaceWith(() => j.literal(404));
      root.find(j.NumericLiteral, { value: 400 }).replaceWith(() => j.numericLiteral(404));
      return root.toSource();
    }, file);
    expect(applyEdits(file.text, edits)).toBe("// keep\nres.status( 404 ).json({error:'Invalid session'}) // here\n");
  });
  it.each(['a.js', 'a.jsx', 'a.mjs', 'a.tsx', 'a.mts'])('reads %s', (path) => {
    expect(runJscodeshift(({ source }, { j }) => j(source).toSource(), given('const a = b?.c ?? d;\n', path))).toEqual([]);
  });
});

describe('scratchProject', () => {
  it('holds files without a disk', () => {
    expect(scratchProject().createSourceFile('/file.js', 'const a = 1;').getVariableDeclarations()).toHaveLength(1);
  });
});
