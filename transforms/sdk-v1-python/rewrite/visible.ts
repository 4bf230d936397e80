import { type PyNode, eachNode, originOf } from '../../../src/languages/python/index.js';
import type { Pass } from './pass.js';

/** An expression as it is told in a sentence. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** True when an expression means the same at another place: constants, and names that are bound once and seen from there. */
export function isVisible(from: Pass, value: PyNode, to: Pass, at: PyNode): boolean {
  let visible = true;
  eachNode(value, (node) => {
    if (node.kind === 'await' || node.kind === 'lambda' || node.kind === 'named_expression' || node.kind === 'yield') visible = false;
    if (node.kind === 'attribute') return undefined;
    if (
      node.kind !== 'identifier' ||
      (node.parent?.kind === 'attribute' && node.field === 'attribute') ||
      (node.parent?.kind === 'keyword_argument' && node.field === 'name')
    )
      return undefined;
    const binding = from.file.bindings.of(node);
    if (!binding) return undefined;
    const sites = binding.sites.length === 1;
    if (from === to) {
      const seen = to.file.bindings.lookup(binding.name, at);
      const ordered = binding.scope.kind === 'module' || (binding.sites[0]?.identifier.start ?? Infinity) < at.start;
      if (seen !== binding || !sites || !ordered) visible = false;
    } else if (!(sites && binding.scope.kind === 'module' && binding.sites[0]?.how === 'import')) visible = false;
    return undefined;
  });
  return visible;
}

/** Names that a moved expression uses come along. */
export function carryImports(from: Pass, to: Pass, value: PyNode): void {
  if (from === to) return;
  eachNode(value, (node) => {
    const binding = node.kind === 'identifier' ? from.file.bindings.of(node) : undefined;
    const origin = binding && originOf(node, from.file);
    if (origin?.imported?.form === 'from') to.need(origin.imported.module, origin.imported.name);
    return undefined;
  });
}
