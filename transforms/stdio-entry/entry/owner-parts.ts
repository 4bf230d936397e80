import { ts } from 'ts-morph';
import { type TypeScriptFile, eachNode, enclosingClass, isFunctionNode } from '../../../src/languages/typescript/index.js';
import { effectsIn } from '../../_mcp/typescript/effects.js';
import { isWithin, unwrap, unwrapAwait } from '../../_mcp/typescript/nodes.js';
import { type FieldUse, type OwnerClass, bodyOf, callAround, memberCall } from './fields.js';
import { type Obstacle, isEager } from './movable.js';

/** What of a class has to move into the method that builds its server. */
export interface Parts {
  /** Statements in the order in which they run today. */
  readonly moved: ReadonlySet<ts.Statement>;
  readonly closings: readonly ts.CallExpression[];
  /** Methods that run while the server is built. */
  readonly eager: ReadonlySet<ts.ClassElement>;
}

/** Sorts the uses of the server field: construction, registrations in line, helpers of handlers, closing. */
export function partsOf(owner: OwnerClass, field: string, uses: readonly FieldUse[], connect: ts.CallExpression, method: ts.ClassElement): Parts | Obstacle {
  const constructor = owner.node.members.find(ts.isConstructorDeclaration);
  const homes = [constructor, method].filter((member): member is ts.ConstructorDeclaration => member !== undefined);
  const closings: ts.CallExpression[] = [];
  const bound = new Set<string>();
  const moved = new Set<ts.Statement>();
  const queue: FieldUse[] = [];
  for (const use of uses) {
    const close = memberCall(use.node, 'close');
    const other = memberCall(use.node, 'connect');
    if (other === connect) continue;
    if (other !== undefined) return { why: 'the same server is connected to another transport too', node: other };
    if (close !== undefined) closings.push(close);
    else if (!ts.isPropertyDeclaration(use.member) || bodyOf(use.member) !== undefined) queue.push(use);
    else return { why: `\`this.${field}\` is used while the object is made`, node: use.node };
  }
  for (let use = queue.pop(); use !== undefined; use = queue.pop()) {
    const { node, member } = use;
    if (!homes.includes(member as ts.ConstructorDeclaration)) {
      const name = [...owner.methods].find(([, own]) => own === member)?.[0];
      if (name === undefined) return { why: 'the server is used where the class cannot be followed', node };
      if (bound.has(name)) continue;
      bound.add(name);
      const calls = owner.usesOf(name);
      if (calls.length === 0) return { why: `\`${name}\` hands the server to code outside of the class, or uses it before a client is there`, node };
      queue.push(...calls);
      continue;
    }
    const body = bodyOf(member);
    const statement = body?.statements.find((candidate) => isWithin(node, candidate));
    if (body === undefined || statement === undefined) return { why: 'the server is used in a parameter', node };
    if (member === method && isWithin(connect, statement)) {
      const inner = innerStatement(node, connect);
      if (inner === undefined || inner.pos > connect.pos) return { why: 'the server is used after it is connected', node };
      if (!isEager(node, inner)) continue;
      moved.add(inner);
      continue;
    }
    if (member === method && statement.pos > connect.pos) return { why: 'the server is used after it is connected', node };
    if (!isEager(node, statement)) {
      if (!moved.has(statement)) queue.unshift(...(later(node, statement, moved, queue) ? [use] : []));
      if (!moved.has(statement) && !queue.includes(use)) return { why: 'the server is used in a callback of something else', node };
      continue;
    }
    moved.add(statement);
  }
  return { moved, closings, eager: eagerMethods(owner, moved) };
}

/** A use inside of a callback is looked at again when the other uses are placed: its statement may move for another reason. */
const deferred = new WeakSet<ts.Node>();
function later(node: ts.Node, statement: ts.Statement, moved: ReadonlySet<ts.Statement>, queue: readonly FieldUse[]): boolean {
  if (moved.has(statement) || deferred.has(node) || queue.length === 0) return false;
  deferred.add(node);
  return true;
}

/** The statement beside the connection, in the innermost list that holds both. */
function innerStatement(node: ts.Node, connect: ts.Node): ts.Statement | undefined {
  for (let at: ts.Node = connect; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (!ts.isBlock(parent) && !ts.isCaseOrDefaultClause(parent)) continue;
    const own = parent.statements.find((statement) => isWithin(node, statement));
    if (own !== undefined) return isWithin(connect, own) ? undefined : own;
    if (isFunctionNode(parent.parent)) return undefined;
  }
  return undefined;
}

/** Methods that statements call now, and the methods that these call. */
function eagerMethods(owner: OwnerClass, statements: Iterable<ts.Node>): ReadonlySet<ts.ClassElement> {
  const found = new Set<ts.ClassElement>();
  const queue = [...statements];
  for (let root = queue.pop(); root !== undefined; root = queue.pop()) {
    eachNode(root, (node) => {
      if (node !== root && (isFunctionNode(node) || ts.isClassLike(node))) return false;
      if (!ts.isPropertyAccessExpression(node) || unwrap(node.expression).kind !== ts.SyntaxKind.ThisKeyword || callAround(node) === undefined)
        return undefined;
      const member = owner.methods.get(node.name.text);
      const body = bodyOf(member);
      if (member === undefined || body === undefined || found.has(member)) return undefined;
      found.add(member);
      queue.push(body);
      return undefined;
    });
  }
  return found;
}

/** What a method that builds must not do, because it may run twice: listeners, timers, growing lists, counters. Setting a field again is harmless. */
export function obstacle(roots: readonly ts.Node[], owner: OwnerClass, file: TypeScriptFile): Obstacle | undefined {
  const mine = (node: ts.Node): boolean => {
    if (!ts.isBinaryExpression(node)) return false;
    let target: ts.Node = unwrap(node.left);
    while (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target)) target = unwrap(target.expression);
    return target.kind === ts.SyntaxKind.ThisKeyword && enclosingClass(node) === owner.node;
  };
  const own = (declaration: { readonly node: ts.Node }): boolean => roots.some((root) => isWithin(declaration.node, root));
  const effect = effectsIn(roots, own, file).find((node) => !mine(node));
  if (effect !== undefined) return { why: 'building the server also changes something outside of it, and it may be built twice', node: effect };
  for (const root of roots) {
    let found: ts.Node | undefined;
    eachNode(root, (node) => {
      if (node !== root && isFunctionNode(node)) return false;
      if (
        (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) &&
        ts.isPropertyAccessExpression(node.operand) &&
        /^(?:\+\+|--)|(?:\+\+|--)$/.test(file.textOf(node))
      )
        found ??= node;
      if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind > ts.SyntaxKind.FirstAssignment &&
        node.operatorToken.kind <= ts.SyntaxKind.LastAssignment &&
        mine(node)
      )
        found ??= node;
      return undefined;
    });
    if (found !== undefined) return { why: 'building the server counts something, and it may be built twice', node: found };
  }
  return undefined;
}

/**
 * `setupErrorHandling() { this.server.onerror = …; process.on('SIGINT', …) }`: a method that registers on the server and listens to the process is
 * split: its registrations move, the rest is called as before.
 */
export function splitMethods(
  owner: OwnerClass,
  parts: Parts,
  file: TypeScriptFile,
): { readonly moved: ReadonlySet<ts.Statement>; readonly kept: ReadonlySet<ts.ClassElement> } | Obstacle {
  const moved = new Set<ts.Statement>();
  const kept = new Set<ts.ClassElement>();
  for (const statement of parts.moved) {
    const call = ts.isExpressionStatement(statement) ? unwrapAwait(statement.expression) : undefined;
    const callee = call !== undefined && ts.isCallExpression(call) ? unwrap(call.expression) : undefined;
    const name =
      callee !== undefined && ts.isPropertyAccessExpression(callee) && callee.expression.kind === ts.SyntaxKind.ThisKeyword ? callee.name.text : undefined;
    const member = name === undefined ? undefined : owner.methods.get(name);
    const body = bodyOf(member);
    if (member === undefined || body === undefined || obstacle([body], owner, file) === undefined) {
      moved.add(statement);
      continue;
    }
    const listening = body.statements.filter((inner) => obstacle([inner], owner, file) !== undefined);
    if (listening.some((inner) => !/^process\.(?:on|once)\(/.test(file.textOf(inner)))) {
      const found = obstacle([body], owner, file);
      return found ?? { why: 'building the server changes something outside of it', node: body };
    }
    kept.add(member);
    for (const inner of body.statements) if (!listening.includes(inner)) moved.add(inner);
  }
  return { moved, kept };
}
