import { ts } from 'ts-morph';
import type { Span } from '../../../src/core/index.js';
import { type TypeScriptFile, enclosingFunction, isFunctionNode, unwrap } from '../../../src/languages/typescript/index.js';

export { isFunctionNode, unwrap, wrapped } from '../../../src/languages/typescript/index.js';

/** `unwrap`, and `await` and `void` too: the value that a statement waits for. */
export function unwrapAwait(node: ts.Node): ts.Node {
  let current = unwrap(node);
  while (ts.isAwaitExpression(current) || ts.isVoidExpression(current)) current = unwrap(current.expression);
  return current;
}

/** Name of a property in any spelling that needs no evaluation; `undefined` for computed names that are no literal. */
export function nameText(name: ts.PropertyName | ts.MemberName | ts.BindingName | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  if (ts.isComputedPropertyName(name)) {
    const inner = unwrap(name.expression);
    return ts.isStringLiteralLike(inner) ? inner.text : undefined;
  }
  return undefined;
}

/** `.name` or `['name']` of a member access. */
export function memberName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node)) {
    const key = unwrap(node.argumentExpression);
    return ts.isStringLiteralLike(key) ? key.text : undefined;
  }
  return undefined;
}

/** Name of the method that a call names, `x.name(…)`. */
export const calledMember = (call: ts.CallExpression): string | undefined => memberName(unwrap(call.expression));

/** Receiver of a method call, without parentheses and assertions. */
export function receiverOf(call: ts.CallExpression): ts.Node | undefined {
  const callee = unwrap(call.expression);
  return ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee) ? unwrap(callee.expression) : undefined;
}

/** The smallest node that covers exactly this range, leading comments left out. */
export function nodeAt(file: TypeScriptFile, span: Span): ts.Node | undefined {
  let current: ts.Node = file.tree;
  for (;;) {
    let next: ts.Node | undefined;
    ts.forEachChild(current, (child) => {
      if (next === undefined && child.getStart(file.tree) <= span.start && child.end >= span.end) next = child;
    });
    if (next === undefined) break;
    current = next;
    if (current.getStart(file.tree) === span.start && current.end === span.end) {
      const only: ts.Node[] = [];
      ts.forEachChild(current, (child) => void only.push(child));
      const inner = only.find((child) => child.getStart(file.tree) === span.start && child.end === span.end);
      if (inner === undefined) return current;
    }
  }
  return current.getStart(file.tree) === span.start && current.end === span.end ? current : undefined;
}

/** The nearest ancestor (or the node itself) of a kind. */
export function ancestor<T extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is T): T | undefined {
  let current: ts.Node | undefined = node;
  while (current !== undefined && !is(current)) current = current.parent;
  return current;
}

/** The statement that a node belongs to, and its list: a block, a module, a case clause. */
export function statementOf(node: ts.Node): ts.Statement | undefined {
  let current: ts.Node = node;
  while (current.parent !== undefined) {
    const parent = current.parent;
    if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent) || ts.isModuleBlock(parent)) return current as ts.Statement;
    current = parent;
  }
  return undefined;
}

/** True when `inner` is `outer` or lies below it. */
export const isWithin = (inner: ts.Node, outer: ts.Node): boolean => {
  for (let current: ts.Node | undefined = inner; current !== undefined; current = current.parent) if (current === outer) return true;
  return false;
};

/** A value at module level: it exists once for the process. */
export const isModuleLevel = (node: ts.Node): boolean => {
  for (let current: ts.Node | undefined = node.parent; current !== undefined; current = current.parent) {
    if (isFunctionNode(current) || ts.isClassLike(current)) return false;
  }
  return true;
};

/** `yield value` that stands for `await value`: what compilers for older targets make of an async function, `__awaiter(this, void 0, void 0, function* () { … })`. */
export function awaitedByYield(node: ts.Node): ts.Expression | undefined {
  if (!ts.isYieldExpression(node) || node.asteriskToken !== undefined) return undefined;
  const holder = enclosingFunction(node)?.parent;
  const callee = holder && ts.isCallExpression(holder) ? unwrap(holder.expression) : undefined;
  const name = callee && (ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined);
  return name === '__awaiter' ? node.expression : undefined;
}
