import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode, enclosingClass } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, isWithin, nameText, unwrap, unwrapAwait } from '../../_mcp/typescript/nodes.js';

export type Method = ts.MethodDeclaration | ts.ConstructorDeclaration | ts.GetAccessorDeclaration | ts.SetAccessorDeclaration | ts.PropertyDeclaration;

/** `this.name` of one class, nested functions with a `this` of their own left out. */
export interface FieldUse {
  readonly node: ts.PropertyAccessExpression;
  readonly member: ts.ClassElement;
}

/** The class around a place, its methods by name, and every `this.…` in it. */
export interface OwnerClass {
  readonly node: ts.ClassLikeDeclaration;
  readonly file: TypeScriptFile;
  readonly methods: ReadonlyMap<string, ts.ClassElement>;
  usesOf(name: string): readonly FieldUse[];
}

/** Reads a class once. `undefined` when a place is in no class, or hides behind a function with its own `this`. */
export function ownerClass(place: ts.Node, file: TypeScriptFile): OwnerClass | undefined {
  const node = enclosingClass(place);
  if (node === undefined) return undefined;
  const uses = new Map<string, FieldUse[]>();
  const methods = new Map<string, ts.ClassElement>();
  for (const member of node.members) {
    const name = nameText(member.name);
    if (name !== undefined && isMethod(member)) methods.set(name, member);
    eachNode(member, (inner) => {
      if (inner !== member && (ts.isFunctionDeclaration(inner) || ts.isFunctionExpression(inner) || ts.isClassLike(inner))) return false;
      if (!ts.isPropertyAccessExpression(inner) || unwrap(inner.expression).kind !== ts.SyntaxKind.ThisKeyword) return undefined;
      const list = uses.get(inner.name.text);
      const use = { node: inner, member };
      if (list === undefined) uses.set(inner.name.text, [use]);
      else list.push(use);
      return undefined;
    });
  }
  return { node, file, methods, usesOf: (name) => uses.get(name) ?? [] };
}

/** A member that runs when it is called: a method, or a field that holds a function. */
function isMethod(member: ts.ClassElement): boolean {
  if (ts.isMethodDeclaration(member) || ts.isGetAccessorDeclaration(member) || ts.isSetAccessorDeclaration(member)) return true;
  return ts.isPropertyDeclaration(member) && member.initializer !== undefined && isFunctionNode(unwrap(member.initializer));
}

/** Body of a member with statements of its own. */
export function bodyOf(member: ts.ClassElement | undefined): ts.Block | undefined {
  if (member === undefined) return undefined;
  if (ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member) || ts.isGetAccessorDeclaration(member)) return member.body;
  if (ts.isPropertyDeclaration(member) && member.initializer !== undefined) {
    const fn = unwrap(member.initializer);
    return isFunctionNode(fn) && fn.body !== undefined && ts.isBlock(fn.body) ? fn.body : undefined;
  }
  return undefined;
}

/** The call around `this.close` or `this.server.close`. */
export function callAround(access: ts.Node): ts.CallExpression | undefined {
  const call = access.parent;
  return ts.isCallExpression(call) && call.expression === access ? call : undefined;
}

/** `this.server.close()` around `this.server`. */
export function memberCall(use: ts.Node, name: string): ts.CallExpression | undefined {
  const access = use.parent;
  const outer = ts.isNonNullExpression(access) ? access.parent : access;
  if (!ts.isPropertyAccessExpression(outer) || unwrap(outer.expression) !== use || outer.name.text !== name) return undefined;
  const call = callAround(outer);
  return call !== undefined && calledMember(call) === name ? call : undefined;
}

/** The value that is assigned to `this.server`. */
export function assignedTo(use: ts.PropertyAccessExpression): ts.Node | undefined {
  const { parent } = use;
  return ts.isBinaryExpression(parent) && parent.left === use && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    ? unwrapAwait(parent.right)
    : undefined;
}

/** Uses of the field from outside of the class, in its file: `host.server` on an instance. */
export function outerUse(owner: OwnerClass, field: string): ts.Node | undefined {
  let found: ts.Node | undefined;
  const name = owner.node.name?.text;
  eachNode(owner.file.tree, (node) => {
    if (found !== undefined || node === owner.node) return false;
    if (ts.isClassLike(node) && extendsClass(node, name)) found = node;
    if (!ts.isPropertyAccessExpression(node) || node.name.text !== field) return undefined;
    const target = unwrap(node.expression);
    const declared = ts.isIdentifier(target) ? declarationOf(target, owner.file)?.node : target;
    const made =
      declared !== undefined && ts.isVariableDeclaration(declared) && declared.initializer !== undefined ? unwrapAwait(declared.initializer) : declared;
    if (made !== undefined && ts.isNewExpression(made) && ts.isIdentifier(made.expression) && made.expression.text === name) found = node;
    return undefined;
  });
  return found;
}

const extendsClass = (node: ts.ClassLikeDeclaration, name: string | undefined): boolean =>
  name !== undefined &&
  (node.heritageClauses ?? []).some((clause) => clause.types.some(({ expression }) => ts.isIdentifier(expression) && expression.text === name));

/** Names in statements that belong to the parameters or locals of the function around them. */
export function localsIn(statements: readonly ts.Node[], fn: ts.Node, file: TypeScriptFile): ts.Identifier | undefined {
  let found: ts.Identifier | undefined;
  for (const statement of statements)
    eachNode(statement, (node) => {
      if (found !== undefined || !ts.isIdentifier(node)) return;
      const declaration = declarationOf(node, file);
      if (declaration === undefined || !isWithin(declaration.node, fn) || statements.some((own) => isWithin(declaration.node, own))) return;
      found = node;
    });
  return found;
}
