import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, enclosingFunction } from '../../../src/languages/typescript/index.js';
import type { Served } from '../../_hosts/index.js';
import { branchesOf, refusal } from '../../_hosts/node-http/branches.js';
import { removeStatements, startWithComments } from '../../_mcp/typescript/emit/edits.js';
import { isFunctionNode, unwrap } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';

/** A branch that goes: what of the tree dies with it, and the edit that takes it out. */
interface Branch {
  readonly node: ts.Node;
  /** Absent when the node is a statement that goes as a whole. */
  readonly edit?: TextEdit;
}

/** Takes the branches of one path out of the function that tells the paths apart; `undefined` when one of them is no branch of its own. */
export function branchEdit(served: Served, file: TypeScriptFile): readonly Branch[] | undefined {
  const value = unwrap(served.handlerNode);
  const fn = isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : enclosingFunction(value);
  if (fn === undefined) return undefined;
  const found: Branch[] = [];
  for (const {
    node,
    path,
    calls: [call],
  } of branchesOf(fn, file)) {
    if (path !== served.path) continue;
    const test = call === undefined ? undefined : refusal(call, fn, file);
    if (test !== undefined && ts.isStatement(node) && node.parent === test.parent) {
      // What turns other paths away turns all of them away from then on.
      const edit = { start: test.getStart(file.tree), end: test.thenStatement.getStart(file.tree), text: '' };
      if (!found.some((other) => other.node === test.expression)) found.push({ node: test.expression, edit });
      found.push({ node });
      continue;
    }
    const edit = ts.isCaseClause(node)
      ? clauseEdit(node)
      : ts.isIfStatement(node.parent) && node.parent.thenStatement === node
        ? ifEdit(node.parent, file)
        : undefined;
    if (edit === undefined) return undefined;
    found.push({ node, edit });
  }
  return found;
}

/** `else` moves to the place of what was in front of it. */
function ifEdit(statement: ts.IfStatement, file: TypeScriptFile): TextEdit | undefined {
  const { parent, elseStatement } = statement;
  const start = startWithComments(statement, file);
  if (ts.isIfStatement(parent) && parent.elseStatement === statement)
    return elseStatement === undefined
      ? { start: parent.thenStatement.end, end: statement.end, text: '' }
      : { start: statement.getStart(file.tree), end: elseStatement.getStart(file.tree), text: '' };
  if (elseStatement !== undefined) return ts.isIfStatement(elseStatement) ? { start, end: elseStatement.getStart(file.tree), text: '' } : undefined;
  return removeStatements([statement], file)[0];
}

/** A clause that ends by itself, and that nothing falls into. */
function clauseEdit(clause: ts.CaseClause): TextEdit | undefined {
  const { clauses } = clause.parent;
  const before = clauses[clauses.indexOf(clause) - 1];
  if (clause.statements.length === 0 || before?.statements.length === 0) return undefined;
  return { start: clause.getFullStart(), end: clause.end, text: '' };
}
