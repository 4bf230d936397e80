import { ts } from 'ts-morph';
import { type Declaration, type FunctionNode, type TypeScriptFile, declarationOf, isWrite } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, isWithin, receiverOf, unwrap } from './nodes.js';

const TIMERS: ReadonlySet<string> = new Set(['setInterval', 'setTimeout', 'setImmediate', 'queueMicrotask']);
const LISTENERS: ReadonlySet<string> = new Set(['on', 'once', 'addListener', 'addEventListener', 'listen', 'watch', 'subscribe']);
const GROWTH: ReadonlySet<string> = new Set(['set', 'add', 'push', 'unshift']);

/**
 * What a function does beside building its result, each time it runs: timers, listeners on objects from outside, writes to
 * outer variables and growth of outer containers. Functions that it only hands over (tool handlers) are left out.
 */
export function effectsOf(fn: ts.FunctionLikeDeclaration, file: TypeScriptFile, depth = 0): readonly ts.Node[] {
  if (fn.body === undefined || depth > 3) return [];
  return effectsIn([fn.body], (declaration) => declaration.nodes.some((node) => isWithin(node, fn)), file, depth);
}

/**
 * The same for code that is no function of its own.
 * @param own tells the declarations that belong to the code; everything else is outside of it
 */
export function effectsIn(roots: readonly ts.Node[], own: (declaration: Declaration) => boolean, file: TypeScriptFile, depth = 0): readonly ts.Node[] {
  const effects: ts.Node[] = [];
  const isOuter = (node: ts.Node): boolean => {
    let root: ts.Node = unwrap(node);
    while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root) || ts.isCallExpression(root)) root = unwrap(root.expression);
    if (root.kind === ts.SyntaxKind.ThisKeyword) return true;
    if (!ts.isIdentifier(root)) return false;
    const declared = declarationOf(root, file);
    return declared === undefined || !own(declared);
  };
  const visit = (node: ts.Node): void => {
    if (isFunctionNode(node) || ts.isClassLike(node)) return;
    if (ts.isCallExpression(node)) {
      const callee = unwrap(node.expression);
      const method = calledMember(node);
      const receiver = receiverOf(node);
      if (ts.isIdentifier(callee) && TIMERS.has(callee.text) && declarationOf(callee, file) === undefined) effects.push(node);
      else if (method !== undefined && receiver !== undefined && isOuter(receiver) && (LISTENERS.has(method) || GROWTH.has(method))) effects.push(node);
      else if (ts.isIdentifier(callee) && depth < 3) {
        const target = localFunction(callee, file);
        const within = (declaration: Declaration): boolean =>
          own(declaration) || declaration.nodes.some((inner) => target !== undefined && isWithin(inner, target));
        if (target?.body !== undefined && !roots.includes(target.body) && effectsIn([target.body], within, file, depth + 1).length > 0) effects.push(node);
      }
    }
    if (ts.isIdentifier(node) && isWrite(node) && isOuter(node)) effects.push(node.parent);
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      (ts.isPropertyAccessExpression(node.left) || ts.isElementAccessExpression(node.left)) &&
      isOuter(node.left)
    )
      effects.push(node);
    ts.forEachChild(node, visit);
  };
  for (const root of roots) visit(root);
  return effects;
}

/** The function of this file that a name stands for. */
export function localFunction(callee: ts.Identifier, file: TypeScriptFile): FunctionNode | undefined {
  const node = declarationOf(callee, file)?.node;
  if (node === undefined) return undefined;
  if (ts.isFunctionDeclaration(node)) return node;
  const value = ts.isVariableDeclaration(node) && node.initializer !== undefined ? unwrap(node.initializer) : undefined;
  return value !== undefined && isFunctionNode(value) ? value : undefined;
}
