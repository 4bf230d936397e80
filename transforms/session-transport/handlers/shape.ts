import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, referencesOf } from '../../../src/languages/typescript/index.js';
import type { RequestForm } from '../../_hosts/served.js';
import { exits } from '../../_mcp/typescript/eras.js';
import { unwrap, unwrapAwait, wrapped } from '../../_mcp/typescript/nodes.js';

/** The first statement that runs once the session code is done; a `finally` runs in any case. */
export function runsBehind(legacy: readonly ts.Node[], fn: FunctionNode): ts.Node | undefined {
  const last = legacy.at(-1);
  if (last === undefined || (ts.isStatement(last) && exits(last))) return undefined;
  for (let at: ts.Node = last; at !== fn && at !== fn.body && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (!ts.isBlock(parent) && !ts.isCaseOrDefaultClause(parent)) continue;
    const [next] = parent.statements.slice(parent.statements.indexOf(at as ts.Statement) + 1);
    if (next !== undefined && !ts.isBreakStatement(next) && !(ts.isReturnStatement(next) && next.expression === undefined)) return next;
    if (next !== undefined && ts.isReturnStatement(next)) return undefined;
  }
  return undefined;
}

/** Is a function asynchronous? */
export const isAsync = (fn: FunctionNode): boolean => (ts.getCombinedModifierFlags(fn) & ts.ModifierFlags.Async) !== 0;

/** The statements of a branch. */
export const listOf = (statement: ts.Statement): readonly ts.Statement[] => (ts.isBlock(statement) ? [...statement.statements] : [statement]);

/** `(async () => { … })()`, with or without `void` and `.catch(…)`. */
export const isCalledOnTheSpot = (fn: ts.Node): boolean => {
  const outer = wrapped(fn);
  return ts.isCallExpression(outer.parent) && outer.parent.expression === outer && outer.parent.arguments.length === 0;
};

/** A call whose failure is caught by a chain: what it does belongs inside of it. */
export const isFinalCall = (node: ts.Node): boolean => {
  const value = ts.isExpressionStatement(node) ? unwrapAwait(node.expression) : unwrapAwait(node);
  return (
    ts.isCallExpression(value) &&
    value
      .getText()
      .slice(0, value.expression.getText().length + 1)
      .endsWith('.catch(')
  );
};

/** The parameter of a function that a call hands a name to; for `ctx.request` also what is left of it when `ctx` is handed on. */
export function parameterFor(name: string | undefined, call: ts.CallExpression, fn: FunctionNode): string | undefined {
  const given = (text: string | undefined): string | undefined => {
    const parameter = fn.parameters[call.arguments.findIndex((argument) => unwrap(argument).getText() === text)];
    return parameter !== undefined && ts.isIdentifier(parameter.name) ? parameter.name.text : undefined;
  };
  const [root, ...members] = name?.split('.') ?? [];
  const holder = members.length === 0 ? undefined : given(root);
  return given(name) ?? (holder === undefined ? undefined : [holder, ...members].join('.'));
}

/** A literal that is returned means something to the caller. */
export const isAnswer = (node: ts.Node): boolean => {
  const value = unwrap(node);
  return (
    value.kind === ts.SyntaxKind.TrueKeyword ||
    value.kind === ts.SyntaxKind.FalseKeyword ||
    ts.isObjectLiteralExpression(value) ||
    ts.isStringLiteralLike(value)
  );
};

/** Node ignores what a listener returns; Hono, Elysia and fetch handlers may return a promise. Others wait differently for a promise. */
export function mayBecomeAsync(fn: FunctionNode, form: RequestForm, inline: boolean, file: TypeScriptFile): boolean {
  if (fn.type !== undefined && !/^(?:void|any|unknown)$/.test(fn.type.getText(file.tree))) return false;
  if (form !== 'node' && form !== 'hono' && form !== 'web' && form !== 'elysia') return false;
  if (inline) return true;
  const name = ts.isFunctionDeclaration(fn)
    ? fn.name
    : ts.isVariableDeclaration(wrapped(fn).parent)
      ? (wrapped(fn).parent as ts.VariableDeclaration).name
      : undefined;
  const declaration = name !== undefined && ts.isIdentifier(name) ? file.bindings.declarationAt(name) : undefined;
  // Handed over once, and called by nobody.
  return declaration !== undefined && referencesOf(declaration, file).every((use) => !(ts.isCallExpression(use.parent) && use.parent.expression === use));
}
