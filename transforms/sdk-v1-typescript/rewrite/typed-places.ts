import { ts } from 'ts-morph';
import type { Site } from '../../../src/core/index.js';
import { type TypeScriptFile, eachNode } from '../../../src/languages/typescript/index.js';
import { looksLikeServer, registrationsOf } from '../registrations.js';
import { isText } from '../argument-roles.js';
import { bare } from '../nodes.js';

/** What people and test libraries ask of a function that stands for another: `calledOnce`, `mockReturnValue`, `callsFake`. */
const ASKED = /^(?:mock|called|calls|getCall|firstCall|secondCall|thirdCall|lastCall|callCount|args$|returns|resolves|rejects|withArgs|onCall|should$)/;

/**
 * Registrations of tools that come from a table, in TypeScript. SDK v2 matches each handler to its schema, so that a table whose handlers take
 * different arguments compiles only with a cast, and a comment that expects an error stands on the wrong line.
 */
export function fromTables(file: TypeScriptFile): readonly ts.Node[] {
  if (file.isJavaScript) return [];
  return registrationsOf(file).flatMap(({ call, name, receiver, handler }) => {
    const [first] = call.arguments;
    const given = bare(handler);
    const isTable = name === 'registerTool' && receiver === 'sdk' && first !== undefined && !isText(first);
    return isTable && !ts.isArrowFunction(given) && !ts.isFunctionExpression(given) ? [call] : [];
  });
}

/** Says where, with the lines of before. */
export const tableNote = (sites: readonly Site[]): string =>
  `SDK v2 matches the handler of a tool to its schema. Where tools come from a table and the type check names the registration (it may at ${placesOf(sites)}), cast the handler, e.g. \`as ToolCallback\`; a comment that expects an error may have to move up to the call.`;

/** Reads of `.tool`, `.prompt` and `.resource` on something that stands for a server in a test; v1 called these, v2 does not. */
export function stubbedMethods(file: TypeScriptFile): readonly ts.Node[] {
  const found: ts.Node[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isPropertyAccessExpression(node) || !/^(?:tool|prompt|resource)$/.test(node.name.text)) return;
    const receiver = bare(node.expression);
    const name = ts.isIdentifier(receiver) ? receiver.text : ts.isPropertyAccessExpression(receiver) ? receiver.name.text : '';
    const { parent } = node;
    const isAsked = ts.isPropertyAccessExpression(parent) && parent.expression === node && ASKED.test(parent.name.text);
    const isExpected = ts.isCallExpression(parent) && ts.isIdentifier(parent.expression) && parent.expression.text === 'expect';
    if ((isAsked || isExpected) && looksLikeServer(name)) found.push(node);
  });
  return found;
}

/** Says where, with the lines of before. */
export const stubNote = (sites: readonly Site[]): string =>
  `Tests look at \`tool\`, \`prompt\` or \`resource\` of something that stands for a server (${placesOf(sites)}). The server is called with \`registerTool(name, config, handler)\` and its sisters now: ask for that name there, and find description and schema in the second argument.`;

function placesOf(sites: readonly Site[]): string {
  const places = sites.slice(0, 3).map(({ file, line }) => `${file}:${String(line)}`);
  return `${places.join(', ')}${sites.length > 3 ? ` and ${String(sites.length - 3)} more` : ''}`;
}
