import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, declarationOf, eachNode, importBindings, originOf } from '../../../src/languages/typescript/index.js';
import { canonical } from '../../_mcp/canonical.js';
import { bare } from '../nodes.js';

/**
 * `error.code` of v1's `StreamableHTTPError` is the HTTP status; in v2 the class is `SdkHttpError`, its code is a text and the status is in
 * `status`. The codemod repairs comparisons beside the test of the class; this one also follows a test that is kept in a constant.
 * Precondition: the place is only reached where the same value passed `instanceof`.
 * @param original the file as it was: only code of v1 means the status
 */
export function repairHttpStatus(file: TypeScriptFile, original: TypeScriptFile): readonly TextEdit[] {
  if (!importBindings(original).some(({ name }) => name === 'StreamableHTTPError')) return [];
  const edits: TextEdit[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'code') return;
    const subject = bare(node.expression);
    if (!ts.isIdentifier(subject) || !isGuarded(node, subject, file)) return;
    const { parent } = node;
    if (ts.isBinaryExpression(parent) && /\bSdkErrorCode\b/.test(file.textOf(parent))) return;
    edits.push({ ...file.span(node.name), text: 'status' });
  });
  return edits;
}

/** Does a place stand behind `subject instanceof SdkHttpError`: in an `if`, an `&&` or a conditional? */
function isGuarded(node: ts.Node, subject: ts.Identifier, file: TypeScriptFile): boolean {
  for (let at = node; !ts.isSourceFile(at) && !ts.isFunctionLike(at); at = at.parent) {
    const { parent } = at;
    const condition =
      ts.isIfStatement(parent) && parent.thenStatement === at
        ? parent.expression
        : ts.isConditionalExpression(parent) && parent.whenTrue === at
          ? parent.condition
          : ts.isBinaryExpression(parent) && parent.right === at && parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken
            ? parent.left
            : undefined;
    if (condition !== undefined && proves(condition, subject, file)) return true;
  }
  return false;
}

/** Does a condition only hold when the subject is an error of HTTP? */
function proves(condition: ts.Expression, subject: ts.Identifier, file: TypeScriptFile, depth = 0): boolean {
  const value = bare(condition);
  if (depth > 4) return false;
  if (ts.isBinaryExpression(value)) {
    if (value.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return proves(value.left, subject, file, depth + 1) || proves(value.right, subject, file, depth + 1);
    const left = bare(value.left);
    return (
      value.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword &&
      ts.isIdentifier(left) &&
      declarationOf(left, file) === declarationOf(subject, file) &&
      canonical(originOf(value.right, file))?.name === 'SdkHttpError'
    );
  }
  const held = ts.isIdentifier(value) ? declarationOf(value, file) : undefined;
  return (
    held?.kind === 'const' &&
    ts.isVariableDeclaration(held.node) &&
    held.node.initializer !== undefined &&
    proves(held.node.initializer, subject, file, depth + 1)
  );
}
