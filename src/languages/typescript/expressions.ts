import { ts } from 'ts-morph';
import { childrenOf } from './walk.js';

/** Takes off what does not change the value: parentheses, `as`, `satisfies`, `!`, type assertions, and the left side of `(0, x)`. */
export function unwrap(node: ts.Node): ts.Node {
  let at = node;
  for (;;) {
    if (
      ts.isParenthesizedExpression(at) ||
      ts.isAsExpression(at) ||
      ts.isSatisfiesExpression(at) ||
      ts.isNonNullExpression(at) ||
      ts.isTypeAssertionExpression(at) ||
      ts.isPartiallyEmittedExpression(at)
    ) {
      at = at.expression;
    } else if (ts.isBinaryExpression(at) && at.operatorToken.kind === ts.SyntaxKind.CommaToken) at = at.right;
    else return at;
  }
}

/** The outermost node that only wraps `node` in parentheses, `as`, `satisfies` or `!`. */
export function wrapped(node: ts.Node): ts.Node {
  let at = node;
  while (
    ts.isParenthesizedExpression(at.parent) ||
    ts.isAsExpression(at.parent) ||
    ts.isSatisfiesExpression(at.parent) ||
    ts.isNonNullExpression(at.parent) ||
    ts.isTypeAssertionExpression(at.parent)
  ) {
    at = at.parent;
  }
  return at;
}

/** Name of a property as written in a literal, class or pattern; `undefined` when it is computed from something else than a literal. */
export function propertyNameOf(name: ts.Node | undefined): string | undefined {
  if (!name) return undefined;
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

/** A node that has a body in which `return` and parameters mean its own. */
export type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration
  | ts.GetAccessorDeclaration
  | ts.SetAccessorDeclaration;

export const isFunctionNode = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node) ||
  ts.isGetAccessorDeclaration(node) ||
  ts.isSetAccessorDeclaration(node);

/** The nearest function around a node, the node itself excluded. */
export function enclosingFunction(node: ts.Node): FunctionNode | undefined {
  for (let at: ts.Node | undefined = node.parent; at; at = at.parent as ts.Node | undefined) if (isFunctionNode(at)) return at;
  return undefined;
}

/** Values that a function may return, nested functions excluded, in source order. */
export function returnedExpressions(fn: FunctionNode): readonly ts.Expression[] {
  if (!fn.body) return [];
  if (!ts.isBlock(fn.body)) return [fn.body];
  const found: ts.Expression[] = [];
  const stack: ts.Node[] = [fn.body];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (isFunctionNode(node) || ts.isClassLike(node)) continue;
    stack.push(...childrenOf(node).reverse());
  }
  return found;
}
