import { ts } from 'ts-morph';
import type { TypeScriptFile } from './file.js';
import type { TypeScriptVisitors } from './visitors.js';

/**
 * Visits a node and everything below it in source order, with an explicit stack: a chain of ten thousand calls is a tree
 * of ten thousand levels. Return `false` to leave out what lies below a node.
 */
export function eachNode(root: ts.Node, visit: (node: ts.Node) => boolean | undefined | void): void {
  const stack: ts.Node[] = [root];
  let children: ts.Node[] = [];
  const collect = (child: ts.Node): void => {
    children.push(child);
  };
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (visit(node) === false) continue;
    children = [];
    ts.forEachChild(node, collect);
    for (let index = children.length - 1; index >= 0; index--) stack.push(children[index] as ts.Node);
  }
}

/** The one walk over a file: every node goes to the listeners of its kind, in the order of the listeners. */
export function walk(file: TypeScriptFile, listeners: readonly TypeScriptVisitors[]): void {
  const byKind: ((node: ts.Node) => void)[][] = [];
  for (const listener of listeners) {
    for (const [name, visit] of Object.entries(listener)) {
      const kind = (ts.SyntaxKind as unknown as Readonly<Record<string, ts.SyntaxKind | undefined>>)[name];
      if (kind === undefined || typeof visit !== 'function') continue;
      (byKind[kind] ??= []).push(visit as (node: ts.Node) => void);
    }
  }
  eachNode(file.tree, (node) => {
    const visits = byKind[node.kind];
    if (visits) for (const visit of visits) visit(node);
  });
}
