import { ts } from 'ts-morph';
import { calledMember, isFunctionNode } from './nodes.js';

/** Is a call one that hands a function to a server, by the name of its method: `registerTool(…)`, `prompt(…)`, `setRequestHandler(…)`? */
export const isRegistration = (call: ts.CallExpression): boolean =>
  /^(?:register)?(?:tool|resource|prompt)$|^setRequestHandler$/i.test(calledMember(call) ?? '');

/** Is a node below a function that is handed to a registration? */
export function insideHandler(node: ts.Node): boolean {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) if (isFunctionNode(at) && ts.isCallExpression(at.parent) && isRegistration(at.parent)) return true;
  return false;
}
