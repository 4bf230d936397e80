import { argumentsOf, assignedValue, calledName, constantOf, enclosingFunction, type PyNode, type PythonFile } from '../../../../src/languages/python/index.js';
import { nodesOf } from '../nodes.js';

const MOUNTS: ReadonlySet<string> = new Set(['Mount', 'mount', 'Route', 'add_route', 'add_mount']);

/** Joins a mount and the path below it; a mount at `/` adds nothing. */
const join = (mount: string, path: string): string => {
  const whole = `${mount}/${path}`.replace(/\/{2,}/g, '/');
  return whole.length > 1 ? whole.replace(/\/$/, '') : whole;
};

/**
 * The paths under which an app answers: its own, below each mount of it in the file. `undefined` where a part is no literal.
 * @param app the call that builds the app or the session manager
 * @param own the app's own path; `undefined` when it is not a literal
 */
export function pathsOf(app: PyNode, own: string | undefined, file: PythonFile): readonly (string | undefined)[] {
  const isManager = (calledName(app, file) ?? '').endsWith('Manager');
  const names = new Set<string>();
  const target = app.parent?.kind === 'assignment' ? app.parent.get('left') : undefined;
  if (target) names.add(file.textOf(target));
  if (isManager && target) {
    // The function that hands requests to the manager is what is mounted.
    for (const call of nodesOf(file, 'call')) {
      const callee = call.get('function');
      if (callee && file.textOf(callee) === `${file.textOf(target)}.handle_request`) {
        const name = enclosingFunction(call)?.get('name');
        if (name) names.add(file.textOf(name));
      }
    }
    for (const assignment of nodesOf(file, 'assignment')) {
      const value = assignedValue(assignment);
      if (value?.kind === 'call' && (calledName(value, file) ?? '').endsWith('ASGIApp')) names.add(file.textOf(assignment.get('left') ?? value));
    }
  }
  const mounts = nodesOf(file, 'call').filter((call) => {
    if (!MOUNTS.has(calledName(call, file) ?? '')) return false;
    const args = argumentsOf(call, file);
    return [...args.positional.slice(1), ...args.keywords.map(({ value }) => value)].some((value) => value === app || names.has(file.textOf(value)));
  });
  if (mounts.length === 0) return [isManager ? undefined : own];
  return mounts.map((mount) => {
    const args = argumentsOf(mount, file);
    const written = args.positional[0] ?? args.keyword('path')?.value;
    const prefix = written && constantOf(written, file);
    if (typeof prefix !== 'string') return undefined;
    return isManager ? join('', prefix) : own === undefined ? undefined : join(prefix, own);
  });
}
