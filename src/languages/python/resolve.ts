import { posix } from 'node:path';
import type { PythonFile } from './file.js';
import { importedNames } from './provenance/imports.js';

type Has = (path: string) => boolean;

/** A module file of a dotted path below a folder: `a/b.py`, `a/b/__init__.py`, `a/b.pyi`. */
function moduleIn(folder: string, parts: readonly string[], has: Has): string | undefined {
  const base = below(folder, parts.join('/'));
  const named = parts.length === 0 ? [] : [`${base}.py`, `${base}.pyi`];
  return [...named, below(base, '__init__.py')].find(has);
}

/** Paths are relative and normal already: joining them is no search for dots. */
const below = (folder: string, path: string): string => (folder === '.' ? path : path === '' ? folder : `${folder}/${path}`);

/** Folders that absolute imports of a file may start from: those above it that are no packages, nearest first, and their `src`. */
function roots(path: string, has: Has): readonly string[] {
  const found: string[] = [];
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    if (!has(below(folder, '__init__.py'))) found.push(folder, below(folder, 'src'));
    if (folder === '.' || folder === '/') return found;
  }
}

/**
 * The repository file of a dotted module path as a file would import it; dots in front are relative.
 * `undefined` for packages that are not in the repository.
 */
export function resolveModule(from: string, module: string, has: Has): string | undefined {
  return resolveIn(from, module, has, () => roots(from, has));
}

function resolveIn(from: string, module: string, has: Has, starts: () => readonly string[]): string | undefined {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module.slice(dots).split('.').filter(Boolean);
  if (dots > 0) {
    let folder = posix.dirname(from);
    for (let up = 1; up < dots; up++) folder = posix.dirname(folder);
    return moduleIn(folder, parts, has);
  }
  for (const root of starts()) {
    const found = moduleIn(root, parts, has);
    if (found !== undefined && found !== from) return found;
  }
  return undefined;
}

/** A dotted path split into the repository file of its longest module and the rest: `.server.mcp` is `mcp` of `server.py`. */
export function resolvePath(from: string, path: string, has: Has): { readonly file: string; readonly name: string | undefined } | undefined {
  const dots = /^\.*/.exec(path)?.[0] ?? '';
  const parts = path.slice(dots.length).split('.').filter(Boolean);
  for (let taken = parts.length; taken >= (dots === '' ? 1 : 0); taken--) {
    const file = resolveModule(from, dots + parts.slice(0, taken).join('.'), has);
    if (file !== undefined) return { file, name: taken === parts.length ? undefined : parts.slice(taken).join('.') };
  }
  return undefined;
}

/** Files of the repository that the file names in imports of any form, without duplicates, in order of appearance. */
export function dependencies(file: PythonFile, has: Has): readonly string[] {
  const found = new Set<string>();
  let known: readonly string[] | undefined;
  const resolve = (module: string): string | undefined => resolveIn(file.path, module, has, () => (known ??= roots(file.path, has)));
  for (const { form, module, name } of importedNames(file)) {
    // What is imported from a package may be a module of it.
    const inner = form === 'from' ? resolve(module.endsWith('.') ? module + name : `${module}.${name}`) : undefined;
    const target = inner ?? resolve(module);
    if (target !== undefined) found.add(target);
  }
  return [...found];
}
