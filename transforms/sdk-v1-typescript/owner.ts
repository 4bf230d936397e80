import type { Inventory } from '../../src/core/index.js';

const owners = new WeakMap<Inventory, Map<string, string>>();

/** Folder of the package of a file; asked for every call between functions, so kept with the inventory. */
export function ownerOf(file: string, inventory: Inventory): string {
  let known = owners.get(inventory);
  if (known === undefined) owners.set(inventory, (known = new Map<string, string>()));
  const answer = known.get(file) ?? findOwner(file, inventory);
  known.set(file, answer);
  return answer;
}

/** The same, worked out: the deepest package folder above the file. */
export const findOwner = (file: string, inventory: Inventory): string => {
  let best = '.';
  for (const { folder } of inventory.packages)
    if (folder !== '.' && file.startsWith(`${folder}/`) && (best === '.' || folder.length > best.length)) best = folder;
  return best;
};
