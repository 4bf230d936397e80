import { ts } from 'ts-morph';
import { declarationOf, referencesOf, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { memberName, wrapped } from './nodes.js';

/** Members that only a live transport of a session has. */
const TRANSPORT_MEMBERS: ReadonlySet<string> = new Set(['handleRequest', 'handlePostMessage']);

/**
 * Is what an access takes out of a store used as a transport, here (`sessions.get(id).handleRequest(…)`) or through the variable that it
 * becomes? Such a store holds live transports whatever its declared type says, and is the matter of another concern.
 */
export function isServedBy(access: ts.Node, file: TypeScriptFile): boolean {
  let value: ts.Node = wrapped(access);
  while (isTransparent(value.parent, value)) value = wrapped(value.parent);
  const parent = value.parent;
  if (dispatches(value)) return true;
  return ts.isVariableDeclaration(parent) && parent.initializer === value && ts.isIdentifier(parent.name) && isTransportVariable(parent.name, file);
}

/** Is a variable, or a member of it, asked to handle a request somewhere in its scope? */
export function isTransportVariable(name: ts.Identifier, file: TypeScriptFile): boolean {
  const declaration = declarationOf(name, file);
  return declaration !== undefined && referencesOf(declaration, file).some(dispatches);
}

/** `x.handleRequest(…)`, `x.transport.handleRequest(…)`. */
function dispatches(value: ts.Node): boolean {
  for (
    let current = wrapped(value);
    ts.isPropertyAccessExpression(current.parent) && current.parent.expression === current;
    current = wrapped(current.parent)
  ) {
    if (TRANSPORT_MEMBERS.has(memberName(current.parent) ?? '')) return true;
  }
  return false;
}

const isTransparent = (parent: ts.Node, value: ts.Node): boolean =>
  ts.isAwaitExpression(parent) ||
  (ts.isConditionalExpression(parent) && parent.condition !== value) ||
  (ts.isBinaryExpression(parent) && [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken].includes(parent.operatorToken.kind));
