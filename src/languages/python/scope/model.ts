import type { PyNode } from '../node.js';

/** How a name comes to mean something. */
export type BindingHow =
  | 'import'
  | 'assign'
  | 'augment'
  | 'annotate'
  | 'for'
  | 'with'
  | 'except'
  | 'walrus'
  | 'match'
  | 'function'
  | 'class'
  | 'parameter'
  | 'delete'
  | 'type-parameter';

/** One place that binds a name. */
export interface BindingSite {
  /** The name where it is bound; for `import a.b` the first part of the dotted name. */
  readonly identifier: PyNode;
  readonly how: BindingHow;
  /**
   * The construct that binds: `assignment`, `import_statement`, `import_from_statement`, `function_definition`, `with_item`,
   * `for_statement`, `for_in_clause`, the parameter, …
   */
  readonly node: PyNode;
  /** Way through an unpacked target: `[1]` for `w` in `(r, w, _)`; `'*'` for a starred name. Empty for a plain name. */
  readonly path: readonly (number | '*')[];
}

/** One name of one scope, with every place that binds it. */
export interface Binding {
  readonly name: string;
  readonly scope: Scope;
  /** In source order. */
  readonly sites: readonly BindingSite[];
}

export interface Scope {
  readonly kind: 'module' | 'function' | 'class' | 'lambda' | 'comprehension';
  /** The node that opens it: `module`, `function_definition`, `class_definition`, `lambda`, a comprehension. */
  readonly node: PyNode;
  readonly parent: Scope | undefined;
  readonly names: ReadonlyMap<string, Binding>;
}

/** Scopes, bindings and resolved names of one file. */
export interface Bindings {
  readonly root: Scope;
  /** In source order of their first site. */
  readonly all: readonly Binding[];
  /** Names that no scope of the file binds, builtins included, in source order. */
  readonly unresolved: readonly PyNode[];
  /** Modules of `from … import *`. */
  readonly stars: readonly PyNode[];
  /** What an identifier means or binds; `undefined` for members, keywords of calls and unbound names. */
  of(identifier: PyNode): Binding | undefined;
  /** Reads in source order; the binding places are not among them. */
  usesOf(binding: Binding): readonly PyNode[];
  /** The scope that a node is evaluated in. */
  scopeAt(node: PyNode): Scope;
  /** What a name means at a node. */
  lookup(name: string, at: PyNode): Binding | undefined;
}
