import { ts } from 'ts-morph';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { calledFunction, touches } from '../../_hosts/node-http/branches.js';
import { mentionsPath } from '../../_hosts/paths.js';
import { calledMember, isFunctionNode, memberName, statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { type Machinery, machineryOf } from '../machinery.js';
import { asksSomebody, isInSessionCallback, isParsedBody } from '../handler-syntax.js';
import type { Region } from './region.js';

/** What the session code of a handler does beside keeping sessions going. */
export interface RegionEffects {
  /** Checks of the request: a modern request would pass them by. */
  readonly checks: readonly ts.Node[];
  /** Other effects of the request, e.g. a counter: modern requests do not have them. */
  readonly passed: readonly ts.Node[];
  /** Everything that keeps the code from being replaced. */
  readonly strays: readonly ts.Node[];
}

/** Looks for effects behind the place where the entry is written. */
export function effectsOf(region: Region, has: (path: string) => boolean): RegionEffects {
  const machinery = machineryOf(region.file, has);
  const strays = region.legacy
    .flatMap((node) => straysBelow(node, machinery, region.file, new Set()))
    .filter((node) => !isLeftover(node) && !isOfOtherPath(node, region));
  const own = strays.filter((node) => !isParsedBody(node) && !isInSessionCallback(node, region.fn));
  const checks = own.filter((node) => isCheck(statementOf(node) ?? node, region.file));
  return { checks, passed: own.filter((node) => !checks.includes(node)), strays };
}

/** Does a place stand in a branch for another path, beside the session code? */
function isOfOtherPath(node: ts.Node, { condition, legacy, file }: Region): boolean {
  if (condition === undefined) return false;
  for (let at = node; at.parent !== undefined && !legacy.includes(at); at = at.parent) {
    const { parent } = at;
    if (ts.isIfStatement(parent) && at !== parent.expression && mentionsPath(parent.expression, file) && touches(at, file).length === 0) return true;
  }
  return false;
}

/** Effects below a node. A call of a function of this file that serves the session counts for what that function does. */
function straysBelow(node: ts.Node, machinery: Machinery, file: TypeScriptFile, seen: ReadonlySet<ts.Node>): readonly ts.Node[] {
  return machinery.effectsIn(node).flatMap((effect) => {
    // A branch on the path is no check; what it holds may be one.
    if (ts.isIfStatement(effect) && mentionsPath(effect.expression, file) && touches(effect, file).length > 0)
      return [effect.thenStatement, ...(effect.elseStatement === undefined ? [] : [effect.elseStatement])].flatMap((part) =>
        straysBelow(part, machinery, file, seen),
      );
    const callee = ts.isCallExpression(effect) ? calledFunction(effect, file) : undefined;
    if (callee === undefined || callee === 'imported' || callee.body === undefined || touches(callee.body, file).length === 0) return [effect];
    return seen.has(callee) ? [] : straysBelow(callee.body, machinery, file, new Set([...seen, callee]));
  });
}

/** `res.end()` of the branch that answers nobody else. */
const isLeftover = (node: ts.Node): boolean => ts.isCallExpression(node) && calledMember(node) === 'end' && node.arguments.length === 0;

/** Does a statement answer, reject or change the request, or ask somebody about it? Logs and counters do not. */
function isCheck(statement: ts.Node, file: TypeScriptFile): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isAwaitExpression(node)) found = true;
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && !isLocal(node.left, file)) found = true;
    const name = ts.isCallExpression(node)
      ? (calledMember(node) ?? (ts.isIdentifier(unwrap(node.expression)) ? unwrap(node.expression).getText(file.tree) : ''))
      : '';
    if (/^(?:status|sendStatus|json|send|end|redirect|next|writeHead|code|throw)$/.test(name) || (ts.isCallExpression(node) && asksSomebody(node)))
      found = true;
    if (!isFunctionNode(node)) ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

/** A variable of the handler: giving it a value changes nothing for others. */
const isLocal = (node: ts.Node, file: TypeScriptFile): boolean => {
  const value = unwrap(node);
  return ts.isIdentifier(value) && memberName(value) === undefined && file.bindings.declarationAt(value)?.scope !== file.bindings.root;
};
