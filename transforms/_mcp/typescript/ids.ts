import { ts } from 'ts-morph';
import { type Declaration, type TypeScriptFile, declarationOf } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, receiverOf, unwrap, unwrapAwait } from './nodes.js';
import { callbackParameters, sessionCode } from './sessions.js';

interface IdTable {
  readonly expressions: ReadonlySet<ts.Node>;
  readonly declarations: Map<Declaration, boolean>;
  /** Each function is answered once: functions that return calls of each other would else be followed along every path. */
  readonly functions: Map<ts.FunctionLikeDeclaration, boolean>;
}

const cache = new WeakMap<TypeScriptFile, IdTable>();

function tableOf(file: TypeScriptFile): IdTable {
  let table = cache.get(file);
  if (table === undefined) {
    const code = sessionCode(file);
    const expressions = new Set<ts.Node>([...code.headerReads.map(({ node }) => node), ...code.idAccesses.map(({ node }) => node)]);
    for (const transport of code.transports) for (const parameter of callbackParameters(transport.options)) expressions.add(parameter);
    table = { expressions, declarations: new Map(), functions: new Map() };
    cache.set(file, table);
  }
  return table;
}

const ID_NAME = /^(?:sid|session_?id|mcp_?session_?id)$/i;

/**
 * Is the value of an expression the id of an MCP session? Follows local constants, `??`, `||`, conditionals, `String(x)`,
 * `x[0]` of a repeated header, casts, and local functions that return one.
 */
export function isSessionId(node: ts.Node, file: TypeScriptFile, depth = 0): boolean {
  const table = tableOf(file);
  const value = unwrapAwait(node);
  if (depth > 8) return false;
  if (table.expressions.has(value) || table.expressions.has(node)) return true;
  const next = (inner: ts.Node): boolean => isSessionId(inner, file, depth + 1);
  if (ts.isIdentifier(value)) {
    const declaration = declarationOf(value, file);
    return declaration !== undefined && declaresId(declaration, file, depth);
  }
  if (ts.isConditionalExpression(value)) return next(value.whenTrue) || next(value.whenFalse);
  if (ts.isBinaryExpression(value)) {
    const kind = value.operatorToken.kind;
    if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken) return next(value.left) || next(value.right);
    if (kind === ts.SyntaxKind.EqualsToken) return next(value.right);
    return kind === ts.SyntaxKind.AmpersandAmpersandToken && next(value.right);
  }
  if (ts.isElementAccessExpression(value)) return ts.isNumericLiteral(unwrap(value.argumentExpression)) && next(value.expression);
  if (ts.isCallExpression(value)) {
    const callee = unwrap(value.expression);
    if (ts.isIdentifier(callee) && callee.text === 'String' && value.arguments[0] !== undefined) return next(value.arguments[0]);
    const method = calledMember(value);
    const receiver = receiverOf(value);
    if (receiver !== undefined && (method === 'toString' || method === 'trim' || method === 'at')) return next(receiver);
    if (ts.isIdentifier(callee)) {
      const fn = functionOf(callee, file);
      return fn !== undefined && returnsId(fn, file, depth);
    }
  }
  return false;
}

function declaresId(declaration: Declaration, file: TypeScriptFile, depth: number): boolean {
  const table = tableOf(file);
  const known = table.declarations.get(declaration);
  if (known !== undefined) return known;
  table.declarations.set(declaration, false);
  const node = declaration.node;
  let result = table.expressions.has(node);
  if (!result && ts.isVariableDeclaration(node) && node.initializer !== undefined) result = isSessionId(node.initializer, file, depth + 1);
  // A function that is handed the id names it so; only believed in a file that has MCP code of its own.
  if (!result && ts.isParameter(node)) result = sessionCode(file).sdk && ID_NAME.test(declaration.name);
  table.declarations.set(declaration, result);
  return result;
}

function returnsId(fn: ts.FunctionLikeDeclaration, file: TypeScriptFile, depth: number): boolean {
  const { functions } = tableOf(file);
  const known = functions.get(fn);
  if (known !== undefined) return known;
  functions.set(fn, false);
  const result = returned(fn).some((expression) => isSessionId(expression, file, depth + 1));
  functions.set(fn, result);
  return result;
}

/** The local function that a name stands for. */
function functionOf(callee: ts.Identifier, file: TypeScriptFile): ts.FunctionLikeDeclaration | undefined {
  const node = declarationOf(callee, file)?.node;
  if (node === undefined) return undefined;
  if (ts.isFunctionDeclaration(node)) return node;
  const value = ts.isVariableDeclaration(node) && node.initializer !== undefined ? unwrap(node.initializer) : undefined;
  return value !== undefined && isFunctionNode(value) ? value : undefined;
}

/** Expressions that a function returns, nested functions left out. */
export function returned(fn: ts.FunctionLikeDeclaration): readonly ts.Expression[] {
  if (fn.body === undefined) return [];
  if (!ts.isBlock(fn.body)) return [fn.body];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunctionNode(node) || ts.isClassLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(fn.body, visit);
  return found;
}
