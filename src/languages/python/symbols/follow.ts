import type { SymbolRef } from '../../../core/index.js';
import { unwrap } from '../expressions.js';
import type { PythonFile } from '../file.js';
import { ownClass } from '../flow/infer.js';
import type { PyNode } from '../node.js';
import { originsOf } from '../provenance/origin.js';
import { valueAt } from '../provenance/values.js';
import { resolvePath } from '../resolve.js';
import { classRef, symbolOfBinding } from './names.js';

type Has = (path: string) => boolean;

/** An alias chain longer than this is nobody's code. */
const MAX_DEPTH = 30;

function follow(start: PyNode, file: PythonFile, has: Has, depth: number): SymbolRef | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const node = unwrap(start);
  for (const origin of originsOf(node, file)) {
    const found = resolvePath(file.path, origin.path, has);
    if (found) return found.name === undefined ? undefined : { file: found.file, name: found.name };
  }
  if (node.kind === 'attribute') {
    const object = node.get('object');
    const name = node.get('attribute');
    if (!object || !name) return undefined;
    const owner = ownClass(object, file);
    if (owner) return { file: file.path, name: `${classRef(owner, file).name}.${file.textOf(name)}` };
    const target = object.kind === 'identifier' ? follow(object, file, has, depth + 1) : undefined;
    return target && { file: target.file, name: `${target.name}.${file.textOf(name)}` };
  }
  const binding = node.kind === 'identifier' ? file.bindings.of(node) : undefined;
  if (!binding || binding.sites[0]?.how === 'import') return undefined;
  const value = binding.sites.length === 1 && binding.sites[0] ? valueAt(binding.sites[0]) : undefined;
  // Only names are followed; a call or a literal makes the variable the thing itself.
  if (value && (value.kind === 'identifier' || value.kind === 'attribute')) return follow(value, file, has, depth + 1) ?? symbolOfBinding(binding, file);
  return symbolOfBinding(binding, file);
}

/**
 * The declaration that an expression names, through aliases, `self` and imports of modules of the repository. `undefined` for
 * packages, builtins and what cannot be followed.
 */
export const symbolOf = (node: PyNode, file: PythonFile, has: Has): SymbolRef | undefined => follow(node, file, has, 0);
