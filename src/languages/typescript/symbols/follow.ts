import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../core/index.js';
import { isFunctionNode, propertyNameOf, unwrap } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import { fieldValues } from '../provenance/fields.js';
import { originOf } from '../provenance/origin.js';
import { resolveSpecifier } from '../resolve.js';
import type { Declaration } from '../scope/model.js';
import { declarationOf } from '../scope/query.js';
import { isNeverReassigned } from '../constants.js';
import { classRef, enclosingClass, functionRef, symbolOfDeclaration } from './names.js';

type Has = (path: string) => boolean;

/** An alias chain longer than this is nobody's code. */
const MAX_DEPTH = 40;

const member = (ref: SymbolRef, name: string): SymbolRef => ({ file: ref.file, name: `${ref.name}.${name}` });

/** The initialiser of a variable that is never reassigned. */
function valueOf(declaration: Declaration, file: TypeScriptFile): ts.Expression | undefined {
  const { node } = declaration;
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return undefined;
  return isNeverReassigned(declaration, file) ? node.initializer : undefined;
}

/** What `object.name` is, when `object` is a local variable that holds an object literal or an instance. */
function followMember(object: Declaration, name: string, file: TypeScriptFile, has: Has, depth: number): SymbolRef | undefined {
  const own = member(symbolOfDeclaration(object, file), name);
  if (object.kind === 'class' || object.kind === 'enum' || object.kind === 'namespace') return own;
  const initializer = valueOf(object, file);
  const value = initializer && unwrap(initializer);
  if (!value) return undefined;
  if (ts.isNewExpression(value)) {
    const owner = follow(value.expression, file, has, depth);
    return owner && member(owner, name);
  }
  if (ts.isClassExpression(value)) return own;
  if (!ts.isObjectLiteralExpression(value)) return undefined;
  const property = value.properties.find((candidate) => propertyNameOf(candidate.name) === name);
  if (!property) return undefined;
  if (ts.isShorthandPropertyAssignment(property)) return follow(property.name, file, has, depth) ?? own;
  return ts.isPropertyAssignment(property) ? (follow(property.initializer, file, has, depth) ?? own) : own;
}

/** The class that `this.field` holds an object of: by the type of the field or of the constructor parameter, else by the one value that it is given. */
function classOfField(object: ts.Node, file: TypeScriptFile, has: Has, depth: number): SymbolRef | undefined {
  if (!ts.isPropertyAccessExpression(object) || object.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  const owner = enclosingClass(object);
  if (!owner) return undefined;
  const name = object.name.text;
  const type = writtenType(owner, name);
  if (type) return ts.isTypeReferenceNode(type) ? follow(type.typeName, file, has, depth) : undefined;
  const [value, ...others] = fieldValues(owner, name);
  return value && others.length === 0 && ts.isNewExpression(unwrap(value))
    ? follow((unwrap(value) as ts.NewExpression).expression, file, has, depth)
    : undefined;
}

/** The written type of a field, or of the constructor parameter that declares it. */
function writtenType(owner: ts.ClassLikeDeclaration, name: string): ts.TypeNode | undefined {
  for (const member of owner.members) {
    if (ts.isPropertyDeclaration(member) && propertyNameOf(member.name) === name) return member.type;
    if (!ts.isConstructorDeclaration(member)) continue;
    const parameter = member.parameters.find((candidate) => ts.isParameterPropertyDeclaration(candidate, member) && propertyNameOf(candidate.name) === name);
    if (parameter) return parameter.type;
  }
  return undefined;
}

function followProperty(node: ts.PropertyAccessExpression, file: TypeScriptFile, has: Has, depth: number): SymbolRef | undefined {
  const object = unwrap(node.expression);
  const name = node.name.text;
  if (object.kind === ts.SyntaxKind.ThisKeyword) {
    const owner = enclosingClass(node);
    return owner && member(classRef(owner, file), name);
  }
  const held = classOfField(object, file, has, depth);
  if (held) return member(held, name);
  const declaration = declarationOf(object, file);
  if (declaration && declaration.kind !== 'import') {
    const found = followMember(declaration, name, file, has, depth);
    if (found) return found;
  }
  // `store.open` of another file: an object literal, a class or an instance there; the name is what that file would give it.
  const outer = ts.isIdentifier(object) ? follow(object, file, has, depth) : undefined;
  return outer && outer.file !== file.path ? member(outer, name) : undefined;
}

function follow(expression: ts.Node, file: TypeScriptFile, has: Has, depth: number): SymbolRef | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const node = unwrap(expression);
  if (isFunctionNode(node)) return functionRef(node, file);
  if (ts.isClassLike(node)) return classRef(node, file);
  const origin = originOf(node, file);
  if (origin) {
    const path = resolveSpecifier(file.path, origin.module, has);
    if (path === undefined) return undefined;
    // The whole of a CommonJS module is what the other file calls its default export.
    return { file: path, name: origin.name === '*' && origin.via === 'require' ? 'default' : origin.name };
  }
  if (ts.isPropertyAccessExpression(node)) return followProperty(node, file, has, depth + 1);
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'bind') {
    return follow(node.expression.expression, file, has, depth + 1);
  }
  const declaration = declarationOf(node, file);
  if (!declaration || declaration.kind === 'import') return undefined;
  const value = valueOf(declaration, file);
  const target = value && unwrap(value);
  // Only names are followed; a call or a literal makes the variable the thing itself.
  if (target && (ts.isIdentifier(target) || ts.isPropertyAccessExpression(target)))
    return follow(target, file, has, depth + 1) ?? symbolOfDeclaration(declaration, file);
  return symbolOfDeclaration(declaration, file);
}

/**
 * The declaration that an expression names, through local constants, members and relative imports. `undefined` for packages, for
 * globals and for what cannot be followed.
 */
export const symbolOf = (expression: ts.Node, file: TypeScriptFile, has: Has): SymbolRef | undefined => follow(expression, file, has, 0);
