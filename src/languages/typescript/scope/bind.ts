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
  /** The node that opens the scope. */
  readonly node: ts.Node;
  readonly parent: Scope | undefined;
  readonly values: ReadonlyMap<string, Declaration>;
  readonly types: ReadonlyMap<string, Declaration>;
}

/** Scopes, declarations and resolved references of one file. */
export interface Bindings {
  readonly root: Scope;
  /** In source order. */
  readonly declarations: readonly Declaration[];
}

export function bind(_tree: ts.SourceFile): Bindings {
  throw new Error('under construction');
}
