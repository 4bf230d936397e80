import { ts } from 'ts-morph';
import { type Declaration, type TypeScriptFile, symbolOf, classRef, eachNode } from '../../../src/languages/typescript/index.js';
import { isFunctionNode, unwrap } from '../../_mcp/typescript/nodes.js';
import type { Files } from '../handler-code.js';
import type { Machinery } from '../machinery.js';

/** A declaration whose evaluation does nothing that anybody could notice. */
export function isHarmless(declaration: Declaration, file: TypeScriptFile, machinery: Machinery, files: Files): boolean {
  const { node } = declaration;
  // A class without static parts and decorators does nothing until it is built.
  if (ts.isClassDeclaration(node)) return !/^\s*(?:static\b|@)/m.test(node.getText());
  if (ts.isFunctionDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return true;
  if (!ts.isVariableDeclaration(node)) return false;
  return node.initializer === undefined || isQuietValue(node.initializer, file, machinery, files);
}

/** A value that can be left out: building it touches nothing else. */
export function isQuietValue(initializer: ts.Expression, file: TypeScriptFile, machinery: Machinery, files: Files): boolean {
  const value = unwrap(initializer);
  if (isFunctionNode(value)) return true;
  if (ts.isNewExpression(value)) {
    const empty = (value.arguments ?? []).length === 0;
    return empty && (/^(?:Map|WeakMap|Set|WeakSet)$/.test(value.expression.getText(file.tree)) || isQuietClass(value.expression, file, machinery, files));
  }
  if (ts.isStringLiteralLike(value) || ts.isNumericLiteral(value) || ts.isArrayLiteralExpression(value)) return true;
  if (ts.isObjectLiteralExpression(value))
    return value.properties.every((property) => {
      if (ts.isMethodDeclaration(property) || ts.isShorthandPropertyAssignment(property)) return true;
      if (!ts.isPropertyAssignment(property)) return false;
      const inner = unwrap(property.initializer);
      return ts.isStringLiteralLike(inner) || ts.isNumericLiteral(inner) || ts.isIdentifier(inner) || isFunctionNode(inner);
    });
  if (ts.isPropertyAccessExpression(value) || ts.isIdentifier(value)) return true;
  return machinery.roleOf(value) === 'session';
}

/** Does `new` of a class of the project do nothing but fill the object? */
function isQuietClass(callee: ts.Node, file: TypeScriptFile, machinery: Machinery, files: Files): boolean {
  const ref = symbolOf(callee, file, files.has);
  const home = ref === undefined ? undefined : ref.file === file.path ? file : files.open(ref.file);
  if (ref === undefined || home === undefined) return false;
  let owner: ts.ClassLikeDeclaration | undefined;
  eachNode(home.tree, (node) => {
    if (ts.isClassLike(node) && classRef(node, home).name === ref.name) owner = node;
  });
  if (
    owner === undefined ||
    (owner.heritageClauses ?? []).some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) ||
    (ts.canHaveDecorators(owner) && (ts.getDecorators(owner) ?? []).length > 0)
  )
    return false;
  return owner.members.every((member) => {
    if (ts.isConstructorDeclaration(member)) return member.body === undefined || member.body.statements.length === 0;
    if (ts.isPropertyDeclaration(member)) return member.initializer === undefined || isQuietValue(member.initializer, home, machinery, files);
    return !ts.isClassStaticBlockDeclaration(member);
  });
}
