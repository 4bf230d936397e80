import { describe, expect, it } from 'vitest';
import { commentsOf, lostComments } from './comments.js';
import { syntaxFaults } from './parse.js';
import { readReadme } from './readme.js';
import { isKnownReference } from './spec-pages.js';
import { StoryOptions } from './story.js';
import { applyChanges, withTree } from './tree.js';
import { expectationOf, VARIANTS } from './variants.js';
import type { Tree } from './tree.js';

/** The kit judges fixtures, so each of its judgements must be able to fail. */

const SOURCE = `// Opens the desk.
import { desk } from './desk.js'; // shared

/* Two
   lines. */
export function open(): void {
  desk.open(\`// not a comment \${1 /* inside */}\`);
  if (desk.ready) {
    desk.ring(); // once
  }
}
`;
const tree = (text: string): Tree =>
  new Map([
    ['package.json', '{\n  "name": "desk"\n}\n'],
    ['server.ts', text],
  ]);

describe('comments', () => {
  it('are found wherever they stand, and not in strings', () => {
    expect(commentsOf('server.ts', SOURCE)).toEqual(['// Opens the desk.', '// shared', '/* Two lines. */', '/* inside */', '// once']);
  });

  it('are lost when they are gone, or when one of two is gone', () => {
    expect(lostComments(tree(SOURCE), tree(SOURCE.replace(' // once', '')))).toEqual(['// once']);
    expect(lostComments(tree('// twice\nlet a;\n// twice\nlet b;\n'), tree('// twice\nlet a;\nlet b;\n'))).toEqual(['// twice']);
    expect(lostComments(tree(SOURCE), tree(SOURCE))).toEqual([]);
  });
});

describe('variants', () => {
  it.each(VARIANTS)('$name is a different text, and comes off again', (variant) => {
    const disguised = variant.disguise(tree(SOURCE));
    expect(disguised.get('server.ts')).not.toBe(SOURCE);
    const revealed = variant.reveal(disguised, tree(SOURCE));
    expect(Object.fromEntries(revealed)).toEqual(Object.fromEntries(expectationOf(variant, tree(SOURCE))));
  });

  it.each(VARIANTS)('$name shows a line that does not fit', (variant) => {
    const disguised = new Map(variant.disguise(tree(SOURCE)));
    const spoilt: Record<string, (text: string) => string> = {
      CRLF: (text) => `${text}let late;\n`,
      'a byte order mark': (text) => text.slice(1),
      tabs: (text) => text.replace('\t\tdesk.ring', '    desk.ring'),
      'a shebang': (text) => text.replace('#!/usr/bin/env node\n', ''),
    };
    disguised.set('server.ts', spoilt[variant.name]?.(disguised.get('server.ts') ?? '') ?? '');
    expect(Object.fromEntries(variant.reveal(disguised, tree(SOURCE)))).not.toEqual(Object.fromEntries(expectationOf(variant, tree(SOURCE))));
  });
});

describe('syntax', () => {
  it('is faulty in code and in JSON', () => {
    expect(syntaxFaults(tree('const = 1;\n'))).not.toEqual([]);
    expect(syntaxFaults(new Map([['package.json', '{ "name": }']]))).not.toEqual([]);
    expect(syntaxFaults(tree(SOURCE))).toEqual([]);
  });
});

describe('README stories', () => {
  const text =
    '# A thing\n\n## What\n\n## Before\n\n<!-- story: { "legacy": "stateless" } -->\n\n```ts server.ts\nlet a;\n```\n\n## After\n\n```ts server.ts\nlet b;\n```\n\n[x](other.md)\n';

  it('have files, options and links', () => {
    const { title, headings, before, after, options, links } = readReadme(text);
    expect({ title, headings, links, legacy: options.legacy }).toEqual({
      title: 'A thing',
      headings: ['What', 'Before', 'After'],
      links: ['other.md'],
      legacy: 'stateless',
    });
    expect([before.get('server.ts'), after.get('server.ts')]).toEqual(['let a;\n', 'let b;\n']);
  });

  it('must name their files', () => {
    expect(() => readReadme(text.replace('```ts server.ts', '```ts'))).toThrow('names no file');
  });
});

describe('stories', () => {
  it('refuse an option that does not exist', () => {
    expect(() => StoryOptions.parse({ silnt: [] })).toThrow('silnt');
  });

  it('apply patches to a tree', () => {
    const changed = applyChanges(tree('let a;\n'), [
      { kind: 'edit', file: 'server.ts', edits: [{ start: 4, end: 5, text: 'b' }] },
      { kind: 'create', file: 'lane.ts', text: '' },
      { kind: 'remove', file: 'package.json' },
    ]);
    expect([...changed]).toEqual([
      ['lane.ts', ''],
      ['server.ts', 'let b;\n'],
    ]);
  });

  it('live in a temporary folder that is removed', async () => {
    const root = await withTree(tree('let a;\n'), (folder) => Promise.resolve(folder));
    await expect(withTree(new Map(), () => Promise.reject(new Error('stop')))).rejects.toThrow('stop');
    const { existsSync } = await import('node:fs');
    expect(existsSync(root)).toBe(false);
  });
});

describe('references', () => {
  it('must name a known page and section', () => {
    expect(['basic#statelessness', 'server/tools', 'basic/transports/streamable-http#sending-messages'].map(isKnownReference)).toEqual([true, true, true]);
    expect(['basic#stateless', 'server/tool', '#statelessness'].map(isKnownReference)).toEqual([false, false, false]);
  });
});
