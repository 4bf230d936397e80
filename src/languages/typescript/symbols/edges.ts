import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../core/index.js';
import { enclosingFunction, isFunctionNode, propertyNameOf, unwrap, wrapped } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import { resolveSpecifier } from '../resolve.js';
import type { Declaration } from '../scope/model.js';
import { eachNode } from '../walk.js';
import { exportsOf } from './exports.js';
import { symbolOf } from './follow.js';
import { classRef, functionRef, symbolOfDeclaration } from './names.js';

/** A reference from one declaration to another. `from` is absent for code at module level. */
export interface Edge {
  readonly from?: SymbolRef;
  readonly to: SymbolRef;
  readonly node: ts.Node;
}

const same = (a: SymbolRef | undefined, b: SymbolRef): boolean => a?.file === b.file && a.name === b.name;

/** Local names that stand for code: functions, classes, imports and whatever the module itself holds. */
function isTarget(declaration: Declaration, file: TypeScriptFile): boolean {
  if (declaration.kind === 'function' || declaration.kind === 'class' || declaration.kind === 'import') return true;
  if (declaration.scope === file.bindings.root) return declaration.kind === 'const' || declaration.kind === 'let' || declaration.kind === 'var';
  const { node } = declaration;
  if (ts.isBindingElement(node)) return true;
  if (!ts.isVariableDeclaration(node) || !node.initializer) return false;
  return (
    isFunctionNode(node.initializer) ||
    ts.isClassExpression(node.initializer) ||
    ts.isObjectLiteralExpression(node.initializer) ||
    ts.isIdentifier(node.initializer)
  );
}

/** The expression that a name is the head of, as far as `symbolOf` can say something about it: `store` in `store.open()`. */
function referenceAt(identifier: ts.Identifier): ts.Node {
  const { parent } = identifier;
  return ts.isPropertyAccessExpression(parent) && parent.expression === identifier ? parent : identifier;
}

/** The variable whose initialiser a function stands in, when no other function lies between: `const run = wrap(async () => …)`. */
function holderOf(fn: ts.Node): ts.Identifier | undefined {
  for (let at = fn.parent as ts.Node | undefined; at && !isFunctionNode(at) && !ts.isBlock(at); at = at.parent as ts.Node | undefined) {
    if (ts.isVariableDeclaration(at) && ts.isIdentifier(at.name)) return at.name;
  }
  return undefined;
}

/** What the members of a variable stand for, when it holds an instance of a class of this file or an object of names: other files call them by its name. */
function membersOf(
  node: ts.VariableDeclaration,
  file: TypeScriptFile,
  has: (path: string) => boolean,
): readonly { readonly name: string; readonly to: SymbolRef }[] {
  const value = node.initializer && unwrap(node.initializer);
  if (!value || !ts.isIdentifier(node.name)) return [];
  if (ts.isObjectLiteralExpression(value)) {
    return value.properties.flatMap((property) => {
      const name = propertyNameOf(property.name);
      const named = ts.isShorthandPropertyAssignment(property) ? property.name : ts.isPropertyAssignment(property) ? unwrap(property.initializer) : undefined;
      const to = named && (ts.isIdentifier(named) || ts.isPropertyAccessExpression(named)) ? symbolOf(named, file, has) : undefined;
      return name !== undefined && to ? [{ name, to }] : [];
    });
  }
  const owner = ts.isNewExpression(value) && ts.isIdentifier(value.expression) ? file.bindings.declarationAt(value.expression)?.node : undefined;
  if (!owner || !ts.isClassDeclaration(owner)) return [];
  return owner.members.flatMap((member) => {
    const name = propertyNameOf(member.name);
    const code = ts.isMethodDeclaration(member) || (ts.isPropertyDeclaration(member) && member.initializer && isFunctionNode(unwrap(member.initializer)));
    return name !== undefined && code ? [{ name, to: { file: file.path, name: `${classRef(owner, file).name}.${name}` } }] : [];
  });
}

/**
 * Edges between declarations: every reference to a function, class, module-level variable or relative import; a function to the
 * functions inside of it; a class to its members; a variable to the functions in its initialiser; an exported name to what stands
 * behind it. In source order, duplicates kept: each has its own place.
 */
export function calls(file: TypeScriptFile, has: (path: string) => boolean): readonly Edge[] {
  const edges: Edge[] = [];
  const add = (from: SymbolRef | undefined, to: SymbolRef | undefined, node: ts.Node): void => {
    if (to && !same(from, to)) edges.push(from ? { from, to, node } : { to, node });
  };
  const around = (node: ts.Node): SymbolRef | undefined => {
    const fn = enclosingFunction(node);
    return fn && functionRef(fn, file);
  };
  eachNode(file.tree, (node) => {
    if (isFunctionNode(node)) {
      const ref = functionRef(node, file);
      add(around(node), ref, node);
      if (ts.isClassLike(node.parent)) add(classRef(node.parent, file), ref, node);
      const holder = ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isMethodDeclaration(node) ? holderOf(wrapped(node)) : undefined;
      const declaration = holder && file.bindings.declarationAt(holder);
      if (declaration) add(symbolOfDeclaration(declaration, file), ref, node);
      if (ts.isPropertyDeclaration(node.parent) && ts.isClassLike(node.parent.parent)) add(classRef(node.parent.parent, file), ref, node);
    } else if (ts.isIdentifier(node)) {
      const declaration = file.bindings.declarationAt(node);
      if (!declaration || declaration.identifiers.includes(node) || !isTarget(declaration, file)) return;
      const reference = referenceAt(node);
      const from = around(node);
      const to = symbolOf(reference, file, has);
      add(from, to, node);
      // The object is used as well as its member.
      if (reference !== node) {
        const object = symbolOf(node, file, has);
        if (object && !(to && same(to, object))) add(from, object, node);
      }
    } else if (ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword) {
      add(around(node), symbolOf(node, file, has), node);
    } else if (ts.isVariableDeclaration(node)) {
      for (const { name, to } of membersOf(node, file, has)) {
        const declaration = file.bindings.declarationAt(node.name as ts.Identifier);
        if (declaration?.scope !== file.bindings.root) continue;
        const { name: holder } = symbolOfDeclaration(declaration, file);
        add({ file: file.path, name: `${holder}.${name}` }, to, node);
      }
    }
  });
  for (const { name, declaration, from } of exportsOf(file)) {
    const alias: SymbolRef = { file: file.path, name };
    if (declaration) {
      const target =
        declaration.kind === 'import' ? symbolOf(declaration.identifiers[0] ?? declaration.node, file, has) : symbolOfDeclaration(declaration, file);
      add(alias, target, declaration.node);
    } else if (from) {
      const path = resolveSpecifier(file.path, from.specifier, has);
      if (path !== undefined) add(alias, { file: path, name: from.imported }, file.tree);
    }
  }
  return edges;
}
