import type { ImportNeed } from '../../../core/index.js';
import type { TypeScriptFile } from '../file.js';
import type { ImportBinding, ImportSite, SiteName } from './sites.js';
import { specifierFor } from './specifier.js';

/** A name that a file shall import: a need, or a binding as another file has it. */
export type Wanted = ImportNeed | ImportBinding;

function bindingOf(file: TypeScriptFile, wanted: Wanted): ImportBinding {
  if ('specifier' in wanted) return wanted;
  return { specifier: specifierFor(file, wanted.module), name: wanted.name, local: wanted.as ?? wanted.name, typeOnly: wanted.typeOnly === true };
}

const isSame = (a: ImportBinding, b: ImportBinding): boolean => a.specifier === b.specifier && a.name === b.name && a.local === b.local;

/** What is left to do after the bindings that the file has already. */
export interface Demand {
  /** Names that go. */
  readonly removed: ReadonlySet<SiteName>;
  /** Names that come, each once; none of them is bound already. */
  readonly added: readonly ImportBinding[];
}

/**
 * Compares what shall go and come with what the file has. A type-only binding that is now needed as a value is replaced; a type
 * is not imported into JavaScript at all.
 */
export function demandOf(file: TypeScriptFile, sites: readonly ImportSite[], remove: readonly ImportBinding[], add: readonly Wanted[]): Demand {
  const wanted: ImportBinding[] = [];
  for (const candidate of add) {
    const binding = bindingOf(file, candidate);
    if (binding.typeOnly && file.isJavaScript) continue;
    const known = wanted.findIndex((other) => isSame(other, binding));
    if (known < 0) wanted.push(binding);
    else if (!binding.typeOnly) wanted[known] = binding;
  }
  const removed = new Set<SiteName>();
  const satisfied = new Set<ImportBinding>();
  for (const site of sites) {
    for (const name of site.names) {
      const same = wanted.find((binding) => isSame(binding, name));
      if (same && (same.typeOnly || !name.typeOnly)) satisfied.add(same);
      else if (same || remove.some((other) => isSame(other, name))) removed.add(name);
    }
  }
  return { removed, added: wanted.filter((binding) => !satisfied.has(binding)) };
}
