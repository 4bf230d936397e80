import { ts } from 'ts-morph';
import type { TypeScriptFile } from './file.js';
import type { TypeScriptVisitors } from './visitors.js';

/** The children of a node in source order, in a fresh list. */
export function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  return children;
}

/**
 * Visits a node and everything below it in source order, with an explicit stack: a chain of ten thousand calls is a tree
 * of ten thousand levels. Return `false` to leave out what lies below a node.
 */
export function eachNode(root: ts.Node, visit: (node: ts.Node) => unknown): void {
  const stack: ts.Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (visit(node) === false) continue;
    for (const child of childrenOf(node).reverse()) stack.push(child);
  }
}

/** The one walk over a file: every node goes to the listeners of its kind, in the order of the listeners. */
export function walk(file: TypeScriptFile, listeners: readonly TypeScriptVisitors[]): void {
  const byKind = new Map<ts.SyntaxKind, ((node: ts.Node) => void)[]>();
  for (const listener of listeners) {
    for (const [name, visit] of Object.entries(listener)) {
      const kind = (ts.SyntaxKind as unknown as Readonly<Record<string, ts.SyntaxKind | undefined>>)[name];
      if (kind === undefined || typeof visit !== 'function') continue;
      const visits = byKind.get(kind);
      if (visits) visits.push(visit as (node: ts.Node) => void);
      else byKind.set(kind, [visit as (node: ts.Node) => void]);
    }
  }
  eachNode(file.tree, (node) => {
    const visits = byKind.get(node.kind);
    if (visits) for (const visit of visits) visit(node);
  });
}
