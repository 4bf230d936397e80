import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, tail } from '../command.js';
import { ROOT } from '../server-process.js';

const CACHE = join(ROOT, '.cache', 'published');

/**
 * Folder with the files of a published package, as its users get them. Fetched once.
 * @throws Error with npm's output when the registry does not give it
 */
export async function unpack(name: string, version: string): Promise<string> {
  const home = join(CACHE, `${name.replaceAll('/', '+')}@${version}`);
  const ready = join(home, 'package');
  if (existsSync(ready)) return ready;
  const building = `${home}.${String(process.pid)}`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  const packed = await runCommand('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--loglevel=error'], building);
  const archive = readdirSync(building).find((file) => file.endsWith('.tgz'));
  if (packed.code !== 0 || archive === undefined) throw new Error(`npm pack ${name}@${version} failed:\n${tail(packed)}`);
  const extracted = await runCommand('tar', ['-xzf', archive], building);
  if (extracted.code !== 0) throw new Error(`tar -xzf ${archive} failed:\n${tail(extracted)}`);
  rmSync(home, { recursive: true, force: true });
  renameSync(building, home);
  return ready;
}
