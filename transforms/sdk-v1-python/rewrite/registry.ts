import { type PyNode, type PythonFile, eachNode, enclosingFunction, functionRef, outcomesOf, symbolOf, unwrap } from '../../../src/languages/python/index.js';
import { isSdkName } from '../../_mcp/python/paths.js';
import { isInstance } from '../../_mcp/python/types.js';
import type { Pass, Project } from './pass.js';

/** The high-level and the low-level server of SDK 1.x. */
export type ServerKind = 'fast' | 'low';

const CLASSES: Readonly<Record<ServerKind, string>> = { fast: 'mcp.server.fastmcp.FastMCP', low: 'mcp.server.Server' };

const registries = new WeakMap<Project, ReadonlyMap<string, ServerKind>>();

const keyOf = (ref: { readonly file: string; readonly name: string } | undefined): string | undefined => ref && `${ref.file}#${ref.name}`;

/** Names of all files under which a server is known: the variable that it is bound to, and the function that returns it (with `()`). */
function registryOf(project: Project): ReadonlyMap<string, ServerKind> {
  let known = registries.get(project);
  if (!known) {
    const found = new Map<string, ServerKind>();
    for (const file of project.files.values()) {
      eachNode(file.tree, (node) => {
        const callee = node.kind === 'call' ? node.get('function') : undefined;
        const kind = callee && (isSdkName(callee, file, CLASSES.fast) ? 'fast' : isSdkName(callee, file, CLASSES.low) ? 'low' : undefined);
        if (kind) for (const key of namesOf(node, file, project)) found.set(key, kind);
        return undefined;
      });
    }
    known = found;
    registries.set(project, known);
  }
  return known;
}

/** Keys of a constructed object: its variable, and the function that returns it. */
function namesOf(call: PyNode, file: PythonFile, project: Project): readonly string[] {
  const has = (path: string): boolean => project.has(path);
  const keys: string[] = [];
  let value = call;
  while (value.parent?.kind === 'parenthesized_expression') value = value.parent;
  const assignment = value.parent?.kind === 'assignment' && value.field === 'right' ? value.parent : undefined;
  const left = assignment?.get('left');
  const own = left && keyOf(symbolOf(left, file, has));
  if (own !== undefined) keys.push(own);
  const fn = enclosingFunction(call);
  if (fn && outcomesOf(fn, 'return_statement').some((result) => unwrap(result) === call || (own !== undefined && keyOf(symbolOf(result, file, has)) === own)))
    keys.push(`${keyOf(functionRef(fn, file)) ?? ''}()`);
  return keys;
}

/** Which server an expression is, by its type in the file or by where the repository builds it. */
export function serverKind(pass: Pass, node: PyNode): ServerKind | undefined {
  if (isInstance(node, pass.file, CLASSES.fast)) return 'fast';
  if (isInstance(node, pass.file, CLASSES.low)) return 'low';
  const registry = registryOf(pass.project);
  if (registry.size === 0) return undefined;
  const has = (path: string): boolean => pass.project.has(path);
  const own = keyOf(symbolOf(node, pass.file, has));
  const kind = own === undefined ? undefined : registry.get(own);
  if (kind) return kind;
  const bare = unwrap(node);
  const made = (value: PyNode): ServerKind | undefined => {
    const callee = value.kind === 'call' ? value.get('function') : undefined;
    return callee && registry.get(`${keyOf(symbolOf(callee, pass.file, has)) ?? ''}()`);
  };
  if (bare.kind === 'call') return made(bare);
  const sites = bare.kind === 'identifier' ? pass.file.bindings.of(bare)?.sites : undefined;
  const value = sites?.length === 1 && sites[0]?.how === 'assign' ? sites[0].node.get('right') : undefined;
  return value && made(unwrap(value));
}
