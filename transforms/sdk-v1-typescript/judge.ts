import type { Fact, Finding, Inventory } from '../../src/core/index.js';
import { findOwner, ownerOf } from './owner.js';
import { isOnZod4 } from './zod-line.js';

/** Separates the folders of a group; no path of a repository holds it. */
export const AND = ' + ';

/** Kinds that are read from a manifest: they need no SDK import. */
export const MANIFEST: ReadonlySet<string> = new Set(['manifest-dependency', 'peer-dependency', 'nonexistent-range', 'zod-floor', 'node-floor', 'bot-rule']);

const cache = new WeakMap<readonly Fact[], ReadonlyMap<string, string>>();

/** Sets of packages that depend on each other, or whose code refers to each other's declarations, and that both use SDK v1: they exchange its objects, so they move together. */
function groupsOf(inventory: Inventory, facts: readonly Fact[]): ReadonlyMap<string, string> {
  const known = cache.get(facts);
  if (known) return known;
  const on1 = new Set(inventory.packages.filter(({ sdk }) => sdk.includes(1)).map(({ folder }) => folder));
  const parent = new Map<string, string>();
  const root = (folder: string): string => {
    let at = folder;
    for (let next = parent.get(at); next !== undefined; next = parent.get(at)) at = next;
    return at;
  };
  for (const fact of facts) {
    if (fact.type !== 'call' || fact.site.file === fact.to.file) continue;
    const from = ownerOf(fact.site.file, inventory);
    const to = ownerOf(fact.to.file, inventory);
    if (from === to || !on1.has(from) || !on1.has(to)) continue;
    const [a, b] = [root(from), root(to)];
    if (a !== b) parent.set(a, b);
  }
  // A package names another one by its name, not by a path; what one exports of the SDK the other one takes.
  const folders = new Map(inventory.packages.flatMap(({ folder, name }) => (name === undefined ? [] : [[name, folder] as const])));
  for (const { folder, dependencies = [] } of inventory.packages) {
    for (const name of dependencies) {
      const other = folders.get(name);
      if (other === undefined || other === folder || !on1.has(folder) || !on1.has(other)) continue;
      const [a, b] = [root(folder), root(other)];
      if (a !== b) parent.set(a, b);
    }
  }
  const members = new Map<string, string[]>();
  for (const folder of on1) members.set(root(folder), [...(members.get(root(folder)) ?? []), folder]);
  const groups = new Map<string, string>();
  for (const folders of members.values()) for (const folder of folders) groups.set(folder, folders.sort().join(AND));
  cache.set(facts, groups);
  return groups;
}

/** Does the manifest of the file's package name other dependencies but not this one, and no manifest above it either? */
function isUndeclared(finding: Finding, inventory: Inventory): boolean {
  if (finding.role === 'test' || finding.role === 'example') return false;
  const name = String(finding.data['package']);
  const above = inventory.packages.filter(({ folder }) => folder === '.' || finding.site.file.startsWith(`${folder}/`));
  const own = above.find(({ folder }) => folder === findOwner(finding.site.file, inventory));
  if (own?.dependencies === undefined || own.dependencies.length === 0) return false;
  return above.every(({ name: itself, dependencies = [] }) => itself !== name && !dependencies.includes(name));
}

/** Why a use of zod 3 is told by its path; it stays one where the range says 4. */
export const BY_NAME = '`zod/v3` is imported by name';

/** Puts the findings of connected packages into one item, and drops what only matters next to SDK v1. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  const folder = ownerOf(finding.site.file, inventory);
  const usesV1 = inventory.packages.some((entry) => entry.folder === folder && entry.sdk.includes(1));
  const anyV1 = inventory.packages.some((entry) => entry.sdk.includes(1));
  const kind = finding.id.slice(finding.id.indexOf('/') + 1);
  if (kind === 'undeclared-import' && !isUndeclared(finding, inventory)) return undefined;
  if (kind === 'zod-range' && (!usesV1 || (isOnZod4(folder, facts) && finding.data['reason'] !== BY_NAME))) return undefined;
  // Code was read, and none of it takes SDK v1: no schema is handed to it, and the dependency decides nothing.
  const unused = !anyV1 && (kind === 'zod-floor' || kind === 'manifest-dependency') && facts.some(({ site }) => CODE.test(site.file));
  if (unused && kind === 'zod-floor') return undefined;
  // Found by name only, in a file without an SDK import: v1 must be near.
  if (finding.certainty !== 'certain' && !anyV1 && !MANIFEST.has(kind) && finding.data['namesSchemas'] !== true) return undefined;
  const importedBy = inventory.packages.find((entry) => entry.folder === folder)?.importedBy;
  if (kind === 'public-api' && importedBy === 'nobody') return undefined;
  const group = groupsOf(inventory, facts).get(folder) ?? folder;
  if (unused) return { ...finding, group, impact: 'none', evidence: ['no code that was read imports it'] };
  // Somebody who is not in this repository takes the object.
  if (kind === 'public-api' && importedBy === 'anybody' && finding.role === 'source') return { ...finding, group, certainty: 'likely' };
  return group === finding.group ? finding : { ...finding, group };
}

const CODE = /\.[cm]?[jt]sx?$/;
