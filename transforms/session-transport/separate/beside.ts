import type { ts } from 'ts-morph';
import { modernPathOf } from '../../../src/core/index.js';
import { type FunctionNode, type TypeScriptFile, enclosingFunction } from '../../../src/languages/typescript/index.js';
import { type Beside, type NoBeside, besideOf } from '../../_hosts/beside/index.js';
import type { Served } from '../../_hosts/index.js';
import { isFunctionNode, isWithin } from '../../_mcp/typescript/nodes.js';
import { effectsOf } from '../handlers/effects.js';
import type { Region } from '../handlers/region.js';

/** The modern path beside an old one. */
export const modernBeside = (path: string): string => modernPathOf({ transport: 'streamable-http', path }) ?? path;

/** The place of a modern route beside the registrations of one path. */
export const routeBeside = (host: string, served: readonly Served[], file: TypeScriptFile, has: (path: string) => boolean): Beside | NoBeside =>
  besideOf(host, served, file, modernBeside, has);

/** Checks of one old handler that a request of the new path would pass by. What stands in front of a new branch runs for both paths. */
export function checksPassed(
  { file, fn, start }: { readonly file: TypeScriptFile; readonly fn: FunctionNode; readonly start: ts.Node | undefined },
  beside: Beside,
  has: (path: string) => boolean,
): readonly ts.Node[] {
  const own = beside.passed.filter((node) => isWithin(node, fn));
  // The branch may stand in a function that the listener hands the request on to.
  const handed = own.length === 0 && beside.selectors.length > 0 ? beside.passed : own;
  const roots = start !== undefined ? [start] : handed.length > 0 ? handed : [fn.body ?? fn];
  const around = roots.flatMap((root) => enclosingFunction(root) ?? [])[0] ?? fn;
  const region: Region = {
    ok: true,
    file,
    fn: around,
    form: beside.form,
    names: [],
    legacy: roots.map((root) => (isFunctionNode(root) ? (root.body ?? root) : root)),
    leading: [],
    condition: undefined,
    body: { parsed: undefined, options: [] },
    makeAsync: false,
    inline: false,
  };
  const { checks, strays } = effectsOf(region, has);
  return [...checks, ...strays.filter((node) => !checks.includes(node) && /access-control-/i.test(node.getText(file.tree)))];
}
