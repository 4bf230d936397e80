import { posix } from 'node:path';
import type { TypeScriptFile } from './file.js';
import { moduleRequests } from './provenance/requests.js';

/** What a compiler looks for when an import names its output: the source first, then the output itself. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx', '.d.ts'],
  '.jsx': ['.tsx', '.jsx'],
  '.mjs': ['.mts', '.mjs', '.d.mts'],
  '.cjs': ['.cts', '.cjs', '.d.cts'],
};
const ENDINGS = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cts', '.cjs', '.d.ts'];

/** True for specifiers that name a file next to the importing one. */
export const isRelative = (specifier: string): boolean => /^\.{1,2}(\/|$)/.test(specifier);

/**
 * Repository path of a relative specifier: `.js` finds `.ts`, an extensionless name finds a file or the index of a folder.
 * `undefined` for packages, for paths outside of the root and when no candidate exists.
 */
export function resolveSpecifier(from: string, specifier: string, has: (path: string) => boolean): string | undefined {
  if (!isRelative(specifier)) return undefined;
  const target = posix.normalize(posix.join(posix.dirname(from), specifier.replace(/[?#].*$/, ''))).replace(/\/$/, '');
  if (target.startsWith('..')) return undefined;
  const extension = posix.extname(target);
  const stem = target.slice(0, target.length - extension.length);
  const sources = SOURCES[extension]?.map((ending) => stem + ending) ?? [];
  const folder = target === '.' ? 'index' : `${target}/index`;
  const candidates = [
    ...sources,
    ...(extension === '' ? [] : [target]),
    ...ENDINGS.map((ending) => target + ending),
    ...ENDINGS.map((ending) => folder + ending),
  ];
  return candidates.find((candidate) => candidate !== from && has(candidate));
}

/** Files of the repository that the file names in imports of any form, without duplicates, in order of appearance. */
export function dependencies(file: TypeScriptFile, has: (path: string) => boolean): readonly string[] {
  const found = new Set<string>();
  for (const { specifier } of moduleRequests(file)) {
    const path = resolveSpecifier(file.path, specifier, has);
    if (path !== undefined) found.add(path);
  }
  return [...found];
}
