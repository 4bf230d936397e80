import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf } from '../../src/languages/typescript/index.js';
import { isModuleLevel, unwrapAwait } from '../_mcp/typescript/nodes.js';
import { serverClass } from '../_mcp/typescript/sdk.js';

/** A variable of a function that holds a server which was built there: registrations on it move with its construction. */
export function isLocalServer(node: ts.Node, file: TypeScriptFile): boolean {
  const declared = ts.isIdentifier(node) ? declarationOf(node, file)?.node : undefined;
  if (declared === undefined || !ts.isVariableDeclaration(declared) || declared.initializer === undefined || isModuleLevel(declared)) return false;
  const made = unwrapAwait(declared.initializer);
  return ts.isNewExpression(made) && serverClass(made.expression, file) !== undefined;
}
