import { ts } from 'ts-morph';
import type { FileChange, RewriteContext, Site } from '../../../src/core/index.js';
import { type Declaration, type TypeScriptFile, exportsOf, moduleRequests, referencesOf, resolveSpecifier } from '../../../src/languages/typescript/index.js';
import { isFunctionNode, isWithin, statementOf } from '../../_mcp/typescript/nodes.js';
import { type SessionStore, liveStores } from '../../_mcp/typescript/stores.js';
import { type Machinery, machineryOf } from '../machinery.js';
import type { Files } from '../handler-code.js';
import { cleanupAround, dispatchers, usesOfStore } from '../obstacles.js';
import { type MemberUses, deadMembers, memberUses } from './dead-members.js';
import { removeStatements } from '../../_mcp/typescript/emit/edits.js';
import { localNames, plainCalls } from './dead-uses.js';
import { isHarmless } from './harmless.js';

/** What becomes dead when the handlers of a lane go, found by fixpoint over the files of the lane. */
export class DeadCode {
  /** Removed statements by file. */
  readonly #removed = new Map<string, Set<ts.Node>>();
  readonly #machinery = new Map<string, Machinery>();
  readonly #has: (path: string) => boolean;
  readonly #reader: Files;
  readonly #members: MemberUses;
  readonly #replaced = new Set<ts.Node>();
  /** Files outside of the lane that lose a call of an emptied function. */
  readonly #joined = new Map<string, TypeScriptFile>();

  constructor(
    readonly files: readonly TypeScriptFile[],
    readonly context: RewriteContext,
    /** All MCP files of the package: anybody may import from the lane. */
    readonly neighbours: readonly TypeScriptFile[],
    /** Names that the new code uses. */
    readonly kept: ReadonlySet<Declaration>,
  ) {
    this.#has = (path) => context.exists(path);
    this.#reader = { has: this.#has, open: (path) => neighbours.find((file) => file.path === path) ?? context.file('typescript', path) };
    this.#members = memberUses(neighbours);
  }

  remove(file: TypeScriptFile, node: ts.Node): void {
    const set = this.#removed.get(file.path) ?? new Set<ts.Node>();
    this.#removed.set(file.path, set.add(node));
  }

  /** A statement that is replaced: what stands around it stays. */
  replace(file: TypeScriptFile, statement: ts.Node): void {
    this.remove(file, statement);
    this.keep(statement);
  }

  /** What stands around a statement stays. */
  keep(statement: ts.Node): void {
    this.#replaced.add(statement);
  }

  #holdsReplaced(node: ts.Node): boolean {
    return [...this.#replaced].some((statement) => statement !== node && isWithin(statement, node));
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
        for (const store of liveStores(file, this.#has)) if (this.#dropCleanup(file, store)) changed = true;
        for (const member of deadMembers(file, this.#members, (other, node) => this.isRemoved(other, node), this.#machineryOf(file), this.#reader)) {
          if (this.#holdsReplaced(member)) continue;
          this.remove(file, member);
          changed = true;
        }
        if (this.#dropEmptied(file) || this.#dropReexports(file)) changed = true;
        for (const declaration of file.bindings.declarations) {
          const statement = this.#deadStatement(declaration, file);
          if (statement === undefined || this.isRemoved(file, statement) || this.#holdsReplaced(statement)) continue;
          this.remove(file, statement);
          changed = true;
        }
      }
    }
  }

  /** Uses of the lane's stores that stay: the proof failed. */
  leaks(): readonly Site[] {
    return this.files.flatMap((file) =>
      liveStores(file, this.#has).flatMap((store) => {
        const { declaration } = store;
        const uses = usesOfStore(store, file);
        const dead =
          declaration !== undefined && declaration.kind !== 'import' && this.#statementOf(declaration) !== undefined && this.isRemoved(file, declaration.node);
        if (dead) return [];
        const names = exportsOf(file).filter((entry) => declaration !== undefined && entry.declaration === declaration);
        return [
          ...uses.filter((use) => !this.isRemoved(file, use) && !ts.isExportSpecifier(use.parent)).map((use) => file.site(use)),
          ...names.flatMap(({ name }) => this.#sitesElsewhere(file, name)),
        ];
      }),
    );
  }

  /** Where other files than tests use an exported name: nothing would ever be put into the store again. */
  #sitesElsewhere(file: TypeScriptFile, name: string): readonly Site[] {
    const tests = new Set(this.context.findings.filter(({ role }) => role === 'test').map(({ site }) => site.file));
    return this.neighbours.flatMap((other) =>
      other.path === file.path || tests.has(other.path) || isTestPath(other.path)
        ? []
        : moduleRequests(other)
            .filter(({ specifier, form }) => form !== 'reexport' && resolveSpecifier(other.path, specifier, this.#has) === file.path)
            .flatMap(({ node }) => localNames(node, name, other))
            .flatMap((local) => referencesOf(local, other))
            .filter((use) => !this.isRemoved(other, use) && !ts.isImportSpecifier(use.parent))
            .map((use) => other.site(use)),
    );
  }

  /** Removals as changes; a file of which nothing but imports is left goes as a whole. */
  changes(): { readonly changes: readonly FileChange[]; readonly removedFiles: readonly string[] } {
    const removedFiles = this.files.filter((file) => this.#isEmptied(file)).map(({ path }) => path);
    const changes = [...this.files, ...this.#joined.values()].flatMap((file): readonly FileChange[] => {
      if (removedFiles.includes(file.path)) return [{ kind: 'remove', file: file.path }];
      const nodes = [...(this.#removed.get(file.path) ?? [])].filter(
        (node) => (ts.isStatement(node) || ts.isClassElement(node)) && !this.#replaced.has(node) && !this.#isInside(file, node),
      );
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
  #dropCleanup(file: TypeScriptFile, store: SessionStore): boolean {
    let changed = false;
    for (const use of usesOfStore(store, file)) {
      if (this.isRemoved(file, use) || dispatchers(file).some((fn) => isWithin(use, fn))) continue;
      const statement = cleanupAround(use, this.#machineryOf(file));
      if (statement === undefined || (store.declared !== undefined && isWithin(store.declared, statement))) continue;
      this.remove(file, statement);
      changed = true;
    }
    return changed;
  }

  /** Functions of which nothing is left go with their calls: `registerStreams(app)` whose only route is gone. */
  #dropEmptied(file: TypeScriptFile): boolean {
    let changed = false;
    for (const declaration of file.bindings.declarations) {
      const { node } = declaration;
      const value = ts.isVariableDeclaration(node) && node.initializer !== undefined ? node.initializer : node;
      if (!isFunctionNode(value) || value.body === undefined || !ts.isBlock(value.body) || value.body.statements.length === 0) continue;
      if (this.isRemoved(file, node) || this.#holdsReplaced(node) || !value.body.statements.every((statement) => this.isRemoved(file, statement))) continue;
      const names = exportsOf(file).filter((entry) => entry.declaration === declaration);
      for (const [other, call] of plainCalls(
        declaration,
        names.map(({ name }) => name),
        file,
        this.neighbours,
        this.#has,
      )) {
        if (this.isRemoved(other, call)) continue;
        this.remove(other, call);
        if (!this.files.some(({ path }) => path === other.path)) this.#joined.set(other.path, other);
        changed = true;
      }
    }
    return changed;
  }

  /** `export { post, stream } from './handlers.js'`, once all of these names are gone or go unused. */
  #dropReexports(file: TypeScriptFile): boolean {
    let changed = false;
    for (const statement of file.tree.statements) {
      if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) continue;
      if (statement.moduleSpecifier === undefined || !ts.isStringLiteralLike(statement.moduleSpecifier) || this.isRemoved(file, statement)) continue;
      const path = resolveSpecifier(file.path, statement.moduleSpecifier.text, this.#has);
      const home = this.files.find((other) => other.path === path);
      if (home === undefined) continue;
      const gone = statement.exportClause.elements.every((element) => {
        const name = (element.propertyName ?? element.name).text;
        const node = exportsOf(home).find((entry) => entry.name === name)?.declaration?.node;
        return node !== undefined && this.isRemoved(home, node);
      });
      if (!gone) continue;
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
    return died && isHarmless(declaration, file, this.#machineryOf(file), this.#reader) ? statement : undefined;
  }

  /** Who imports an exported name: nobody, removed code only, or somebody alive. */
  #usesElsewhere(file: TypeScriptFile, name: string): 'none' | 'dead' | 'alive' {
    let result: 'none' | 'dead' | 'alive' = 'none';
    for (const other of this.neighbours) {
      if (other.path === file.path) continue;
      for (const request of moduleRequests(other)) {
        if (!request.specifier.startsWith('.') || resolveSpecifier(other.path, request.specifier, this.#has) !== file.path) continue;
        if (
          request.form === 'reexport' &&
          ts.isExportDeclaration(request.node) &&
          request.node.exportClause !== undefined &&
          ts.isNamedExports(request.node.exportClause)
        ) {
          const handed = request.node.exportClause.elements.filter((element) => (element.propertyName ?? element.name).text === name);
          const uses = this.isRemoved(other, request.node) ? [] : handed.map((element) => this.#usesElsewhere(other, element.name.text));
          if (uses.includes('alive')) return 'alive';
          if (uses.includes('dead')) result = 'dead';
          continue;
        }
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

const isTestPath = (path: string): boolean => /(?:^|\/)(?:tests?|__tests__|e2e)\/|\.(?:test|spec)\./.test(path);

const isDirective = (statement: ts.Statement): boolean => ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);

const isRequire = (statement: ts.Statement): boolean =>
  ts.isVariableStatement(statement) &&
  statement.declarationList.declarations.every(
    ({ initializer }) =>
      initializer !== undefined && ts.isCallExpression(initializer) && ts.isIdentifier(initializer.expression) && initializer.expression.text === 'require',
  );
