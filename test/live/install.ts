import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, tail } from './command.js';
import { ROOT } from './server-process.js';

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

const CACHE = join(ROOT, '.cache', 'live');

/**
 * Gives `folder` the packages of its manifest. Each different set of dependencies is installed once, in `.cache/live`, and linked from there.
 * @throws Error with npm's output when the installation fails
 */
export async function installOnce(folder: string): Promise<void> {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const packages = await ensurePackages({ ...devDependencies, ...dependencies });
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  symlinkSync(packages, join(folder, 'node_modules'), 'junction');
}

/** Installations that are under way or done: proofs run side by side, and each set of packages is installed by one of them. */
const sets = new Map<string, Promise<string>>();

/** Path of a `node_modules` that holds exactly these packages. */
export function ensurePackages(dependencies: Record<string, string>): Promise<string> {
  const sorted = Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
  const key = createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 12);
  const known = sets.get(key);
  if (known !== undefined) return known;
  const begun = installSet(key, sorted);
  sets.set(key, begun);
  return begun;
}

async function installSet(key: string, sorted: Record<string, string>): Promise<string> {
  const home = join(CACHE, key);
  const ready = join(home, 'node_modules');
  if (existsSync(join(home, 'complete'))) return ready;
  const building = `${home}.${process.pid}`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  writeFileSync(join(building, 'package.json'), JSON.stringify({ name: 'live', private: true, dependencies: sorted }, null, 2));
  const outcome = await runCommand('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], building);
  if (outcome.code !== 0) throw new Error(`npm install of ${Object.keys(sorted).join(', ')} failed:\n${tail(outcome)}`);
  writeFileSync(join(building, 'complete'), '');
  rmSync(home, { recursive: true, force: true });
  renameSync(building, home);
  return ready;
}

/** Versions that an installed folder really has, for the record of a result. */
export function installedVersions(folder: string, names: readonly string[]): Readonly<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const name of names) {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(manifest)) versions[name] = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
  }
  return versions;
}
