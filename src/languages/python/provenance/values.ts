import type { PyNode } from '../node.js';
import type { BindingSite } from '../scope/model.js';

/** The value that a binding place gives to a plain name; `undefined` for unpacked targets, loops, `with`, parameters. */
export function valueAt(site: BindingSite): PyNode | undefined {
  if (site.path.length > 0) return undefined;
  if (site.how === 'walrus') return site.node.get('value');
  return site.how === 'assign' && site.node.kind === 'assignment' ? assignedValue(site.node) : undefined;
}

/** The value of `a = b = value`, from any of its assignments. */
export function assignedValue(assignment: PyNode): PyNode | undefined {
  let value = assignment.get('right');
  while (value?.kind === 'assignment') value = value.get('right');
  return value;
}
