import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SUITE, type RunSuite, type SuiteOutput } from '../verify/index.js';
import type { World } from './world.js';

/** Milliseconds for fetching the package, and for one run of it. */
const FETCH_LIMIT = 180_000;
const RUN_LIMIT = 240_000;

/**
 * The suite imports `fs.globSync`, which Node 20 does not have and no scenario uses. This module hook hands it an `fs` with such a name; nothing else
 * sees it.
 */
const HOOK = `export async function resolve(specifier, context, next) {
  if ((specifier === 'fs' || specifier === 'node:fs') && context.parentURL?.includes('/@modelcontextprotocol/conformance/'))
    return { url: 'unsession:fs', format: 'module', shortCircuit: true };
  return next(specifier, context);
}
export async function load(url, context, next) {
  if (url !== 'unsession:fs') return next(url, context);
  const source = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => { throw new Error('globSync needs Node 22'); };";
  return { format: 'module', shortCircuit: true, source };
}`;
const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const SHIM = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(HOOK))});`);

/** Arguments of Node that let the suite load on this version of Node. */
export const loaderArguments = (nodeVersion: string): readonly string[] => (Number.parseInt(nodeVersion, 10) < 22 ? ['--import', SHIM] : []);

/** The official suite as a port of the judge: fetched by npm at the pinned version on first use, kept in the user's cache. */
export function officialSuite(world: World): RunSuite {
  let fetched: Promise<string> | undefined;
  return async ({ url, revision, signal }) => {
    try {
      const folder = await (fetched ??= fetchSuite(cacheFolder(world.env), world, signal));
      return await runServer(folder, url, revision, world, signal);
    } catch (error) {
      return { scenarios: new Map(), required: [], problem: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** Where fetched tools are kept: the cache folder of the platform. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const base = env['XDG_CACHE_HOME'] ?? env['LOCALAPPDATA'];
  return join(base !== undefined && base !== '' ? base : join(homedir(), '.cache'), 'unsession', `conformance-${SUITE.version}`);
}

/**
 * @returns folder of the installed package
 * @throws Error when npm cannot fetch it
 */
async function fetchSuite(cache: string, world: World, signal: AbortSignal | undefined): Promise<string> {
  const folder = join(cache, 'node_modules', ...SUITE.name.split('/'));
  if (installedVersion(folder) === SUITE.version) return folder;
  mkdirSync(cache, { recursive: true });
  const args = ['install', '--prefix', cache, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', `${SUITE.name}@${SUITE.version}`];
  const done = await runProcess('npm', args, world, FETCH_LIMIT, signal);
  if (done.code !== 0) throw new Error(`npm could not fetch ${SUITE.name}@${SUITE.version}: ${lastWords(done)}`);
  if (installedVersion(folder) !== SUITE.version) throw new Error(`npm fetched another version of ${SUITE.name} than ${SUITE.version}.`);
  return folder;
}

function installedVersion(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string }).version;
  } catch {
    return undefined;
  }
}

async function runServer(folder: string, url: string, revision: string, world: World, signal: AbortSignal | undefined): Promise<SuiteOutput> {
  const out = mkdtempSync(join(tmpdir(), 'unsession-official-'));
  try {
    const args = [...loaderArguments(process.versions.node), join(folder, 'dist', 'index.js'), 'server', '--url', url, '--requirements', revision, '-o', out];
    // Its exit code is 0 whatever fails: only what it wrote counts.
    const done = await runProcess(process.execPath, args, world, RUN_LIMIT, signal);
    const scenarios = readScenarios(out);
    const required = requiredScenarios(folder, revision);
    const problem = done.problem ?? (scenarios.size === 0 ? `the suite wrote nothing: ${lastWords(done)}` : undefined);
    return { scenarios, required, ...(problem === undefined ? {} : { problem }) };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Folders are named `server-<scenario>-<time>`. */
function readScenarios(out: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(out).sort()) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    const file = join(out, name, 'checks.json');
    if (scenario !== undefined && existsSync(file)) found.set(scenario, readFileSync(file, 'utf8'));
  }
  return found;
}

/** The frozen list of a revision, which the package brings along. */
function requiredScenarios(folder: string, revision: string): readonly string[] {
  const lists = parse(readFileSync(join(folder, 'requirements', `${revision}.yaml`), 'utf8')) as { server?: unknown };
  return Array.isArray(lists.server) ? lists.server.filter((entry) => typeof entry === 'string') : [];
}

interface Done {
  readonly code: number | string;
  readonly output: string;
  readonly problem?: string;
}

const lastWords = (done: Done): string => done.output.trim().split('\n').slice(-3).join(' ').slice(-400) || `it ended with ${String(done.code)}`;

function runProcess(command: string, args: readonly string[], world: World, limit: number, signal: AbortSignal | undefined): Promise<Done> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: world.cwd,
      env: { ...process.env, ...world.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm is a batch file there.
      shell: process.platform === 'win32' && command === 'npm',
    });
    let output = '';
    const keep = (text: string): unknown => (output = (output + text).slice(-20_000));
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    let problem: string | undefined;
    const end = (why: string) => (): void => {
      problem = why;
      child.kill('SIGKILL');
    };
    const late = end(`the official suite did not end within ${String(limit / 1000)} s.`);
    const stopped = end('the run was stopped.');
    const timer = setTimeout(late, limit);
    signal?.addEventListener('abort', stopped, { once: true });
    const finish = (code: number | string): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopped);
      resolve({ code, output, ...(problem === undefined ? {} : { problem }) });
    };
    child.on('error', (error) => {
      problem ??= error.message;
      finish('not started');
    });
    child.on('close', (code, name) => finish(code ?? name ?? 'unknown'));
  });
}
