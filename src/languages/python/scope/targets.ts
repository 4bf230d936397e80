import type { PyNode } from '../node.js';

/** A name in an assignment target, and the way to it. */
export interface TargetName {
  readonly identifier: PyNode;
  readonly path: readonly (number | '*')[];
}

const LISTS: ReadonlySet<string> = new Set(['pattern_list', 'tuple_pattern', 'list_pattern', 'tuple', 'list', 'expression_list', 'parenthesized_expression']);

/** The names that a target binds; `x.a`, `x[0]` bind none. */
export function targetsOf(target: PyNode): readonly TargetName[] {
  if (target.kind === 'identifier') return [{ identifier: target, path: [] }];
  if (target.kind === 'list_splat_pattern' || target.kind === 'list_splat') {
    const inner = target.children[0];
    return inner?.kind === 'identifier' ? [{ identifier: inner, path: ['*'] }] : [];
  }
  if (!LISTS.has(target.kind)) return [];
  if (target.kind === 'parenthesized_expression') return target.children[0] ? targetsOf(target.children[0]) : [];
  return target.children.flatMap((child, index) =>
    targetsOf(child).map(({ identifier, path }) => ({ identifier, path: path[0] === '*' ? path : [index, ...path] })),
  );
}
