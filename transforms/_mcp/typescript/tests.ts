import { ts } from 'ts-morph';
import { constantOf, eachNode, isFunctionNode, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { assertionAround } from './assertions.js';
import { nameText, unwrap } from './nodes.js';

const CASES = /^(?:test|it|specify)$/;

/** A status code that a test expects. */
export interface ExpectedStatus {
  readonly status: number;
  readonly node: ts.Node;
}

/** The call of the test case that a node stands in: `test('…', () => { … })`, `it.only(…)`, `it.each(…)('…', …)`. */
export function testCaseAround(node: ts.Node): ts.CallExpression | undefined {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent)
    if (isFunctionNode(at) && ts.isCallExpression(at.parent) && CASES.test(calledRoot(at.parent))) return at.parent;
  return undefined;
}

/** `test` of `test(…)`, `test.only(…)`, `it.each([…])(…)`; empty for what starts with no name. */
function calledRoot(call: ts.CallExpression): string {
  let at: ts.Node = unwrap(call.expression);
  while (ts.isPropertyAccessExpression(at) || ts.isCallExpression(at)) at = unwrap(at.expression);
  return ts.isIdentifier(at) ? at.text : '';
}

/** Status codes that are asserted below a node: `expect(r.status).toBe(400)`, `.expect(400)`, `assert.equal(r.statusCode, 400)`, `status: 400` in a matcher. */
export function expectedStatuses(scope: ts.Node, file: TypeScriptFile): readonly ExpectedStatus[] {
  const found: ExpectedStatus[] = [];
  eachNode(scope, (node) => {
    if (!ts.isNumericLiteral(node)) return;
    const status = Number(constantOf(node, file));
    if (!(status >= 200 && status < 600)) return;
    const assertion = assertionAround(node);
    const own = ts.isCallExpression(node.parent) && ts.isPropertyAccessExpression(node.parent.expression) && node.parent.expression.name.text === 'expect';
    const named = ts.isPropertyAssignment(node.parent) && nameText(node.parent.name) === 'status' && assertion !== undefined;
    if (own || named || (assertion !== undefined && /\bstatus(?:Code)?\b/.test(assertion.getText(file.tree)))) found.push({ status, node });
  });
  return found;
}
