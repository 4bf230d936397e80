import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { dormantKnowledge } from '../../src/cli/dormant.js';
import { ScanResult } from '../../src/core/index.js';
import { scanRepository } from '../../src/engine/index.js';
import { knowledge } from '../../transforms/index.js';
import { tree } from '../workspace/tree.js';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/unsession.js');

/** A ferry timetable served the old way: one transport for each session. */
const SERVER = `import { randomUUID } from 'node:crypto';
import express from 'express';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';

const transports: Record<string, StreamableHTTPServerTransport> = {};
const timetable = () => new McpServer({ name: 'ferries', version: '1.0.0' });
const app = express();
app.use(express.json());

app.post('/mcp', async (req, res) => {
  const id = req.headers['mcp-session-id'] as string | undefined;
  let transport = id ? transports[id] : undefined;
  if (!transport && isInitializeRequest(req.body)) {
    transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized: (made) => { transports[made] = transport!; } });
    await timetable().connect(transport);
  }
  if (!transport) return void res.status(400).json({ jsonrpc: '2.0', error: { code: -32000, message: 'No session' }, id: null });
  await transport.handleRequest(req, res, req.body);
});
app.listen(3000, '127.0.0.1');
`;
const ferries = {
  'package.json': '{"name":"ferries","type":"module","dependencies":{"@modelcontextprotocol/sdk":"^1.20.0","express":"^5.0.0"}}\n',
  'src/server.ts': SERVER,
};

function run(args: readonly string[], options: { readonly cwd?: string; readonly node?: readonly string[]; readonly bin?: string } = {}) {
  const result = spawnSync(process.execPath, [...(options.node ?? []), options.bin ?? BIN, ...args], {
    cwd: options.cwd ?? ROOT,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '', NO_COLOR: '' },
    maxBuffer: 1 << 28,
  });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}

/** Packages that a command loads, by name: what it put into the module cache when it ended. */
function loadedPackages(args: readonly string[], cwd = ROOT): ReadonlySet<string> {
  const out = join(tree(), 'modules.txt');
  const record = `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(out)}, Object.keys(require('module')._cache).join('\\n')));`;
  const recorder = join(tree({ 'record.cjs': record }), 'record.cjs');
  run(args, { node: ['--require', recorder], cwd });
  return new Set(
    readFileSync(out, 'utf8')
      .split('\n')
      .flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1] ?? []),
  );
}

beforeAll(() => {
  if (!existsSync(join(ROOT, 'dist/src/cli/main.js'))) throw new Error('these tests run the built tool: npm run build');
});

describe('the executable', () => {
  it('prints its version and its help on standard output', () => {
    expect(run(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
    const help = run(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const name of ['scan', 'migrate', 'suggest', 'undo', 'runbook', 'verify', 'explain', 'rules'])
      expect(help.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    for (const line of help.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('says when it is not built', () => {
    const copy = tree({ 'package.json': '{"type":"module"}' });
    cpSync(join(ROOT, 'bin'), join(copy, 'bin'), { recursive: true });
    const ran = run(['scan'], { bin: join(copy, 'bin/unsession.js') });
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toContain('npm run build');
  });

  it('says when Node is too old', () => {
    const preload = join(tree({ 'old.cjs': `Object.defineProperty(process.versions, 'node', { value: '18.20.0' });` }), 'old.cjs');
    const ran = run(['--help'], { node: ['--require', preload] });
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toContain('needs Node 20.19');
  });

  it('works through a symbolic link, as npm installs it', () => {
    const folder = tree();
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(BIN, join(folder, 'node_modules/.bin/unsession'));
    expect(run(['--version'], { bin: join(folder, 'node_modules/.bin/unsession'), cwd: folder })).toMatchObject({ code: 0 });
  });
});

describe('what a command loads', () => {
  const HEAVY = ['ts-morph', '@ts-morph/common', 'typescript', 'jscodeshift', '@modelcontextprotocol/codemod'];

  it.each([['--help'], ['scan', '--help'], ['rules'], ['rules', '--format', 'json'], ['explain', 'session-transport'], ['undo'], ['verify']])(
    '%s %s loads no parser',
    (...args) => {
      const loaded = loadedPackages(
        args.filter((arg): arg is string => typeof arg === 'string'),
        tree(),
      );
      expect(HEAVY.filter((name) => loaded.has(name))).toEqual([]);
    },
  );

  it('a scan of a repository without MCP loads no parser, and says what it would say with all of them', async () => {
    const root = tree({ 'package.json': '{"name":"lighthouse"}\n', 'src/lamp.ts': 'export const lit = true;\n', 'README.md': '# Lighthouse\n' });
    const loaded = loadedPackages(['scan'], root);
    expect(HEAVY.filter((name) => loaded.has(name))).toEqual([]);
    const [asleep, awake] = [await scanRepository(root, dormantKnowledge), await scanRepository(root, knowledge)];
    expect(asleep).toEqual(awake);
    expect(asleep.coverage?.length).toBeGreaterThan(0);
  });

  it('sees the parser that a scan of MCP code loads, so the check above can fail', () => {
    expect([...loadedPackages(['scan'], tree(ferries))]).toContain('ts-morph');
  });
});

describe('scan of a legacy server', () => {
  it('finds it, on one screen, with JSON that holds the same', () => {
    const cwd = tree(ferries);
    const screen = run(['scan'], { cwd });
    expect(screen.code).toBe(1);
    expect(screen.stdout).toContain('src/server.ts:');
    const lines = screen.stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(25);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    const json = run(['scan', '--format', 'json'], { cwd });
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(ScanResult.parse(JSON.parse(json.stdout)).findings.length).toBeGreaterThan(0);
  });

  it('delivers long output whole through a slow pipe, and lets a reader go', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`packages/ferry-${String(index)}/src/server.ts`, SERVER]));
    const cwd = tree({ ...many, 'package.json': ferries['package.json'] });
    const whole = await slowly([BIN, 'scan', '--format', 'json'], cwd);
    expect(whole.length).toBeGreaterThan(200_000);
    expect(() => JSON.parse(whole) as unknown).not.toThrow();
    const cut = spawnSync('sh', ['-c', `"${process.execPath}" "${BIN}" scan --format json | head -c 100`], { cwd, encoding: 'utf8' });
    expect(cut.stdout).toHaveLength(100);
    expect(cut.stderr).toBe('');
  }, 120_000);
});

describe('migrate that is killed while it writes', () => {
  it('is named by the next command, and taken back byte for byte', () => {
    const stop = ['--require', join(ROOT, 'test/workspace/crash/stop-at.cjs')];
    const read = (folder: string): Record<string, string> =>
      Object.fromEntries(Object.keys(ferries).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
    /** A folder in which a run was killed at its n-th change of the disk. */
    const killedAt = (change: number): string => {
      const folder = tree(ferries);
      const env = { ...process.env, STOP_AT: String(change) };
      expect(spawnSync(process.execPath, [...stop, BIN, 'migrate', '--write'], { cwd: folder, encoding: 'utf8', env }).signal).toBe('SIGKILL');
      return folder;
    };
    // The record comes first: the first kill that finds a file of the user changed.
    let change = 19;
    let cwd = killedAt(change);
    while (isDeepStrictEqual(read(cwd), ferries)) cwd = killedAt((change += 1));
    const now = (): Record<string, string> => read(cwd);
    expect(run(['scan'], { cwd }).stderr).toContain('was interrupted while it wrote; "unsession undo" takes back');
    expect(run(['migrate', '--write'], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining('Run "unsession undo" first') as string });
    expect(run(['undo'], { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining('had been interrupted') as string });
    expect(now()).toEqual(ferries);
    expect(readdirSync(cwd).sort()).toEqual(['package.json', 'src']);
  }, 60_000);
});

/** Standard output of a command whose reader takes its time. */
function slowly(args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    child.stdout.pause();
    setTimeout(() => child.stdout.resume(), 5);
  });
  return new Promise((done) => {
    child.stdout.on('end', () => done(Buffer.concat(chunks).toString()));
  });
}
