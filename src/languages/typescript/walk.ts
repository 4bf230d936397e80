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

/** Nodes of whole files in source order: detectors pass over a file many times, and asking for children is what costs. */
const flattened = new WeakMap<ts.SourceFile, readonly ts.Node[]>();

function nodesOf(root: ts.SourceFile): readonly ts.Node[] {
  let nodes = flattened.get(root);
  if (nodes === undefined) {
    const found: ts.Node[] = [];
    descend(root, (node) => found.push(node));
    flattened.set(root, (nodes = found));
  }
  return nodes;
}

/** With an explicit stack: a chain of ten thousand calls is a tree of ten thousand levels. */
function descend(root: ts.Node, visit: (node: ts.Node) => unknown): void {
  const stack: ts.Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (visit(node) === false) continue;
    const mark = stack.length;
    ts.forEachChild(node, (child) => {
      stack.push(child);
    });
    for (let low = mark, high = stack.length - 1; low < high; low++, high--) {
      const child = stack[low] as ts.Node;
      stack[low] = stack[high] as ts.Node;
      stack[high] = child;
    }
  }
}

/** Visits a node and everything below it in source order. Return `false` to leave out what lies below a node. */
export function eachNode(root: ts.Node, visit: (node: ts.Node) => unknown): void {
  if (!ts.isSourceFile(root)) {
    descend(root, visit);
    return;
  }
  const nodes = nodesOf(root);
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as ts.Node;
    if (visit(node) !== false) continue;
    while (index + 1 < nodes.length && (nodes[index + 1] as ts.Node).pos < node.end) index++;
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
