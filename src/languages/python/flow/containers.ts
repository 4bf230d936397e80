import { argumentsOf } from '../expressions.js';
import type { PythonFile } from '../file.js';
import type { PyNode } from '../node.js';
import { assignedValue } from '../provenance/values.js';
import { listOf, parseType, type PyType } from './type.js';

/**
 * Gives an empty list or dictionary the types of what is put into it: `append`, `extend`, `add`, `setdefault`, `x[key] = value`.
 * @param uses reads of the container
 */
export function fill(type: PyType, uses: readonly PyNode[], file: PythonFile, typesOf: (value: PyNode) => readonly PyType[]): readonly PyType[] {
  if (type.args.length > 0 || (type.name !== 'list' && type.name !== 'dict')) return [type];
  const found: PyType[] = [];
  for (const use of uses) {
    const { parent } = use;
    if (parent?.kind === 'subscript' && use.field === 'value') {
      const assignment = parent.parent;
      const value = assignment?.kind === 'assignment' && parent.field === 'left' ? assignedValue(assignment) : undefined;
      if (value) found.push(...typesOf(value));
    } else if (parent?.kind === 'attribute' && use.field === 'object' && parent.parent?.kind === 'call' && parent.field === 'function') {
      const name = parent.get('attribute');
      const method = name && file.textOf(name);
      const [first, second] = argumentsOf(parent.parent, file).positional;
      if ((method === 'append' || method === 'add') && first) found.push(...typesOf(first));
      else if (method === 'extend' && first) found.push(...typesOf(first).flatMap((list) => list.args.slice(0, 1)));
      else if (method === 'setdefault' && second) found.push(...typesOf(second));
    } else if (parent?.kind === 'augmented_assignment' && use.field === 'left') {
      const right = parent.get('right');
      if (right) found.push(...typesOf(right).flatMap((list) => list.args.slice(0, 1)));
    }
  }
  const element = found[0];
  if (!element) return [type];
  return [type.name === 'dict' ? { name: 'dict', args: [parseType('object'), element] } : listOf(element)];
}
