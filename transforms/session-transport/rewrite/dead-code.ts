import { ts } from 'ts-morph';
import type { FileChange, RewriteContext, Site } from '../../../src/core/index.js';
import {
  type Declaration,
  type TypeScriptFile,
  declarationOf,
  exportsOf,
  moduleRequests,
  referencesOf,
  resolveSpecifier,
} from '../../../src/languages/typescript/index.js';
import { isFunctionNode, isWithin, statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { liveStores } from '../../_mcp/typescript/stores.js';
import { type Machinery, machineryOf } from '../machinery.js';
import { cleanupAround, dispatchers } from '../obstacles.js';
import { removeStatements } from '../../_mcp/typescript/emit/edits.js';

/** What becomes dead when the handlers of a lane go, found by fixpoint over the files of the lane. */
export class DeadCode {
  /** Removed statements by file. */
  readonly #removed = new Map<string, Set<ts.Node>>();
  readonly #machinery = new Map<string, Machinery>();
  readonly #has: (path: string) => boolean;

  constructor(
    readonly files: readonly TypeScriptFile[],
    readonly context: RewriteContext,
    /** All MCP files of the package: anybody may import from the lane. */
    readonly neighbours: readonly TypeScriptFile[],
    /** Names that the new code uses. */
    readonly kept: ReadonlySet<Declaration>,
  ) {
    this.#has = (path) => context.exists(path);
  }

  remove(file: TypeScriptFile, node: ts.Node): void {
    const set = this.#removed.get(file.path) ?? new Set<ts.Node>();
    this.#removed.set(file.path, set.add(node));
  }

  isRemoved(file: TypeScriptFile, node: ts.Node): boolean {
    const set = this.#removed.get(file.path);
    if (set === undefined) return false;
    for (let current: ts.Node | undefined = node; current !== undefined; current = current.parent) if (set.has(current)) return true;
    return false;
  }

  /** Follows the removals until nothing else dies. */
  settle(): void {
    for (let changed = true; changed;) {
      changed = false;
      for (const file of this.files) {
        for (const store of liveStores(file, this.#has)) if (store.declaration !== undefined && this.#dropCleanup(file, store.declaration)) changed = true;
        for (const declaration of file.bindings.declarations) {
          const statement = this.#deadStatement(declaration, file);
          if (statement === undefined || this.isRemoved(file, statement)) continue;
          this.remove(file, statement);
          changed = true;
        }
      }
    }
  }

  /** Uses of the lane's stores that stay: the proof failed. */
  leaks(): readonly Site[] {
    return this.files.flatMap((file) =>
      liveStores(file, this.#has).flatMap(({ declaration, accesses }) => {
        const uses: readonly ts.Node[] = declaration === undefined ? accesses : referencesOf(declaration, file);
        const dead =
          declaration !== undefined && declaration.kind !== 'import' && this.#statementOf(declaration) !== undefined && this.isRemoved(file, declaration.node);
        return dead ? [] : uses.filter((use) => !this.isRemoved(file, use) && !ts.isExportSpecifier(use.parent)).map((use) => file.site(use));
      }),
    );
  }

  /** Removals as changes; a file of which nothing but imports is left goes as a whole. */
  changes(): { readonly changes: readonly FileChange[]; readonly removedFiles: readonly string[] } {
    const removedFiles = this.files.filter((file) => this.#isEmptied(file)).map(({ path }) => path);
    const changes = this.files.flatMap((file): readonly FileChange[] => {
      if (removedFiles.includes(file.path)) return [{ kind: 'remove', file: file.path }];
      const nodes = [...(this.#removed.get(file.path) ?? [])].filter((node) => ts.isStatement(node) && !this.#isInside(file, node));
      return nodes.length === 0 ? [] : [{ kind: 'edit', file: file.path, edits: removeStatements(nodes, file) }];
    });
    return { changes, removedFiles };
  }

  #isInside(file: TypeScriptFile, node: ts.Node): boolean {
    return [...(this.#removed.get(file.path) ?? [])].some((other) => other !== node && isWithin(node, other));
  }

  #machineryOf(file: TypeScriptFile): Machinery {
    let machinery = this.#machinery.get(file.path);
    if (machinery === undefined) {
      machinery = machineryOf(file, this.#has);
      this.#machinery.set(file.path, machinery);
    }
    return machinery;
  }

  /** Removes loops and timers that only close or count sessions. */
  #dropCleanup(file: TypeScriptFile, store: Declaration): boolean {
    let changed = false;
    for (const use of referencesOf(store, file)) {
      if (this.isRemoved(file, use) || dispatchers(file).some((fn) => isWithin(use, fn))) continue;
      const statement = cleanupAround(use, this.#machineryOf(file));
      if (statement === undefined || isWithin(store.node, statement)) continue;
      this.remove(file, statement);
      changed = true;
    }
    return changed;
  }

  /** The top-level statement that declares only this name, when it can go with its last use. */
  #statementOf(declaration: Declaration): ts.Statement | undefined {
    const [node] = declaration.nodes;
    if (node === undefined || declaration.nodes.length > 1) return undefined;
    if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return node;
    if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return node;
    if (!ts.isVariableDeclaration(node) || !ts.isVariableDeclarationList(node.parent) || node.parent.declarations.length > 1) return undefined;
    const statement = statementOf(node);
    return statement !== undefined && ts.isVariableStatement(statement) ? statement : undefined;
  }

  #deadStatement(declaration: Declaration, file: TypeScriptFile): ts.Statement | undefined {
    if (this.kept.has(declaration)) return undefined;
    const statement = this.#statementOf(declaration);
    if (statement === undefined) return undefined;
    const uses = referencesOf(declaration, file).filter((use) => !isWithin(use, statement));
    if (!uses.every((use) => this.isRemoved(file, use) || ts.isExportSpecifier(use.parent))) return undefined;
    const names = exportsOf(file).filter((entry) => entry.declaration === declaration);
    const outside = names.map(({ name }) => this.#usesElsewhere(file, name));
    if (outside.includes('alive')) return undefined;
    // It must have died with the lane: something that nobody used before is none of this rewrite.
    const died = uses.some((use) => this.isRemoved(file, use)) || outside.includes('dead');
    return died && isHarmless(declaration, this.#machineryOf(file)) ? statement : undefined;
  }

  /** Who imports an exported name: nobody, removed code only, or somebody alive. */
  #usesElsewhere(file: TypeScriptFile, name: string): 'none' | 'dead' | 'alive' {
    let result: 'none' | 'dead' | 'alive' = 'none';
    for (const other of this.neighbours) {
      if (other.path === file.path) continue;
      for (const request of moduleRequests(other)) {
        if (!request.specifier.startsWith('.') || resolveSpecifier(other.path, request.specifier, this.#has) !== file.path) continue;
        if (request.form === 'reexport' || request.form === 'dynamic' || request.form === 'mock' || request.form === 'resolve') return 'alive';
        if (!request.names.includes(name) && !request.names.includes('*')) continue;
        const locals = localNames(request.node, name, other);
        if (locals.length === 0) return 'alive';
        const alive = locals.some((local) => referencesOf(local, other).some((use) => !this.isRemoved(other, use)));
        if (alive) return 'alive';
        result = 'dead';
      }
    }
    return result;
  }

  /** Is every statement of a file removed or an import, and does nothing outside of the code name the file? */
  #isEmptied(file: TypeScriptFile): boolean {
    const removed = this.#removed.get(file.path);
    if (removed === undefined) return false;
    const rest = file.tree.statements.filter(
      (statement) =>
        !removed.has(statement) && !ts.isImportDeclaration(statement) && !isRequire(statement) && !ts.isEmptyStatement(statement) && !isDirective(statement),
    );
    if (rest.length > 0) return false;
    const base = (file.path.split('/').at(-1) ?? '').replace(/\.[cm]?[jt]sx?$/, '');
    const manifests = this.context.inventory.packages.flatMap(({ manifest }) => (manifest === undefined ? [] : [this.context.text(manifest) ?? '']));
    if (manifests.some((text) => new RegExp(`[/"]${base}\\.[cm]?[jt]s\\b`).test(text))) return false;
    // An import for its effects alone keeps the file.
    return !this.neighbours.some((other) =>
      moduleRequests(other).some(
        (request) => request.names.length === 0 && request.form === 'import' && resolveSpecifier(other.path, request.specifier, this.#has) === file.path,
      ),
    );
  }
}

const isDirective = (statement: ts.Statement): boolean => ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);

const isRequire = (statement: ts.Statement): boolean =>
  ts.isVariableStatement(statement) &&
  statement.declarationList.declarations.every(
    ({ initializer }) =>
      initializer !== undefined && ts.isCallExpression(initializer) && ts.isIdentifier(initializer.expression) && initializer.expression.text === 'require',
  );

/** Local declarations that an import gives an exported name. */
function localNames(request: ts.Node, name: string, file: TypeScriptFile): readonly Declaration[] {
  const found: Declaration[] = [];
  const add = (identifier: ts.Node): void => {
    const declaration = declarationOf(identifier, file);
    if (declaration !== undefined) found.push(declaration);
  };
  if (ts.isImportDeclaration(request)) {
    const clause = request.importClause;
    if (clause?.name !== undefined && name === 'default') add(clause.name);
    const bindings = clause?.namedBindings;
    if (bindings !== undefined && ts.isNamespaceImport(bindings)) add(bindings.name);
    if (bindings !== undefined && ts.isNamedImports(bindings))
      for (const element of bindings.elements) if ((element.propertyName ?? element.name).text === name) add(element.name);
    return found;
  }
  let holder: ts.Node | undefined = request;
  while (holder !== undefined && !ts.isVariableDeclaration(holder)) holder = holder.parent;
  if (holder === undefined) return found;
  if (ts.isIdentifier(holder.name)) add(holder.name);
  else if (ts.isObjectBindingPattern(holder.name))
    for (const element of holder.name.elements) if ((element.propertyName ?? element.name).getText(file.tree) === name) add(element.name);
  return found;
}

/** A declaration whose evaluation does nothing that anybody could notice. */
function isHarmless(declaration: Declaration, machinery: Machinery): boolean {
  const { node } = declaration;
  // A class without static parts and decorators does nothing until it is built.
  if (ts.isClassDeclaration(node)) return !/^\s*(?:static\b|@)/m.test(node.getText());
  if (ts.isFunctionDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return true;
  if (!ts.isVariableDeclaration(node)) return false;
  if (node.initializer === undefined) return true;
  const value = unwrap(node.initializer);
  if (isFunctionNode(value)) return true;
  if (ts.isNewExpression(value)) return /^(?:Map|WeakMap|Set|WeakSet)$/.test(value.expression.getText()) && (value.arguments ?? []).length === 0;
  if (ts.isStringLiteralLike(value) || ts.isNumericLiteral(value) || ts.isArrayLiteralExpression(value)) return true;
  if (ts.isObjectLiteralExpression(value))
    return (
      value.properties.length === 0 ||
      value.properties.every(
        (property) => ts.isPropertyAssignment(property) && (ts.isStringLiteralLike(property.initializer) || ts.isNumericLiteral(property.initializer)),
      )
    );
  if (ts.isPropertyAccessExpression(value) || ts.isIdentifier(value)) return true;
  return machinery.roleOf(value) === 'session';
}
