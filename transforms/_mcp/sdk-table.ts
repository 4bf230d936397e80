import data from './v1-to-v2.json' with { type: 'json' };

/** What a package is for: it decides where the shared protocol types of v1 go. `both` is treated by the official codemod as a server. */
export type ProjectType = 'client' | 'server' | 'both';

type PerProject = string | Partial<Record<ProjectType, string>>;

/** Row of `v1-to-v2.json`: where one export of one v1 module goes. */
interface SdkExport {
  readonly kind: 'value' | 'type';
  /** v2 specifier; absent when the codemod drops the import. */
  readonly to?: PerProject;
  /** v2 name, when it differs. */
  readonly name?: PerProject;
  /** v2 has nothing for it. */
  readonly removed?: true;
  /** The codemod routes it to a module that does not export it: an import that would not resolve. */
  readonly missing?: true;
}

interface SdkTable {
  readonly codemod: string;
  readonly sdk: string;
  readonly v2: Readonly<Record<string, { readonly version: string; readonly values: readonly string[]; readonly types: readonly string[] }>>;
  readonly modules: Readonly<Record<string, Readonly<Record<string, SdkExport>>>>;
  readonly aliases: Readonly<Record<string, string>>;
  readonly unmapped: readonly string[];
  readonly methods: Readonly<Record<string, string>>;
  readonly errorCodes: Readonly<Record<string, string>>;
}

const table: SdkTable = data as SdkTable;

/** Package name of the v1 SDK; v2 is published under other names, there is no `@modelcontextprotocol/sdk` 2. */
export const SDK_V1 = '@modelcontextprotocol/sdk';

/** Package names of SDK v2 that code can depend on. */
export const SDK_V2_PACKAGES: readonly string[] = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/express',
  '@modelcontextprotocol/fastify',
  '@modelcontextprotocol/hono',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/server-legacy',
];

/** `@scope/name` of a specifier, without the path inside the package. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

/** Major line of the SDK that a specifier belongs to, or `undefined` for another package. */
export function sdkOf(specifier: string): 1 | 2 | undefined {
  const name = packageOf(specifier);
  if (name === SDK_V1) return 1;
  return SDK_V2_PACKAGES.includes(name) ? 2 : undefined;
}

/**
 * The v1 module that a specifier means, spelled as in the table: with `.js`, folder entries resolved, `dist/esm` and `dist/cjs` cut.
 * `undefined` for a specifier that is no v1 module of the SDK.
 */
export function v1Module(specifier: string): string | undefined {
  if (sdkOf(specifier) !== 1) return undefined;
  const path = specifier.slice(SDK_V1.length).replace(/^\/dist\/(esm|cjs)\//, '/');
  const stem = SDK_V1 + path.replace(/(\.d)?\.([cm]?[jt]s)$/, '');
  for (const candidate of [SDK_V1 + path, `${stem}.js`, stem, `${stem}/index.js`]) {
    const known = table.aliases[candidate] ?? candidate;
    if (known in table.modules) return known;
  }
  return undefined;
}

/** True for a specifier that reaches into the build output, which is no public entry of any SDK version. */
export const isDeepImport = (specifier: string): boolean => sdkOf(specifier) !== undefined && specifier.includes('/dist/');

/** True when a v1 specifier has no counterpart in v2 as a whole module (examples, build output, experimental parts). */
export const isUnmapped = (specifier: string): boolean => sdkOf(specifier) === 1 && v1Module(specifier) === undefined;

const pick = (value: PerProject | undefined, project: ProjectType): string | undefined => (typeof value === 'string' ? value : value?.[project]);

/** Where a v1 export goes. */
export type SdkTarget =
  | { readonly status: 'moved'; readonly module: string; readonly name: string; readonly kind: 'value' | 'type' }
  /** v2 has no such export; `kind` tells whether a value or only a type is lost. */
  | { readonly status: 'removed'; readonly kind: 'value' | 'type' }
  | { readonly status: 'unknown' };

/** Looks a v1 export up. `unknown`: neither the module nor the name is in the table. */
export function targetOf(specifier: string, name: string, project: ProjectType): SdkTarget {
  const module = v1Module(specifier);
  const names = module === undefined ? undefined : table.modules[module];
  const entry = names !== undefined && Object.hasOwn(names, name) ? names[name] : undefined;
  if (!entry) return { status: 'unknown' };
  const to = pick(entry.to, project);
  if (entry.removed || entry.missing || to === undefined) return { status: 'removed', kind: entry.kind };
  return { status: 'moved', module: to, name: pick(entry.name, project) ?? name, kind: entry.kind };
}

/** v2 modules that all value exports of a v1 module move to; more than one means that a namespace cannot stand for it. */
export function modulesOf(specifier: string, project: ProjectType): readonly string[] {
  const module = v1Module(specifier);
  const names = module === undefined ? {} : (table.modules[module] ?? {});
  const targets = Object.values(names).map((entry) => (entry.removed || entry.missing ? undefined : pick(entry.to, project)));
  return [...new Set(targets.filter((target) => target !== undefined))];
}

/** True when a v2 module exports the name; `value` also demands that it exists at run time. */
export function isExported(module: string, name: string, as: 'value' | 'type' = 'type'): boolean {
  const entry = table.v2[module];
  if (!entry) return false;
  return entry.values.includes(name) || (as === 'type' && entry.types.includes(name));
}

/** True when the table lists the exports of a v2 module, so that an absent name is known to be absent. */
export const isListed = (module: string): boolean => module in table.v2;

/** Version of a v2 package when the table was generated. */
export const versionOf = (name: string): string | undefined => table.v2[name]?.version;

/** JSON-RPC method that a v1 request or notification schema stands for, e.g. `CallToolRequestSchema` and `tools/call`. */
export const methodOf = (schema: string): string | undefined => (Object.hasOwn(table.methods, schema) ? table.methods[schema] : undefined);

/** `ErrorCode.X` of v1 in v2 spelling: `ProtocolErrorCode.X`, or `SdkErrorCode.X` for the two codes that are local to the SDK. */
export const errorCodeOf = (member: string): string | undefined => (Object.hasOwn(table.errorCodes, member) ? table.errorCodes[member] : undefined);

/** Every v1 export with its v2 spelling, for `canonical`. */
export function* v1Exports(): Iterable<{ readonly module: string; readonly name: string; readonly canonical: string }> {
  for (const [module, names] of Object.entries(table.modules)) {
    for (const [name, entry] of Object.entries(names))
      yield { module, name, canonical: entry.removed || entry.missing ? name : (pick(entry.name, 'server') ?? name) };
  }
}
