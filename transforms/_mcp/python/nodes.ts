import { calledName, decoratorsOf, eachNode, resolveModule, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';
import type { Surroundings } from '../../../src/core/index.js';

const cache = new WeakMap<PythonFile, ReadonlyMap<string, readonly PyNode[]>>();
const NONE: readonly PyNode[] = [];

/** All nodes of a kind in source order; one pass over the file serves every detector that asks. */
export function nodesOf(file: PythonFile, kind: string): readonly PyNode[] {
  let known = cache.get(file);
  if (!known) {
    const map = new Map<string, PyNode[]>();
    eachNode(file.tree, (node) => {
      const list = map.get(node.kind);
      if (list) list.push(node);
      else map.set(node.kind, [node]);
      return undefined;
    });
    known = map;
    cache.set(file, known);
  }
  return known.get(kind) ?? NONE;
}

/** The object of a method call or member: `a.b` in `a.b.c()`. */
export const receiverOf = (call: PyNode): PyNode | undefined => {
  const callee = call.kind === 'call' ? call.get('function') : call;
  return callee?.kind === 'attribute' ? callee.get('object') : undefined;
};

/** A decorator that is a call or a name: its method and the object that it belongs to (`tool` of `mcp` in `@mcp.tool()`). */
export function decoratorMethods(
  definition: PyNode,
  file: PythonFile,
): readonly { readonly node: PyNode; readonly method: string; readonly receiver: PyNode | undefined; readonly called: boolean }[] {
  return decoratorsOf(definition).flatMap((node) => {
    const called = node.kind === 'call';
    const name = called ? calledName(node, file) : node.kind === 'attribute' ? file.textOf(node.get('attribute') ?? node) : undefined;
    return name === undefined ? [] : [{ node, method: name, receiver: receiverOf(node), called }];
  });
}

/** The name that a value has where it is used: `session` in `self.session`, `ctx` in `ctx`. */
export function lastNameOf(node: PyNode | undefined, file: PythonFile): string | undefined {
  if (!node) return undefined;
  if (node.kind === 'identifier') return file.textOf(node);
  const name =
    node.kind === 'attribute'
      ? node.get('attribute')
      : node.kind === 'call'
        ? node.get('function')
        : node.kind === 'await' || node.kind === 'parenthesized_expression'
          ? node.children[0]
          : undefined;
  if (!name) return undefined;
  return name.kind === 'identifier' ? file.textOf(name) : lastNameOf(name, file);
}

/** True when the repository has a package `mcp` of its own above a file, so that `import mcp` does not mean the SDK. */
export const hasOwnPackage = (file: PythonFile, around: Surroundings): boolean => resolveModule(file.path, 'mcp', (path) => around.has(path)) !== undefined;
