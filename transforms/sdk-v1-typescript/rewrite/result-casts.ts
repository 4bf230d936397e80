import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type FunctionNode, type TypeScriptFile, enclosingClass } from '../../../src/languages/typescript/index.js';
import { type Files, declared } from '../declared.js';
import { bare, someNode } from '../nodes.js';
import { functionOf } from '../registrations.js';

/** The file, and those that it imports from. */
export interface Scene {
  readonly file: TypeScriptFile;
  readonly files: Files;
  /** The type that the method wants; asked where a whole result is looked at. */
  readonly result?: string;
  /** The value of a declaration is looked at. */
  readonly inside?: boolean;
}

/** The function that is called, by its name or as a method of the class around. */
export function calledFunction(callee: ts.Expression, scene: Scene): { readonly node: ts.SignatureDeclaration; readonly file: TypeScriptFile } | undefined {
  const { file } = scene;
  if (ts.isPropertyAccessExpression(callee) && callee.expression.kind === ts.SyntaxKind.ThisKeyword) {
    const node = enclosingClass(callee)?.members.find((member) => ts.isMethodDeclaration(member) && member.name.getText(file.tree) === callee.name.text);
    return node && { node: node as ts.MethodDeclaration, file };
  }
  const found = declared(bare(callee), scene.file, scene.files);
  const node = found && (ts.isVariableDeclaration(found.node) ? found.node.initializer && functionOf(found.node.initializer, found.file) : found.node);
  return found && node && ts.isFunctionLike(node) ? { node, file: found.file } : undefined;
}

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

/** A JSON-RPC error that is returned as a result: no cast makes one of it, it has to be thrown. */
function isErrorAnswer(expression: ts.Expression, scene: Scene): boolean {
  const type = ts.isCallExpression(expression) ? calledFunction(expression.expression, scene)?.node.type : undefined;
  return type !== undefined && someNode(type, (node) => ts.isIdentifier(node) && node.text.startsWith('JSONRPC'));
}

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
