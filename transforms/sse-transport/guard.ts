import { ts } from 'ts-morph';
import { type FunctionNode, eachNode } from '../../src/languages/typescript/index.js';
import { isFunctionNode, isWithin } from '../_mcp/typescript/nodes.js';

/** A statement in front of the transport that answers, refuses or waits. */
export function guardBefore(handler: FunctionNode | ts.Statement, made: ts.Node): ts.Node | undefined {
  const body = isFunctionNode(handler) ? handler.body : handler;
  if (body === undefined || !ts.isBlock(body)) return undefined;
  let list: readonly ts.Statement[] = body.statements;
  for (;;) {
    const holder = list.find((statement) => isWithin(made, statement));
    if (holder === undefined) return undefined;
    for (const statement of list.slice(0, list.indexOf(holder))) {
      let found = false;
      eachNode(statement, (node) => {
        if (ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isAwaitExpression(node)) found = true;
        return !isFunctionNode(node);
      });
      if (found) return statement;
    }
    if (ts.isIfStatement(holder)) return holder;
    if (!ts.isTryStatement(holder) || !isWithin(made, holder.tryBlock)) return undefined;
    list = holder.tryBlock.statements;
  }
}
