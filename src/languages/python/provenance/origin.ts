import { constantOf } from '../constants.js';
import { argumentsOf, unwrap } from '../expressions.js';
import type { PythonFile } from '../file.js';
import type { PyNode } from '../node.js';
import type { Binding, BindingSite } from '../scope/model.js';
import { importedNames, type ImportedName } from './imports.js';
import { valueAt } from './values.js';

/** Where an imported value comes from. */
export interface Origin {
  /** Dotted path from the module on: `mcp.server.fastmcp.FastMCP`, `.server.mcp`. A module is named by its own path. */
  readonly path: string;
  /** `import`: a statement; `dynamic`: a call that is given the name as a string, or `getattr`. */
  readonly via: 'import' | 'dynamic';
  /** The import, when it is a statement. */
  readonly imported: ImportedName | undefined;
}

/** Names that an alias chain leads through; a longer one is nobody's code, or a name that is made of itself (`node = node.next`). */
const MAX_HOPS = 10;
/** Levels of one expression. */
const MAX_DEPTH = 30;
/** Origins of one name. Code that walks a structure in two directions would have as many as there are ways. */
const MAX_ORIGINS = 16;
const MODULE_NAME = /^\.*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
/** Functions that are given a module name and answer with the module: `import_module`, `importorskip`, `import_optional`, `_load_module`. */
const LOADER = /(?:^|_)(?:import|importorskip|load|require)(?:_|$)|^__import__$/i;

const join = (base: string, name: string): string => (base.endsWith('.') ? base + name : `${base}.${name}`);

const member = (origins: readonly Origin[], name: string, via?: Origin['via']): readonly Origin[] =>
  origins.map((origin) => ({ ...origin, path: join(origin.path, name), via: via ?? origin.via }));

const statements = new WeakMap<PythonFile, ReadonlyMap<PyNode, readonly ImportedName[]>>();

/** Imported names of one statement, looked up by the statement. */
function byStatement(file: PythonFile): ReadonlyMap<PyNode, readonly ImportedName[]> {
  let known = statements.get(file);
  if (!known) {
    const map = new Map<PyNode, ImportedName[]>();
    for (const imported of importedNames(file)) {
      const list = map.get(imported.statement);
      if (list) list.push(imported);
      else map.set(imported.statement, [imported]);
    }
    known = map;
    statements.set(file, known);
  }
  return known;
}

/** The imported name behind a binding place; `undefined` when it is no import. */
export function importedAt(site: BindingSite, file: PythonFile): ImportedName | undefined {
  if (site.how !== 'import') return undefined;
  const { start } = site.identifier;
  return byStatement(file)
    .get(site.node)
    ?.find(({ node }) => node.start <= start && start < node.end);
}

function originOfImport(imported: ImportedName): Origin {
  const path = imported.form === 'from' ? join(imported.module, imported.name) : imported.alias === undefined ? (imported.local ?? '') : imported.module;
  return { path, via: 'import', imported };
}

/** By the names that are already behind. Without it, a name that is bound in several places from itself costs a power of them. */
const bound = new WeakMap<Binding, (readonly Origin[])[]>();

function originsOfBinding(binding: Binding, file: PythonFile, hops: number): readonly Origin[] {
  if (hops > MAX_HOPS) return [];
  const rows = bound.get(binding) ?? [];
  bound.set(binding, rows);
  return (rows[hops] ??= distinct(binding.sites.flatMap((site) => originsOfSite(site, file, hops))));
}

function originsOfSite(site: BindingSite, file: PythonFile, hops: number): readonly Origin[] {
  const imported = importedAt(site, file);
  if (imported) return [originOfImport(imported)];
  const value = valueAt(site);
  return value ? trace(value, file, hops) : [];
}

/** Each origin once, the first of them. */
function distinct(origins: readonly Origin[]): readonly Origin[] {
  if (origins.length < 2) return origins;
  const found: Origin[] = [];
  for (const origin of origins) {
    if (found.length === MAX_ORIGINS) break;
    if (!found.some((other) => other.path === origin.path && other.via === origin.via && other.imported === origin.imported)) found.push(origin);
  }
  return found;
}

function originsOfCall(call: PyNode, file: PythonFile, hops: number, depth: number): readonly Origin[] {
  const callee = call.get('function');
  if (!callee) return [];
  const args = argumentsOf(call, file);
  const first = args.positional[0];
  const name = callee.kind === 'attribute' ? callee.get('attribute') : callee;
  if (!first || !name) return [];
  const called = file.textOf(name);
  if (called === 'getattr' && callee.kind === 'identifier') {
    const attribute = args.positional[1] && constantOf(args.positional[1], file);
    return typeof attribute === 'string' ? member(trace(first, file, hops, depth), attribute, 'dynamic') : [];
  }
  if (!LOADER.test(called)) return [];
  const module = constantOf(first, file);
  if (typeof module !== 'string' || !MODULE_NAME.test(module)) return [];
  return [{ path: called === '__import__' ? (module.split('.')[0] ?? module) : module, via: 'dynamic', imported: undefined }];
}

function trace(start: PyNode, file: PythonFile, hops: number, depth = 0): readonly Origin[] {
  if (depth > MAX_DEPTH) return [];
  const node = unwrap(start);
  switch (node.kind) {
    case 'identifier': {
      const binding = file.bindings.of(node);
      return binding ? originsOfBinding(binding, file, hops + 1) : [];
    }
    case 'attribute': {
      const object = node.get('object');
      const name = node.get('attribute');
      return object && name ? member(trace(object, file, hops, depth + 1), file.textOf(name)) : [];
    }
    case 'subscript': {
      const value = node.get('value');
      return value ? trace(value, file, hops, depth + 1) : [];
    }
    case 'generic_type':
    case 'type':
      return node.children[0] ? trace(node.children[0], file, hops, depth + 1) : [];
    case 'conditional_expression':
      return [node.children[0], node.children[2]].flatMap((arm) => (arm ? trace(arm, file, hops, depth + 1) : []));
    case 'boolean_operator':
      return [node.get('left'), node.get('right')].flatMap((arm) => (arm ? trace(arm, file, hops, depth + 1) : []));
    case 'call':
      return originsOfCall(node, file, hops, depth + 1);
    default:
      return [];
  }
}

const known = new WeakMap<PyNode, readonly Origin[]>();

/**
 * Where an expression comes from: import in any form, alias, member of a module, module loaded by name, `getattr` of one.
 * More than one when the name is bound in several arms. Empty when it is not imported. Results of calls have no origin.
 */
export function originsOf(node: PyNode, file: PythonFile): readonly Origin[] {
  let found = known.get(node);
  if (!found) {
    found = trace(node, file, 0);
    known.set(node, found);
  }
  return found;
}

/** The one origin of an expression; `undefined` when there is none, or when the arms of a condition disagree. */
export function originOf(node: PyNode, file: PythonFile): Origin | undefined {
  const [first, ...rest] = originsOf(node, file);
  return first && rest.every(({ path }) => path === first.path) ? first : undefined;
}
