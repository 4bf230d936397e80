import { ts } from 'ts-morph';
import { declarationOf, eachNode, enclosingFunction, isFunctionNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { returned } from '../_mcp/typescript/ids.js';
import { ancestor, calledMember, unwrap, unwrapAwait } from '../_mcp/typescript/nodes.js';
import type { Say } from './typescript.js';

/** A value that stands for the earlier revisions: a word, a revision, a member of an enumeration. */
const LEGACY = /^(?:['"`](?:legacy|old|stateful|sessionful|handshake|2025-\d\d-\d\d|2024-11-05)['"`]|\w+\.(?:legacy|LEGACY|Legacy))$/;
/** The function tells answers that say nothing (401, 403, 5xx, time-out, network) from those of a legacy server. */
const CAREFUL = /\b(?:401|403|50\d)\b|[<>]=?\s*500\b|inconclusive|AbortError|TimeoutError|ECONN/i;
/** A condition that is content with success, and takes every failure for a legacy server. */
const SUCCESS = /\.ok\b|\bstatus(?:Code)?\s*(?:[!=]==?\s*2\d\d|[<>]=?\s*[34]00)\b/;

/** Verdicts about the era of a server that outlive the function that made them: every failure is remembered as `legacy`. */
export function verdicts(file: TypeScriptFile, say: Say): void {
  if (!/discover/i.test(file.text) || !/legacy|stateful|sessionful|handshake|202[45]-/i.test(file.text)) return;
  const told = new Set<ts.Node>();
  eachNode(file.tree, (node) => {
    const kept = keptValue(node, file);
    if (kept === undefined) return;
    for (const verdict of verdictsIn(kept, file)) {
      const fn = enclosingFunction(verdict);
      if (fn === undefined || told.has(verdict) || !/discover/i.test(fn.getText(file.tree)) || CAREFUL.test(fn.getText(file.tree)) || !isGuess(verdict, file))
        continue;
      told.add(verdict);
      say('verdict-kept', verdict, {
        data: { name: verdict.getText(file.tree).replace(/['"`]/g, '') },
        ...(verdict === unwrap(kept) ? {} : { related: [file.site(node, 'remembered here')] }),
      });
    }
  });
}

/** What a statement keeps for later: `eras.set(url, value)`, `eras[url] = value`, `this.era = value`, `storage.setItem(key, value)`, a variable of the module. */
function keptValue(node: ts.Node, file: TypeScriptFile): ts.Expression | undefined {
  if (ts.isCallExpression(node)) return /^(?:set|setItem|put)$/.test(calledMember(node) ?? '') ? node.arguments[1] : undefined;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return undefined;
  const target = unwrap(node.left);
  if (ts.isElementAccessExpression(target) || ts.isPropertyAccessExpression(target)) return node.right;
  const declared = ts.isIdentifier(target) ? declarationOf(target, file) : undefined;
  return declared?.scope === file.bindings.root ? node.right : undefined;
}

/** Legacy verdicts that a value may be: the arms of a conditional, what a constant holds, what a function of this file returns. */
function verdictsIn(value: ts.Node, file: TypeScriptFile, depth = 0): readonly ts.Node[] {
  const node = unwrapAwait(value);
  if (depth > 4) return [];
  const next = (inner: ts.Node): readonly ts.Node[] => verdictsIn(inner, file, depth + 1);
  if (LEGACY.test(node.getText(file.tree))) return [node];
  if (ts.isConditionalExpression(node)) return [...next(node.whenTrue), ...next(node.whenFalse)];
  if (ts.isObjectLiteralExpression(node)) return node.properties.flatMap((property) => (ts.isPropertyAssignment(property) ? next(property.initializer) : []));
  const callee = ts.isCallExpression(node) ? unwrap(node.expression) : node;
  const declared = ts.isIdentifier(callee) ? declarationOf(callee, file)?.node : undefined;
  if (declared === undefined) return [];
  const init = ts.isVariableDeclaration(declared) && declared.initializer !== undefined ? unwrap(declared.initializer) : declared;
  if (isFunctionNode(init)) return ts.isCallExpression(node) ? returned(init).flatMap(next) : [];
  return init === declared || ts.isCallExpression(node) ? [] : next(init);
}

/** Does a verdict follow from nothing but a failure: any exception, or any answer that is no success? */
function isGuess(verdict: ts.Node, file: TypeScriptFile): boolean {
  for (let node = verdict; !ts.isSourceFile(node); node = node.parent) {
    const { parent } = node;
    if (ts.isConditionalExpression(parent) && parent.condition !== node) return SUCCESS.test(parent.condition.getText(file.tree));
    if (ts.isIfStatement(parent) && parent.expression !== node) {
      const inCatch = ancestor(parent, ts.isCatchClause);
      return inCatch === undefined && SUCCESS.test(parent.expression.getText(file.tree));
    }
    if (ts.isCatchClause(parent)) return true;
    if (isFunctionNode(node)) return ts.isCallExpression(parent) && calledMember(parent) === 'catch';
  }
  return false;
}
