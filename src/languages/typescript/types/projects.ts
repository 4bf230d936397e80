import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { ts } from 'ts-morph';

/** A `tsconfig.json` with the files of it that are asked about. Paths are absolute, with `/`. */
export interface TypeProject {
  readonly config: string;
  /** Settings as the file means them, defaults of the repository's own compiler included. */
  readonly options: ts.CompilerOptions;
  /** Files that the configuration includes on disk. */
  readonly files: readonly string[];
  readonly asked: readonly string[];
}

/** Which project checks which file. */
export interface TypeProjects {
  readonly projects: readonly TypeProject[];
  /** Files that no configuration checks, with the reason. */
  readonly left: readonly { readonly file: string; readonly why: string }[];
}

const isScript = (file: string): boolean => /\.[cm]?jsx?$/i.test(file);

/**
 * Finds the nearest `tsconfig.json` that includes each file, project references followed. A file that does not exist yet belongs where its
 * folder belongs: to the project of the nearest configuration.
 * @param root absolute path; nothing above it is looked at
 * @param files absolute paths
 */
export function projectsOf(root: string, files: readonly string[]): TypeProjects {
  const found = new Map<string, { readonly parsed: ts.ParsedCommandLine; readonly asked: string[] }>();
  const left: { file: string; why: string }[] = [];
  const read = new Map<string, ts.ParsedCommandLine | undefined>();
  const parse = (config: string): ts.ParsedCommandLine | undefined => {
    if (!read.has(config)) read.set(config, parseConfig(config));
    return read.get(config);
  };
  for (const file of files) {
    const config = ownerOf(file, root, parse);
    const parsed = config === undefined ? undefined : parse(config);
    if (config === undefined || parsed === undefined) left.push({ file, why: 'no tsconfig.json includes it' });
    else if (isScript(file) && !(parsed.options.allowJs === true && parsed.options.checkJs === true))
      left.push({ file, why: `${relative(root, config).split(sep).join('/')} checks no JavaScript` });
    else {
      const own = found.get(config) ?? { parsed, asked: [] };
      own.asked.push(file);
      found.set(config, own);
    }
  }
  const projects = [...found].map(([config, { parsed, asked }]) => ({
    config,
    options: { ...defaultsOf(config), ...parsed.options, noEmit: true },
    files: parsed.fileNames,
    asked,
  }));
  return { projects, left };
}

function ownerOf(file: string, root: string, parse: (config: string) => ts.ParsedCommandLine | undefined): string | undefined {
  const isNew = !existsSync(file);
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const nearest = join(folder, 'tsconfig.json').split(sep).join('/');
    const configs = existsSync(nearest) ? withReferences(nearest, parse) : [];
    const owner = configs.find((config) => parse(config)?.fileNames.includes(file));
    if (owner !== undefined) return owner;
    const first = configs.find((config) => (parse(config)?.fileNames.length ?? 0) > 0);
    if (isNew && first !== undefined) return first;
    if (folder === root || dirname(folder) === folder) return undefined;
  }
}

/** A configuration and those that it refers to, itself first. */
function withReferences(config: string, parse: (config: string) => ts.ParsedCommandLine | undefined): readonly string[] {
  const seen = new Set([config]);
  for (const at of seen)
    for (const reference of parse(at)?.projectReferences ?? []) {
      const path = ts.resolveProjectReferencePath(reference);
      if (existsSync(path)) seen.add(path);
    }
  return [...seen];
}

function parseConfig(config: string): ts.ParsedCommandLine | undefined {
  const read = ts.readConfigFile(config, (path) => readFileSync(path, 'utf8'));
  return read.error === undefined ? ts.parseJsonConfigFileContent(read.config, ts.sys, dirname(config), undefined, config) : undefined;
}

/**
 * Settings that TypeScript 6 reads otherwise when they are left out, as older compilers read them, where the repository has an older one.
 * Source: the release notes of TypeScript 6.0, changed defaults.
 */
function defaultsOf(config: string): ts.CompilerOptions {
  try {
    const { version } = createRequire(config)('typescript/package.json') as { readonly version: string };
    if (Number.parseInt(version, 10) >= 6) return {};
  } catch {
    // Without an own compiler the older meaning is the more likely one: nearly all configurations were written for it.
  }
  return { strict: false, types: ['*'], ignoreDeprecations: '6.0', noUncheckedSideEffectImports: false };
}
