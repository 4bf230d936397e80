import type { SymbolRef } from '../../../core/index.js';
import { classOfMethod, enclosingFunction, isFunction } from '../expressions.js';
import type { PythonFile } from '../file.js';
import { eachNode, type PyNode } from '../node.js';
import { importedNames } from '../provenance/imports.js';
import { resolveModule } from '../resolve.js';
import { symbolOf } from './follow.js';
import { classRef, functionRef } from './names.js';

/** A reference from one declaration to another. `from` is absent for code at module level. */
export interface Edge {
  readonly from?: SymbolRef;
  readonly to: SymbolRef;
  readonly node: PyNode;
}

/**
 * Edges between declarations: every use of a function, class, module-level name, method or import from the repository; a function
 * to the functions inside of it; a class to its methods; a name that a module passes on to what stands behind it.
 */
export function calls(file: PythonFile, has: (path: string) => boolean): readonly Edge[] {
  const edges: Edge[] = [];
  const add = (from: SymbolRef | undefined, to: SymbolRef | undefined, node: PyNode): void => {
    if (to && !(from?.file === to.file && from.name === to.name)) edges.push(from ? { from, to, node } : { to, node });
  };
  const around = (node: PyNode): SymbolRef | undefined => {
    const fn = enclosingFunction(node);
    return fn && functionRef(fn, file);
  };
  eachNode(file.tree, (node) => {
    if (isFunction(node)) {
      const ref = functionRef(node, file);
      add(around(node), ref, node);
      const owner = classOfMethod(node);
      if (owner) add(classRef(owner, file), ref, node);
    } else if (node.kind === 'attribute') add(around(node), symbolOf(node, file, has), node);
    else if (node.kind === 'identifier') {
      const binding = file.bindings.of(node);
      if (!binding || binding.sites.some(({ identifier }) => identifier === node)) return undefined;
      const how = binding.sites[0]?.how;
      if (binding.scope.kind === 'module' || how === 'function' || how === 'class' || how === 'import') add(around(node), symbolOf(node, file, has), node);
    }
    return undefined;
  });
  for (const { form, module, name, local, node } of importedNames(file)) {
    const path = form === 'from' && local !== undefined ? resolveModule(file.path, module, has) : undefined;
    if (path !== undefined && local !== undefined) add({ file: file.path, name: local }, { file: path, name }, node);
  }
  return edges;
}
