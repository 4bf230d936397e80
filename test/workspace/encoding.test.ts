import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeText, diffBytes, DiskSource, encodedDiff, readText, undo, writeChanges } from '../../src/workspace/index.js';
import { tree } from './tree.js';

const SERVER = (name: string, word: string): string => `# -*- coding: ${name} -*-\n# ${word}\nserver = FastMCP("${word}")\n`;
/** Bytes as Node writes them: one byte a character. */
const bytes = (...codes: readonly number[]): string => String.fromCharCode(...codes);

describe('encodings that a Python file declares', () => {
  it.each([
    ['latin-1', 'latin-1', bytes(0x63, 0x61, 0x66, 0xe9), 'café'],
    ['iso-8859-15', 'iso-8859-15', bytes(0x35, 0xa4), '5€'],
    ['cp1252', 'windows-1252', bytes(0x93, 0x35, 0x80, 0x94), '“5€”'],
    ['Windows_1251', 'windows-1251', bytes(0xef, 0xee, 0xf0, 0xf2), 'порт'],
    ['koi8-r', 'koi8-r', bytes(0xd0, 0xcf, 0xd2, 0xd4), 'порт'],
    ['shift_jis', 'shift_jis', bytes(0x8d, 0x60, 0xc1), '港ﾁ'],
    ['euc-kr', 'euc-kr', bytes(0xc7, 0xd7), '항'],
    ['gbk', 'gbk', bytes(0xb8, 0xdb), '港'],
  ])('%s is decoded and written back', async (declared, encoding, raw, text) => {
    const root = tree({ 'server.py': Buffer.from(SERVER(declared, raw), 'latin1') });
    expect(readText(root, 'server.py')).toEqual({ path: 'server.py', text: SERVER(declared, text), bom: false, eol: '\n', encoding });
    const at = SERVER(declared, text).indexOf('FastMCP');
    await writeChanges(root, [{ kind: 'edit', file: 'server.py', edits: [{ start: at, end: at + 7, text: 'MCPServer' }] }], { before: new DiskSource(root) });
    expect(readFileSync(join(root, 'server.py'), 'latin1')).toBe(SERVER(declared, raw).replace('FastMCP', 'MCPServer'));
    await undo(root);
    expect(readFileSync(join(root, 'server.py'), 'latin1')).toBe(SERVER(declared, raw));
  });

  it.each([
    ['first line', '# vim: set fileencoding=latin-1 :\nx = "\xe9"\n', 'latin-1'],
    ['behind a shebang', '#!/usr/bin/env python3\n# coding: latin-1\nx = "\xe9"\n', 'latin-1'],
    ['with CRLF', '#!/usr/bin/env python3\r\n# coding=latin-1\r\nx = "\xe9"\r\n', 'latin-1'],
    ['plain ASCII', '# coding: ascii\nx = 1\n', 'ascii'],
  ])('declared in the %s', (_, text, encoding) => {
    expect(decodeText('a.py', Buffer.from(text, 'latin1'))).toMatchObject({ text, encoding });
  });

  it.each([
    ['UTF-8 by name', Buffer.from('# coding: utf8\nx = "é"\n'), false],
    ['a mark', Buffer.from('\uFEFF# coding: utf-8\nx = "é"\n'), true],
    ['below code', Buffer.from('import mcp\n# coding: latin-1\nx = "é"\n'), false],
    ['on the third line', Buffer.from('\n\n# coding: latin-1\nx = "é"\n'), false],
  ])('stays UTF-8: %s', (_, content, bom) => {
    const read = decodeText('a.py', content);
    expect(read).toMatchObject({ bom });
    expect(read).not.toHaveProperty('encoding');
  });

  it.each([
    ['an encoding that nobody knows', '# coding: klingon\nx = 1\n', /declares the encoding klingon, which is not known here/],
    ['bytes that are not in it', '# coding: ascii\nx = "\xe9"\n', /declares the encoding ascii, and its bytes are not in it/],
  ])('reports %s', (_, text, reason) => {
    expect(decodeText('a.py', Buffer.from(text, 'latin1'))).toMatchObject({ why: 'encoding', reason: expect.stringMatching(reason) as string });
  });

  it('does not look at files of other languages', () => {
    expect(decodeText('a.ts', Buffer.from('# coding: latin-1\n// \xe9\n', 'latin1'))).toMatchObject({ why: 'encoding', line: 2 });
  });

  it('refuses to write a character that the encoding does not have', async () => {
    const root = tree({ 'server.py': Buffer.from(SERVER('latin-1', 'caf\xe9'), 'latin1') });
    const edits = [{ start: 0, end: 0, text: '# → see the runbook\n' }];
    await expect(writeChanges(root, [{ kind: 'edit', file: 'server.py', edits }], { before: new DiskSource(root) })).rejects.toMatchObject({
      why: 'unwritable',
      message: expect.stringContaining('latin-1 does not have') as string,
    });
  });

  it('gives git a patch in the bytes of each file', () => {
    const utf8 = 'server = FastMCP("ponton é")\n';
    const root = tree({ 'bac/quai.py': Buffer.from(SERVER('latin-1', 'caf\xe9'), 'latin1'), 'pont.py': utf8 });
    const before = new DiskSource(root);
    const changes = ['bac/quai.py', 'pont.py'].map((file) => {
      const at = (before.text(file) ?? '').indexOf('FastMCP');
      return { kind: 'edit' as const, file, edits: [{ start: at, end: at + 7, text: 'MCPServer' }] };
    });
    const patch = encodedDiff(changes, before);
    expect(patch.encoded).toMatchObject([{ file: 'bac/quai.py', encoding: 'latin-1' }]);
    writeFileSync(join(root, 'step.patch'), diffBytes(patch));
    execFileSync('git', ['apply', 'step.patch'], { cwd: root });
    expect(readFileSync(join(root, 'bac/quai.py'), 'latin1')).toBe(SERVER('latin-1', 'caf\xe9').replace('FastMCP', 'MCPServer'));
    expect(readFileSync(join(root, 'pont.py'), 'utf8')).toBe(utf8.replace('FastMCP', 'MCPServer'));
  });

  it('gives no patch where the encoding lacks a character', () => {
    const root = tree({ 'server.py': Buffer.from(SERVER('latin-1', 'caf\xe9'), 'latin1') });
    const edits = [{ start: 0, end: 0, text: '# → see the runbook\n' }];
    const patch = encodedDiff([{ kind: 'edit', file: 'server.py', edits }], new DiskSource(root));
    expect(() => diffBytes(patch)).toThrow('server.py: the patch has a character that latin-1 does not have');
  });

  it('reads what Python itself reads', ({ skip }) => {
    const root = tree({ 'tide.py': Buffer.from(SERVER('cp1252', bytes(0x80)).replace('server = FastMCP(', 'print('), 'latin1') });
    try {
      execFileSync('python3', ['--version']);
    } catch {
      skip('no python3');
    }
    expect(execFileSync('python3', ['tide.py'], { cwd: root, env: { ...process.env, PYTHONIOENCODING: 'utf-8' } }).toString()).toBe('€\n');
    expect(readText(root, 'tide.py')).toMatchObject({ text: expect.stringContaining('"€"') as string });
  });
});
