import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { MigrateResult } from '../../../src/core/index.js';
import { runCommand, tail, unsession } from '../command.js';
import { freePort, ROOT } from '../server-process.js';
import { look, upstream, type Look } from './clients.js';
import type { Published } from './list.js';

/** What became of one package. */
export interface Journey {
  readonly id: string;
  readonly expected: Published['expect'];
  readonly why: string;
  /** `modern`: both eras answer. `legacy`: old clients see what they saw before. `broken`: they do not, or the tool failed. */
  readonly result: 'modern' | 'legacy' | 'broken';
  readonly ok: boolean;
  readonly detail: readonly string[];
  /** Outcomes of the work items, counted. */
  readonly items: Readonly<Record<string, number>>;
  readonly left: readonly string[];
  readonly changed: readonly string[];
  readonly before: Look;
  readonly after?: Look;
  readonly undone: boolean;
  readonly seconds: number;
}

const CACHE = join(ROOT, '.cache', 'published');
const AUTHOR = ['-c', 'user.name=unsession', '-c', 'user.email=unsession@localhost', '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false'];
const LANE = ['--sunset', '2027-06-30', '--owner', 'Maintainers'];

/** Installs, drives, migrates, installs what the migration asks for, drives again, and takes everything back. */
export async function journey(entry: Published): Promise<Journey> {
  const from = Date.now();
  const detail: string[] = [];
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'unsession-')));
  const root = join(work, 'consumer');
  try {
    cpSync(await installed(entry), root, { recursive: true, verbatimSymlinks: true });
    const before = await drive(entry, root, work);
    if (!before.legacy.ok) detail.push(`before the migration: ${before.legacy.problem ?? 'the call failed'}`);

    const own = join(root, 'node_modules', entry.name);
    const targets = entry.harness === undefined ? [own] : [own, root];
    const originals = new Map(targets.map((target) => [target, contents(target)]));
    const declared = new Map(targets.map((target) => [target, dependenciesOf(target)]));
    for (const target of targets) await underGit(target);
    const migrated: MigrateResult[] = [];
    for (const target of targets) {
      const outcome = await unsession(['migrate', '.', '--write', ...LANE, '--format', 'json'], target);
      if (outcome.code === 3) detail.push(`migrate ended with an internal fault: ${tail(outcome, 3)}`);
      try {
        migrated.push(JSON.parse(outcome.stdout) as MigrateResult);
      } catch {
        detail.push(`migrate printed no result: ${tail(outcome, 5)}`);
      }
    }
    for (const { outcomes, idempotent, notAnalysed } of migrated) {
      for (const { outcome, title, reason } of outcomes) if (outcome === 'failed') detail.push(`item failed: ${title}: ${reason?.why ?? ''}`);
      for (const { why, file, reason } of notAnalysed) if (why === 'internal') detail.push(`${file}: ${reason}`);
      if (!idempotent) detail.push('a second migration would change something');
    }
    const changed = targets.flatMap((target) => differences(originals.get(target) ?? {}, contents(target)));
    let after: Look | undefined;
    if (changed.length > 0) {
      for (const target of targets) detail.push(...(await addDependencies(target, declared.get(target) ?? {}, root)));
      after = await drive(entry, root, work);
      detail.push(...compare(before.legacy, after.legacy));
    }
    const result = detail.length > 0 ? 'broken' : after?.modern.ok === true ? 'modern' : 'legacy';
    let undone = true;
    for (const target of [...targets].reverse()) {
      await unsession(['undo', '.'], target);
      const left = differences(originals.get(target) ?? {}, contents(target));
      if (left.length > 0) {
        undone = false;
        detail.push(`undo left ${left.slice(0, 3).join(', ')}`);
      }
    }
    const outcomes = migrated.flatMap((one) => one.outcomes);
    return {
      id: entry.id,
      expected: entry.expect,
      why: entry.why,
      result: undone ? result : 'broken',
      ok: undone && result !== 'broken' && (entry.expect !== 'modern' || result === 'modern'),
      detail,
      items: count(outcomes.map(({ outcome }) => outcome)),
      left: outcomes.filter(({ outcome }) => outcome === 'refused' || outcome === 'deferred').map(({ title, reason }) => `${title}: ${reason?.why ?? ''}`),
      changed,
      before,
      ...(after === undefined ? {} : { after }),
      undone,
      seconds: Math.round((Date.now() - from) / 1000),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const count = (words: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...new Set(words)].sort().map((word) => [word, words.filter((other) => other === word).length]));

/** A consumer folder with the package installed, once for all runs. */
async function installed(entry: Published): Promise<string> {
  const home = join(CACHE, `consumer-${entry.id.replaceAll('/', '+')}`);
  if (existsSync(home)) return home;
  const building = `${home}.${String(process.pid)}`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  writeFileSync(join(building, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }, null, 2));
  if (entry.harness) writeFileSync(join(building, 'harness.mjs'), `${entry.harness.join('\n')}\n`);
  const outcome = await runCommand(
    'npm',
    ['install', ...(entry.installFlags ?? ['--ignore-scripts']), '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...entry.install],
    building,
  );
  if (outcome.code !== 0) throw new Error(`npm install of ${entry.install.join(' ')} failed:\n${tail(outcome)}`);
  rmSync(home, { recursive: true, force: true });
  renameSync(building, home);
  return home;
}

async function underGit(target: string): Promise<void> {
  writeFileSync(join(target, '.gitignore'), 'node_modules/\n');
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all', '--force', ...readdirSync(target).filter((name) => name !== 'node_modules' && name !== '.git')],
    [...AUTHOR, 'commit', '--quiet', '--message', 'As it was published'],
  ]) {
    const outcome = await runCommand('git', args, target);
    if (outcome.code !== 0) throw new Error(`git ${args.join(' ')} failed:\n${tail(outcome)}`);
  }
}

function contents(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !/^(?:node_modules|\.git|\.unsession)(?:\/|$)/.test(path) && path !== '.gitignore' && statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path)).toString('base64')]),
  );
}

const differences = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): readonly string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]).sort();

/** Names of the packages at the top of a `node_modules`, scoped ones with their scope. */
const packagesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => (name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name]));

const versionIn = (folder: string): string | undefined =>
  existsSync(join(folder, 'package.json')) ? (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string }).version : undefined;

type Dependencies = Readonly<Record<string, string>>;

const dependenciesOf = (target: string): Dependencies =>
  (JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as { dependencies?: Dependencies }).dependencies ?? {};

/** Installs what a changed manifest declares anew, beside the code that needs it: npm itself would put the published package back. */
async function addDependencies(target: string, before: Dependencies, root: string): Promise<readonly string[]> {
  const all = Object.entries(dependenciesOf(target));
  if (all.every(([name, range]) => before[name] === range)) return [];
  // All of them: which version stands at the top is a matter of the whole manifest.
  const wanted = all;
  const apart = mkdtempSync(join(tmpdir(), 'unsession-'));
  try {
    writeFileSync(join(apart, 'package.json'), JSON.stringify({ name: 'added', private: true, dependencies: Object.fromEntries(wanted) }));
    const outcome = await runCommand('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], apart);
    if (outcome.code !== 0) return [`npm install of ${wanted.map(([name]) => name).join(', ')} failed: ${tail(outcome, 3)}`];
    for (const name of packagesIn(join(apart, 'node_modules'))) {
      const from = join(apart, 'node_modules', name);
      // What the consumer has in the same version stays there, with what its scripts have built.
      if (versionIn(from) !== versionIn(join(root, 'node_modules', name)))
        cpSync(from, join(target, 'node_modules', name), { recursive: true, force: true, verbatimSymlinks: true });
    }
    return [];
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}

/** What old clients could see of the difference. Statuses of refused requests may become the ones that the runbook names. */
function compare(before: Look['legacy'], after: Look['legacy']): readonly string[] {
  const found: string[] = [];
  if (!after.ok) found.push(`after the migration: ${after.problem ?? 'the call failed'}`);
  for (const key of ['tools', 'session', 'terminated', 'second'] as const)
    if (before[key] !== after[key]) found.push(`${key}: ${String(before[key])} before, ${String(after[key])} after`);
  return found;
}

async function drive(entry: Published, root: string, work: string): Promise<Look> {
  const scratch = mkdtempSync(join(work, 'scratch-'));
  const behind: { readonly server: Server; readonly url: string } | undefined = entry.upstream === true ? await upstream(createServer()) : undefined;
  const values: Record<string, string> = { PORT: String(await freePort()), TMP: scratch, UPSTREAM: behind?.url ?? '' };
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const command = {
    args: entry.start.args.map(fill),
    env: Object.fromEntries(Object.entries(entry.start.env ?? {}).map(([name, value]) => [name, fill(value)])),
  };
  let child: ChildProcess | undefined;
  let log = '';
  try {
    if (entry.start.kind === 'stdio') return await look(entry, { kind: 'stdio', cwd: root, ...command });
    child = spawn(process.execPath, command.args, { cwd: root, env: { ...process.env, ...command.env }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-2000)));
    const host = await listening(Number(values.PORT), child);
    if (host === undefined) {
      const silent = { ok: false, problem: `it does not listen: ${log.trim().split('\n').slice(-4).join(' | ')}` };
      return { legacy: silent, modern: silent };
    }
    return await look(entry, { kind: entry.start.kind, url: `http://${host}:${values.PORT ?? ''}${entry.path}` });
  } finally {
    child?.kill('SIGKILL');
    behind?.server.closeAllConnections();
    behind?.server.close();
  }
}

async function listening(port: number, child: ChildProcess): Promise<string | undefined> {
  const answers = (host: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, host);
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline && child.exitCode === null) {
    if (await answers('127.0.0.1')) return '127.0.0.1';
    if (await answers('::1')) return 'localhost';
    await wait(100);
  }
  return undefined;
}
