import { ts } from 'ts-morph';
import { childrenOf } from '../walk.js';
import { declare, ScopeBuilder } from './declare.js';
import type { Bindings, Declaration, Scope, Unresolved } from './model.js';
import type { Role } from './role.js';
import { roleOf } from './role.js';

interface Reference {
  readonly identifier: ts.Identifier;
  readonly scope: Scope;
  readonly role: Role;
}

/** Scripts without `import`, `export` and 'use strict' let a function in a block be seen outside of it. */
function isSloppy(tree: ts.SourceFile): boolean {
  if (!/\.c?jsx?$/i.test(tree.fileName) || ts.isExternalModule(tree)) return false;
  const first = tree.statements[0];
  return !(first && ts.isExpressionStatement(first) && ts.isStringLiteral(first.expression) && first.expression.text === 'use strict');
}

/** The scope in which a child of `node` stands, given the scope of `node` itself. Opens scopes on first need. */
function scopeOfChild(builder: ScopeBuilder, node: ts.Node, child: ts.Node, scope: Scope): Scope {
  switch (node.kind) {
    case ts.SyntaxKind.FunctionDeclaration:
    case ts.SyntaxKind.FunctionExpression:
    case ts.SyntaxKind.ArrowFunction:
    case ts.SyntaxKind.MethodDeclaration:
    case ts.SyntaxKind.Constructor:
    case ts.SyntaxKind.GetAccessor:
    case ts.SyntaxKind.SetAccessor: {
      const fn = node as ts.FunctionLikeDeclaration;
      // A decorator and a computed name are evaluated outside.
      if (child === fn.name || ts.isModifierLike(child)) return scope;
      const parameters = builder.open(node, ts.isFunctionExpression(node) && node.name ? builder.nameScope(node, scope) : scope);
      return child === fn.body && ts.isBlock(child) ? builder.open(child, parameters) : parameters;
    }
    case ts.SyntaxKind.ClassDeclaration:
    case ts.SyntaxKind.ClassExpression:
      return ts.isModifierLike(child) || (child === (node as ts.ClassLikeDeclaration).name && ts.isClassDeclaration(node)) ? scope : builder.open(node, scope);
    case ts.SyntaxKind.ConditionalType: {
      const conditional = node as ts.ConditionalTypeNode;
      return child === conditional.extendsType || child === conditional.trueType ? builder.open(node, scope) : scope;
    }
    case ts.SyntaxKind.ModuleDeclaration: {
      const module = node as ts.ModuleDeclaration;
      if (child !== module.body) return scope;
      if (module.flags & ts.NodeFlags.GlobalAugmentation) return builder.global;
      return builder.namespaceScope(module, scope);
    }
    case ts.SyntaxKind.EnumDeclaration:
      return ts.isEnumMember(child) ? builder.namespaceScope(node as ts.EnumDeclaration, scope) : scope;
    case ts.SyntaxKind.InterfaceDeclaration:
    case ts.SyntaxKind.TypeAliasDeclaration:
      return child === (node as ts.InterfaceDeclaration).name ? scope : builder.open(node, scope);
    case ts.SyntaxKind.ClassStaticBlockDeclaration:
      return ts.isBlock(child) ? builder.open(child, scope) : scope;
    case ts.SyntaxKind.Block:
      // The body of a function and of a static block was opened by its parent.
      return ts.isFunctionLike(node.parent) || ts.isClassStaticBlockDeclaration(node.parent) ? scope : builder.open(node, scope);
    case ts.SyntaxKind.ForStatement:
    case ts.SyntaxKind.ForInStatement:
    case ts.SyntaxKind.ForOfStatement:
    case ts.SyntaxKind.CaseBlock:
    case ts.SyntaxKind.CatchClause:
    case ts.SyntaxKind.MappedType:
    case ts.SyntaxKind.FunctionType:
    case ts.SyntaxKind.ConstructorType:
    case ts.SyntaxKind.CallSignature:
    case ts.SyntaxKind.ConstructSignature:
    case ts.SyntaxKind.MethodSignature:
    case ts.SyntaxKind.IndexSignature:
      return builder.open(node, scope);
    default:
      return scope;
  }
}

function find(space: 'values' | 'types', name: string, from: Scope): Declaration | undefined {
  for (let scope: Scope | undefined = from; scope; scope = scope.parent) {
    const declaration = scope[space].get(name);
    if (declaration) return declaration;
  }
  return undefined;
}

function findEither(name: string, from: Scope, first: 'values' | 'types'): Declaration | undefined {
  const second = first === 'values' ? 'types' : 'values';
  for (let scope: Scope | undefined = from; scope; scope = scope.parent) {
    const declaration = scope[first].get(name) ?? scope[second].get(name);
    if (declaration) return declaration;
  }
  return undefined;
}

/** One pass declares, a second over the collected references resolves: hoisting needs no special case. */
export function bind(tree: ts.SourceFile): Bindings {
  const builder = new ScopeBuilder(tree);
  const sloppy = isSloppy(tree);
  const references: Reference[] = [];
  const nodes: ts.Node[] = [tree];
  const scopes: Scope[] = [builder.root];
  for (let node = nodes.pop(), scope = scopes.pop(); node && scope; node = nodes.pop(), scope = scopes.pop()) {
    if (ts.isIdentifier(node)) {
      const role = roleOf(node);
      if (role !== 'none' && role !== 'declaration') references.push({ identifier: node, scope, role });
      continue;
    }
    declare(builder, node, scope, sloppy);
    const current = node;
    const outer = scope;
    for (const child of childrenOf(current).reverse()) {
      nodes.push(child);
      scopes.push(scopeOfChild(builder, current, child, outer));
    }
  }
  return resolve(builder, references);
}

function resolve(builder: ScopeBuilder, references: readonly Reference[]): Bindings {
  const targets = new Map<ts.Identifier, Declaration>();
  const uses = new Map<Declaration, ts.Identifier[]>();
  const unresolved: Unresolved[] = [];
  const record = (declaration: Declaration, identifier: ts.Identifier): void => {
    const known = uses.get(declaration);
    if (known) known.push(identifier);
    else uses.set(declaration, [identifier]);
  };
  for (const declaration of builder.declarations) for (const identifier of declaration.identifiers) targets.set(identifier, declaration);
  for (const { identifier, scope, role } of references) {
    const name = identifier.text;
    const target =
      role === 'value'
        ? find('values', name, scope)
        : role === 'type'
          ? find('types', name, scope)
          : findEither(name, scope, role === 'any' ? 'values' : 'types');
    if (!target) {
      unresolved.push({ identifier, space: role === 'value' ? 'value' : 'type' });
      continue;
    }
    targets.set(identifier, target);
    record(target, identifier);
    if (role === 'any') {
      // `export { Cart }` exports both meanings of the name.
      const twin = find('types', name, scope);
      if (twin && twin !== target && twin.scope === target.scope) record(twin, identifier);
    }
  }
  const scopeAt = (node: ts.Node): Scope => {
    for (let at: ts.Node = node; ; at = at.parent) {
      const scope = builder.scopeOf(at);
      if (scope) return scope;
    }
  };
  return {
    root: builder.root,
    declarations: builder.declarations,
    clashes: builder.clashes,
    unresolved,
    declarationAt: (identifier) => targets.get(identifier),
    usesOf: (declaration) => uses.get(declaration) ?? [],
    scopeAt,
    lookup: (name, at) => find('values', name, scopeAt(at)),
  };
}
