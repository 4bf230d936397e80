import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, eachNode, enclosingFunction, referencesOf } from '../../src/languages/typescript/index.js';
import { isFunctionNode, isWithin, statementOf } from '../_mcp/typescript/nodes.js';
import { calledMember, memberName, unwrap } from '../_mcp/typescript/nodes.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { type SessionStore, liveStores } from '../_mcp/typescript/stores.js';
import { asksSomebody, isInSessionCallback, isParsedBody, isSessionCallback } from './handler-syntax.js';
import { type Machinery, machineryOf } from './machinery.js';

/** What a handler does in front of the session machinery and must keep, and what it does in between. */
export interface HandlerShape {
  readonly fn: FunctionNode;
  /** Statements in front of all machinery that are no machinery. */
  readonly leading: readonly ts.Statement[];
  /** Effects behind the first statement of the machinery. */
  readonly stray: readonly ts.Node[];
  /** The `catch` around everything. */
  readonly caught: ts.CatchClause | undefined;
}

/** Reads the body of a handler: leading statements, machinery, an outer `try`. */
export function shapeOf(fn: FunctionNode, machinery: Machinery): HandlerShape {
  const body = fn.body;
  if (body === undefined || !ts.isBlock(body)) return { fn, leading: [], stray: body === undefined ? [] : machinery.effectsIn(body), caught: undefined };
  const leading: ts.Statement[] = [];
  const stray: ts.Node[] = [];
  let caught: ts.CatchClause | undefined;
  let started = false;
  const take = (statements: readonly ts.Statement[], outer: boolean): void => {
    for (const statement of statements) {
      if (outer && ts.isTryStatement(statement) && caught === undefined && statement.catchClause !== undefined && statement.finallyBlock === undefined) {
        caught = statement.catchClause;
        take(statement.tryBlock.statements, false);
        stray.push(...machinery.effectsIn(caught.block));
        started = true;
        continue;
      }
      const role = machinery.roleOf(statement);
      // In front of the machinery, even a log belongs to the request and not to the session.
      if (!started && role !== 'session') leading.push(statement);
      else {
        started = true;
        if (role === 'effect') stray.push(...machinery.effectsIn(statement));
      }
    }
  };
  take(body.statements, true);
  stray.push(...reshapedBodies(body));
  return { fn, leading, stray, caught };
}

/** Bodies that a handler makes itself on their way to the transport, e.g. `JSON.parse(req.body)`: the entry would be handed another value. */
function reshapedBodies(body: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && calledMember(node) === 'handleRequest') {
      const given = node.arguments[2];
      if (given !== undefined && memberName(unwrap(given)) !== 'body') found.push(given);
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/** Functions of a file that dispatch requests, outermost first: handlers and what they are split into. */
export function dispatchers(file: TypeScriptFile): readonly FunctionNode[] {
  const code = sessionCode(file);
  const found = new Set<FunctionNode>();
  for (const node of [...code.dispatches, ...code.connects]) {
    const fn = enclosingFunction(node);
    if (fn !== undefined && !isSessionCallback(fn)) found.add(fn);
  }
  return [...found];
}

/** Does a statement answer, reject or change the request, or ask somebody about it? Logs and counters do not. */
export function isGuard(statement: ts.Node): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isAwaitExpression(node)) found = true;
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) found = true;
    if (
      ts.isCallExpression(node) &&
      /^(?:status|sendStatus|json|send|end|redirect|next)$/.test(
        calledMember(node) ?? (ts.isIdentifier(unwrap(node.expression)) ? (unwrap(node.expression) as ts.Identifier).text : ''),
      )
    )
      found = true;
    if (ts.isCallExpression(node) && asksSomebody(node)) found = true;
    if (!isFunctionNode(node)) ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

/** Checks inside of the legacy handlers of a file, from its tree alone: a modern request would be served without them. */
export function guardsIn(file: TypeScriptFile, has: (path: string) => boolean): readonly ts.Node[] {
  const machinery = machineryOf(file, has);
  return dispatchers(file).flatMap((fn) => {
    const { leading, stray } = shapeOf(fn, machinery);
    const effects = leading.filter((statement) => machinery.roleOf(statement) === 'effect' && isGuard(statement));
    return [...effects, ...stray.filter((node) => !isParsedBody(node) && isGuard(statementOf(node) ?? node) && !isInSessionCallback(node, fn))];
  });
}

/** Other effects of the legacy handlers: counters, headers of the answer, listeners. */
export function passedIn(file: TypeScriptFile, has: (path: string) => boolean): readonly ts.Node[] {
  const machinery = machineryOf(file, has);
  const checks = new Set(guardsIn(file, has));
  return dispatchers(file).flatMap((fn) => {
    const { leading, stray } = shapeOf(fn, machinery);
    const effects = leading.filter((statement) => machinery.roleOf(statement) === 'effect');
    return [...effects, ...stray.filter((node) => !isParsedBody(node) && !isInSessionCallback(node, fn))].filter((node) => !checks.has(node));
  });
}

/** Effects that keep a handler of one file from being replaced. */
export function straysIn(file: TypeScriptFile, has: (path: string) => boolean): readonly ts.Node[] {
  const machinery = machineryOf(file, has);
  return dispatchers(file).flatMap((fn) => shapeOf(fn, machinery).stray);
}

/**
 * The outermost statement around a use of a store that only tidies up, so that it can go: a loop that closes all transports at
 * shutdown, a reaper of idle sessions. Code that serves requests, answers, or returns something is none.
 */
export function cleanupAround(use: ts.Node, machinery: Machinery): ts.Statement | undefined {
  let best: ts.Statement | undefined;
  for (let node: ts.Node | undefined = use; node !== undefined && !ts.isSourceFile(node); node = node.parent) {
    if (isFunctionNode(node) && best !== undefined && !isTimerCallback(node)) return best;
    if (!ts.isStatement(node) || ts.isBlock(node) || ts.isFunctionDeclaration(node)) continue;
    const timer = ts.isExpressionStatement(node) || ts.isVariableStatement(node) ? timerIn(node) : undefined;
    if (!tidies(timer ?? node, machinery) || (ts.isVariableStatement(node) && timer === undefined)) return best;
    best = node;
  }
  return best;
}

function tidies(node: ts.Node, machinery: Machinery): boolean {
  if (machinery.roleOf(node) === 'effect') return false;
  let clean = true;
  const visit = (inner: ts.Node): void => {
    if (ts.isReturnStatement(inner) && inner.expression !== undefined) clean = false;
    if (ts.isIdentifier(inner) && /^(?:res|response|reply|req|request|next)$/.test(inner.text)) clean = false;
    if (ts.isCallExpression(inner) && calledMember(inner) === 'handleRequest') clean = false;
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return clean;
}

const isTimerCallback = (fn: ts.Node): boolean =>
  ts.isCallExpression(fn.parent) && ts.isIdentifier(fn.parent.expression) && /^set(?:Interval|Timeout)$/.test(fn.parent.expression.text);

/** The callback of `setInterval(…)`, with or without `.unref()` or a variable. */
function timerIn(statement: ts.Statement): ts.Node | undefined {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node, depth: number): void => {
    if (depth > 6 || isFunctionNode(node)) return;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^set(?:Interval|Timeout)$/.test(node.expression.text)) {
      const callback = node.arguments[0];
      if (callback !== undefined && isFunctionNode(unwrap(callback))) found = unwrap(callback);
    }
    ts.forEachChild(node, (child) => {
      visit(child, depth + 1);
    });
  };
  visit(statement, 0);
  return found;
}

/** All places of a file that name a store: a variable by its references, a field by `this.field` in its class. */
export function usesOfStore(store: SessionStore, file: TypeScriptFile): readonly ts.Node[] {
  if (store.declaration !== undefined) return referencesOf(store.declaration, file);
  const { declared } = store;
  const owner = declared !== undefined && ts.isPropertyDeclaration(declared) ? declared.parent : undefined;
  const name = store.symbol.name.split('.').at(-1);
  if (owner === undefined) return store.accesses;
  const found: ts.Node[] = [];
  eachNode(owner, (node) => {
    if (ts.isPropertyAccessExpression(node) && node.name.text === name && node.expression.kind === ts.SyntaxKind.ThisKeyword) found.push(node);
  });
  return found;
}

/** Uses of a session store that are neither in a dispatcher nor mere clean-up: broadcasts, admin pages, counters. */
export function storeLeaks(file: TypeScriptFile, has: (path: string) => boolean): readonly ts.Node[] {
  const machinery = machineryOf(file, has);
  const inside = dispatchers(file);
  return liveStores(file, has).flatMap(({ declaration }) =>
    declaration === undefined
      ? []
      : referencesOf(declaration, file).filter(
          (use) => !inside.some((fn) => isWithin(use, fn)) && !isExportOf(use) && cleanupAround(use, machinery) === undefined,
        ),
  );
}

const isExportOf = (use: ts.Identifier): boolean => ts.isExportSpecifier(use.parent) || ts.isTypeQueryNode(use.parent) || ts.isImportSpecifier(use.parent);
