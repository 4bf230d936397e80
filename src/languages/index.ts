import type { LanguageId } from '../core/index.js';
import type { LanguageSupport } from './support.js';
import type {} from './data/file.js';
import type { settlePackaging } from './python/packaging/index.js';
import type {} from './python/packaging/support.js';
import type {} from './python/visitors.js';
import type {} from './text/support.js';
import type {} from './typescript/visitors.js';

import type { compareTypes, hasTypes } from './typescript/types/index.js';

export type { LanguageSupport, Parsed, ParseProblem } from './support.js';

/** Front ends by extension. A table of strings, so that naming a language loads no parser. */
const EXTENSIONS: Readonly<Record<LanguageId, readonly string[]>> = {
  data: ['.yaml', '.yml'],
  requirements: [],
  python: ['.py', '.pyi'],
  text: ['.conf', '.cfg', '.nginx', '.tf', '.hcl', '.bicep', '.md', '.sh', '.bash', '.zsh'],
  typescript: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
};

/** Python's packaging files that are no programs. */
const NAMED_REQUIREMENTS =
  /(?:^|\/)(?:pyproject\.toml|Pipfile|setup\.cfg|[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in)|requirements\/[^/]+\.(?:txt|in))$/i;

/**
 * Manifests, the rules of dependency bots, and what is deployed where: the only JSON and TOML that detectors look at, so that large data
 * files cost no parse.
 */
const NAMED_DATA =
  /(?:^|\/)(?:(?:package|renovate|\.renovaterc|\.?mcp|claude_desktop_config|mcp[-_]?(?:config|settings|servers)|\.(?:vscode|cursor|gemini|windsurf)\/settings|vercel|railway)\.json|wrangler[\w.-]*\.(?:toml|jsonc?)|(?:fly|railway|traefik)[\w.-]*\.toml)$/;

/** Images, environment files and settings of proxies that have no extension of their own, or are filled in when they are installed. */
const NAMED_TEXT =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|(?:[^/]*\.)?(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?|Caddyfile(?:\.[\w-]+)?|Procfile|[^/]+\.(?:conf|cfg)\.(?:template|tpl|tmpl|j2|erb))$/i;

const LOADERS: { readonly [L in LanguageId]: () => Promise<LanguageSupport<L>> } = {
  data: async () => (await import('./data/support.js')).data,
  requirements: async () => (await import('./python/packaging/support.js')).requirements,
  python: async () => {
    const [{ loadParser }, { python }] = await Promise.all([import('./python/parser.js'), import('./python/support.js')]);
    await loadParser();
    return python;
  },
  text: async () => (await import('./text/support.js')).text,
  typescript: async () => (await import('./typescript/support.js')).typescript,
};

const loaded = new Map<LanguageId, LanguageSupport>();

/** The language of a path by its extension; `undefined` when no front end reads it. Loads nothing. */
export function languageIdOf(path: string): LanguageId | undefined {
  if (NAMED_DATA.test(path)) return 'data';
  if (NAMED_REQUIREMENTS.test(path)) return 'requirements';
  if (NAMED_TEXT.test(path)) return 'text';
  const extension = /\.[^./]+$/.exec(path.toLowerCase())?.[0];
  if (extension === undefined) return undefined;
  return (Object.keys(EXTENSIONS) as LanguageId[]).find((id) => EXTENSIONS[id].includes(extension));
}

/** Loads a front end and its parser; later calls return the same object. */
export async function loadLanguage<L extends LanguageId>(id: L): Promise<LanguageSupport<L>> {
  const support = await LOADERS[id]();
  loaded.set(id, support);
  return support;
}

/**
 * The front end of a path, `undefined` when no front end reads it.
 * @throws Error when the front end was not loaded with `loadLanguage` before
 */
export function languageFor(path: string): LanguageSupport | undefined {
  const id = languageIdOf(path);
  if (id === undefined) return undefined;
  const support = loaded.get(id);
  if (!support) throw new Error(`the ${id} front end is not loaded; await loadLanguage('${id}') first`);
  return support;
}

/** What reads and edits the packaging files of Python; loads the TOML parser. */
export async function loadPackaging(): Promise<{ readonly settlePackaging: typeof settlePackaging }> {
  return import('./python/packaging/index.js');
}

/** Files that `loadPackaging` reads, by name alone: loads nothing. Programs are among them: `setup.py`, and scripts with inline metadata. */
export const isPythonPackaging = (path: string): boolean => NAMED_REQUIREMENTS.test(path) || /\.pyw?$/.test(path);

/** What type-checks changed files; loads the compiler. */
export async function loadTypeCheck(): Promise<{ readonly compareTypes: typeof compareTypes; readonly hasTypes: typeof hasTypes }> {
  return import('./typescript/types/index.js');
}
