import { ts } from 'ts-morph';
import { calledMember, unwrap } from './nodes.js';

const ASSERTS = /^(?:expect|assert|strictEqual|deepEqual|ok|equal|rejects|throws|doesNotMatch|match|should)/;
const MATCHERS = /^(?:to[A-Z]\w*|not|resolves|rejects|strictEqual|deepStrictEqual|deepEqual|equal|equals|ok|is|match|includes?|contains?)$/;

/** The assertion that a node is an operand of, within its statement: `expect(x).toBe(node)`, `assert.ok(node)`, `t.assert.equal(…)`. */
export function assertionAround(node: ts.Node): ts.CallExpression | undefined {
  for (let current: ts.Node = node; !ts.isStatement(current) && !ts.isSourceFile(current); current = current.parent) {
    if (!ts.isCallExpression(current)) continue;
    const callee = unwrap(current.expression);
    const root = rootName(callee);
    const method = calledMember(current);
    if (root !== undefined && ASSERTS.test(root)) return current;
    if (method !== undefined && MATCHERS.test(method) && /\bassert\b|^expect\(|^t\./.test(callee.getText())) return current;
  }
  return undefined;
}

function rootName(node: ts.Node): string | undefined {
  let current = node;
  for (;;) {
    if (ts.isIdentifier(current)) return current.text;
    if (ts.isPropertyAccessExpression(current) || ts.isElementAccessExpression(current) || ts.isCallExpression(current)) current = unwrap(current.expression);
    else return undefined;
  }
}
