import { ts } from 'ts-morph';
import { constantOf, declarationOf, eachNode, enclosingFunction, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { calledMember, nameText, receiverOf, unwrap, unwrapAwait } from '../_mcp/typescript/nodes.js';
import type { Say } from './typescript.js';

/** A call that takes a request apart and puts a smaller one together, and a result that is passed on in parts. */
export function gateways(file: TypeScriptFile, say: Say): void {
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || calledMember(node) !== 'callTool' || receiverOf(node) === undefined) return;
    const [argument] = node.arguments;
    const call = argument === undefined ? undefined : unwrap(argument);
    if (call === undefined || !ts.isObjectLiteralExpression(call) || call.properties.some(ts.isSpreadAssignment)) return;
    const names = call.properties.map((property) => (property.name === undefined ? undefined : nameText(property.name)));
    if (!names.includes('name') || !names.includes('arguments') || names.includes('_meta') || names.includes('inputResponses')) return;
    const name = call.properties.find((property) => property.name !== undefined && nameText(property.name) === 'name');
    if (name === undefined || !isPassedOn(name, file)) return;
    say('call-fields-dropped', node);
    result(node, say);
    // The signal travels in the options of the call: `callTool(call, options)` of SDK v2, `callTool(call, schema, options)` of v1.
    const options = node.arguments.slice(1);
    if (!options.some((option) => ts.isSpreadElement(option) || /\bsignal\b/.test(option.getText(file.tree)) || isOpaque(option)))
      say('cancel-not-passed-on', node);
  });
}

/** Options whose members cannot be seen: a parameter, a call. A result schema is none. */
const isOpaque = (node: ts.Node): boolean => {
  const value = unwrap(node);
  return (ts.isIdentifier(value) && value.text !== 'undefined' && !value.text.endsWith('Schema')) || ts.isCallExpression(value);
};

/** Does the name come out of the parameters of a request: `params.name`, `request.params.name`, `const { name } = params`? */
function isPassedOn(property: ts.ObjectLiteralElementLike, file: TypeScriptFile): boolean {
  const value = ts.isPropertyAssignment(property) ? unwrap(property.initializer) : ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
  if (value === undefined || constantOf(value, file) !== undefined) return false;
  if (ts.isPropertyAccessExpression(value)) return /(?:^|\.)params$/.test(unwrap(value.expression).getText(file.tree));
  if (!ts.isIdentifier(value)) return false;
  const node = declarationOf(value, file)?.node;
  if (node === undefined || !ts.isBindingElement(node)) return false;
  const holder = node.parent.parent;
  return ts.isVariableDeclaration(holder) && holder.initializer !== undefined && /(?:^|\.)params$/.test(unwrap(holder.initializer).getText(file.tree));
}

/** `return { content: r.content, isError: r.isError }` of what the call answered. */
function result(call: ts.CallExpression, say: Say): void {
  const fn = enclosingFunction(call);
  if (fn?.body === undefined) return;
  eachNode(fn.body, (node) => {
    if (!ts.isReturnStatement(node) || node.expression === undefined) return;
    const value = unwrapAwait(node.expression);
    if (!ts.isObjectLiteralExpression(value) || value.properties.some(ts.isSpreadAssignment)) return;
    const content = value.properties.find((property) => property.name !== undefined && nameText(property.name) === 'content');
    if (content === undefined || !ts.isPropertyAssignment(content)) return;
    const taken = unwrap(content.initializer);
    if (!ts.isPropertyAccessExpression(taken) || taken.name.text !== 'content') return;
    if (value.properties.some((property) => property.name !== undefined && nameText(property.name) === 'resultType')) return;
    say('result-fields-dropped', node);
  });
}
