import { ts } from 'ts-morph';
import { type TypeScriptFile, enclosingFunction } from '../../../src/languages/typescript/index.js';
import type { Registration } from '../../_hosts/express/index.js';
import { isFunctionNode, isWithin, unwrap } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';

/** Is a statement an expression whose registrations are all of the lane? */
export function onlyOurs(statement: ts.Statement | undefined, ours: readonly Registration[], route: Registration): boolean {
  if (statement === undefined || !ts.isExpressionStatement(statement)) return false;
  let node: ts.Node = unwrap(statement.expression);
  for (let steps = 0; ts.isCallExpression(node) && steps < 50; steps++) {
    const call: ts.CallExpression = node;
    const callee = unwrap(call.expression);
    if (!ts.isPropertyAccessExpression(callee)) return false;
    if (callee.name.text === 'route') return true;
    if (!ours.some((own) => own.call === call)) return false;
    node = unwrap(callee.expression);
  }
  return isWithin(route.call, statement) && !ts.isCallExpression(node);
}

/** The application that the route is registered on, as written. */
export function receiverText(route: Registration, file: TypeScriptFile): string {
  let node: ts.Node = unwrap(route.call);
  while (ts.isCallExpression(node)) node = unwrap((unwrap(node.expression) as ts.PropertyAccessExpression).expression);
  return file.textOf(node);
}

/** Routes of the same path that only say that a method is not allowed. */
export const stubs = (others: readonly Registration[], file: TypeScriptFile): readonly Registration[] =>
  others.filter(({ verb, handler }) => {
    if ((verb !== 'GET' && verb !== 'DELETE' && verb !== 'ALL') || handler === undefined) return false;
    const node = unwrap(handler.node);
    const fn = isFunctionNode(node) ? node : ts.isIdentifier(node) ? localFunction(node, file) : undefined;
    return fn !== undefined && /\b405\b/.test(fn.getText(file.tree)) && sessionCode(file).dispatches.every((call) => enclosingFunction(call) !== fn);
  });
