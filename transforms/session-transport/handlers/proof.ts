import { ts } from 'ts-morph';
import type { MessageData } from '../../../src/core/index.js';
import { type TypeScriptFile, enclosingFunction, isFunctionNode, unwrap } from '../../../src/languages/typescript/index.js';
import { type Served, handlersOfFile } from '../../_hosts/index.js';
import { touches } from '../../_hosts/node-http/branches.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { effectsOf } from './effects.js';
import { checksPassed, routeBeside } from '../separate/beside.js';
import { regionOf } from './region.js';

/**
 * What one file proves for handlers that the entry is written into. Travels with its findings:
 * - `region`: why no place for the entry was found, with its lines;
 * - `checks`: lines of checks that a modern request would pass by;
 * - `effects`: lines of other effects between the session code;
 * - `beside`: why no route of its own can stand beside the handlers, with its lines;
 * - `passed`: lines of checks that only the old path would run then.
 */
export function handlerProof(file: TypeScriptFile, has: (path: string) => boolean): MessageData {
  const lines = (nodes: readonly ts.Node[]): string => [...new Set(nodes.map((node) => String(file.site(node).line)))].join(', ');
  let region = '';
  const checks: ts.Node[] = [];
  const effects: ts.Node[] = [];
  const passed: ts.Node[] = [];
  let beside = '';
  const all = handlersIn(file, has);
  for (const { host, served, handler } of all) {
    const own = all.filter((other) => other.host === host && other.served.path === served.path).map((other) => other.served);
    const route = routeBeside(host, own, file, has);
    if (route.ok) passed.push(...checksPassed({ file, fn: handler.fn, start: handler.start }, route, has));
    else beside ||= `${route.reason.why} (${file.path}:${route.reason.sites.map(({ line }) => String(line)).join(', ')}). ${route.reason.next}`;
    const found = regionOf(handler.fn, file, served.form, has, handler.start);
    if (!found.ok) {
      region ||= `${found.why} (${file.path}:${lines(found.nodes)}). ${found.next}`;
      continue;
    }
    const seen = effectsOf(found, has);
    // Asked in place of the transport, the entry has every check in front of it.
    if (found.inPlace === undefined) checks.push(...seen.checks);
    effects.push(
      ...seen.strays,
      ...(found.inPlace?.only === true ? [found.inPlace.node] : []),
      ...(found.condition === undefined ? [] : found.legacy.slice(0, 1)),
    );
  }
  return {
    ...(region === '' ? {} : { region }),
    ...(checks.length === 0 ? {} : { checks: lines(checks) }),
    ...(effects.length === 0 ? {} : { effects: lines(effects) }),
    ...(beside === '' ? {} : { beside }),
    ...(passed.length === 0 ? {} : { passed: lines(passed) }),
  };
}

/** Registrations of a file whose handlers are here and speak to the SDK. */
const handlersIn = (
  file: TypeScriptFile,
  has: (path: string) => boolean,
): readonly { readonly host: string; readonly served: Served; readonly handler: NonNullable<ReturnType<typeof localHandler>> }[] =>
  handlersOfFile(file, has).flatMap(({ host, served: all }) =>
    all.flatMap((served) => {
      const handler = localHandler(served, file);
      return handler === undefined || touches(handler.start ?? handler.fn, file).length === 0 ? [] : [{ host, served, handler }];
    }),
  );

function localHandler(
  { handlerNode }: Served,
  file: TypeScriptFile,
): { readonly fn: Parameters<typeof regionOf>[0]; readonly start: ts.Node | undefined } | undefined {
  const value = unwrap(handlerNode);
  if (isFunctionNode(value)) return { fn: value, start: undefined };
  if (ts.isStatement(value) || ts.isCaseClause(value)) {
    const fn = enclosingFunction(value);
    return fn === undefined ? undefined : { fn, start: value };
  }
  const named = ts.isIdentifier(value) ? localFunction(value, file) : undefined;
  return named === undefined ? undefined : { fn: named, start: undefined };
}
