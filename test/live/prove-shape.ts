import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MigrateResult } from '../../src/core/index.js';
import { runCommand, tail, unsession } from './command.js';
import { drive, driveConcurrently } from './drive.js';
import { installedVersions, installOnce } from './install.js';
import { connectLegacy, connectModern, connectStream } from './peers.js';
import { startBalancer } from './balancer.js';
import { startServer, type RunningServer } from './server-process.js';
import { typeCheck } from './type-check.js';
import type { Peer } from './peers.js';
import type { LiveLane, Shape } from './shapes.js';
import type { Compiler } from './type-check.js';

/** One thing that was tried with a migrated shape. `detail` is empty when it held. */
export interface Step {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly seconds: number;
}

/** Everything that was seen of one shape at one lane, with the versions that it was seen with. */
export interface Proof {
  readonly shape: string;
  readonly lane: string;
  readonly milestone: 'sdk' | 'all';
  readonly steps: readonly Step[];
  readonly versions: Readonly<Record<string, string>>;
}

export interface ProofOptions {
  readonly lane: LiveLane;
  /** `sdk` stops after the SDK step, where the wire must still be the legacy one. */
  readonly milestone: 'sdk' | 'all';
  readonly compilers: readonly Compiler[];
  /** Also two replicas, and the day on which the legacy lane goes. */
  readonly whole: boolean;
}

const PACKAGES = [
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/express',
  '@modelcontextprotocol/core',
  'express',
  'zod',
];

/** A copy of a folder under version control, in the system's temporary folder, so that no package of this project can be found from it. */
export async function copyUnderGit(folder: string, name: string): Promise<string> {
  const copy = join(realpathSync(mkdtempSync(join(tmpdir(), 'unsession-'))), name);
  cpSync(folder, copy, { recursive: true, filter: (source) => !source.includes('node_modules') });
  const author = ['-c', 'user.name=unsession', '-c', 'user.email=unsession@localhost', '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...author, 'commit', '--quiet', '--message', 'As it was'],
  ]) {
    const outcome = await runCommand('git', args, copy);
    if (outcome.code !== 0) throw new Error(`git ${args.join(' ')} failed:\n${tail(outcome)}`);
  }
  return copy;
}

/**
 * Migrates a copy of a shape with the tool and without a hand edit, then type-checks it, starts it, and drives it with clients of both eras.
 * A step that cannot run makes the rest fail with it: nothing is skipped silently.
 */
export async function proveShape(shape: Shape, options: ProofOptions): Promise<Proof> {
  const steps: Step[] = [];
  const step = async (name: string, act: () => Promise<string>): Promise<boolean> => {
    const from = Date.now();
    const detail = await act().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    steps.push({ name, ok: detail === '', detail, seconds: Math.round((Date.now() - from) / 100) / 10 });
    return detail === '';
  };
  const copy = await copyUnderGit(shape.folder, shape.name);
  const migrate = ['migrate', '.', '--legacy', options.lane, '--milestone', options.milestone];
  try {
    await (async () => {
      if (!(await step('legacy server answers as the script says', () => driveLegacyServer(copy, shape)))) return;
      if (!(await step('migrate --write', () => migrateWhole([...migrate, '--write', '--format', 'json'], copy, options.milestone)))) return;
      await step('a second migrate changes nothing', () => succeeds(() => unsession([...migrate, '--check', '--allow-dirty'], copy)));
      if (!(await step('install', async () => (await installOnce(copy), '')))) return;
      for (const compiler of options.compilers) await step(`types with TypeScript ${compiler}`, () => typeCheck(copy, compiler));
      await step('both eras over the wire', () => driveMigratedServer(copy, shape, options));
      if (options.milestone === 'sdk' || !options.whole) return;
      await step('two replicas behind a front that takes turns', () => driveReplicas(copy, shape, options));
      // `auto` is one of the others, but for streams, which have one lane only.
      if (options.lane === 'none' || (options.lane === 'auto' && shape.streams === undefined)) return;
      if (!(await step('the legacy lane is retired', () => succeeds(() => unsession(['migrate', '.', '--retire', '--write', '--allow-dirty'], copy))))) return;
      await step('types without the legacy lane', () => typeCheck(copy, '6.0'));
      await step('the modern era alone over the wire', () => driveModernServer(copy, shape, modernPath(options.lane)));
    })();
    return { shape: shape.name, lane: options.lane, milestone: options.milestone, steps, versions: installedVersions(copy, PACKAGES) };
  } finally {
    rmSync(join(copy, '..'), { recursive: true, force: true });
  }
}

/** Migrates, and tells every work item that was not carried out whole. */
async function migrateWhole(args: readonly string[], copy: string, milestone: ProofOptions['milestone']): Promise<string> {
  const outcome = await unsession(args, copy);
  if (outcome.code !== 0) return `exit code ${outcome.code}\n${tail(outcome)}`;
  const { outcomes, idempotent, written } = MigrateResult.parse(JSON.parse(outcome.stdout));
  const left = outcomes.filter((item) => item.outcome !== 'applied' && (milestone === 'all' || item.milestone === milestone));
  return [
    ...left.map((item) => `${item.outcome}: ${item.title}: ${item.reason?.why ?? item.todo.join('; ')}`),
    ...(idempotent ? [] : ['a second run would change something']),
    ...(written ? [] : ['nothing was written']),
  ].join('\n');
}

async function succeeds(act: () => ReturnType<typeof unsession>): Promise<string> {
  const outcome = await act();
  return outcome.code === 0 ? '' : `exit code ${outcome.code}\n${tail(outcome)}`;
}

async function driveLegacyServer(copy: string, shape: Shape): Promise<string> {
  await installOnce(copy);
  const server = await startServer(copy, shape.entry);
  try {
    const peer = await connectOld(server.url, shape);
    const found = [...(await drive(peer, shape.script))];
    if ((peer.session() !== undefined) !== shape.sessions) found.push(`session id: ${String(peer.session())}`);
    await peer.close();
    return report(found, server.log());
  } finally {
    await server.stop();
  }
}

async function driveMigratedServer(copy: string, shape: Shape, { lane, milestone }: ProofOptions): Promise<string> {
  if (lane === 'none' && milestone === 'all') return driveModernServer(copy, shape, '', shape.streams !== undefined);
  const server = await startServer(copy, shape.entry);
  const modern = server.url + modernPath(lane);
  const peers: Peer[] = [];
  const found: string[] = [];
  try {
    peers.push(await connectOld(server.url, shape), await connectOld(server.url, shape));
    // Clients of Streamable HTTP, which had no URL before, get the new one.
    if (milestone === 'all' && shape.streams !== undefined) peers.push(await connectLegacy(server.url));
    if (milestone === 'all') peers.push(await connectModern(modern), await connectModern(modern));
    else found.push(...(await refusesModern(server.url)));
    for (const peer of peers) found.push(...(await drive(peer, shape.script)));
    found.push(...(await driveConcurrently(peers, shape.script)));
    const keepsSessions = milestone === 'sdk' || lane === 'sessionful' || lane === 'separate' ? shape.sessions : lane === 'stateless' ? false : undefined;
    for (const peer of peers) {
      const minted = peer.session() !== undefined;
      if (peer.era === 'modern' && minted) found.push('the modern lane minted a session id');
      if (peer.era === 'legacy' && keepsSessions !== undefined && minted !== keepsSessions)
        found.push(`the legacy lane ${minted ? 'minted a' : 'minted no'} session id`);
    }
    for (const peer of peers.splice(0)) await peer.close();
    if (milestone === 'all') found.push(...(await verifies(modern, copy, [...(lane === 'separate' ? ['--legacy-url', server.url] : []), ...skipped(shape)])));
    return report(found, server.log());
  } finally {
    for (const peer of peers) await peer.close().catch(() => undefined);
    await server.stop();
  }
}

/** After the SDK step alone the wire is still the legacy one, so that a pinned client must be refused. */
async function refusesModern(url: string): Promise<readonly string[]> {
  const peer = await connectModern(url).catch(() => undefined);
  await peer?.close();
  return peer ? ['the SDK step alone already answers the modern revision'] : [];
}

/** A client of the old server, at the URL that it knows. */
const connectOld = (url: string, { streams }: Shape): Promise<Peer> => (streams === undefined ? connectLegacy(url) : connectStream(new URL(streams, url).href));

/** Where the modern endpoint of a lane is, beside the path of the old one. */
const modernPath = (lane: LiveLane): string => (lane === 'separate' ? '/v2' : '');

/** A server that has no legacy lane: clients of 2025 get an error that names the versions, the others are served. `streams`: those of HTTP+SSE stay. */
async function driveModernServer(copy: string, shape: Shape, path: string, streams = false): Promise<string> {
  const server = await startServer(copy, shape.entry);
  const url = server.url + path;
  const peers: Peer[] = [];
  const found: string[] = [];
  try {
    found.push(...(await namesVersions(url)));
    if (path !== '') found.push(...(await isGone(server.url)));
    if (shape.streams !== undefined && !streams) found.push(...(await isGone(new URL(shape.streams, server.url).href)));
    if (streams) peers.push(await connectOld(server.url, shape));
    peers.push(await connectModern(url), await connectModern(url));
    for (const peer of peers) found.push(...(await drive(peer, shape.script)));
    found.push(...(await driveConcurrently(peers, shape.script)));
    for (const peer of peers.splice(0)) await peer.close();
    found.push(...(await verifies(url, copy, ['--lane', 'none', ...skipped(shape)])));
    return report(found, server.log());
  } finally {
    for (const peer of peers) await peer.close().catch(() => undefined);
    await server.stop();
  }
}

/** `initialize` of 2025 is refused with the versions that are spoken, GET and DELETE are not allowed. */
async function namesVersions(url: string): Promise<readonly string[]> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'unsession', version: '0.0.0' } };
  const answer = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const text = await answer.text();
  const get = await fetch(url, { headers: { accept: 'text/event-stream' } });
  await get.body?.cancel();
  const end = await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': 'gone' } });
  return [
    ...(answer.status >= 400 && answer.status < 500 && text.includes('2026-07-28') && text.includes('"error"')
      ? []
      : [`initialize: ${String(answer.status)} ${text.slice(0, 300)}`]),
    ...(get.status === 405 ? [] : [`GET: ${String(get.status)}`]),
    ...(end.status === 405 ? [] : [`DELETE: ${String(end.status)}`]),
  ];
}

const post = (url: string, message: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  });

/** The old path is served by nobody. */
async function isGone(url: string): Promise<readonly string[]> {
  const answer = await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' });
  await answer.body?.cancel();
  return answer.status === 404 ? [] : [`the retired path answers ${String(answer.status)}`];
}

/** Modern clients, and legacy ones where the lane has no sessions, reach any replica at any request. */
async function driveReplicas(copy: string, shape: Shape, { lane }: ProofOptions): Promise<string> {
  const servers: RunningServer[] = [];
  const peers: Peer[] = [];
  try {
    for (let count = 0; count < 2; count++) servers.push(await startServer(copy, shape.entry));
    const ports = servers.map(({ port }) => port);
    const path = new URL(servers[0]?.url ?? '').pathname;
    const front = await startBalancer(ports, path);
    try {
      peers.push(await connectModern(front.url + modernPath(lane)));
      if (lane === 'stateless') peers.push(await connectLegacy(front.url));
      const found: string[] = [];
      for (const peer of peers) found.push(...(await drive(peer, shape.script)));
      found.push(...(await driveConcurrently(peers, shape.script)));
      for (const peer of peers.splice(0)) await peer.close();
      return report(found, servers.map((server) => server.log()).join('\n'));
    } finally {
      await front.close();
    }
  } finally {
    for (const peer of peers) await peer.close().catch(() => undefined);
    for (const server of servers) await server.stop();
  }
}

/** Checks that the platform of a shape rules out. */
const skipped = ({ unserved = [] }: Shape): readonly string[] => (unserved.length === 0 ? [] : ['--skip', unserved.join(',')]);

async function verifies(url: string, copy: string, options: readonly string[] = []): Promise<readonly string[]> {
  const outcome = await unsession(['verify', url, ...options], copy);
  return outcome.code === 0 ? [] : [`verify: exit code ${outcome.code}\n${tail(outcome)}`];
}

const report = (found: readonly string[], log: string): string =>
  found.length === 0 ? '' : `${found.join('\n')}\nserver log:\n${log.split('\n').slice(-20).join('\n')}`;
