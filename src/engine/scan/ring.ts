import { posix } from 'node:path';
import type { FactType } from '../../core/index.js';
import type { FileScan } from './types.js';

/** Facts that make a file worth a look at its neighbours. Routes, guards and imports alone do not. */
const BEARING: ReadonlySet<FactType> = new Set(['server', 'factory', 'transport', 'connect', 'dispatch', 'store', 'key-use', 'push', 'state', 'era', 'client']);

/** Paths of the files whose neighbours join the second ring. */
export const bearingFiles = (files: Iterable<FileScan>): readonly string[] =>
  [...files].filter((file) => file.facts.some((fact) => BEARING.has(fact.type))).map((file) => file.path);

/** True for a file that holds code of the kind that is looked for, SDK imports included. */
export const isBearing = (file: FileScan): boolean =>
  file.findings.length > 0 || file.facts.some((fact) => fact.type === 'sdk-import' || BEARING.has(fact.type));

/** Files that are named by their folder in imports. */
const INDEX = /^(?:index|__init__|mod)$/;

const stem = (path: string): string =>
  posix
    .basename(path)
    .replace(/\.[^.]+$/, '')
    .replace(/\.d$/, '');

/**
 * A cheap test on text: can it import one of these files? It looks for the base name at the end of a quoted path (`./pool`,
 * `../pool.js`) or in an import without quotes (`from .pool`);
 * for an index file for the folder's name, or for a specifier of dots alone. A yes costs a parse, a no is final.
 */
export function mentions(targets: readonly string[]): (text: string) => boolean {
  const names = new Set<string>();
  let dots = false;
  for (const target of targets) {
    const name = stem(target);
    if (INDEX.test(name)) {
      dots = true;
      const folder = posix.basename(posix.dirname(target));
      if (folder !== '' && folder !== '.') names.add(folder);
    } else names.add(name);
  }
  const words = [...names].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const alternatives = [
    ...(words === '' ? [] : [`['"\`/](?:${words})(?:\\.\\w+)*['"\`]`, `^[ \\t]*(?:from|import)\\b[^'"\`\\r\\n]*(?<![\\w$-])(?:${words})(?![\\w$-])`]),
    ...(dots ? [`['"\`](?:\\.{1,2}/)*\\.{1,2}/?['"\`]`] : []),
  ];
  if (alternatives.length === 0) return () => false;
  const pattern = new RegExp(alternatives.join('|'), 'm');
  return (text) => pattern.test(text);
}
