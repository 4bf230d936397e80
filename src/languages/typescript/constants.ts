import { ts } from 'ts-morph';
import { propertyNameOf, unwrap } from './expressions.js';
import type { TypeScriptFile } from './file.js';
import type { Declaration } from './scope/model.js';
import { declarationOf, referencesOf, writesOf } from './scope/query.js';

export type Constant = string | number | boolean | null;

/** A chain of constants longer than this is nobody's code. */
const MAX_DEPTH = 100;

/** A text longer than this is no path, name or header. In UTF-16 code units. */
const MAX_LENGTH = 100_000;

/** True when nothing assigns the variable after its initialiser. */
export const isNeverReassigned = (declaration: Declaration, file: TypeScriptFile): boolean =>
  declaration.nodes.length === 1 && (declaration.kind === 'const' || writesOf(declaration, file).length === 0);

const onlyRead = new WeakMap<Declaration, boolean>();

/** True when a constant object is only read by member: nothing writes into it or hands it on. Computed once for each declaration. */
function isOnlyRead(declaration: Declaration, file: TypeScriptFile): boolean {
  let known = onlyRead.get(declaration);
  if (known === undefined) {
    known = referencesOf(declaration, file).every(isMemberRead);
    onlyRead.set(declaration, known);
  }
  return known;
}

function isMemberRead(use: ts.Identifier): boolean {
  const { parent } = use;
  if (!(ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) || parent.expression !== use) return ts.isTypeQueryNode(parent);
  const outer = parent.parent;
  return !(ts.isBinaryExpression(outer) && outer.left === parent && outer.operatorToken.kind === ts.SyntaxKind.EqualsToken) && !ts.isDeleteExpression(outer);
}

const isAsConst = (node: ts.Node): boolean =>
  ts.isAsExpression(node) && ts.isTypeReferenceNode(node.type) && ts.isIdentifier(node.type.typeName) && node.type.typeName.text === 'const';

/** The object in `Object.freeze({ … })`. */
const frozen = (node: ts.Node): ts.Expression | undefined =>
  ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'freeze' ? node.arguments[0] : undefined;

function memberConstant(object: ts.Expression, name: string, file: TypeScriptFile, depth: number): Constant | undefined {
  const declaration = declarationOf(unwrap(object), file);
  if (!declaration) return undefined;
  if (declaration.kind === 'enum') return enumMember(declaration, name, file, depth);
  const { node } = declaration;
  if (declaration.kind !== 'const' || !ts.isVariableDeclaration(node) || !node.initializer || !ts.isIdentifier(node.name)) return undefined;
  let value = unwrap(node.initializer);
  const content = frozen(value);
  if (content) value = unwrap(content);
  else if (!isAsConst(node.initializer) && !isOnlyRead(declaration, file)) return undefined;
  if (!ts.isObjectLiteralExpression(value) || value.properties.some((property) => ts.isSpreadAssignment(property))) return undefined;
  const property = value.properties.find((candidate) => propertyNameOf(candidate.name) === name);
  if (!property) return undefined;
  if (ts.isPropertyAssignment(property)) return fold(property.initializer, file, depth);
  return ts.isShorthandPropertyAssignment(property) ? fold(property.name, file, depth) : undefined;
}

function enumMember(declaration: Declaration, name: string, file: TypeScriptFile, depth: number): Constant | undefined {
  for (const node of declaration.nodes) {
    if (!ts.isEnumDeclaration(node)) continue;
    let next: number | undefined = 0;
    for (const member of node.members) {
      const value: Constant | undefined = member.initializer ? fold(member.initializer, file, depth) : next;
      if (propertyNameOf(member.name) === name) return value;
      next = typeof value === 'number' ? value + 1 : undefined;
    }
  }
  return undefined;
}

function foldBinary(node: ts.BinaryExpression, file: TypeScriptFile, depth: number): Constant | undefined {
  if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken && node.operatorToken.kind !== ts.SyntaxKind.AsteriskToken) return undefined;
  const left = fold(node.left, file, depth);
  const right = fold(node.right, file, depth);
  if (left === undefined || right === undefined) return undefined;
  if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return typeof left === 'number' && typeof right === 'number' ? left * right : undefined;
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  return typeof left === 'string' || typeof right === 'string' ? String(left) + String(right) : undefined;
}

function foldTemplate(node: ts.TemplateExpression, file: TypeScriptFile, depth: number): string | undefined {
  let text = node.head.text;
  for (const span of node.templateSpans) {
    const value = fold(span.expression, file, depth);
    if (value === undefined) return undefined;
    text += String(value) + span.literal.text;
  }
  return text;
}

const folded = new WeakMap<ts.Node, { readonly value: Constant | undefined; readonly depth: number }>();

/** The value of a sum or template, worked out once: sums of names that are sums would cost a power of their number. */
function foldOnce(node: ts.TemplateExpression | ts.BinaryExpression, file: TypeScriptFile, depth: number): Constant | undefined {
  const known = folded.get(node);
  // What was cut short deep in a chain may be known from nearer.
  if (known && (known.value !== undefined || known.depth <= depth)) return known.value;
  const value = ts.isTemplateExpression(node) ? foldTemplate(node, file, depth) : foldBinary(node, file, depth);
  const kept = typeof value === 'string' && value.length > MAX_LENGTH ? undefined : value;
  folded.set(node, { value: kept, depth });
  return kept;
}

function fold(expression: ts.Node, file: TypeScriptFile, depth: number): Constant | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const node = unwrap(expression);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isTemplateExpression(node) || ts.isBinaryExpression(node)) return foldOnce(node, file, depth + 1);
  if (ts.isPrefixUnaryExpression(node)) {
    const value = fold(node.operand, file, depth + 1);
    if (node.operator === ts.SyntaxKind.MinusToken) return typeof value === 'number' ? -value : undefined;
    return node.operator === ts.SyntaxKind.ExclamationToken && value !== undefined ? !value : undefined;
  }
  if (ts.isPropertyAccessExpression(node)) return memberConstant(node.expression, node.name.text, file, depth + 1);
  if (ts.isElementAccessExpression(node)) {
    const name = fold(node.argumentExpression, file, depth + 1);
    return typeof name === 'string' ? memberConstant(node.expression, name, file, depth + 1) : undefined;
  }
  const declaration = declarationOf(node, file);
  if (!declaration) return undefined;
  if (ts.isEnumMember(declaration.node) && ts.isIdentifier(node)) {
    const owner = declarationOf(declaration.node.parent.name, file);
    return owner && enumMember(owner, node.text, file, depth + 1);
  }
  if (!ts.isVariableDeclaration(declaration.node) || !declaration.node.initializer || !ts.isIdentifier(declaration.node.name)) return undefined;
  return isNeverReassigned(declaration, file) ? fold(declaration.node.initializer, file, depth + 1) : undefined;
}

/**
 * Value of a constant expression, local to the file: literals, templates, `+`, variables that nothing reassigns, enum members,
 * members of `as const`, frozen or only-read objects. `undefined` when it is not known (`undefined` itself is not a constant here).
 */
export const constantOf = (expression: ts.Node, file: TypeScriptFile): Constant | undefined => fold(expression, file, 0);
