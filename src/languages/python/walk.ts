import type { PythonFile } from './file.js';
import { eachNode, type PyNode } from './node.js';
import type { PythonVisitors } from './visitors.js';

/** One walk over the file in source order; every node goes only to the listeners of its kind. Does not recurse. */
export function walk(file: PythonFile, listeners: readonly PythonVisitors[]): void {
  const byKind = new Map<string, ((node: PyNode) => void)[]>();
  for (const listener of listeners) {
    for (const [kind, visit] of Object.entries(listener)) {
      if (typeof visit !== 'function') continue;
      const visits = byKind.get(kind);
      if (visits) visits.push(visit);
      else byKind.set(kind, [visit]);
    }
  }
  eachNode(file.tree, (node) => {
    const visits = byKind.get(node.kind);
    if (visits) for (const visit of visits) visit(node);
    return undefined;
  });
}
