import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import type { FunctionNode, TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { declared } from '../declared.js';
import { type Scene, calledFunction, isErrorAnswer } from '../handler-results.js';
import { someNode } from '../nodes.js';

/** How a return is cast: as it is, as a promise, as the awaited value, or awaited for that; `undefined` when it is not known which fits. */
export type Cast = 'value' | 'promise' | 'awaited' | 'await added';

/** Finds the cast for a return of `fn`. */
export function castOf(expression: ts.Expression, fn: FunctionNode, scene: Scene): Cast | undefined {
  const inner = ts.isParenthesizedExpression(expression) ? expression.expression : expression;
  if (ts.isObjectLiteralExpression(inner)) return 'value';
  if (ts.isAwaitExpression(inner)) return isErrorAnswer(inner.expression, scene) ? undefined : 'awaited';
  if (ts.isIdentifier(inner)) {
    const node = declared(inner, scene.file, scene.files)?.node;
    if (!node || !ts.isVariableDeclaration(node)) return undefined;
    if (node.type) return someNode(node.type, (part) => ts.isIdentifier(part) && part.text === 'Promise') ? 'promise' : 'value';
    return node.initializer && (ts.isAwaitExpression(node.initializer) || ts.isObjectLiteralExpression(node.initializer)) ? 'value' : undefined;
  }
  if (!ts.isCallExpression(inner) || isErrorAnswer(inner, scene)) return undefined;
  const called = calledFunction(inner.expression, scene);
  if (called) {
    const { node, file } = called;
    if (isAsync(node) || (node.type !== undefined && /^Promise\b/.test(file.textOf(node.type)))) return 'promise';
    if (node.type !== undefined && !isGeneric(node)) return 'value';
  }
  // Nothing else waits for it there: in a `try` the `catch` would get what it did not get before.
  return isAsync(fn) && !ts.findAncestor(expression, (node) => (node === fn ? 'quit' : ts.isTryStatement(node))) ? 'await added' : undefined;
}

const isAsync = (node: ts.SignatureDeclaration): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);

/** What it gives back is up to its caller. */
const isGeneric = ({ type, typeParameters }: ts.SignatureDeclaration): boolean =>
  type !== undefined && typeParameters?.some(({ name }) => someNode(type, (node) => ts.isIdentifier(node) && node.text === name.text)) === true;

/** The edits of a cast to a type that has the name `local`. */
export function castEdits(expression: ts.Expression, cast: Cast, local: string, file: TypeScriptFile): readonly TextEdit[] {
  const start = expression.getStart(file.tree);
  const opened = cast === 'awaited' ? '(' : cast === 'await added' ? '(await ' : '';
  const type = cast === 'promise' ? `Promise<${local}>` : local;
  return [
    ...(opened === '' ? [] : [{ start, end: start, text: opened }]),
    { start: expression.end, end: expression.end, text: `${opened === '' ? '' : ')'} as ${type}` },
  ];
}
