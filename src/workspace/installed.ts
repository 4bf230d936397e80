import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import semver from 'semver';

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/**
 * Packages that a changed manifest asks for otherwise than before and that are not installed like this: `name@range`, sorted.
 * Ranges that are none (`workspace:*`, `catalog:`, a folder) are not judged.
 * @param folder absolute path of the folder of the manifest; packages are looked up there and above, as Node does
 */
export function notInstalled(folder: string, before: string | undefined, after: string): readonly string[] {
  const old = rangesOf(before ?? '{}');
  return [...rangesOf(after)]
    .filter(([name, range]) => old.get(name) !== range && semver.validRange(range) !== null)
    .filter(([name, range]) => !semver.satisfies(installedVersion(folder, name) ?? '', range, { includePrerelease: true }))
    .map(([name, range]) => `${name}@${range}`)
    .sort();
}

function rangesOf(manifest: string): ReadonlyMap<string, string> {
  const ranges = new Map<string, string>();
  const parsed = objectOf(manifest);
  for (const section of SECTIONS) {
    const entries = parsed[section];
    if (typeof entries !== 'object' || entries === null) continue;
    for (const [name, range] of Object.entries(entries)) if (typeof range === 'string') ranges.set(name, range);
  }
  return ranges;
}

function installedVersion(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const version = versionIn(join(at, 'node_modules', name, 'package.json'));
    if (version !== undefined || dirname(at) === at) return version;
  }
}

function versionIn(manifest: string): string | undefined {
  try {
    const { version } = objectOf(readFileSync(manifest, 'utf8'));
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** The object of a JSON text; empty for anything else. */
function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
