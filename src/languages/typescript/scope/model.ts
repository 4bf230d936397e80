import type { ts } from 'ts-morph';

/** What kind of thing a name stands for. */
export type DeclarationKind =
  | 'const'
  | 'let'
  | 'var'
  | 'using'
  | 'function'
  | 'class'
  | 'parameter'
  | 'import'
  | 'catch'
  | 'enum'
  | 'enum-member'
  | 'namespace'
  | 'interface'
  | 'type'
  | 'type-parameter';

/** One name of one scope. Merged declarations (overloads, `var` twice, class and interface) are one object with several nodes. */
export interface Declaration {
  readonly name: string;
  readonly kind: DeclarationKind;
  /** The first declaring node: VariableDeclaration, BindingElement, Parameter, FunctionDeclaration, ImportSpecifier, ImportClause, NamespaceImport, … */
  readonly node: ts.Node;
  /** All declaring nodes in source order. */
  readonly nodes: readonly ts.Node[];
  /** The name where it is declared; one for each node. */
  readonly identifiers: readonly ts.Identifier[];
  readonly scope: Scope;
}

/** A lexical scope. Values and types are two spaces: `const Cart = z.object(…)` and `type Cart = …` are two declarations. */
export interface Scope {
  /** The node that opens the scope: SourceFile, a function (its parameters), its body, Block, a loop, CatchClause, a class, … */
  readonly node: ts.Node;
  readonly parent: Scope | undefined;
  readonly values: ReadonlyMap<string, Declaration>;
  readonly types: ReadonlyMap<string, Declaration>;
}

/** A name that no scope of the file binds. */
export interface Unresolved {
  readonly identifier: ts.Identifier;
  readonly space: 'value' | 'type';
}

/** Scopes, declarations and resolved references of one file. */
export interface Bindings {
  /** The scope of the module; its parent holds what `declare global` declares. */
  readonly root: Scope;
  /** In source order. */
  readonly declarations: readonly Declaration[];
  /** Names of two declarations in one scope that no runtime accepts. */
  readonly clashes: readonly { readonly identifier: ts.Identifier; readonly first: Declaration }[];
  readonly unresolved: readonly Unresolved[];
  /** What an identifier refers to or declares. */
  declarationAt(identifier: ts.Identifier): Declaration | undefined;
  /** Uses in source order, declaring names excluded. */
  usesOf(declaration: Declaration): readonly ts.Identifier[];
  /** The innermost scope around a node. */
  scopeAt(node: ts.Node): Scope;
  /** What a value name would mean at a node. */
  lookup(name: string, at: ts.Node): Declaration | undefined;
}
