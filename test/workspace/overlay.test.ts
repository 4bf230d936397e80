import { execFileSync } from 'node:child_process';
import { readFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, OverlapError, type FileChange } from '../../src/core/index.js';
import { ChangeError, DiskSource, editsBetween, memorySource, Overlay, unifiedDiff } from '../../src/workspace/index.js';
import { add, git, repository, tree } from './tree.js';

describe('editsBetween', () => {
  it('turns any text into any other', () => {
    const text = fc
      .array(fc.constantFrom('const a = 1;', 'let b;', '}', '', '\r', 'é', '😀'), { maxLength: 12 })
      .chain((lines) => fc.constantFrom('\n', '\r\n').map((eol) => lines.join(eol)));
    fc.assert(fc.property(text, text, (before, after) => applyEdits(before, editsBetween(before, after)) === after));
  });

  it('keeps the edit inside the line that changes', () => {
    expect(editsBetween('const a = 1;\nconst b = 2;\n', 'const a = 1;\nconst b = 20;\n')).toEqual([{ start: 24, end: 24, text: '0' }]);
  });
});

describe('Overlay', () => {
  const base = memorySource({ 'server.ts': 'const port = 1;\n', 'old.ts': 'gone\n' });

  it('applies all changes or none, and tells the difference to its base', () => {
    const overlay = new Overlay(base);
    overlay.apply([
      { kind: 'edit', file: 'server.ts', edits: [{ start: 13, end: 14, text: '3000' }] },
      { kind: 'remove', file: 'old.ts' },
      { kind: 'create', file: 'lane.ts', text: 'export {};\n' },
    ]);
    expect(overlay.text('server.ts')).toBe('const port = 3000;\n');
    expect(overlay.exists('old.ts')).toBe(false);
    expect(overlay.text('old.ts')).toBeUndefined();
    expect(overlay.changed()).toEqual([
      { kind: 'create', file: 'lane.ts', text: 'export {};\n' },
      { kind: 'remove', file: 'old.ts' },
      { kind: 'edit', file: 'server.ts', edits: [{ start: 13, end: 14, text: '3000' }] },
    ]);
    const before = overlay.text('server.ts');
    const bad: FileChange[] = [
      { kind: 'edit', file: 'server.ts', edits: [{ start: 0, end: 5, text: 'let' }] },
      { kind: 'create', file: 'lane.ts', text: 'again' },
    ];
    expect(() => overlay.apply(bad)).toThrow(ChangeError);
    expect(() => overlay.apply([{ kind: 'edit', file: 'old.ts', edits: [] }])).toThrow(ChangeError);
    expect(() =>
      overlay.apply([
        {
          kind: 'edit',
          file: 'server.ts',
          edits: [
            { start: 0, end: 5, text: '' },
            { start: 4, end: 6, text: '' },
          ],
        },
      ]),
    ).toThrow(OverlapError);
    expect(overlay.text('server.ts')).toBe(before);
    expect(base.text('server.ts')).toBe('const port = 1;\n');
  });

  it('drops changes that cancel each other out, and forks', () => {
    const overlay = new Overlay(base);
    const fork = overlay.fork();
    overlay.apply([{ kind: 'edit', file: 'server.ts', edits: [{ start: 13, end: 14, text: '2' }] }]);
    overlay.apply([{ kind: 'edit', file: 'server.ts', edits: [{ start: 13, end: 14, text: '1' }] }]);
    overlay.apply([{ kind: 'create', file: 'lane.ts', text: '' }]);
    overlay.apply([{ kind: 'remove', file: 'lane.ts' }]);
    expect(overlay.changed()).toEqual([]);
    expect(fork.paths()).toEqual([]);
  });

  it('stacks: the second milestone is stated against the first', () => {
    const first = new Overlay(base);
    first.apply([{ kind: 'edit', file: 'server.ts', edits: [{ start: 13, end: 14, text: '2' }] }]);
    const second = new Overlay(first);
    second.apply([{ kind: 'edit', file: 'server.ts', edits: [{ start: 13, end: 14, text: '3' }] }]);
    expect(unifiedDiff(first.changed(), base)).toContain('-const port = 1;\n+const port = 2;');
    expect(unifiedDiff(second.changed(), first)).toContain('-const port = 2;\n+const port = 3;');
  });
});

describe('unifiedDiff', () => {
  const files: Record<string, string> = {
    'src/plain.ts': 'a\nb\nc\nd\ne\nf\ng\nh\n',
    'src/crlf.ts': 'a\r\nb\r\nc\r\n',
    'src/bom.ts': '\uFEFFconst a = 1;\nconst b = 2;\n',
    'src/no newline.ts': 'a\nb',
    'src/gains.ts': 'last',
    'naïve "quoted".ts': 'x\n',
    'gone.ts': 'bye\nbye\n',
    'shell.sh': '#!/bin/sh\n\fecho\n',
  };
  const wanted: Record<string, string> = {
    'src/plain.ts': 'A\nb\nc\nd\ne\nf\ng\nH\n',
    'src/crlf.ts': 'a\r\nB\r\nc\r\nd\r\n',
    'src/bom.ts': '\uFEFFconst a = 10;\nconst b = 2;\n',
    'src/no newline.ts': 'a\nB',
    'src/gains.ts': 'last\n',
    'naïve "quoted".ts': 'y\n',
    'shell.sh': '#!/bin/sh\n\fecho done\n',
    'new folder/lane.ts': 'export {};',
    'empty.ts': '',
  };
  const changes = (root: string): { changes: readonly FileChange[]; source: DiskSource } => {
    const source = new DiskSource(root);
    const overlay = new Overlay(source);
    for (const [file, raw] of Object.entries(wanted)) {
      const text = raw.replace(/^\uFEFF/, '');
      overlay.apply([source.exists(file) ? { kind: 'edit', file, edits: editsBetween(source.text(file) ?? '', text) } : { kind: 'create', file, text }]);
    }
    overlay.apply([{ kind: 'remove', file: 'gone.ts' }]);
    return { changes: overlay.changed(), source };
  };
  const check = (root: string): void => {
    for (const [file, text] of Object.entries(wanted)) expect(readFileSync(join(root, file), 'utf8'), file).toBe(text);
    expect(existsSync(join(root, 'gone.ts'))).toBe(false);
  };

  it('is taken by git apply, byte for byte', () => {
    const root = repository(files);
    const { changes: list, source } = changes(root);
    writeFileSync(join(root, '.git/p.patch'), unifiedDiff(list, source));
    git(root, 'apply', '--check', '.git/p.patch');
    git(root, 'apply', '.git/p.patch');
    check(root);
    git(root, 'apply', '-R', '.git/p.patch');
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  it('applies from the top and from the folder itself when that lies below the top', () => {
    const root = repository({ 'other.ts': '' });
    add(join(root, 'packages/api'), files);
    const folder = join(root, 'packages/api');
    const { changes: list, source } = changes(folder);
    writeFileSync(join(root, '.git/p.patch'), unifiedDiff(list, source, { prefix: 'packages/api/' }));
    git(root, 'apply', '--check', '.git/p.patch');
    git(folder, 'apply', join(root, '.git/p.patch'));
    check(folder);
  });

  it('applies outside of git', () => {
    const root = tree(files);
    const { changes: list, source } = changes(root);
    execFileSync('git', ['apply', '-'], { cwd: root, input: unifiedDiff(list, source), env: { ...process.env, GIT_CEILING_DIRECTORIES: root } });
    check(root);
  });

  it('is empty for changes that change nothing', () => {
    expect(unifiedDiff([{ kind: 'edit', file: 'a.ts', edits: [] }], memorySource({ 'a.ts': 'x' }))).toBe('');
  });
});
