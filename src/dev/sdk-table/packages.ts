import { createRequire } from 'node:module';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ts } from 'ts-morph';
import { V1, type Table } from './table.js';

const V2_PACKAGES = ['client', 'core', 'express', 'node', 'server', 'server-legacy'];
/** Entry points that exist for bundlers only or belong to extensions; nothing of v1 goes there. */
const NOT_A_TARGET = /\/(_shims|internal|ext\/)/;
/** Folder of an installed package: the nearest `node_modules` above the resolved entry that holds it. */
export function packageFolder(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const path of paths) {
    const folder = join(path, name);
    if (ts.sys.fileExists(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`${name} is not installed; run npm ci`);
}

/** The manifest of an installed package. */
export const manifestOf = async (folder: string): Promise<{ version: string; exports: Record<string, unknown> }> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string; exports: Record<string, unknown> };

async function declarationFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile() && entry.name.endsWith('.d.ts')).map((entry) => join(entry.parentPath, entry.name));
}

/** Names that a declaration file exports, with aliases followed: a name is a value when any of its declarations is one. */
function exportsOf(program: ts.Program, file: string): Map<string, 'value' | 'type'> {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  const names = new Map<string, 'value' | 'type'>();
  if (!symbol) return names;
  for (const entry of checker.getExportsOfModule(symbol)) {
    const target = entry.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(entry) : entry;
    names.set(entry.name, target.flags & ts.SymbolFlags.Value ? 'value' : 'type');
  }
  return names;
}

const programOf = (files: readonly string[]): ts.Program =>
  ts.createProgram({
    rootNames: files,
    options: {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    },
  });

/** Types condition of an `exports` entry for ESM, whatever the nesting. */
function typesOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const conditions = entry as Record<string, unknown>;
  if (typeof conditions['types'] === 'string') return conditions['types'];
  return typesOf(conditions['import']) ?? typesOf(conditions['default']);
}

/** Exports of the 2.x packages, by the specifier that code writes. */
export async function readV2(): Promise<Table['v2']> {
  const wanted: { specifier: string; version: string; file: string }[] = [];
  for (const short of V2_PACKAGES) {
    const name = `@modelcontextprotocol/${short}`;
    const folder = packageFolder(name);
    const manifest = await manifestOf(folder);
    for (const [path, entry] of Object.entries(manifest.exports)) {
      const types = typesOf(entry);
      const specifier = path === '.' ? name : name + path.slice(1);
      if (types && !NOT_A_TARGET.test(specifier)) wanted.push({ specifier, version: manifest.version, file: join(folder, types) });
    }
  }
  const program = programOf(wanted.map(({ file }) => file));
  const modules: Table['v2'] = {};
  for (const { specifier, version, file } of wanted.sort((a, b) => a.specifier.localeCompare(b.specifier))) {
    const names = [...exportsOf(program, file)].sort(([a], [b]) => (a < b ? -1 : 1));
    modules[specifier] = {
      version,
      values: names.filter(([, kind]) => kind === 'value').map(([name]) => name),
      types: names.filter(([, kind]) => kind === 'type').map(([name]) => name),
    };
  }
  return modules;
}

/** v1 modules by the specifier that code writes: `…/server/mcp.js`, plus the folder entries that `exports` names. */
export async function readV1(): Promise<{ version: string; modules: Map<string, Map<string, 'value' | 'type'>>; files: Map<string, string> }> {
  const folder = packageFolder(V1);
  const manifest = await manifestOf(folder);
  const root = join(folder, 'dist', 'esm');
  const files = await declarationFiles(root);
  const bySpecifier = new Map<string, string>();
  for (const file of files)
    bySpecifier.set(
      `${V1}/${relative(root, file)
        .split(sep)
        .join('/')
        .replace(/\.d\.ts$/, '.js')}`,
      file,
    );
  for (const [path, entry] of Object.entries(manifest.exports)) {
    const types = typesOf(entry);
    if (types && !path.includes('*')) bySpecifier.set(path === '.' ? V1 : V1 + path.slice(1), join(folder, types));
  }
  const program = programOf([...bySpecifier.values()].filter((file) => ts.sys.fileExists(file)));
  const modules = new Map<string, Map<string, 'value' | 'type'>>();
  for (const [specifier, file] of [...bySpecifier].sort(([a], [b]) => (a < b ? -1 : 1))) modules.set(specifier, exportsOf(program, file));
  return { version: manifest.version, modules, files: bySpecifier };
}

/** Members of the `ErrorCode` enumeration of the 1.x SDK. */
export async function errorCodeMembers(): Promise<readonly string[]> {
  const text = await readFile(join(packageFolder(V1), 'dist', 'esm', 'types.d.ts'), 'utf8');
  const body = /enum ErrorCode \{([^}]*)\}/.exec(text)?.[1] ?? '';
  return [...body.matchAll(/^\s*(\w+) =/gm)].map((match) => match[1] ?? '').sort();
}
