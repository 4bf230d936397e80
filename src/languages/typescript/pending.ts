/* Signatures that other parts code against while the bodies are written. */
import type { Project, ts } from 'ts-morph';
import type { ImportNeed, SymbolRef, TextEdit } from '../../core/index.js';
import type { TypeScriptFile } from './file.js';
import type { Declaration } from './scope/bind.js';

const pending = (): never => {
  throw new Error('under construction');
};

/** Where an imported value comes from. */
export interface Origin {
  /** The specifier as written. */
  readonly module: string;
  /** Exported name. `*` is the module object itself, `default` its default export; a member of either is named after the member. */
  readonly name: string;
  readonly via: 'import' | 'type' | 'require' | 'dynamic';
}

export type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration
  | ts.GetAccessorDeclaration
  | ts.SetAccessorDeclaration;

/** One place that names a module. */
export interface ModuleRequest {
  readonly specifier: string;
  readonly form: 'import' | 'type' | 'require' | 'dynamic' | 'reexport' | 'mock' | 'resolve';
  /** The whole import, export or call. */
  readonly node: ts.Node;
  /** The literal that holds the specifier. */
  readonly literal: ts.StringLiteralLike;
  /** Exported names that the place takes: `default`, `*` for the module object, none for a bare import. */
  readonly names: readonly string[];
  readonly typeOnly: boolean;
}

/** Provenance of an expression or of a name in type position: import, namespace member, alias, destructured `require`, compiled interop. `undefined` when it is not imported or not certain. */
export const originOf: (node: ts.Node, file: TypeScriptFile) => Origin | undefined = pending;
/** Class that a value is an instance of, by `new X()`, annotation, class field or single assignment: the origin of `X` when it is imported. */
export const instanceOrigin: (node: ts.Node, file: TypeScriptFile) => Origin | undefined = pending;
/** The local declaration that an identifier refers to (or declares). */
export const declarationOf: (identifier: ts.Node, file: TypeScriptFile) => Declaration | undefined = pending;
/** Every use of a declaration in source order, declaring names excluded. Shadowing is respected. */
export const referencesOf: (declaration: Declaration, file: TypeScriptFile) => readonly ts.Identifier[] = pending;
/** The identifier is assigned: `x = …`, `x += …`, `x++`, `[x] = …`, `for (x of …)`. */
export const isWrite: (identifier: ts.Identifier) => boolean = pending;
/** The nearest function around a node, the node itself excluded. */
export const enclosingFunction: (node: ts.Node) => FunctionNode | undefined = pending;
/** Name of a function across files. */
export const functionRef: (fn: FunctionNode, file: TypeScriptFile) => SymbolRef = pending;
/** Name of a local declaration across files. */
export const symbolOfDeclaration: (declaration: Declaration, file: TypeScriptFile) => SymbolRef = pending;
/** Declaration that an expression names, through local constants and relative imports. `undefined` for packages and for what cannot be followed. */
export const symbolOf: (expression: ts.Node, file: TypeScriptFile, has: (path: string) => boolean) => SymbolRef | undefined = pending;
/** Value of a constant expression, local to the file; `undefined` when it is not one. */
export const constantOf: (expression: ts.Node, file: TypeScriptFile) => string | number | boolean | null | undefined = pending;
/** Every place that names a module. */
export const moduleRequests: (file: TypeScriptFile) => readonly ModuleRequest[] = pending;
/** Repository path of a relative specifier. */
export const resolveSpecifier: (from: string, specifier: string, has: (path: string) => boolean) => string | undefined = pending;
export const importEdits: (file: TypeScriptFile, needs: readonly ImportNeed[]) => readonly TextEdit[] = pending;
/** One imported name of a file. */
export interface ImportBinding {
  readonly specifier: string;
  /** Exported name, `default` or `*`. */
  readonly name: string;
  readonly local: string;
  readonly typeOnly: boolean;
}
/** Static imports (and top-level `require` constants) of a file. */
export const importBindings: (file: TypeScriptFile) => readonly ImportBinding[] = pending;
/** Changes the import block by minimal edits. A removed binding and an added one with the same local name or module are edited in place. */
export const rebindImports: (file: TypeScriptFile, changes: { readonly remove: readonly ImportBinding[]; readonly add: readonly ImportNeed[] }) => readonly TextEdit[] = pending;
/** Edits of `before` that give it the tokens of `after`. `skip`: ranges of `before` in which changes are left out. */
export const tokenDiff: (before: string, after: string, options: { readonly path: string }) => readonly TextEdit[] = pending;
/** Runs a standard jscodeshift module on a file; the result as minimal edits. Loads jscodeshift on first call. */
export const runJscodeshift: (transform: (file: { path: string; source: string }, api: never, options: object) => string | null | undefined, file: TypeScriptFile) => readonly TextEdit[] = pending;
/** A fresh in-memory ts-morph project without libraries. */
export const scratchProject: () => Project = pending;
/** Edges between declarations: references and containment. */
export const calls: (file: TypeScriptFile, has: (path: string) => boolean) => readonly { readonly from?: SymbolRef; readonly to: SymbolRef; readonly node: ts.Node }[] = pending;
