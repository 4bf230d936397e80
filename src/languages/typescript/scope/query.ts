import { ts } from 'ts-morph';
import type { TypeScriptFile } from '../file.js';
import type { Declaration } from './model.js';

/** The local declaration that an identifier refers to or declares; `undefined` for properties, globals and other nodes. */
export function declarationOf(identifier: ts.Node, file: TypeScriptFile): Declaration | undefined {
  return ts.isIdentifier(identifier) ? file.bindings.declarationAt(identifier) : undefined;
}

/** Every use of a declaration in source order, declaring names excluded. Shadowing and hoisting are respected. */
export const referencesOf = (declaration: Declaration, file: TypeScriptFile): readonly ts.Identifier[] => file.bindings.usesOf(declaration);

/** `=`, `+=`, `??=` and the like. */
export const isAssignment = (node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

/** Climbs out of `[x]`, `{ a: x }`, `{ x = 1 }`, `...x` and parentheses, as far as they may form an assignment target. */
function targetOf(identifier: ts.Node): ts.Node {
  let at = identifier;
  for (;;) {
    const { parent } = at;
    const within =
      ts.isParenthesizedExpression(parent) ||
      ts.isArrayLiteralExpression(parent) ||
      ts.isObjectLiteralExpression(parent) ||
      ts.isSpreadElement(parent) ||
      ts.isSpreadAssignment(parent) ||
      ts.isNonNullExpression(parent) ||
      ts.isAsExpression(parent) ||
      (ts.isShorthandPropertyAssignment(parent) && parent.name === at) ||
      (ts.isPropertyAssignment(parent) && parent.initializer === at) ||
      // A default: `[x = 1] = list` holds an assignment inside of a pattern.
      (ts.isBinaryExpression(parent) &&
        parent.left === at &&
        parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        (ts.isArrayLiteralExpression(parent.parent) || ts.isPropertyAssignment(parent.parent)));
    if (!within) return at;
    at = parent;
  }
}

/**
 * True when the identifier is assigned after its declaration: `x = …`, `x += …`, `x++`, `[x] = …`, `({ x } = …)`,
 * `for (x of …)`. The initialiser of a declaration is not counted.
 */
export function isWrite(identifier: ts.Identifier): boolean {
  const direct = identifier.parent;
  if (ts.isBinaryExpression(direct) && direct.left === identifier && isAssignment(direct)) return true;
  const at = targetOf(identifier);
  const { parent } = at;
  if (ts.isBinaryExpression(parent)) return parent.left === at && isAssignment(parent);
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) {
    return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
  }
  return (ts.isForInStatement(parent) || ts.isForOfStatement(parent)) && parent.initializer === at;
}

const writes = new WeakMap<Declaration, readonly ts.Identifier[]>();

/** Uses that assign the variable after its declaration. Computed once for each declaration: bundles use one name thousands of times. */
export function writesOf(declaration: Declaration, file: TypeScriptFile): readonly ts.Identifier[] {
  let known = writes.get(declaration);
  if (!known) {
    known = referencesOf(declaration, file).filter(isWrite);
    writes.set(declaration, known);
  }
  return known;
}
