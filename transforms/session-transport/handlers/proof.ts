import { ts } from 'ts-morph';
import type { MessageData } from '../../../src/core/index.js';
import { type TypeScriptFile, enclosingFunction, isFunctionNode, unwrap } from '../../../src/languages/typescript/index.js';
import { type Served, handlersOfFile } from '../../_hosts/index.js';
import { touches } from '../../_hosts/node-http/branches.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { effectsOf } from './effects.js';
import { regionOf } from './region.js';

/**
 * What one file proves for handlers that the entry is written into. Travels with its findings:
 * - `region`: why no place for the entry was found, with its lines;
 * - `checks`: lines of checks that a modern request would pass by;
 * - `effects`: lines of other effects between the session code.
 */
export function handlerProof(file: TypeScriptFile, has: (path: string) => boolean): MessageData {
  const lines = (nodes: readonly ts.Node[]): string => [...new Set(nodes.map((node) => String(file.site(node).line)))].join(', ');
  let region = '';
  const checks: ts.Node[] = [];
  const effects: ts.Node[] = [];
  for (const served of handlersOfFile(file, has).flatMap((host) => host.served)) {
    const handler = localHandler(served, file);
    if (handler === undefined || touches(handler.start ?? handler.fn, file).length === 0) continue;
    const found = regionOf(handler.fn, file, served.form, has, handler.start);
    if (!found.ok) {
      region ||= `${found.why} (${file.path}:${lines(found.nodes)}). ${found.next}`;
      continue;
    }
    const seen = effectsOf(found, has);
    checks.push(...seen.checks);
    effects.push(...seen.strays, ...(found.condition === undefined ? [] : found.legacy.slice(0, 1)));
  }
  return {
    ...(region === '' ? {} : { region }),
    ...(checks.length === 0 ? {} : { checks: lines(checks) }),
    ...(effects.length === 0 ? {} : { effects: lines(effects) }),
  };
}

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
