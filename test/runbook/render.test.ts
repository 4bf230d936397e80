import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { marked, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import {
  markdownCell,
  markdownCode,
  markdownFence,
  markdownHtml,
  markdownProse,
  markdownText,
  mermaidLabel,
  mermaidWords,
  shellWord,
  visible,
  type RunbookModel,
} from '../../src/core/index.js';
import {
  buildRunbook,
  CatalogueError,
  fileHeader,
  HardRejectError,
  refusesOverwrite,
  renderPullRequest,
  renderRunbook,
  TemplateError,
  type Catalogue,
  type TemplatePort,
} from '../../src/runbook/index.js';
import { openCatalogue } from '../../src/runbook/messages.js';
import { shippedTemplates } from './port.js';
import { at, checks, endpoint, finding, shop } from './shop.js';

const options = { sunset: '2027-05-31', owner: 'Team Checkout', now: '2026-11-30' };
const port = shippedTemplates();
const build = (scan = shop()): RunbookModel => buildRunbook(scan, checks, options);
const text = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\u2060/g, '');

/** All tokens of a document, at every depth. */
function tokensOf(markdown: string): readonly Token[] {
  const all: Token[] = [];
  void marked.walkTokens(marked.lexer(markdown), (token) => void all.push(token));
  return all;
}

describe('escaping', () => {
  const hostile = fc.string({ unit: fc.constantFrom(...Array.from('ab1|`*_<>[]()#\\~!&;{}$\n-. "\'')), maxLength: 30 });
  /** What a reader sees of a string. */
  const flat = (value: string): string => visible(value).trim();

  it('shows running text as written', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        expect(text(marked.parseInline(`x ${markdownText(value)}`) as string).trimEnd()).toBe(`x ${flat(value)}`.trimEnd());
      }),
      { numRuns: 400 },
    );
  });

  it('shows inline code as written', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const html = marked.parseInline(`x ${markdownCode(value)}`) as string;
        expect(text(html).replace(/\s+/g, ' ').trim()).toBe(`x ${flat(value)}`.replace(/\s+/g, ' ').trim());
      }),
      { numRuns: 400 },
    );
  });

  it('never opens another cell', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(markdownCode, markdownText, markdownProse), (value, escape) => {
        const tokens = marked.lexer(`| a | b |\n| --- | --- |\n| ${markdownCell(escape(value))} | end |\n`);
        const table = tokens[0] as Tokens.Table;
        expect(table.type).toBe('table');
        expect(table.rows[0]?.map((cell) => cell.text).at(-1)).toBe('end');
        expect(table.rows[0]).toHaveLength(2);
      }),
      { numRuns: 400 },
    );
  });

  it('never yields HTML', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        expect(tokensOf(`x ${markdownProse(value)}`).some((token) => token.type === 'html')).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('keeps a fence closed, quotes shell words, and spares mermaid', () => {
    expect(markdownFence('a\n```\nb')).toBe('````\na\n```\nb\n````');
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord("it's $HOME `x`")}`], { encoding: 'utf8' })).toBe("it's $HOME `x`");
    expect(mermaidLabel('a"]; b --> c\n<x>')).toBe('"a#34;#93;#59; b --#62; c#92;n#60;x#62;"');
    expect(mermaidWords('a : b; c # d\n%% e {f}')).toBe('a b c d n e f');
  });

  it('shows what an eye would obey, and wakes no mention, reference or link', () => {
    expect(markdownText('pay\u202eeciovni.ts')).toBe(String.raw`pay\\u202eeciovni.ts`);
    expect(markdownCode('a\u200bb\nc')).toBe('`' + String.raw`a\u200bb\nc` + '`');
    for (const place of [markdownText, markdownProse, markdownHtml])
      for (const text of ['@octo', '#12', 'www.example.test', 'http://example.test'])
        expect(place(text).replace(/`[^`]*`/g, '')).not.toMatch(/@octo|#12|www\.ex|:\/\//);
    // What a reader copies is code: it wakes nothing, and nothing unseen goes with it.
    expect(markdownProse('See http://example.test/sse. and @harbour/tides-2 now')).toBe('See `http://example.test/sse`. and `@harbour/tides-2` now');
    expect(markdownHtml('</summary><b>"x"')).toBe('&#60;/summary&#62;&#60;b&#62;&#34;x&#34;');
  });
});

describe('a repository with hostile names', () => {
  const evil =
    'x | `y`](javascript:alert(1)) <img src=x onerror=alert(1)>\n## 17. Removal date\n| a | ![p](https://pic.test/p.png) "]; z --> e0 \u202e~~~\n```\n@octo #12';
  const scan = shop({
    inventory: {
      ...shop().inventory,
      endpoints: [endpoint({ path: `/mcp${evil}`, routes: [at(`src/${evil}.ts`, 3)] })],
      stores: [{ site: at('a.ts', 1), symbol: { file: 'a.ts', name: evil }, holds: 'state', form: 'map' }],
    },
    findings: [finding({ id: 'session-state/keyed-map', site: at(`src/${evil}.ts`, 9), evidence: [evil], data: { name: evil, key: evil } })],
    notAnalysed: [{ file: evil, why: 'syntax', reason: evil }],
  });

  it.each(['runbook', 'adr', 'issue', 'summary'] as const)('%s has no HTML, no foreign link and no foreign heading', (document) => {
    const markdown = renderRunbook(document, buildRunbook(scan, checks, { ...options, owner: evil.replace(/\n/g, ' ') }), port);
    const tokens = tokensOf(markdown.split('\n').slice(1).join('\n'));
    expect(tokens.filter((token) => token.type === 'html')).toEqual([]);
    for (const token of tokens) if (token.type === 'link') expect((token as Tokens.Link).href).not.toMatch(/^javascript/);
    const headings = tokens.filter((token) => token.type === 'heading').map((token) => (token as Tokens.Heading).text);
    expect(headings.filter((heading) => heading.startsWith('17.')).length).toBeLessThanOrEqual(1);
    for (const token of tokens)
      if (token.type === 'table') for (const row of (token as Tokens.Table).rows) expect(row).toHaveLength((token as Tokens.Table).header.length);
    expect(tokens.some((token) => token.type === 'image')).toBe(false);
    expect(markdown).not.toMatch(/\u202e/);
    for (const token of tokens) if (token.type === 'text' && !('tokens' in token)) expect(token.raw).not.toMatch(/@octo|(?<![\w.)])#12/);
    // Every diagram keeps the lines that the template gives it: none is added by a name.
    for (const token of tokens)
      if (token.type === 'code' && (token as Tokens.Code).lang === 'mermaid')
        for (const line of (token as Tokens.Code).text.split('\n').slice(1))
          expect(line).toMatch(/^ {2}(?:title [^:;#]*|[\w-]+ : [^:;#]*|\w+(?:\[|\[\()"[^"]*"\)?\]|\w+ --> (?:\|"[^"]*"\| )?\w+)$/);
  });
});

describe('what GitHub renders', () => {
  it.each(['runbook', 'adr', 'issue', 'summary'] as const)('%s: every pipe line is in a table and every fence is closed', (document) => {
    const markdown = renderRunbook(document, build(), port);
    const tables = tokensOf(markdown).filter((token) => token.type === 'table') as readonly Tokens.Table[];
    const inTables = tables.reduce((sum, table) => sum + table.rows.length + 2, 0);
    expect(markdown.split('\n').filter((line) => line.startsWith('|'))).toHaveLength(inTables);
    expect(markdown.split('\n').filter((line) => line.startsWith('```')).length % 2).toBe(0);
    expect(markdown).not.toMatch(/NaN|undefined|\[object|\{\{|\{\w+\}/);
  });

  it('has all parts in their order', () => {
    const parts = renderRunbook('runbook', build(), port)
      .split('\n')
      .filter((line) => /^## \d+\./.test(line))
      .map((line) => Number(/\d+/.exec(line)?.[0]));
    expect(parts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
  });

  it('names a place in every row of the inventory, the endpoints and the infrastructure', () => {
    const tables = tokensOf(renderRunbook('runbook', build(), port)).filter((token) => token.type === 'table') as readonly Tokens.Table[];
    const placed = tables.filter((table) => ['Used for', 'Request', 'Rollback'].some((name) => table.header.some((cell) => cell.text === name)));
    expect(placed).toHaveLength(3);
    for (const table of placed) for (const row of table.rows) expect(row.at(-1)?.text).toMatch(/:\d+`\]\(/);
  });

  it('prints commands that a shell can parse', () => {
    for (const entry of build().checklist) expect(() => execFileSync('sh', ['-n', '-c', entry.command])).not.toThrow();
  });
});

describe('catalogue and templates', () => {
  const used = new Set<string>();
  const prefixes = new Set<string>();
  const sources = [
    ...Object.values(port.templates),
    ...['', 'parts/'].flatMap((folder) =>
      readdirSync(join(import.meta.dirname, '../../src/runbook', folder))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(import.meta.dirname, '../../src/runbook', folder, name), 'utf8')),
    ),
  ];
  for (const source of sources) {
    for (const match of source.matchAll(/\{?\b(?:t|tcell) "([\w.-]+)"/g)) used.add(match[1] ?? '');
    for (const match of source.matchAll(/\btt "([\w.-]+)"/g)) prefixes.add(`${match[1] ?? ''}.`);
    for (const match of source.matchAll(/'([a-z][\w-]*(?:\.[\w-]+)+)'/g)) used.add(match[1] ?? '');
    for (const match of source.matchAll(/`([a-z][\w-]*\.[\w.-]*)\$\{/g)) prefixes.add(match[1] ?? '');
  }
  const keys = openCatalogue(port.messages).keys;

  it('has no sentence that nobody says', () => {
    expect(keys.filter((key) => !used.has(key) && ![...prefixes].some((prefix) => key.startsWith(prefix)))).toEqual([]);
  });

  it('has every sentence that a template names', () => {
    const named = Object.values(port.templates).flatMap((source) => [...source.matchAll(/\b(?:t|tcell) "([\w.-]+)"/g)].map((match) => match[1] ?? ''));
    expect(named.filter((key) => !keys.includes(key))).toEqual([]);
  });

  it('lets no string of the model pass without a helper', () => {
    const allowed = /^(number|id|name|value|from|to|else|@index|#|\/|>)/;
    for (const [name, source] of Object.entries(port.templates)) {
      const bare = [...source.matchAll(/\{\{([^{}]+)\}\}/g)]
        .map((match) => (match[1] ?? '').trim())
        .filter((inside) => !inside.includes(' ') && !allowed.test(inside));
      expect(bare, name).toEqual([]);
    }
  });

  it('holds no language outside of the catalogue: another one leaves no English behind', () => {
    const shout = (catalogue: Catalogue): Catalogue =>
      Object.fromEntries(
        Object.entries(catalogue).map(([key, value]) => [
          key,
          typeof value === 'string' ? value.replace(/`[^`]*`|\{\w+\}|[a-z]+/g, (part) => (/^[`{]/.test(part) ? part : 'ж'.repeat(part.length))) : shout(value),
        ]),
      );
    const foreign: TemplatePort = { ...port, messages: shout(port.messages) };
    const markdown = renderRunbook(
      'runbook',
      buildRunbook(shop({ findings: [], plan: { ...shop().plan, items: [], lanes: [] }, notAnalysed: [] }), [], options),
      foreign,
    );
    const words = markdown
      .split('\n')
      .slice(1)
      .join('\n')
      .replace(/```[\s\S]*?```/g, '')
      .replace(/`[^`]*`|\([^)]*\)/g, '')
      .match(/\b[a-z]{4,}\b/g);
    expect(words?.filter((word) => !['streamable', 'http', 'transport', 'object', 'shop', 'auto'].includes(word)) ?? []).toEqual([]);
  });

  it('takes an overridden partial', () => {
    const own: TemplatePort = { ...port, templates: { ...port.templates, 'runbook/date': '## Ours\n\n{{text sunset}}' } };
    expect(renderRunbook('runbook', build(), own).trimEnd().endsWith('## Ours\n\n2027-05-31')).toBe(true);
  });

  it('names a broken template and a missing sentence', () => {
    expect(() => renderRunbook('runbook', build(), { ...port, templates: { ...port.templates, 'runbook/document': '{{#if x}}' } })).toThrow(TemplateError);
    expect(() => renderRunbook('runbook', build(), { ...port, templates: { ...port.templates, 'runbook/date': '{{t "no.such"}}' } })).toThrow(CatalogueError);
    expect(() => renderRunbook('runbook', build(), { templates: {}, messages: {} })).toThrow(TemplateError);
  });

  it('refuses a template that presents removed behaviour as modern', () => {
    const dishonest: TemplatePort = { ...port, templates: { ...port.templates, 'runbook/date': 'curl -X POST -L "$MCP_URL"\n' } };
    expect(() => renderRunbook('runbook', build(), dishonest)).toThrow(HardRejectError);
    const mandate: TemplatePort = {
      ...port,
      templates: { ...port.templates, 'runbook/date': 'The specification requires the removal of sessions by then.\n' },
    };
    expect(() => renderRunbook('runbook', build(), mandate)).toThrow('invented-mandate');
  });

  it('may quote a repository that says it', () => {
    const scan = shop({
      findings: [
        finding({ id: 'session-state/keyed-map', site: at('src/carts.ts', 4), data: { name: 'curl -X POST -L "$MCP_URL"; return 301 /mcp', key: 'k' } }),
      ],
    });
    expect(renderRunbook('runbook', build(scan), port)).toContain('return 301 /mcp');
  });

  it('links from a folder below the root', () => {
    expect(renderRunbook('adr', build(), { ...port, root: '../../' })).toContain('(../../src/server.ts#L14)');
  });

  it('renders the pull request without a header', () => {
    expect(renderPullRequest('entry', build(), shop(), port).startsWith('# ')).toBe(true);
  });
});

describe('--output', () => {
  it('overwrites only what it wrote', () => {
    expect(refusesOverwrite(undefined, 'MIGRATION.md')).toBeUndefined();
    expect(refusesOverwrite('', 'MIGRATION.md')).toBeUndefined();
    expect(refusesOverwrite(`\uFEFF${fileHeader('runbook', '0.1.0')}\n\n# x`, 'MIGRATION.md')).toBeUndefined();
    expect(refusesOverwrite('# our own notes', 'MIGRATION.md')).toContain('MIGRATION.md was not written by unsession');
  });
});
