import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode, referencesOf } from '../../../src/languages/typescript/index.js';
import { looksLikeServer } from '../registrations.js';
import { isText } from '../argument-roles.js';
import { bare } from '../nodes.js';

/** What people and test libraries ask of a function that stands for another: `calledOnce`, `mockReturnValue`, `callsFake`. */
const ASKED = /^(?:mock|called|calls|getCall|firstCall|secondCall|thirdCall|lastCall|callCount|args$|returns|resolves|rejects|withArgs|onCall|should$)/;

/**
 * Uses of `.tool`, `.prompt` and `.resource` of something that stands for a server in a test: what it was called with, and calls by the test itself.
 * v1 called these, v2 does not.
 */
export function stubbedMethods(file: TypeScriptFile): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const calls: ts.Node[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isPropertyAccessExpression(node) || !/^(?:tool|prompt|resource)$/.test(node.name.text)) return;
    const receiver = bare(node.expression);
    const name = ts.isIdentifier(receiver) ? receiver.text : ts.isPropertyAccessExpression(receiver) ? receiver.name.text : '';
    if (!looksLikeServer(name)) return;
    if (isAskedOf(node, file)) found.push(node);
    else if (ts.isCallExpression(node.parent) && node.parent.expression === node && isText(node.parent.arguments[0])) calls.push(node);
  });
  // A test that calls the method itself is about the stub only where it also asks it, or makes it.
  return found.length > 0 || /\bcreateStubInstance\b/.test(file.text) ? [...found, ...calls] : [];
}

/** Is a function asked what was done with it, by itself or under a name? */
function isAskedOf(node: ts.PropertyAccessExpression, file: TypeScriptFile): boolean {
  const isAsked = (use: ts.Node): boolean => {
    const { parent } = use;
    if (ts.isPropertyAccessExpression(parent)) return parent.expression === use && ASKED.test(parent.name.text);
    return ts.isCallExpression(parent) && ts.isIdentifier(parent.expression) && parent.expression.text === 'expect';
  };
  const { parent } = node;
  if (!ts.isVariableDeclaration(parent) || parent.initializer !== node || !ts.isIdentifier(parent.name)) return isAsked(node);
  const declaration = declarationOf(parent.name, file);
  return declaration !== undefined && referencesOf(declaration, file).some(isAsked);
}

/** What the marker of such a place says. */
export const STUB_STEP =
  'the server is called with `registerTool(name, config, handler)` and its sisters now: ask for that name; description and schema are in the second argument.';
