import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MigrateResult, ScanResult, VerifyReport } from '../../../src/core/index.js';
import { runCommand, tail, unsession } from '../command.js';
import { copyUnderGit } from '../prove-shape.js';
import { startServer, type RunningServer } from '../server-process.js';
import { driveLegacySession, driveModern, type Seen } from './everything.js';
import { unpack } from './pack.js';

/**
 * The reference server as it was published: JavaScript of a compiler, no sources, no body parser, a factory that returns a server and its
 * clean-up, an event store out of the examples of the SDK, zod 3 beside zod-to-json-schema, three entries.
 */
const [NAME, VERSION] = ['@modelcontextprotocol/server-everything', '2025.8.18'];
const LANE = ['--sunset', '2027-06-30', '--owner', 'Team Everything'];

const files = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => !/^(?:node_modules|\.git)(?:\/|$)/.test(path) && path !== 'package-lock.json' && statSync(join(root, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(root, path)).toString('base64')]),
  );

const install = async (root: string): Promise<void> => {
  const outcome = await runCommand(
    'npm',
    ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
    root,
  );
  if (outcome.code !== 0) throw new Error(`npm install failed:\n${tail(outcome)}`);
};

const json = async <T>(args: readonly string[], root: string): Promise<T> => JSON.parse((await unsession([...args, '--format', 'json'], root)).stdout) as T;

const withServer = async <T>(root: string, act: (server: RunningServer) => Promise<T>): Promise<T> => {
  const server = await startServer(root, 'dist/streamableHttp.js');
  try {
    return await act(server);
  } finally {
    await server.stop();
  }
};

const failedChecks = async (url: string, root: string): Promise<readonly string[]> =>
  (await json<VerifyReport>(['verify', url], root)).results.filter((result) => result.verdict === 'fail').map((result) => result.id);

describe(`${NAME}@${VERSION}`, () => {
  let root: string;
  let original: Readonly<Record<string, string>>;
  let before: { readonly legacy: Seen; readonly failed: readonly string[] };

  beforeAll(async () => {
    const copy = join(realpathSync(mkdtempSync(join(tmpdir(), 'unsession-'))), 'everything');
    cpSync(await unpack(NAME, VERSION), copy, { recursive: true });
    root = await copyUnderGit(copy, 'everything');
    rmSync(join(copy, '..'), { recursive: true, force: true });
    original = files(root);
    await install(root);
    rmSync(join(root, 'package-lock.json'), { force: true });
    before = await withServer(root, async ({ url }) => ({ legacy: await driveLegacySession(url), failed: await failedChecks(url, root) }));
  });
  afterAll(() => rmSync(join(root, '..'), { recursive: true, force: true }));

  it('scan names the lanes with the right lines', async () => {
    const scan = await json<ScanResult>(['scan', '.'], root);
    expect(scan.milestone).toEqual({ sdk: 'ahead', entry: 'ahead' });
    expect(scan.inventory.endpoints.map(({ id, transport, methods, sessions, eventStore }) => ({ id, transport, methods, sessions, eventStore }))).toEqual([
      { id: '/mcp', transport: 'streamable-http', methods: ['DELETE', 'GET', 'POST'], sessions: 'minted', eventStore: true },
      { id: '/message', transport: 'sse-post', methods: ['POST'], sessions: 'unknown', eventStore: false },
      { id: '/sse', transport: 'sse', methods: ['GET'], sessions: 'minted', eventStore: false },
      { id: 'stdio dist/stdio.js', transport: 'stdio', methods: [], sessions: 'none', eventStore: false },
    ]);
    const lines = (id: string): readonly string[] =>
      (scan.inventory.endpoints.find((endpoint) => endpoint.id === id)?.routes ?? []).map((site) => `${site.file}:${String(site.line)}`);
    expect(lines('/mcp')).toEqual(['dist/streamableHttp.js:9', 'dist/streamableHttp.js:80', 'dist/streamableHttp.js:106']);
    expect([...lines('/sse'), ...lines('/message')]).toEqual(['dist/sse.js:7', 'dist/sse.js:32']);
    expect(scan.plan.lanes.map(({ endpoint, choice }) => `${endpoint} ${choice}`)).toEqual([
      '/mcp sessionful',
      '/message separate',
      '/sse separate',
      'stdio dist/stdio.js stateless',
    ]);
    const places = scan.findings
      .filter(({ id }) => id.startsWith('session-transport/'))
      .map(({ id, site }) => `${id.slice(18)} ${site.file}:${String(site.line)}`);
    for (const place of [
      'session-map dist/streamableHttp.js:8',
      'session-header-read dist/streamableHttp.js:13',
      'session-id-generator dist/streamableHttp.js:24',
      'session-callback dist/streamableHttp.js:26',
      'session-route dist/streamableHttp.js:80',
      'session-route dist/streamableHttp.js:106',
      'session-map dist/sse.js:6',
    ])
      expect(places).toContain(place);
    const items = (concern: string): readonly (readonly string[])[] => scan.plan.items.filter((item) => item.concern === concern).map((item) => item.files);
    expect(items('sse-transport')).toEqual([['dist/sse.js']]);
    expect(items('stdio-entry')).toEqual([['dist/stdio.js']]);
    expect(items('session-transport')).toEqual([['dist/streamableHttp.js'], ['dist/sse.js']]);
    expect(scan.findings.map(({ id, site }) => `${id} ${site.file}:${String(site.line)}`)).toContain('sdk-v1-typescript/zod-range dist/everything.js:391');
  });

  it('is refused by a modern client and by verify as long as it is not migrated', async () => {
    expect(before.legacy).toMatchObject({ session: 'minted', delete: 'ok', 'after delete': 'refused' });
    expect(before.failed).toContain('CK-H01');
    await withServer(root, async ({ url }) => {
      await expect(driveModern(url)).rejects.toThrow(/2026-07-28/);
      expect((await unsession(['verify', url], root)).stdout).toContain('2025-11-25');
    });
  });

  it('is rewritten without a hand edit, then serves both eras on one address', async () => {
    const migrated = await json<MigrateResult>(['migrate', '.', '--write', ...LANE], root);
    expect(migrated.written).toBe(true);
    expect(migrated.idempotent).toBe(true);
    expect(migrated.proofs.every((proof) => proof.parses && proof.names && proof.untouched)).toBe(true);
    const outcomes = migrated.outcomes
      .filter(({ outcome }) => outcome === 'applied' || outcome === 'scaffolded')
      .map(({ title, outcome }) => `${outcome} ${title}`);
    expect(outcomes).toContain('applied TypeScript SDK v1');
    expect(outcomes).toContain('applied Status of an unknown session');
    expect(migrated.outcomes.filter(({ outcome }) => outcome === 'failed')).toEqual([]);

    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    expect(manifest.dependencies).not.toHaveProperty('@modelcontextprotocol/sdk');
    expect(manifest.dependencies).toMatchObject({ zod: '^3.23.8', 'zod-to-json-schema': '^3.23.5', express: '^4.21.1' });
    const text = readFileSync(join(root, 'dist/everything.js'), 'utf8');
    expect(text).toContain('async (request, ctx) =>');
    expect(text).toContain('await ctx.mcpReq.notify({');
    expect(readFileSync(join(root, 'dist/in-memory-event-store.js'), 'utf8')).toContain('export class InMemoryEventStore');

    const again = await json<MigrateResult>(['migrate', '.', '--check', '--allow-dirty', ...LANE], root);
    expect(again.patches.flatMap((patch) => patch.changes)).toEqual([]);

    await install(root);
    await withServer(root, async ({ url }) => {
      const legacy = await driveLegacySession(url);
      // The last report used to race the answer on another stream; now it goes in front of it.
      const { progress, ...rest } = legacy;
      const { progress: raced, ...was } = before.legacy;
      expect(rest).toEqual(was);
      expect(JSON.parse(progress ?? '')).toHaveLength(3);
      expect(JSON.parse(raced ?? '')).toEqual((JSON.parse(progress ?? '') as unknown[]).slice(0, (JSON.parse(raced ?? '') as unknown[]).length));

      const modern = await driveModern(url);
      expect(modern).toMatchObject({ session: 'none', 'tools/list': before.legacy['tools/list'], progress: progress ?? '' });
      for (const [step, answer] of Object.entries(modern)) if (step.startsWith('tools/call')) expect(answer, step).toBe(before.legacy[step]);
      const outcome = await unsession(['verify', url], root);
      expect(outcome.code, tail(outcome)).toBe(0);
      expect(await failedChecks(url, root)).toEqual([]);
    });
  });

  it('serves the modern revision alone once the legacy lane is retired', async () => {
    const retired = join(root, '..', 'retired');
    cpSync(root, retired, { recursive: true, filter: (source) => !/[/\\](?:node_modules|\.git)$/.test(source) });
    const result = await json<MigrateResult>(['migrate', '.', '--retire', '--write'], retired);
    // The streams of HTTP+SSE are not of this tool's making: their lane is named, and stays.
    expect(result.outcomes.map(({ outcome }) => outcome).sort()).toEqual(['applied', 'refused']);
    expect(readdirSync(join(retired, 'dist')).sort()).toEqual(['everything.js', 'index.js', 'instructions.md', 'sse.js', 'stdio.js', 'streamableHttp.js']);
    const text = readFileSync(join(retired, 'dist/streamableHttp.js'), 'utf8');
    expect(text).not.toMatch(/mcp-session-id|transports|legacy lane, remove/);
    await install(retired);
    await withServer(retired, async ({ url }) => {
      expect(await driveModern(url)).toMatchObject({ session: 'none', 'tools/list': before.legacy['tools/list'] });
      await expect(driveLegacySession(url)).rejects.toThrow(/2026-07-28|nsupported/);
      expect((await fetch(url)).status).toBe(405);
    });
  });

  it('has a runbook of exactly its endpoints', async () => {
    await unsession(['undo', '.'], root);
    const { stdout } = await unsession(['runbook', '.', ...LANE], root);
    const part = stdout.slice(stdout.indexOf('## 3.'), stdout.indexOf('### Lane decisions'));
    expect([...part.matchAll(/^### `([^`]+)`/gm)].map((match) => match[1])).toEqual(['/mcp', '/message', '/sse']);
    const rows = new Set([...part.matchAll(/^\| \*\*(\w+)\*\* `([^`]+)`/gm)].map((match) => `${match[1] ?? ''} ${match[2] ?? ''}`));
    expect([...rows].sort()).toEqual(['DELETE /mcp', 'GET /mcp', 'GET /sse', 'POST /mcp', 'POST /message']);
    expect(stdout).toContain('2027-06-30');
  });

  it('is as it was, byte for byte, after undo', () => {
    expect(files(root)).toEqual(original);
  });
});
