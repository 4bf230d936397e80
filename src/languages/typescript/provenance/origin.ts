import { ts } from 'ts-morph';
import { constantOf, isNeverReassigned } from '../constants.js';
import { isFunctionNode, propertyNameOf, returnedExpressions, unwrap } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import type { Declaration } from '../scope/model.js';
import { declarationOf, writesOf } from '../scope/query.js';
import { isImportCall, isInteropCall, isRequireCall } from './calls.js';

/** Where an imported value comes from. */
export interface Origin {
  /** The specifier as written. */
  readonly module: string;
  /**
   * Exported name. `*` is the module object itself, `default` its default export. A member of either is named after the
   * member, because a CommonJS module is its own default export: `express.Router` is `Router` in every spelling.
   */
  readonly name: string;
  readonly via: 'import' | 'type' | 'require' | 'dynamic';
}

/** An alias chain longer than this is nobody's code. */
const MAX_DEPTH = 60;

function memberOf(origin: Origin | undefined, name: string): Origin | undefined {
  if (!origin) return undefined;
  if (origin.name === '*') return { ...origin, name };
  if (origin.name === 'default') return name === 'default' ? origin : { ...origin, name };
  return undefined;
}

function originOfImport(node: ts.Node, file: TypeScriptFile, depth: number): Origin | undefined {
  if (ts.isImportEqualsDeclaration(node)) {
    const reference = node.moduleReference;
    if (!ts.isExternalModuleReference(reference)) return trace(reference, file, depth);
    return ts.isStringLiteralLike(reference.expression)
      ? { module: reference.expression.text, name: '*', via: node.isTypeOnly ? 'type' : 'require' }
      : undefined;
  }
  const clause = ts.isImportSpecifier(node) ? node.parent.parent : ts.isNamespaceImport(node) ? node.parent : ts.isImportClause(node) ? node : undefined;
  if (!clause || !ts.isStringLiteralLike(clause.parent.moduleSpecifier)) return undefined;
  const module = clause.parent.moduleSpecifier.text;
  const typeOnly = clause.phaseModifier === ts.SyntaxKind.TypeKeyword || (ts.isImportSpecifier(node) && node.isTypeOnly);
  const name = ts.isImportSpecifier(node) ? (node.propertyName ?? node.name).text : ts.isNamespaceImport(node) ? '*' : 'default';
  return { module, name, via: typeOnly ? 'type' : 'import' };
}

/** The value that a variable has: its initialiser, or the one assignment of a variable that is declared without. */
function soleValue(declaration: Declaration, node: ts.VariableDeclaration, file: TypeScriptFile): ts.Expression | undefined {
  if (node.initializer) return isNeverReassigned(declaration, file) ? node.initializer : undefined;
  const writes = writesOf(declaration, file);
  const parent = writes.length === 1 ? writes[0]?.parent : undefined;
  return parent && ts.isBinaryExpression(parent) && parent.left === writes[0] && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    ? parent.right
    : undefined;
}

/** The module that a callback of `import('…').then(callback)` receives. */
function originOfParameter(parameter: ts.ParameterDeclaration, file: TypeScriptFile, depth: number): Origin | undefined {
  const fn = parameter.parent;
  if (!isFunctionNode(fn) || fn.parameters[0] !== parameter || !ts.isCallExpression(fn.parent)) return undefined;
  const callee = fn.parent.expression;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'then' || fn.parent.arguments[0] !== fn) return undefined;
  return isImportCall(unwrap(callee.expression)) ? trace(callee.expression, file, depth) : undefined;
}

/** The element of `Promise.all([import('a'), import('b')])` that stands at an index. */
function elementOfAll(value: ts.Node, index: number): ts.Expression | undefined {
  const call = ts.isAwaitExpression(value) ? unwrap(value.expression) : value;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== 'all') return undefined;
  const list = call.arguments[0];
  return list && ts.isArrayLiteralExpression(list) ? list.elements[index] : undefined;
}

function originOfPattern(element: ts.BindingElement, file: TypeScriptFile, depth: number): Origin | undefined {
  const path: (string | number)[] = [];
  let at: ts.BindingElement | ts.VariableDeclaration | ts.ParameterDeclaration = element;
  while (ts.isBindingElement(at)) {
    if (at.dotDotDotToken) return undefined;
    const pattern: ts.BindingPattern = at.parent;
    const key = ts.isArrayBindingPattern(pattern) ? pattern.elements.indexOf(at) : propertyNameOf(at.propertyName ?? at.name);
    if (key === undefined) return undefined;
    path.unshift(key);
    at = pattern.parent;
  }
  let origin: Origin | undefined;
  if (ts.isParameter(at)) origin = originOfParameter(at, file, depth);
  else if (at.initializer) {
    const value = unwrap(at.initializer);
    const first = path[0];
    if (typeof first === 'number') {
      const chosen = elementOfAll(value, first);
      path.shift();
      origin = chosen && trace(chosen, file, depth);
    } else origin = trace(value, file, depth);
  }
  for (const key of path) origin = typeof key === 'string' ? memberOf(origin, key) : undefined;
  return origin;
}

/** Provenance of a local name. */
function originOfDeclaration(declaration: Declaration, file: TypeScriptFile, depth: number): Origin | undefined {
  const { node } = declaration;
  if (declaration.kind === 'import') return originOfImport(node, file, depth);
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
    const value = soleValue(declaration, node, file);
    return value && trace(value, file, depth);
  }
  if (ts.isParameter(node) && ts.isIdentifier(node.name)) return originOfParameter(node, file, depth);
  return ts.isBindingElement(node) && isNeverReassigned(declaration, file) ? originOfPattern(node, file, depth) : undefined;
}

function originOfCall(call: ts.CallExpression, file: TypeScriptFile, depth: number): Origin | undefined {
  const first = call.arguments[0];
  if (!first) return undefined;
  if (isRequireCall(call, file) || isImportCall(call)) {
    const module = constantOf(first, file);
    return typeof module === 'string' ? { module, name: '*', via: isImportCall(call) ? 'dynamic' : 'require' } : undefined;
  }
  if (isInteropCall(call)) return trace(first, file, depth);
  const callee = call.expression;
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'then' && isFunctionNode(first) && isImportCall(unwrap(callee.expression))) {
    const returned = returnedExpressions(first);
    return returned.length === 1 && returned[0] ? trace(returned[0], file, depth) : undefined;
  }
  return undefined;
}

function trace(start: ts.Node, file: TypeScriptFile, depth: number): Origin | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const node = unwrap(start);
  if (ts.isIdentifier(node)) {
    const declaration = declarationOf(node, file);
    return declaration && originOfDeclaration(declaration, file, depth + 1);
  }
  if (ts.isAwaitExpression(node)) return trace(node.expression, file, depth + 1);
  if (ts.isPropertyAccessExpression(node)) return memberOf(trace(node.expression, file, depth + 1), node.name.text);
  if (ts.isQualifiedName(node)) return memberOf(trace(node.left, file, depth + 1), node.right.text);
  if (ts.isElementAccessExpression(node)) {
    const name = constantOf(node.argumentExpression, file);
    return typeof name === 'string' ? memberOf(trace(node.expression, file, depth + 1), name) : undefined;
  }
  if (ts.isCallExpression(node)) return originOfCall(node, file, depth + 1);
  if (ts.isTypeReferenceNode(node)) return trace(node.typeName, file, depth + 1);
  if (ts.isTypeQueryNode(node)) return trace(node.exprName, file, depth + 1);
  if (ts.isExpressionWithTypeArguments(node)) return trace(node.expression, file, depth + 1);
  if (ts.isImportTypeNode(node)) return originOfImportType(node);
  return undefined;
}

function originOfImportType(node: ts.ImportTypeNode): Origin | undefined {
  if (!ts.isLiteralTypeNode(node.argument) || !ts.isStringLiteralLike(node.argument.literal)) return undefined;
  const module = node.argument.literal.text;
  if (!node.qualifier) return { module, name: '*', via: 'type' };
  return ts.isIdentifier(node.qualifier) ? { module, name: node.qualifier.text, via: 'type' } : undefined;
}

/**
 * Provenance of an expression, or of a name in type position: import, namespace member, alias, destructured `require`,
 * `import()`, compiled interop. `undefined` when it is not imported, or when that is not certain.
 */
export const originOf = (node: ts.Node, file: TypeScriptFile): Origin | undefined => trace(node, file, 0);
