import { ts } from 'ts-morph';
import { eachNode } from '../../src/languages/typescript/index.js';

/** True when the node or anything below it passes the test; what lies below an `except` node is not looked at. */
export function someNode(root: ts.Node, test: (node: ts.Node) => boolean, except: (node: ts.Node) => boolean = () => false): boolean {
  const state = { found: false };
  eachNode(root, (node) => {
    if (state.found || except(node)) return false;
    if (test(node)) state.found = true;
    return undefined;
  });
  return state.found;
}

/** True when a name occurs as an identifier of its own, not as a member behind a dot. */
export const usesName = (root: ts.Node, name: string, except?: ReadonlySet<ts.Node>): boolean =>
  someNode(
    root,
    (node) => ts.isIdentifier(node) && node.text === name && !except?.has(node) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node),
  );

/** Strips parentheses, casts and `!`. */
export function bare(node: ts.Expression): ts.Expression {
  let current = node;
  while (ts.isParenthesizedExpression(current) || ts.isAsExpression(current) || ts.isNonNullExpression(current) || ts.isSatisfiesExpression(current))
    current = current.expression;
  return current;
}
