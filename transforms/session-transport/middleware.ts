import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode } from '../../src/languages/typescript/index.js';
import { isWithin, statementOf } from '../_mcp/typescript/nodes.js';
import type { HandlerShape } from './obstacles.js';
import { indentOf, startWithComments } from '../_mcp/typescript/emit/edits.js';

/** Leading statements of the handler as middleware; empty when there are none, `undefined` when they cannot be moved. */
export function middlewareText(shape: HandlerShape, file: TypeScriptFile): string | undefined {
  const { fn, leading } = shape;
  const [first] = leading;
  const last = leading.at(-1);
  if (first === undefined || last === undefined) return '';
  const names = fn.parameters.map((parameter) => (ts.isIdentifier(parameter.name) ? parameter.name.text : undefined));
  if (names.includes(undefined) || names.length > 3) return undefined;
  const declares = leading.some((statement) => ts.isVariableStatement(statement) && usedBeyond(statement, leading, file));
  if (declares) return undefined;
  const awaits = leading.some((statement) => /\bawait\b/.test(file.textOf(statement)));
  if (awaits && shape.caught !== undefined) return undefined;
  const parameters = fn.parameters.map((parameter) => file.textOf(parameter));
  const next = names[2] ?? 'next';
  while (parameters.length < 2) parameters.push(parameters.length === 0 ? '_req' : '_res');
  if (parameters.length < 3) parameters.push(file.isJavaScript || fn.parameters.every(({ type }) => type === undefined) ? next : `${next}: () => void`);
  const body = file.text.slice(startWithComments(first, file), last.end);
  return `${awaits ? 'async ' : ''}(${parameters.join(', ')}) => {${file.eol}${indentOf(first, file)}${body}${file.eol}${indentOf(first, file)}${next}();${file.eol}${indentOf(statementOf(fn) ?? fn, file)}}`;
}

/** Is a variable of a leading statement used by the machinery behind it? */
function usedBeyond(statement: ts.VariableStatement, leading: readonly ts.Statement[], file: TypeScriptFile): boolean {
  const names = statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [declarationOf(name, file)] : []));
  let found = false;
  eachNode(statement.parent, (node) => {
    if (ts.isIdentifier(node) && names.includes(declarationOf(node, file)) && !leading.some((other) => isWithin(node, other))) found = true;
  });
  return found;
}
