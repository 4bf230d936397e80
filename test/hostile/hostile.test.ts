import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { shimRenderer } from '../../src/cli/templates.js';
import type { MigrateResult, ScanResult } from '../../src/core/index.js';
import { migrateRepository, scanRepository } from '../../src/engine/pipeline.js';
import { json, prettyMigrate, prettyScan, sarif } from '../../src/report/index.js';
import { undo } from '../../src/workspace/index.js';
import { knowledge } from '../../transforms/index.js';
import { codeScanningProblems } from '../report/code-scanning.js';
import { git } from '../workspace/tree.js';
import { hostileRepository, SERVER } from './traps.js';

const PLAIN = { verbose: true, color: false, width: 100, target: '.' };
const FOLDERS = ['src', 'crlf', 'bom', 'shebang', 'mixed', 'cr'];
const renderShim = await shimRenderer();
/** Seconds that a scan of all traps may take on a slow machine: a hang shows, a busy machine does not. */
const PATIENCE = 120;

/** Peak of the memory of a scan in a process of its own, in MiB. */
function peakOfScan(root: string): number {
  const bin = pathToFileURL(join(import.meta.dirname, '../../bin/unsession.js')).href;
  const script = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS)); process.argv.splice(1, 0, 'unsession'); await import(${JSON.stringify(bin)});`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script, 'scan', '.', '--format', 'json'], { cwd: root, encoding: 'utf8' });
  return Number(/peak (\d+)/.exec(stderr)?.[1] ?? Infinity) / 1024;
}

describe('a hostile repository', () => {
  let root: string;
  let scan: ScanResult;
  let dry: MigrateResult;
  let seconds: number;
  const bytes = new Map<string, Buffer>();

  beforeAll(async () => {
    const made = hostileRepository();
    root = made.root;
    expect(made.missing).toEqual([]);
    for (const folder of FOLDERS) bytes.set(folder, readFileSync(join(root, folder, 'server.js')));
    const from = Date.now();
    scan = await scanRepository(root, knowledge, {});
    seconds = (Date.now() - from) / 1000;
    dry = await migrateRepository(root, knowledge, { renderShim });
  }, 300_000);

  it('is scanned to the end, in bounded time and memory, without running anything', () => {
    expect(seconds).toBeLessThan(PATIENCE);
    expect(peakOfScan(root)).toBeLessThan(512);
    expect(existsSync(join(root, 'pwned'))).toBe(false);
  });

  it('says of every file that it could not read why, and never that it is clean', () => {
    const why = Object.fromEntries(scan.notAnalysed.map((notice) => [notice.file, notice.why]));
    expect(scan.notAnalysed.filter((notice) => notice.why === 'internal')).toEqual([]);
    for (const file of ['binary.ts', 'latin1.ts', 'huge.ts', 'broken.ts', 'deep.ts', 'deep-array.js']) expect(why[file], file).toBeDefined();
    expect(why.nested).toBe('submodule');
    if (process.getuid?.() !== 0) expect(why['secret.ts']).toBe('unreadable');
  });

  it('still finds every server between the traps, and none that git ignores', () => {
    const files = new Set(scan.findings.filter(({ id }) => id === 'session-transport/session-id-generator').map(({ site }) => site.file));
    expect([...files].sort()).toEqual(FOLDERS.map((folder) => `${folder}/server.js`).sort());
  });

  it('lets nothing of it escape into the output', () => {
    for (const text of [prettyScan(scan, PLAIN), prettyMigrate({ ...dry, patches: [] }, PLAIN)]) {
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(text.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g)).toBeNull();
      expect(text.match(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g)).toBeNull();
    }
    expect(() => JSON.parse(json(scan)) as unknown).not.toThrow();
    expect(json(scan)).not.toContain('\u001b');
  });

  it('is reported to code scanning in a form that it accepts', () => {
    expect(codeScanningProblems(sarif(scan, { prefix: '', part: '' }))).toEqual([]);
  });

  it('is migrated where it is sound, in the line ends and with the first bytes that it has, and taken back byte for byte', async () => {
    const written = await migrateRepository(root, knowledge, { write: true, allowDirty: true, renderShim });
    expect(written.outcomes.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(written.written).toBe(true);
    const text = (folder: string): string => readFileSync(join(root, folder, 'server.js'), 'utf8');
    const flat = (value: string): string =>
      value
        .replace(/\r\n?|\n/g, '\n')
        .replace(/^\uFEFF/, '')
        .replace(/^#!.*\n/, '');
    const reference = flat(text('src'));
    expect(reference).not.toBe(SERVER);
    for (const folder of ['crlf', 'bom', 'shebang']) expect(flat(text(folder)), folder).toBe(reference);
    expect(text('crlf').replace(/\r\n/g, '')).not.toMatch(/[\r\n]/);
    expect(text('bom').startsWith('\uFEFF')).toBe(true);
    expect(text('shebang').startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect(existsSync(join(root, 'pwned'))).toBe(false);
    expect(readFileSync(join(root, 'ignored/server.js'), 'utf8')).toBe(SERVER);
    await undo(root);
    for (const [folder, before] of bytes) expect(readFileSync(join(root, folder, 'server.js')).equals(before), folder).toBe(true);
    expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe(' M dirty.txt\n');
  });

  it('writes nothing over a file that changed while it ran', async () => {
    const late = join(root, 'crlf/server.js');
    const attempt = migrateRepository(root, knowledge, {
      write: true,
      allowDirty: true,
      renderShim,
      approve: () => {
        if (statSync(late).size === bytes.get('crlf')?.length) appendFileSync(late, '// saved by an editor\r\n');
        return true;
      },
    });
    await expect(attempt).rejects.toThrow(/changed since it was read/);
    expect(readFileSync(join(root, 'src/server.js'), 'utf8')).toBe(SERVER);
  });
});
