import { ts } from 'ts-morph';
import { childrenOf } from './walk.js';

/** Takes off what does not change the value: parentheses, `as`, `satisfies`, `!`, type assertions, and the left side of `(0, x)`. */
export function unwrap(node: ts.Node): ts.Node {
  let at = node;
  for (;;) {
    switch (at.kind) {
      case ts.SyntaxKind.ParenthesizedExpression:
      case ts.SyntaxKind.AsExpression:
      case ts.SyntaxKind.SatisfiesExpression:
      case ts.SyntaxKind.NonNullExpression:
      case ts.SyntaxKind.TypeAssertionExpression:
      case ts.SyntaxKind.PartiallyEmittedExpression:
        at = (at as ts.ParenthesizedExpression).expression;
        continue;
      case ts.SyntaxKind.BinaryExpression:
        if ((at as ts.BinaryExpression).operatorToken.kind !== ts.SyntaxKind.CommaToken) return at;
        at = (at as ts.BinaryExpression).right;
        continue;
      default:
        return at;
    }
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

const FUNCTION_KINDS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.Constructor,
  ts.SyntaxKind.GetAccessor,
  ts.SyntaxKind.SetAccessor,
]);

export const isFunctionNode = (node: ts.Node): node is FunctionNode => FUNCTION_KINDS.has(node.kind);

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
