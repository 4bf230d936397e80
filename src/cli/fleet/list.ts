import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageProblem } from '../errors.js';

/** A checkout of a repository on this machine. */
export interface Checkout {
  /** What reports call it: the same on every machine. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
}

/**
 * Reads a list of checkouts: one folder a line, relative to the list; with a tab in it, name and folder. `#` starts a comment. Sorted by name, so
 * that every machine cuts the same shards.
 * @throws UsageProblem with file and line
 */
export function readCheckouts(file: string, shown: string): readonly Checkout[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageProblem(`${shown} cannot be read; --repos takes a file with one checkout a line`);
  }
  const found = new Map<string, Checkout>();
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .forEach((whole, index) => {
      const line = whole.replace(/^#.*|\s#.*$/, '').trim();
      if (line === '') return;
      const [first = '', second] = line.split('\t').map((part) => part.trim());
      const name = first.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
      if (found.has(name)) throw new UsageProblem(`${shown}:${String(index + 1)}: "${name}" is there twice; give the second one a name: name, tab, folder`);
      found.set(name, { name, folder: resolve(dirname(file), second ?? first) });
    });
  if (found.size === 0) throw new UsageProblem(`${shown} names no checkout`);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Part `index` (from 1) of `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The checkouts of a shard: every one is in exactly one, and neighbours are in different ones. */
export const inShard = (checkouts: readonly Checkout[], { index, count }: Shard): readonly Checkout[] =>
  checkouts.filter((_checkout, position) => position % count === index - 1);
