import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../core/index.js';
import type { FunctionNode } from '../expressions.js';
import { enclosingFunction, isFunctionNode, propertyNameOf, wrapped } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import type { Declaration } from '../scope/model.js';
import { declarationOf } from '../scope/query.js';
import { exportsOf, isExportsObject } from './exports.js';

/**
 * Gives every declaration and function of a file one name that other files can compute too: what the file exports is named
 * as it is exported (`default` included), what is nested is `outer.inner`, a class member `Class.member`, an anonymous
 * function `@<start>`. A name that two declarations would share gets `@<start>` appended from the second on.
 */
class Names {
  readonly #names = new Map<Declaration, string>();
  readonly #owners = new Map<string, Declaration>();
  readonly #exported = new Map<Declaration, string>();

  constructor(readonly file: TypeScriptFile) {
    for (const { name, declaration } of exportsOf(file)) {
      if (!declaration) continue;
      // The local name wins when it is exported too, so that a default export does not hide it.
      if (!this.#exported.has(declaration) || name === declaration.name) this.#exported.set(declaration, name);
    }
    for (const declaration of file.bindings.declarations) this.ofDeclaration(declaration);
  }

  ofDeclaration(declaration: Declaration): string {
    const known = this.#names.get(declaration);
    if (known !== undefined) return known;
    const identifier = declaration.identifiers[0];
    const start = identifier?.getStart(this.file.tree) ?? 0;
    let name: string;
    if (declaration.scope === this.file.bindings.root) name = this.#exported.get(declaration) ?? declaration.name;
    else {
      const outer = enclosingFunction(
        isFunctionNode(declaration.node) || ts.isParameter(declaration.node) ? declaration.node : (identifier ?? declaration.node),
      );
      // The own name of a function expression belongs to the function itself.
      if (ts.isFunctionExpression(declaration.node)) name = this.ofFunction(declaration.node);
      else if (ts.isParameter(declaration.node) && isFunctionNode(declaration.node.parent))
        name = `${this.ofFunction(declaration.node.parent)}.${declaration.name}`;
      else name = outer ? `${this.ofFunction(outer)}.${declaration.name}` : declaration.name;
    }
    const owner = this.#owners.get(name);
    if (owner && owner !== declaration && !ts.isFunctionExpression(declaration.node)) name = `${name}@${start}`;
    this.#owners.set(name, declaration);
    this.#names.set(declaration, name);
    return name;
  }

  ofClass(node: ts.ClassLikeDeclaration): string {
    const declaration = node.name && ts.isClassDeclaration(node) ? this.file.bindings.declarationAt(node.name) : undefined;
    if (declaration) return this.ofDeclaration(declaration);
    if (ts.isClassDeclaration(node)) return 'default';
    return this.#holder(node) ?? `@${node.getStart(this.file.tree)}`;
  }

  ofFunction(fn: FunctionNode): string {
    const anonymous = `@${fn.getStart(this.file.tree)}`;
    if (ts.isFunctionDeclaration(fn)) {
      const declaration = fn.name && this.file.bindings.declarationAt(fn.name);
      return declaration ? this.ofDeclaration(declaration) : 'default';
    }
    if (ts.isFunctionExpression(fn) || ts.isArrowFunction(fn)) return this.#holder(fn) ?? anonymous;
    const member = ts.isConstructorDeclaration(fn) ? 'constructor' : propertyNameOf(fn.name);
    if (member === undefined) return anonymous;
    if (ts.isClassLike(fn.parent)) return `${this.ofClass(fn.parent)}.${member}`;
    return this.#ofProperty(fn.parent, member) ?? anonymous;
  }

  /** Name of the variable, property or assignment target that a value is the whole value of. */
  #holder(value: ts.Node): string | undefined {
    const at = wrapped(value);
    const { parent } = at;
    if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) {
      const declaration = this.file.bindings.declarationAt(parent.name);
      return declaration && this.ofDeclaration(declaration);
    }
    if (ts.isPropertyDeclaration(parent) && ts.isClassLike(parent.parent)) {
      const member = propertyNameOf(parent.name);
      return member === undefined ? undefined : `${this.ofClass(parent.parent)}.${member}`;
    }
    if (ts.isPropertyAssignment(parent)) {
      const member = propertyNameOf(parent.name);
      return member === undefined ? undefined : this.#ofProperty(parent.parent, member);
    }
    if (ts.isExportAssignment(parent)) return 'default';
    if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.right === at) return this.#ofTarget(parent.left);
    return undefined;
  }

  #ofProperty(object: ts.Node, member: string): string | undefined {
    if (!ts.isObjectLiteralExpression(object)) return undefined;
    const { parent } = wrapped(object);
    if (ts.isBinaryExpression(parent) && isExportsObject(parent.left, this.file)) return member;
    const holder = this.#holder(object);
    return holder === undefined ? undefined : `${holder}.${member}`;
  }

  #ofTarget(target: ts.Expression): string | undefined {
    if (isExportsObject(target, this.file)) return 'default';
    if (!ts.isPropertyAccessExpression(target)) return undefined;
    const { expression, name } = target;
    if (isExportsObject(expression, this.file)) return name.text;
    if (expression.kind === ts.SyntaxKind.ThisKeyword) {
      const owner = enclosingClass(target);
      return owner && `${this.ofClass(owner)}.${name.text}`;
    }
    const object = ts.isPropertyAccessExpression(expression) && expression.name.text === 'prototype' ? expression.expression : expression;
    const declaration = declarationOf(object, this.file);
    return declaration?.kind === 'class' || declaration?.kind === 'function' ? `${this.ofDeclaration(declaration)}.${name.text}` : undefined;
  }
}

/** The class whose `this` a node sees; `undefined` inside of a plain function, which has its own. */
export function enclosingClass(node: ts.Node): ts.ClassLikeDeclaration | undefined {
  for (let at: ts.Node | undefined = node.parent; at; at = at.parent as ts.Node | undefined) {
    if (ts.isClassLike(at)) return at;
    if (ts.isFunctionDeclaration(at) || ts.isFunctionExpression(at) || (ts.isMethodDeclaration(at) && !ts.isClassLike(at.parent))) return undefined;
  }
  return undefined;
}

const cache = new WeakMap<TypeScriptFile, Names>();

function namesOf(file: TypeScriptFile): Names {
  let known = cache.get(file);
  if (!known) {
    known = new Names(file);
    cache.set(file, known);
  }
  return known;
}

/** Name of a local declaration across files. */
export const symbolOfDeclaration = (declaration: Declaration, file: TypeScriptFile): SymbolRef => ({
  file: file.path,
  name: namesOf(file).ofDeclaration(declaration),
});

/** Name of a function across files; `@<start>` for one that nothing names. */
export const functionRef = (fn: FunctionNode, file: TypeScriptFile): SymbolRef => ({ file: file.path, name: namesOf(file).ofFunction(fn) });

/** Name of a class across files. */
export const classRef = (node: ts.ClassLikeDeclaration, file: TypeScriptFile): SymbolRef => ({ file: file.path, name: namesOf(file).ofClass(node) });
