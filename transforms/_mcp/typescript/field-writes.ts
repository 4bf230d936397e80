import { ts } from 'ts-morph';
import { eachNode } from '../../../src/languages/typescript/index.js';
import { calledMember, receiverOf, unwrap } from './nodes.js';

const CHANGES: ReadonlySet<string> = new Set(['set', 'add', 'push', 'unshift', 'delete', 'clear', 'pop', 'shift', 'splice']);

/** Places below a node that change a field of `this`, or what it holds: `this.n++`, `this.rows = …`, `this.rows[0].x = …`, `this.rows.push(…)`. */
export function fieldWrites(root: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  eachNode(root, (node) => {
    const target = changed(node);
    if (target !== undefined && isOfThis(target)) found.push(node);
  });
  return found;
}

/** What an expression changes: the target of an assignment, of `++`, of `delete`, or the container whose content it changes. */
function changed(node: ts.Node): ts.Node | undefined {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? node.left : undefined;
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken ? node.operand : undefined;
  if (ts.isDeleteExpression(node)) return node.expression;
  return ts.isCallExpression(node) && CHANGES.has(calledMember(node) ?? '') ? receiverOf(node) : undefined;
}

function isOfThis(target: ts.Node): boolean {
  let at = unwrap(target);
  while ((ts.isPropertyAccessExpression(at) && at.expression.kind !== ts.SyntaxKind.ThisKeyword) || ts.isElementAccessExpression(at))
    at = unwrap(at.expression);
  return ts.isPropertyAccessExpression(at);
}
