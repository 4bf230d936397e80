import { createRequire } from 'node:module';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getMigration } from '@modelcontextprotocol/codemod';
import { format, resolveConfig } from 'prettier';
import { Project, ts } from 'ts-morph';

/** Kind of project that the official codemod is told: it decides where shared types go. */
type ProjectType = 'client' | 'server' | 'both';
const PROJECT_TYPES: readonly ProjectType[] = ['client', 'server', 'both'];

/** Where one v1 export goes; the field meanings are documented at `SdkExport` in `transforms/_mcp/sdk-table.ts`. */
interface Entry {
  kind: 'value' | 'type';
  to?: string | Partial<Record<ProjectType, string>>;
  name?: string | Partial<Record<ProjectType, string>>;
  removed?: true;
  missing?: true;
}

interface Table {
  about: string;
  codemod: string;
  sdk: string;
  v2: Record<string, { version: string; values: string[]; types: string[] }>;
  modules: Record<string, Record<string, Entry>>;
  aliases: Record<string, string>;
  unmapped: string[];
  methods: Record<string, string>;
  errorCodes: Record<string, string>;
}

const V1 = '@modelcontextprotocol/sdk';
const V2_PACKAGES = ['client', 'core', 'express', 'node', 'server', 'server-legacy'];
/** Entry points that exist for bundlers only or belong to extensions; nothing of v1 goes there. */
const NOT_A_TARGET = /\/(_shims|internal|ext\/)/;
const TABLE = new URL('../../transforms/_mcp/v1-to-v2.json', import.meta.url);

/** Folder of an installed package: the nearest `node_modules` above the resolved entry that holds it. */
function packageFolder(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const path of paths) {
    const folder = join(path, name);
    if (ts.sys.fileExists(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`${name} is not installed; run npm ci`);
}

const manifestOf = async (folder: string): Promise<{ version: string; exports: Record<string, unknown> }> =>
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

async function readV2(): Promise<Table['v2']> {
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
async function readV1(): Promise<{ version: string; modules: Map<string, Map<string, 'value' | 'type'>>; files: Map<string, string> }> {
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

/** Runs the official transforms over one synthetic file and returns its statements after them. */
function probe(project: Project, text: string, projectType: ProjectType): ts.SourceFile {
  const file = project.createSourceFile('/probe.ts', text, { overwrite: true });
  const migration = getMigration('v1-to-v2');
  if (!migration) throw new Error('the official codemod has no v1-to-v2 migration');
  for (const transform of migration.transforms) transform.apply(file, { projectType });
  const after = file.getFullText();
  file.forget();
  return ts.createSourceFile('/probe.ts', after, ts.ScriptTarget.ES2022, true);
}

/** Module and exported name behind the last use in a probe, e.g. `export const use = X;`. */
function targetOf(after: ts.SourceFile): { module: string; name: string } | 'unbound' {
  const last = after.statements.at(-1);
  let used: string | undefined;
  const find = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text !== 'use' && node.text !== 'Use') used ??= node.text;
    ts.forEachChild(node, find);
  };
  if (last && !ts.isImportDeclaration(last)) find(last);
  for (const statement of after.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const element of bindings.elements)
      if (element.name.text === used) return { module: statement.moduleSpecifier.text, name: (element.propertyName ?? element.name).text };
  }
  return 'unbound';
}

const hasExport = (v2: Table['v2'], module: string, name: string): boolean => {
  const entry = v2[module];
  return entry !== undefined && (entry.values.includes(name) || entry.types.includes(name));
};

function entryOf(project: Project, v2: Table['v2'], specifier: string, name: string, kind: 'value' | 'type'): Entry {
  const use = kind === 'value' ? `export const use = ${name};` : `export type Use = ${name};`;
  const targets = PROJECT_TYPES.map((type) => targetOf(probe(project, `import { ${name} } from '${specifier}';\n${use}\n`, type)));
  const bound = targets.filter((target) => target !== 'unbound');
  if (bound.length < targets.length || bound.some((target) => target.module.startsWith(V1))) return { kind, removed: true };
  const entry: Entry = { kind, to: perProject(bound.map((target) => target.module)) };
  const names = bound.map((target) => target.name);
  if (names.some((renamed) => renamed !== name)) entry.name = perProject(names);
  if (bound.some((target) => !hasExport(v2, target.module, target.name))) entry.missing = true;
  return entry;
}

/** One value when all project types agree, else one for each. */
function perProject(values: readonly string[]): string | Partial<Record<ProjectType, string>> {
  const [first = ''] = values;
  return values.every((value) => value === first) ? first : Object.fromEntries(PROJECT_TYPES.map((type, i) => [type, values[i] ?? first]));
}

function probeMethods(project: Project, names: readonly string[]): Record<string, string> {
  const methods: Record<string, string> = {};
  for (const name of names) {
    const after = probe(project, `import { ${name} } from '${V1}/types.js';\nserver.setRequestHandler(${name}, handle);\n`, 'server').text;
    const method = /setRequestHandler\(\s*['"]([^'"]+)['"]/.exec(after)?.[1];
    if (method) methods[name] = method;
  }
  return methods;
}

function probeErrorCodes(project: Project, members: readonly string[]): Record<string, string> {
  const codes: Record<string, string> = {};
  for (const member of members) {
    const after = probe(project, `import { ErrorCode } from '${V1}/types.js';\nexport const use = ErrorCode.${member};\n`, 'server').text;
    const target = /use = (\w+\.\w+)/.exec(after)?.[1];
    if (target) codes[member] = target;
  }
  return codes;
}

async function buildTable(): Promise<Table> {
  const v2 = await readV2();
  const { version, modules, files } = await readV1();
  const project = new Project({ useInMemoryFileSystem: true, skipAddingFilesFromTsConfig: true, compilerOptions: { allowJs: true } });
  const table: Table = {
    about: 'Generated by `npm run generate`: the official codemod probed with one import per v1 export, and the exports of the v2 packages.',
    codemod: (await manifestOf(packageFolder('@modelcontextprotocol/codemod'))).version,
    sdk: version,
    v2,
    modules: {},
    aliases: {},
    unmapped: [],
    methods: {},
    errorCodes: {},
  };
  for (const [specifier, names] of modules) {
    const first = [...names][0];
    if (names.size === 0) table.unmapped.push(specifier);
    else if (first && probe(project, `import { ${first[0]} } from '${specifier}';\nexport type Use = ${first[0]};\n`, 'server').text.includes(`'${specifier}'`))
      table.unmapped.push(specifier);
    else
      table.modules[specifier] = Object.fromEntries(
        [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kind]) => [name, entryOf(project, v2, specifier, name, kind)]),
      );
  }
  moveAliases(table, files);
  moveByName(table, modules);
  const types = modules.get(`${V1}/types.js`) ?? new Map<string, 'value' | 'type'>();
  table.methods = probeMethods(project, [...types.keys()].filter((name) => /(Request|Notification)Schema$/.test(name)).sort());
  table.errorCodes = probeErrorCodes(project, await errorCodeMembers());
  return table;
}

/** A folder entry of `exports` that the codemod does not know, although it is the same file as a module that it knows. */
function moveAliases(table: Table, files: ReadonlyMap<string, string>): void {
  const byFile = new Map(Object.keys(table.modules).map((specifier) => [files.get(specifier), specifier]));
  for (const specifier of table.unmapped) {
    const known = byFile.get(files.get(specifier));
    if (known !== undefined) table.aliases[specifier] = known;
  }
  table.unmapped = table.unmapped.filter((specifier) => !(specifier in table.aliases));
}

/**
 * Modules that the codemod does not know although v2 has names of theirs, e.g. `getDisplayName` of `shared/metadataUtils.js`. Examples and experimental
 * parts are left out: v2 dropped them on purpose, and a name in common would be chance.
 */
function moveByName(table: Table, modules: ReadonlyMap<string, ReadonlyMap<string, 'value' | 'type'>>): void {
  const homes: Record<ProjectType, string> = {
    client: '@modelcontextprotocol/client',
    server: '@modelcontextprotocol/server',
    both: '@modelcontextprotocol/server',
  };
  for (const specifier of table.unmapped) {
    if (/\/(examples|experimental)(\/|$)/.test(specifier)) continue;
    const names = [...(modules.get(specifier) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    const entries = names.map(([name, kind]): [string, Entry] => {
      const exported = PROJECT_TYPES.every((type) => table.v2[homes[type]]?.[kind === 'value' ? 'values' : 'types'].includes(name));
      return [name, exported ? { kind, to: perProject(PROJECT_TYPES.map((type) => homes[type])) } : { kind, removed: true }];
    });
    if (entries.some(([, entry]) => entry.to !== undefined)) table.modules[specifier] = Object.fromEntries(entries);
  }
  table.unmapped = table.unmapped.filter((specifier) => !(specifier in table.modules));
}

async function errorCodeMembers(): Promise<readonly string[]> {
  const text = await readFile(join(packageFolder(V1), 'dist', 'esm', 'types.d.ts'), 'utf8');
  const body = /enum ErrorCode \{([^}]*)\}/.exec(text)?.[1] ?? '';
  return [...body.matchAll(/^\s*(\w+) =/gm)].map((match) => match[1] ?? '').sort();
}

/** One line per export keeps the file reviewable: a diff of it is a diff of the migration. */
function render(table: Table): string {
  const rows = (record: Record<string, unknown>, indent: string): string =>
    Object.entries(record)
      .map(([key, value]) => `${indent}${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n');
  const modules = Object.entries(table.modules).map(([specifier, names]) => `    ${JSON.stringify(specifier)}: {\n${rows(names, '      ')}\n    }`);
  const { about, codemod, sdk, v2, methods, errorCodes, unmapped, aliases } = table;
  return [
    '{',
    `${rows({ about, codemod, sdk }, '  ')},`,
    `  "v2": {\n${rows(v2, '    ')}\n  },`,
    `  "modules": {\n${modules.join(',\n')}\n  },`,
    `  "aliases": {\n${rows(aliases, '    ')}\n  },`,
    `  "unmapped": [\n${unmapped.map((name) => `    ${JSON.stringify(name)}`).join(',\n')}\n  ],`,
    `  "methods": {\n${rows(methods, '    ')}\n  },`,
    `  "errorCodes": {\n${rows(errorCodes, '    ')}\n  }`,
    '}',
    '',
  ].join('\n');
}

/**
 * Text of `v1-to-v2.json`, formatted as the repository's formatter would.
 * @throws when one of the probed packages is not installed
 */
export async function renderSdkTable(): Promise<string> {
  const filepath = fileURLToPath(TABLE);
  return format(render(await buildTable()), { ...(await resolveConfig(filepath)), filepath });
}

/**
 * Probes the pinned official codemod and writes `transforms/_mcp/v1-to-v2.json`, or with `check` only compares.
 * @returns the paths that were (or with `check`: would be) written; empty when the table is up to date
 */
export async function generateSdkTable({ check }: { readonly check: boolean }): Promise<readonly string[]> {
  const text = await renderSdkTable();
  const current = await readFile(TABLE, 'utf8').catch(() => '');
  if (current === text) return [];
  if (!check) await writeFile(TABLE, text);
  return [relative(join(dirname(fileURLToPath(import.meta.url)), '..', '..'), fileURLToPath(TABLE))];
}
