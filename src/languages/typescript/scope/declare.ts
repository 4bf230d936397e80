import { ts } from 'ts-morph';
import type { Declaration, DeclarationKind, Scope } from './model.js';

interface OpenScope extends Scope {
  readonly values: Map<string, Declaration>;
  readonly types: Map<string, Declaration>;
}

interface OpenDeclaration extends Declaration {
  kind: DeclarationKind;
  node: ts.Node;
  readonly nodes: ts.Node[];
  readonly identifiers: ts.Identifier[];
}

type Space = 'value' | 'type' | 'both';

const SPACES: Readonly<Record<DeclarationKind, Space>> = {
  const: 'value',
  let: 'value',
  var: 'value',
  using: 'value',
  function: 'value',
  parameter: 'value',
  catch: 'value',
  'enum-member': 'both',
  class: 'both',
  import: 'both',
  enum: 'both',
  namespace: 'both',
  interface: 'type',
  type: 'type',
  'type-parameter': 'type',
};

/** Kinds that a runtime refuses to declare next to anything else of the same scope. */
const LEXICAL: ReadonlySet<DeclarationKind> = new Set<DeclarationKind>(['const', 'let', 'using', 'class', 'import']);

/** Kinds that merge with a class or import of the same name in the type checker, without a second value at run time. */
const MERGING: ReadonlySet<DeclarationKind> = new Set<DeclarationKind>(['namespace', 'interface', 'type', 'enum']);

/** Opens scopes and enters declarations. */
export class ScopeBuilder {
  readonly global: Scope;
  readonly root: Scope;
  readonly declarations: OpenDeclaration[] = [];
  readonly clashes: { readonly identifier: ts.Identifier; readonly first: Declaration }[] = [];
  readonly #scopes = new Map<ts.Node, OpenScope>();
  readonly #named = new Map<ts.Node, OpenScope>();
  readonly #bodies = new Map<Declaration, OpenScope>();

  constructor(tree: ts.SourceFile) {
    this.global = { node: tree, parent: undefined, values: new Map(), types: new Map() };
    this.root = this.open(tree, this.global);
  }

  /** The scope that a node opens; the same one on every call. */
  open(node: ts.Node, parent: Scope): Scope {
    const known = this.#scopes.get(node);
    if (known) return known;
    const scope: OpenScope = { node, parent, values: new Map(), types: new Map() };
    this.#scopes.set(node, scope);
    return scope;
  }

  scopeOf(node: ts.Node): Scope | undefined {
    return this.#scopes.get(node);
  }

  /** The scope around a function expression that holds only its own name, which parameters and body may shadow. */
  nameScope(fn: ts.FunctionExpression, parent: Scope): Scope {
    const known = this.#named.get(fn);
    if (known) return known;
    const scope: OpenScope = { node: fn, parent, values: new Map(), types: new Map() };
    this.#named.set(fn, scope);
    if (fn.name) this.enter(scope, fn.name, 'function', fn);
    return scope;
  }

  /** The inside of a namespace or enum; blocks that merge share it. */
  namespaceScope(node: ts.ModuleDeclaration | ts.EnumDeclaration, parent: Scope): Scope {
    const declaration = ts.isIdentifier(node.name) ? parent.values.get(node.name.text) : undefined;
    const known = declaration && this.#bodies.get(declaration);
    const scope = known ?? (this.open(node, parent) as OpenScope);
    this.#scopes.set(node, scope);
    if (declaration) this.#bodies.set(declaration, scope);
    return scope;
  }

  /** Enters a name; merges with a declaration that the same name already has in the same space of the scope. */
  enter(target: Scope, identifier: ts.Identifier, kind: DeclarationKind, node: ts.Node): OpenDeclaration {
    const scope = target as OpenScope;
    const name = identifier.text;
    const space = SPACES[kind];
    const asValue = space === 'type' ? undefined : (scope.values.get(name) as OpenDeclaration | undefined);
    const asType = space === 'value' ? undefined : (scope.types.get(name) as OpenDeclaration | undefined);
    const known = asValue ?? asType;
    if (asValue && clash(asValue.kind, kind)) this.clashes.push({ identifier, first: asValue });
    if (known && (kind !== 'import' || known.kind === 'import')) {
      known.nodes.push(node);
      known.identifiers.push(identifier);
      // The node that exists at run time speaks for the others: the class for its interface, the body for its overloads.
      if ((SPACES[known.kind] === 'type' && space !== 'type') || (ts.isFunctionDeclaration(known.node) && !known.node.body)) {
        known.kind = kind;
        known.node = node;
      }
      if (space !== 'type' && !scope.values.has(name)) scope.values.set(name, known);
      if (space !== 'value' && !scope.types.has(name)) scope.types.set(name, known);
      return known;
    }
    const declaration: OpenDeclaration = { name, kind, node, nodes: [node], identifiers: [identifier], scope };
    this.declarations.push(declaration);
    if (space !== 'type' && !scope.values.has(name)) scope.values.set(name, declaration);
    if (space !== 'value' && !scope.types.has(name)) scope.types.set(name, declaration);
    return declaration;
  }

  /** Makes a declaration visible in one more scope, unless the name is taken there. */
  alias(target: Scope, declaration: Declaration): void {
    const scope = target as OpenScope;
    if (!scope.values.has(declaration.name)) scope.values.set(declaration.name, declaration);
  }
}

function clash(first: DeclarationKind, second: DeclarationKind): boolean {
  if (MERGING.has(first) || MERGING.has(second)) return false;
  return LEXICAL.has(first) || LEXICAL.has(second);
}

/** The scope that `var` reaches: the nearest function body, static block, namespace or module; never a block or loop. */
function hoistTarget(from: Scope): Scope {
  for (let scope: Scope = from; ; scope = scope.parent) {
    const { node } = scope;
    if (!scope.parent || ts.isSourceFile(node) || ts.isModuleDeclaration(node)) return scope;
    if (ts.isBlock(node) && (ts.isFunctionLike(node.parent) || ts.isClassStaticBlockDeclaration(node.parent))) return scope;
  }
}

/** The declaration list, parameter or catch clause that a name in a (nested) pattern belongs to. */
function rootOfPattern(node: ts.Node): ts.VariableDeclaration | ts.ParameterDeclaration | undefined {
  let at = node;
  while (ts.isBindingElement(at) || ts.isObjectBindingPattern(at) || ts.isArrayBindingPattern(at)) at = at.parent;
  return ts.isVariableDeclaration(at) || ts.isParameter(at) ? at : undefined;
}

/** By the block-scope bits of a declaration list; `await using` has two of them. */
const LEXICAL_KINDS: ReadonlyMap<number, DeclarationKind> = new Map([
  [ts.NodeFlags.Let, 'let'],
  [ts.NodeFlags.Const, 'const'],
  [ts.NodeFlags.Using, 'using'],
  [ts.NodeFlags.AwaitUsing, 'using'],
]);

function declareVariable(builder: ScopeBuilder, identifier: ts.Identifier, node: ts.Node, scope: Scope): void {
  const root = rootOfPattern(node);
  if (!root) return;
  if (ts.isParameter(root)) {
    if (identifier.text !== 'this') builder.enter(scope, identifier, 'parameter', node);
    return;
  }
  if (ts.isCatchClause(root.parent)) {
    builder.enter(scope, identifier, 'catch', node);
    return;
  }
  const kind = LEXICAL_KINDS.get(root.parent.flags & ts.NodeFlags.BlockScoped);
  if (kind) {
    builder.enter(scope, identifier, kind, node);
    return;
  }
  const target = hoistTarget(scope);
  const parameter = target.parent?.values.get(identifier.text);
  // `var x` in the body of a function with a parameter `x` is that parameter.
  if (parameter?.kind === 'parameter' && target.parent && ts.isBlock(target.node)) builder.enter(target.parent, identifier, 'var', node);
  else builder.enter(target, identifier, 'var', node);
}

function isFunctionScope(scope: Scope): boolean {
  return hoistTarget(scope) === scope;
}

/** Enters what a node declares into its scope. */
export function declare(builder: ScopeBuilder, node: ts.Node, scope: Scope, sloppy: boolean): void {
  switch (node.kind) {
    case ts.SyntaxKind.VariableDeclaration:
    case ts.SyntaxKind.BindingElement:
    case ts.SyntaxKind.Parameter: {
      const { name } = node as ts.VariableDeclaration | ts.BindingElement | ts.ParameterDeclaration;
      if (ts.isIdentifier(name)) declareVariable(builder, name, node, scope);
      return;
    }
    case ts.SyntaxKind.FunctionDeclaration: {
      const { name } = node as ts.FunctionDeclaration;
      if (!name) return;
      const declaration = builder.enter(scope, name, 'function', node);
      if (sloppy && !isFunctionScope(scope)) builder.alias(hoistTarget(scope), declaration);
      return;
    }
    case ts.SyntaxKind.ClassDeclaration: {
      const { name } = node as ts.ClassDeclaration;
      if (name) builder.enter(scope, name, 'class', node);
      return;
    }
    case ts.SyntaxKind.ClassExpression: {
      const { name } = node as ts.ClassExpression;
      if (name) builder.enter(builder.open(node, scope), name, 'class', node);
      return;
    }
    case ts.SyntaxKind.InterfaceDeclaration:
      builder.enter(scope, (node as ts.InterfaceDeclaration).name, 'interface', node);
      return;
    case ts.SyntaxKind.TypeAliasDeclaration:
      builder.enter(scope, (node as ts.TypeAliasDeclaration).name, 'type', node);
      return;
    case ts.SyntaxKind.EnumDeclaration:
      builder.enter(scope, (node as ts.EnumDeclaration).name, 'enum', node);
      return;
    case ts.SyntaxKind.EnumMember: {
      const { name } = node as ts.EnumMember;
      if (ts.isIdentifier(name)) builder.enter(scope, name, 'enum-member', node);
      return;
    }
    case ts.SyntaxKind.ModuleDeclaration: {
      const module = node as ts.ModuleDeclaration;
      if (ts.isIdentifier(module.name) && !(module.flags & ts.NodeFlags.GlobalAugmentation)) builder.enter(scope, module.name, 'namespace', node);
      return;
    }
    case ts.SyntaxKind.TypeParameter: {
      let target = scope;
      // `infer X` is visible in the true branch, however deep it stands in the pattern.
      if (ts.isInferTypeNode(node.parent)) while (target.parent && !ts.isConditionalTypeNode(target.node)) target = target.parent;
      builder.enter(target, (node as ts.TypeParameterDeclaration).name, 'type-parameter', node);
      return;
    }
    case ts.SyntaxKind.ImportClause: {
      const { name } = node as ts.ImportClause;
      if (name) builder.enter(scope, name, 'import', node);
      return;
    }
    case ts.SyntaxKind.NamespaceImport:
    case ts.SyntaxKind.ImportSpecifier:
    case ts.SyntaxKind.ImportEqualsDeclaration: {
      const { name } = node as ts.NamespaceImport | ts.ImportSpecifier | ts.ImportEqualsDeclaration;
      builder.enter(scope, name, 'import', node);
      return;
    }
    default:
  }
}
