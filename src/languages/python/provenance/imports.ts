import type { PythonFile } from '../file.js';
import { above, eachNode, type PyNode } from '../node.js';

/** What makes an import conditional. */
export interface ImportGuard {
  /** `import-error`: an arm of `try … except ImportError`; `type-checking`: under `if TYPE_CHECKING`; `branch`: under another `if`. */
  readonly kind: 'import-error' | 'type-checking' | 'branch';
  /** The `try_statement` or `if_statement`. */
  readonly owner: PyNode;
  /** The arm that holds the import: the body, an `except_clause`, an `else_clause`. */
  readonly arm: PyNode;
}

/** One name that an import statement brings in. */
export interface ImportedName {
  readonly statement: PyNode;
  /** `import`: `import a.b as c`; `from`: `from a import b as c`; `star`: `from a import *`. */
  readonly form: 'import' | 'from' | 'star';
  /** Dotted module as written, leading dots included. */
  readonly module: string;
  /** Imported name of the `from` form; `*` otherwise. */
  readonly name: string;
  /** The name that it has here: the alias, else the name, else the first part of the module. `undefined` for a star. */
  readonly local: string | undefined;
  readonly alias: string | undefined;
  /** The `dotted_name` or `aliased_import`; the `wildcard_import` of a star. */
  readonly node: PyNode;
  readonly guard: ImportGuard | undefined;
}

const cache = new WeakMap<PythonFile, readonly ImportedName[]>();

/** Every name that import statements bring in, in source order, those inside of functions included. */
export function importedNames(file: PythonFile): readonly ImportedName[] {
  let known = cache.get(file);
  if (!known) {
    const found: ImportedName[] = [];
    eachNode(file.tree, (node) => {
      if (node.kind === 'import_statement' || node.kind === 'import_from_statement' || node.kind === 'future_import_statement') {
        found.push(...namesOf(node, file));
        return false;
      }
      return undefined;
    });
    known = found;
    cache.set(file, known);
  }
  return known;
}

/** The module of a `from` statement as written, blanks left out. */
const moduleText = (node: PyNode, file: PythonFile): string => file.textOf(node).replace(/\s+/g, '');

function namesOf(statement: PyNode, file: PythonFile): readonly ImportedName[] {
  const guard = guardOf(statement, file);
  const from = statement.get('module_name');
  const module = from ? moduleText(from, file) : statement.kind === 'future_import_statement' ? '__future__' : undefined;
  const star = statement.first('wildcard_import');
  if (star && module !== undefined) return [{ statement, form: 'star', module, name: '*', local: undefined, alias: undefined, node: star, guard }];
  return statement.all('name').flatMap((node): readonly ImportedName[] => {
    const dotted = node.kind === 'aliased_import' ? node.get('name') : node;
    const aliasNode = node.kind === 'aliased_import' ? node.get('alias') : undefined;
    if (!dotted) return [];
    const written = moduleText(dotted, file);
    const alias = aliasNode && file.textOf(aliasNode);
    if (module !== undefined) return [{ statement, form: 'from', module, name: written, local: alias ?? written, alias, node, guard }];
    return [{ statement, form: 'import', module: written, name: '*', local: alias ?? written.split('.')[0], alias, node, guard }];
  });
}

const IMPORT_ERRORS = /\b(?:ImportError|ModuleNotFoundError|AttributeError|Exception|BaseException)\b/;

/** The innermost condition that decides whether a statement runs; functions end the search. */
export function guardOf(statement: PyNode, file: PythonFile): ImportGuard | undefined {
  let arm = statement;
  for (let at = statement.parent; at; arm = at, at = at.parent) {
    if (at.kind === 'function_definition' || at.kind === 'class_definition') return undefined;
    if (at.kind === 'try_statement') {
      const handlers = at.children.filter((child) => child.kind === 'except_clause');
      if (handlers.some((handler) => catchesImports(handler, file))) return { kind: 'import-error', owner: at, arm };
    } else if (at.kind === 'if_statement' && arm.field !== 'condition') {
      const condition = at.get('condition');
      const typing = condition !== undefined && /\bTYPE_CHECKING\b/.test(file.textOf(condition)) && arm.field === 'consequence';
      return { kind: typing ? 'type-checking' : 'branch', owner: at, arm };
    }
  }
  return undefined;
}

function catchesImports(handler: PyNode, file: PythonFile): boolean {
  const caught = handler.get('value');
  return caught === undefined || IMPORT_ERRORS.test(file.textOf(caught));
}

/** Names imported by the other arms of the same `try` or `if`: what a dual-version import falls back to. */
export function otherArms(imported: ImportedName, file: PythonFile): readonly ImportedName[] {
  const { guard } = imported;
  if (!guard || guard.kind === 'type-checking') return [];
  const armOf = (node: PyNode): PyNode | undefined => {
    const found = above(node, (candidate) => candidate.parent === guard.owner);
    return node.parent === guard.owner ? node : found;
  };
  return importedNames(file).filter((other) => {
    const arm = armOf(other.statement);
    return arm !== undefined && arm !== guard.arm;
  });
}
