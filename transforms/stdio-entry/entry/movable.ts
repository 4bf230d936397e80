import { ts } from 'ts-morph';
import {
  type Declaration,
  type TypeScriptFile,
  declarationOf,
  eachNode,
  enclosingFunction,
  isAssignment,
  isNeverReassigned,
  isWrite,
  writesOf,
} from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, isWithin, memberName, receiverOf, statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { effectsIn } from '../../_mcp/typescript/effects.js';

/** Why code cannot run once for each connection, and where. */
export interface Obstacle {
  readonly why: string;
  readonly node: ts.Node;
}

/** Runs now: not inside of a function that is only handed over. */
export function isEager(node: ts.Node, root: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at !== undefined && at !== root; at = at.parent) if (isFunctionNode(at) || ts.isClassLike(at)) return at === root;
  return true;
}

const eachEager = (root: ts.Node, visit: (node: ts.Node) => void): void => {
  eachNode(root, (node) => {
    if (node !== root && (isFunctionNode(node) || ts.isClassLike(node))) return false;
    visit(node);
    return undefined;
  });
};

/** Methods of routers and applications: a registration on the server of something else. */
const ROUTES: ReadonlySet<string> = new Set(['use', 'get', 'post', 'put', 'delete', 'all', 'route', 'listen', 'register']);

/**
 * What keeps statements from becoming the body of a factory: they leave the list, change something outside, or read a variable that may have
 * another value by then.
 * @param own declarations that come along
 * @param fields setting a member is no obstacle: the object that owns the server is asked elsewhere
 */
export function obstacleIn(
  statements: readonly ts.Node[],
  own: (declaration: Declaration) => boolean,
  file: TypeScriptFile,
  fields = false,
): Obstacle | undefined {
  for (const statement of statements) {
    const leaving = leavingOf(statement);
    if (leaving !== undefined) return { why: 'a statement that ends the surrounding function takes part in building the server', node: leaving };
    const effect = effectsIn([statement], own, file).find((node) => !fields || !ts.isBinaryExpression(node));
    if (effect !== undefined) return { why: 'building the server also changes something outside of it, and it may be built twice', node: effect };
    const close = closeHook(statement, file);
    if (close !== undefined)
      return { why: 'the server has an `onclose` of its own, which would also run for a probe that is discarded while the process goes on', node: close };
    let late: Obstacle | undefined;
    eachEager(statement, (node) => {
      if (late !== undefined) return;
      if (ts.isCallExpression(node) && isRouteOn(node, own, file)) late = { why: 'building the server also registers it with something else', node };
      if (!ts.isIdentifier(node) || isWrite(node)) return;
      const declaration = declarationOf(node, file);
      if (declaration === undefined || own(declaration) || (declaration.kind !== 'let' && declaration.kind !== 'var')) return;
      if (!isNeverReassigned(declaration, file) && !isSettledBefore(node, declaration, file))
        late = { why: `building the server reads \`${declaration.name}\`, which changes while the process runs`, node };
    });
    if (late !== undefined) return late;
  }
  return undefined;
}

/** All writes of a variable happen in line in front of a place: whoever reads it there or later sees the same value. */
function isSettledBefore(read: ts.Node, declaration: Declaration, file: TypeScriptFile): boolean {
  const lists = new Set<ts.Node>();
  for (let at: ts.Node = read; at.parent !== undefined; at = at.parent) lists.add(at.parent);
  return writesOf(declaration, file).every((write) => {
    const statement = statementOf(write);
    const fn = enclosingFunction(write);
    return (
      statement !== undefined &&
      write.pos < read.pos &&
      (fn === undefined || (fn === enclosingFunction(read) && lists.has(statement.parent))) &&
      !isInLoop(write)
    );
  });
}

const isInLoop = (node: ts.Node): boolean => {
  for (let at: ts.Node | undefined = node.parent; at !== undefined && !isFunctionNode(at); at = at.parent) if (ts.isIterationStatement(at, false)) return true;
  return false;
};

/** `app.use(handlerOf(server))`: the server is handed to a router of somebody else. `tools.register(server)` is what modules of tools look like. */
function isRouteOn(call: ts.CallExpression, own: (declaration: Declaration) => boolean, file: TypeScriptFile): boolean {
  const method = calledMember(call);
  const receiver = receiverOf(call);
  if (method === undefined || receiver === undefined || !ROUTES.has(method)) return false;
  const declaration = declarationOf(receiver, file);
  if (declaration !== undefined && own(declaration)) return false;
  return call.arguments.length > 1 && ts.isStringLiteralLike(unwrap(call.arguments[0] as ts.Node));
}

function leavingOf(statement: ts.Node): ts.Node | undefined {
  let found: ts.Node | undefined;
  eachEager(statement, (node) => {
    if (ts.isReturnStatement(node) || ts.isYieldExpression(node)) found ??= node;
    if ((ts.isBreakStatement(node) || ts.isContinueStatement(node)) && !hasLoop(node, statement)) found ??= node;
  });
  return found;
}

function hasLoop(node: ts.Node, root: ts.Node): boolean {
  for (let at: ts.Node = node.parent; ; at = at.parent) {
    if (ts.isIterationStatement(at, false) || ts.isSwitchStatement(at)) return true;
    if (at === root || ts.isSourceFile(at)) return false;
  }
}

/** `server.onclose = …` that does more than log. */
function closeHook(statement: ts.Node, file: TypeScriptFile): ts.Node | undefined {
  let found: ts.Node | undefined;
  eachEager(statement, (node) => {
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken || memberName(unwrap(node.left)) !== 'onclose') return;
    const value = unwrap(node.right);
    if (isFunctionNode(value) && onlyLogs(value, file)) return;
    found ??= node;
  });
  return found;
}

function onlyLogs(fn: ts.FunctionLikeDeclaration, file: TypeScriptFile): boolean {
  let fine = fn.body !== undefined;
  if (fn.body !== undefined)
    eachNode(fn.body, (node) => {
      if (ts.isCallExpression(node) && !/^(?:this\.)?(?:console|logger|log)\b/.test(file.textOf(node.expression))) fine = false;
      if (ts.isNewExpression(node) || ts.isAwaitExpression(node) || (ts.isIdentifier(node) && isWrite(node)) || isMemberWrite(node)) fine = false;
    });
  return fine;
}

const isMemberWrite = (node: ts.Node): boolean => ts.isBinaryExpression(node) && isAssignment(node);

/** Is something awaited while the statements run? */
export function awaits(statements: readonly ts.Node[]): boolean {
  let found = false;
  for (const statement of statements)
    eachEager(statement, (node) => {
      if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined)) found = true;
    });
  return found;
}

/** The first place that hooks into the handshake, which modern clients skip. */
export function handshakeHook(nodes: readonly ts.Node[]): ts.Node | undefined {
  let found: ts.Node | undefined;
  for (const root of nodes)
    eachNode(root, (node) => {
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && memberName(unwrap(node.left)) === 'oninitialized')
        found ??= node;
    });
  return found;
}

/**
 * Can the two places never run in one run of the program? They stand in different arms of one `if`, `switch` or `?:`, or one stands in a branch
 * that leaves before the other is reached.
 */
export function excludes(one: ts.Node, other: ts.Node): boolean {
  for (let at: ts.Node | undefined = one; at?.parent !== undefined; at = at.parent) {
    const parent: ts.Node = at.parent;
    if (ts.isIfStatement(parent) && at !== parent.expression) {
      if (isWithin(other, parent.thenStatement) !== isWithin(one, parent.thenStatement) && isWithin(other, parent)) return !isWithin(other, parent.expression);
      if (!isWithin(other, parent) && isWithin(one, parent.thenStatement) && leaves(parent.thenStatement) && comesAfter(other, parent)) return true;
    }
    if (ts.isConditionalExpression(parent) && isWithin(other, parent) && at !== parent.condition && !isWithin(other, at))
      return !isWithin(other, parent.condition);
    if (ts.isCaseOrDefaultClause(parent) && isWithin(other, parent.parent) && !isWithin(other, parent)) return leaves(parent) || endsWithBreak(parent);
  }
  return false;
}

/** `other` stands behind `statement` in its list, so that it is reached only when the statement is passed. */
const comesAfter = (other: ts.Node, statement: ts.Node): boolean => other.pos >= statement.end && isWithin(other, statement.parent);

const endsWithBreak = (clause: ts.CaseOrDefaultClause): boolean => {
  const last = clause.statements.at(-1);
  const inner = last !== undefined && ts.isBlock(last) ? last.statements.at(-1) : last;
  return inner !== undefined && (ts.isBreakStatement(inner) || leaves(inner));
};

function leaves(node: ts.Node): boolean {
  const list = ts.isBlock(node) || ts.isCaseOrDefaultClause(node) ? node.statements : [node];
  const last = list.at(-1);
  if (last === undefined) return false;
  if (ts.isReturnStatement(last) || ts.isThrowStatement(last)) return true;
  return ts.isExpressionStatement(last) && last.getText().startsWith('process.exit(');
}
