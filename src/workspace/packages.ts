import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { PackageFolder } from './types.js';

/** Manifests that make a folder a package, the naming one first. */
const MANIFESTS = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'Pipfile',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'composer.json',
  'Gemfile',
  'deno.json',
  'deno.jsonc',
];
const RANK: ReadonlyMap<string, number> = new Map(MANIFESTS.map((name, rank) => [name, rank]));

const isManifest = (name: string): boolean => RANK.has(name) || name.endsWith('.csproj') || name.endsWith('.gemspec');
const rankOf = (name: string): number => RANK.get(name) ?? MANIFESTS.length;

/** Files in which a workspace says which versions its packages get: hoisted dependencies and catalogs. */
const WORKSPACE_FILES: ReadonlySet<string> = new Set(['package.json', 'pnpm-workspace.yaml', '.yarnrc.yml']);

/** Can the file say something about packages in the folders below it? */
export const isWorkspaceFile = (path: string): boolean => WORKSPACE_FILES.has(nameOf(path));

const folderOf = (path: string): string => {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
};
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Packages of a list of files. The root is always one of them, with or without a manifest. */
export function findPackages(root: string, paths: readonly string[]): readonly PackageFolder[] {
  const byFolder = new Map<string, string[]>([['.', []]]);
  for (const path of paths) {
    if (!isManifest(nameOf(path))) continue;
    const folder = folderOf(path);
    const list = byFolder.get(folder);
    if (list) list.push(path);
    else byFolder.set(folder, [path]);
  }
  return [...byFolder]
    .map(([folder, manifests]) =>
      describe(
        root,
        folder,
        manifests.sort((a, b) => rankOf(nameOf(a)) - rankOf(nameOf(b)) || (a < b ? -1 : 1)),
      ),
    )
    .sort((a, b) => (a.folder === '.' ? -1 : b.folder === '.' ? 1 : a.folder < b.folder ? -1 : 1));
}

function describe(root: string, folder: string, manifests: readonly string[]): PackageFolder {
  const manifest = manifests[0];
  const text = manifest === undefined ? undefined : read(join(root, manifest));
  const json = manifest !== undefined && text !== undefined && nameOf(manifest) === 'package.json' ? parse(text) : undefined;
  const name = json ? json.name : text === undefined || manifest === undefined ? undefined : nameIn(nameOf(manifest), text);
  return {
    folder,
    manifest,
    manifests,
    name: typeof name === 'string' && name !== '' ? name : undefined,
    moduleType: json?.type === 'module' ? 'module' : 'commonjs',
    ...(json ? { dependencies: dependenciesOf(json), importedBy: importersOf(json) } : {}),
  };
}

const ENTRIES = ['exports', 'main', 'module', 'types', 'typings', 'browser'] as const;

/** Without an entry a package is a command, or is not meant to be imported. */
function importersOf(json: Readonly<Record<string, unknown>>): NonNullable<PackageFolder['importedBy']> {
  if (!ENTRIES.some((field) => json[field] !== undefined)) return json['bin'] === undefined ? 'unknown' : 'nobody';
  return json['private'] === true || typeof json['name'] !== 'string' ? 'repository' : 'anybody';
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

const dependenciesOf = (json: Readonly<Record<string, unknown>>): readonly string[] => [
  ...new Set(SECTIONS.flatMap((section) => (typeof json[section] === 'object' && json[section] !== null ? Object.keys(json[section]) : []))),
];

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** A manifest that does not parse names nothing here; the front end for data reports it as not analysed. */
function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Name of a package from a manifest that is not JSON: enough to be recognised by people, so one line is read, not the grammar. */
function nameIn(manifest: string, text: string): string | undefined {
  if (manifest === 'go.mod') return /^module\s+(\S+)/m.exec(text)?.[1];
  if (manifest.endsWith('.toml')) return /^\[(?:project|tool\.poetry|package)\][^[]*?^name\s*=\s*["']([^"'\n]+)["']/m.exec(text)?.[1];
  return undefined;
}

/** The nearest package at or above a file. */
export function packageOf(packages: readonly PackageFolder[], path: string): PackageFolder {
  let best: PackageFolder | undefined;
  for (const candidate of packages) {
    const owns = candidate.folder === '.' || path.startsWith(`${candidate.folder}/`);
    if (owns && (!best || best.folder === '.' || candidate.folder.length > best.folder.length)) best = candidate;
  }
  return best ?? { folder: '.', manifest: undefined, manifests: [], name: undefined, moduleType: 'commonjs' };
}

/** The nearest `package.json` above a root that has no manifest itself, not beyond `top`. Absolute path. */
export function manifestAbove(root: string, top: string): string | undefined {
  if (MANIFESTS.some((name) => existsSync(join(root, name)))) return undefined;
  for (let at = resolve(root); at !== resolve(top) && at !== dirname(at);) {
    at = dirname(at);
    const manifest = join(at, 'package.json');
    if (existsSync(manifest)) return manifest;
  }
  return undefined;
}
