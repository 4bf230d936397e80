import { posix } from 'node:path';
import { factsOf, type Fact, type Inventory } from '../../src/core/index.js';
import { ownerOf } from './owner.js';
import { isZodKin, lowestVersion } from './ranges.js';

/** Name of the fact for an entry of a catalog: what a manifest means by `catalog:` (the catalog `default`) or `catalog:name`. */
export const catalogEntry = (catalog: string, name: string): string => `catalog:${catalog === '' ? 'default' : catalog}/${name}`;

const REFERENCE = /^catalog:(.*)$/;

type Requirement = Extract<Fact, { type: 'requirement' }>;

/** The requirements of the manifest of one folder. */
const ofManifest = (folder: string, facts: readonly Fact[]): readonly Requirement[] =>
  factsOf(facts, 'requirement').filter(({ site }) => posix.basename(site.file) === 'package.json' && posix.dirname(site.file) === folder);

/**
 * The range of zod that counts for a package: what its own manifest says, else the nearest manifest above it that says something, which is what an
 * undeclared import gets. A reference to a catalog is looked up. Of several ranges the lowest; `undefined` when none is declared.
 * The plan and the rewrite both ask here, so that they cannot differ.
 */
export function zodRange(folder: string, facts: readonly Fact[]): string | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    const ranges = ofManifest(at, facts).flatMap(({ name, range }) => (name === 'zod' ? [resolved(range, facts)] : []));
    if (ranges.length > 0) return ranges.sort((a, b) => majorOf(a) - majorOf(b))[0];
    if (at === '.') return undefined;
  }
}

/** A range as it stands in the catalog that it refers to; as it is when no catalog has it. */
function resolved(range: string, facts: readonly Fact[]): string {
  const catalog = REFERENCE.exec(range)?.[1];
  if (catalog === undefined) return range;
  const wanted = catalogEntry(catalog.trim(), 'zod');
  return factsOf(facts, 'requirement').find(({ name }) => name === wanted)?.range ?? range;
}

const majorOf = (range: string): number => lowestVersion(range)?.[0] ?? 0;

/** Is the package known to be on zod 4 or later? Nothing in it is written for zod 3 then. */
export const isOnZod4 = (folder: string, facts: readonly Fact[]): boolean => majorOf(zodRange(folder, facts) ?? '') >= 4;

/** Packages built on zod that a package declares, or imports without a declaration. */
export function zodKin(folder: string, inventory: Inventory, facts: readonly Fact[]): readonly string[] {
  const own = factsOf(facts, 'requirement').filter(
    ({ site, name }) => isZodKin(name) && !name.startsWith('catalog:') && ownerOf(site.file, inventory) === folder,
  );
  return [...new Set(own.map(({ name }) => name))].sort();
}
