import type { SymbolRef } from '../../../core/index.js';
import { classOfMethod, enclosingFunction, isFunction } from '../expressions.js';
import type { PythonFile } from '../file.js';
import type { PyNode } from '../node.js';
import type { Binding } from '../scope/model.js';

/** Name of a function in its file: `name` at module level, `Class.method`, `name@<offset>` inside of functions, `@<offset>` for a lambda. */
function nameOfFunction(fn: PyNode, file: PythonFile): string {
  const name = fn.get('name');
  if (!name) {
    const assignment = fn.parent?.kind === 'assignment' ? fn.parent.get('left') : undefined;
    const binding = assignment?.kind === 'identifier' ? file.bindings.of(assignment) : undefined;
    return binding ? nameOfBinding(binding, file) : `@${fn.start}`;
  }
  const owner = classOfMethod(fn);
  if (owner) return `${nameOfClass(owner, file)}.${file.textOf(name)}`;
  return enclosingFunction(fn) ? `${file.textOf(name)}@${fn.start}` : file.textOf(name);
}

function nameOfClass(node: PyNode, file: PythonFile): string {
  const name = node.get('name');
  if (!name) return `@${node.start}`;
  return enclosingFunction(node) ? `${file.textOf(name)}@${node.start}` : file.textOf(name);
}

function nameOfBinding(binding: Binding, file: PythonFile): string {
  const [site] = binding.sites;
  if (site && isFunction(site.node) && (site.how === 'function' || site.node.kind === 'lambda')) return nameOfFunction(site.node, file);
  if (site?.how === 'class') return nameOfClass(site.node, file);
  if (binding.scope.kind === 'module') return binding.name;
  if (binding.scope.kind === 'class') return `${nameOfClass(binding.scope.node, file)}.${binding.name}`;
  return `${binding.name}@${site?.identifier.start ?? binding.scope.node.start}`;
}

/** Name of a local declaration across files. */
export const symbolOfBinding = (binding: Binding, file: PythonFile): SymbolRef => ({ file: file.path, name: nameOfBinding(binding, file) });

/** Name of a `def` or `lambda` across files. */
export const functionRef = (fn: PyNode, file: PythonFile): SymbolRef => ({ file: file.path, name: nameOfFunction(fn, file) });

/** Name of a class across files. */
export const classRef = (node: PyNode, file: PythonFile): SymbolRef => ({ file: file.path, name: nameOfClass(node, file) });
