import { ts } from 'ts-morph';
import { isFunctionNode, propertyNameOf, returnedExpressions, unwrap } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import type { Declaration } from '../scope/model.js';
import { declarationOf, writesOf } from '../scope/query.js';
import { enclosingClass } from '../symbols/names.js';
import { valuesOfField } from './fields.js';
import { elementAccess, elementTypes, nameOfType, valuesPutInto } from './containers.js';
import type { Origin } from './origin.js';
import { originOf } from './origin.js';

/** A chain of variables, factories and annotations longer than this is nobody's code. */
const MAX_DEPTH = 30;

/** Steps of one question. Code that branches at every step (bundles) would take exponentially many. */
const MAX_STEPS = 400;
let steps = 0;

/** Counts a step; true when the question is given up. */
const isExhausted = (depth: number): boolean => depth > MAX_DEPTH || ++steps > MAX_STEPS;

/** Wrappers whose instance is used as if it were the inner type. */
const TRANSPARENT: ReadonlySet<string> = new Set(['Promise', 'Awaited', 'NonNullable', 'Readonly', 'InstanceType', 'Partial', 'Required']);

/** The class a type node names; unions give their first member with a known origin. */
function ofType(type: ts.TypeNode, file: TypeScriptFile, depth: number): Origin | undefined {
  if (isExhausted(depth)) return undefined;
  if (ts.isParenthesizedTypeNode(type)) return ofType(type.type, file, depth + 1);
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return firstOf(type.types, (member) => ofType(member, file, depth + 1));
  if (ts.isImportTypeNode(type)) return originOf(type, file);
  if (!ts.isTypeReferenceNode(type)) return undefined;
  const inner = type.typeArguments?.[0];
  if (inner && TRANSPARENT.has(nameOfType(type) ?? ''))
    return ts.isTypeQueryNode(inner) ? ofClass(inner.exprName, file, depth + 1) : ofType(inner, file, depth + 1);
  const origin = originOf(type, file);
  if (origin) return origin;
  const node = declarationOf(type.typeName, file)?.node;
  if (!node) return undefined;
  if (ts.isTypeAliasDeclaration(node)) return ofType(node.type, file, depth + 1);
  return ts.isClassLike(node) || ts.isInterfaceDeclaration(node) ? ofHeritage(node, file, depth + 1) : undefined;
}

function ofHeritage(node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration, file: TypeScriptFile, depth: number): Origin | undefined {
  const clause = node.heritageClauses?.find((candidate) => candidate.token === ts.SyntaxKind.ExtendsKeyword);
  const parent = clause?.types[0];
  return parent && ofClass(parent.expression, file, depth);
}

/** The imported class that a class expression is, or descends from. */
function ofClass(expression: ts.Node, file: TypeScriptFile, depth: number): Origin | undefined {
  if (isExhausted(depth)) return undefined;
  const origin = originOf(expression, file);
  if (origin) return origin;
  const node = unwrap(expression);
  const target = ts.isClassExpression(node) ? node : declarationOf(node, file)?.node;
  if (!target) return undefined;
  if (ts.isClassLike(target)) return ofHeritage(target, file, depth + 1);
  return ts.isVariableDeclaration(target) && target.initializer ? ofClass(target.initializer, file, depth + 1) : undefined;
}

function firstOf<T>(list: Iterable<T>, find: (item: T) => Origin | undefined): Origin | undefined {
  for (const item of list) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

/** Expressions that are assigned to a variable anywhere in the file. */
function* assignedTo(declaration: Declaration, file: TypeScriptFile): Iterable<ts.Expression> {
  for (const use of writesOf(declaration, file)) {
    const { parent } = use;
    if (ts.isBinaryExpression(parent) && parent.left === use) yield parent.right;
  }
}

function ofDeclaration(declaration: Declaration, file: TypeScriptFile, depth: number): Origin | undefined {
  const { node } = declaration;
  if (ts.isParameter(node)) return node.type ? ofType(node.type, file, depth) : node.initializer && ofValue(node.initializer, file, depth);
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
    if (node.type) return ofType(node.type, file, depth);
    if (ts.isForOfStatement(node.parent.parent)) return ofElement(node.parent.parent.expression, file, depth);
    return (node.initializer && ofValue(node.initializer, file, depth)) ?? firstOf(assignedTo(declaration, file), (value) => ofValue(value, file, depth));
  }
  return ts.isBindingElement(node) ? ofPattern(node, file, depth) : undefined;
}

/** `const { transport } = entry`, when the entry has an inline type or is an object literal. */
function ofPattern(element: ts.BindingElement, file: TypeScriptFile, depth: number): Origin | undefined {
  const key = propertyNameOf(element.propertyName ?? element.name);
  const holder = element.parent.parent;
  if (key === undefined || !ts.isObjectBindingPattern(element.parent) || ts.isBindingElement(holder)) return undefined;
  if (holder.type) return ofMemberOfType(holder.type, key, file, depth + 1);
  return holder.initializer && ofMember(unwrapAwait(holder.initializer), key, file, depth + 1);
}

const unwrapAwait = (node: ts.Node): ts.Node => {
  const value = unwrap(node);
  return ts.isAwaitExpression(value) ? unwrapAwait(value.expression) : value;
};

function ofMemberOfType(type: ts.TypeNode, key: string, file: TypeScriptFile, depth: number): Origin | undefined {
  if (isExhausted(depth)) return undefined;
  if (ts.isUnionTypeNode(type)) return firstOf(type.types, (member) => ofMemberOfType(member, key, file, depth + 1));
  if (ts.isTypeReferenceNode(type)) {
    const inner = type.typeArguments?.[0];
    if (inner && TRANSPARENT.has(nameOfType(type) ?? '')) return ofMemberOfType(inner, key, file, depth + 1);
    const node = declarationOf(type.typeName, file)?.node;
    if (node && ts.isTypeAliasDeclaration(node)) return ofMemberOfType(node.type, key, file, depth + 1);
    if (node && (ts.isInterfaceDeclaration(node) || ts.isClassLike(node))) return ofMemberList(node.members, key, file, depth);
    return undefined;
  }
  return ts.isTypeLiteralNode(type) ? ofMemberList(type.members, key, file, depth) : undefined;
}

function ofMemberList(members: ts.NodeArray<ts.TypeElement | ts.ClassElement>, key: string, file: TypeScriptFile, depth: number): Origin | undefined {
  return firstOf(members, (member) => {
    if (propertyNameOf(member.name) !== key) return undefined;
    return (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) && member.type ? ofType(member.type, file, depth + 1) : undefined;
  });
}

/** `object.key`: a field of `this`, of an object literal, or of something with a written type. */
function ofMember(object: ts.Node, key: string, file: TypeScriptFile, depth: number): Origin | undefined {
  if (isExhausted(depth)) return undefined;
  if (object.kind === ts.SyntaxKind.ThisKeyword) {
    const owner = enclosingClass(object);
    return owner && (ofField(owner, key, file, depth + 1) ?? ofAssigned(owner, key, object, file, depth + 1));
  }
  if (ts.isObjectLiteralExpression(object)) {
    const property = object.properties.find((candidate) => propertyNameOf(candidate.name) === key);
    if (property && ts.isPropertyAssignment(property)) return ofValue(property.initializer, file, depth + 1);
    return property && ts.isShorthandPropertyAssignment(property) ? ofValue(property.name, file, depth + 1) : undefined;
  }
  if (ts.isCallExpression(object)) {
    const node = declarationOf(unwrap(object.expression), file)?.node;
    const fn = node && functionBehind(node);
    if (fn)
      return fn.type
        ? ofMemberOfType(fn.type, key, file, depth + 1)
        : firstOf(returnedExpressions(fn), (value) => ofMember(unwrap(value), key, file, depth + 1));
  }
  const element = elementAccess(object);
  if (element) return firstOf(elementTypes(element, file), (type) => ofMemberOfType(type, key, file, depth + 1));
  const node = declarationOf(object, file)?.node;
  if (!node || !(ts.isVariableDeclaration(node) || ts.isParameter(node))) return undefined;
  if (node.type) return ofMemberOfType(node.type, key, file, depth + 1);
  return node.initializer && ofMember(unwrapAwait(node.initializer), key, file, depth + 1);
}

function ofField(owner: ts.ClassLikeDeclaration, key: string, file: TypeScriptFile, depth: number): Origin | undefined {
  for (const member of owner.members) {
    if (ts.isPropertyDeclaration(member) && propertyNameOf(member.name) === key) {
      const found = (member.type && ofType(member.type, file, depth)) ?? (member.initializer && ofValue(member.initializer, file, depth));
      if (found) return found;
    }
    if (ts.isGetAccessorDeclaration(member) && propertyNameOf(member.name) === key) {
      const found = member.type ? ofType(member.type, file, depth) : firstOf(returnedExpressions(member), (value) => ofValue(value, file, depth));
      if (found) return found;
    }
    if (!ts.isConstructorDeclaration(member)) continue;
    const parameter = member.parameters.find((candidate) => ts.isParameterPropertyDeclaration(candidate, member) && propertyNameOf(candidate.name) === key);
    if (parameter?.type) return ofType(parameter.type, file, depth);
    for (const statement of member.body?.statements ?? []) {
      if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) continue;
      const { left, right } = statement.expression;
      if (ts.isPropertyAccessExpression(left) && left.expression.kind === ts.SyntaxKind.ThisKeyword && left.name.text === key)
        return ofValue(right, file, depth);
    }
  }
  return undefined;
}

/** A field that is empty until a method sets it. Values of different classes say nothing about a read in another method. */
function ofAssigned(owner: ts.ClassLikeDeclaration, key: string, read: ts.Node, file: TypeScriptFile, depth: number): Origin | undefined {
  const origins = valuesOfField(owner, key, read).map((value) => ofValue(value, file, depth));
  const [first] = origins;
  return first && origins.every((other) => other?.module === first.module && other.name === first.name) ? first : undefined;
}

function functionBehind(node: ts.Node): (ts.FunctionLikeDeclaration & Parameters<typeof returnedExpressions>[0]) | undefined {
  if (isFunctionNode(node)) return node;
  const value = ts.isVariableDeclaration(node) && node.initializer ? unwrap(node.initializer) : undefined;
  return value && isFunctionNode(value) ? value : undefined;
}

function ofElement(container: ts.Node, file: TypeScriptFile, depth: number): Origin | undefined {
  if (isExhausted(depth)) return undefined;
  const object = unwrap(container);
  const call = ts.isCallExpression(object) && ts.isPropertyAccessExpression(object.expression) ? object : undefined;
  // `for (const transport of transports.values())`, `Object.values(transports)`
  if (call && ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'values')
    return ofElement(call.arguments[0] ?? call.expression.expression, file, depth + 1);
  return (
    firstOf(elementTypes(object, file), (type) => ofType(type, file, depth + 1)) ??
    firstOf(valuesPutInto(object, file), (value) => ofValue(value, file, depth + 1))
  );
}

function ofValue(expression: ts.Node, file: TypeScriptFile, depth: number): Origin | undefined {
  if (isExhausted(depth)) return undefined;
  const node =
    ts.isAsExpression(expression) || ts.isTypeAssertionExpression(expression)
      ? ofType(expression.type, file, depth + 1)
        ? expression
        : unwrap(expression)
      : unwrap(expression);
  if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) return ofType(node.type, file, depth + 1);
  if (ts.isNewExpression(node)) return ofClass(node.expression, file, depth + 1);
  if (ts.isAwaitExpression(node)) return ofValue(node.expression, file, depth + 1);
  if (ts.isConditionalExpression(node)) return ofValue(node.whenTrue, file, depth + 1) ?? ofValue(node.whenFalse, file, depth + 1);
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const either = kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken;
    return either
      ? (ofValue(node.left, file, depth + 1) ?? ofValue(node.right, file, depth + 1))
      : kind === ts.SyntaxKind.EqualsToken
        ? ofValue(node.right, file, depth + 1)
        : undefined;
  }
  const container = elementAccess(node);
  if (container) return ofElement(container, file, depth + 1);
  if (ts.isPropertyAccessExpression(node)) return ofMember(unwrapAwait(node.expression), node.name.text, file, depth + 1);
  if (ts.isCallExpression(node)) {
    const target = declarationOf(unwrap(node.expression), file)?.node;
    const fn = target && functionBehind(target);
    if (!fn) return undefined;
    return fn.type ? ofType(fn.type, file, depth + 1) : firstOf(returnedExpressions(fn), (value) => ofValue(value, file, depth + 1));
  }
  const declaration = declarationOf(node, file);
  return declaration && declaration.kind !== 'import' ? ofDeclaration(declaration, file, depth + 1) : undefined;
}

/**
 * The imported class that a value is an instance of, subclasses of this file included: by `new X()`, a written type, a class
 * field, an assignment, a local factory, or a container (`transports[id]`, `map.get(id)`) whose element type is written or
 * whose entries are put in within the file. `undefined` when none of these tells.
 */
export function instanceOrigin(expression: ts.Node, file: TypeScriptFile): Origin | undefined {
  steps = 0;
  return ofValue(expression, file, 0);
}
