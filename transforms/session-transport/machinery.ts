import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, declarationOf, eachNode, symbolOf } from '../../src/languages/typescript/index.js';
import { isSessionId } from '../_mcp/typescript/ids.js';
import { awaitedByYield, calledMember, isFunctionNode, isWithin, memberName, receiverOf, unwrap, unwrapAwait } from '../_mcp/typescript/nodes.js';
import { transportValue } from '../_mcp/typescript/sdk.js';
import { localFunction, serverSource } from '../_mcp/typescript/servers.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { liveStores } from '../_mcp/typescript/stores.js';
import { CHECKS, REPLIES, endsRequest, isBodyRead, isCollecting, isKeptHeader, isLogCall, isOuterVariable, rootNode, rootOf } from './handler-syntax.js';
import { isLocalServer } from './local-server.js';

/**
 * What a statement of a legacy handler is for. `session`: it only keeps the session going and goes with it.
 * `log`: it only tells a log. `effect`: it does something that the endpoint must keep, e.g. a check or a counter.
 */
export type Role = 'session' | 'log' | 'effect';

export interface Machinery {
  roleOf(node: ts.Node): Role;
  /** The places inside a node that are effects, for the refusal. */
  effectsIn(node: ts.Node): readonly ts.Node[];
}

const RANK: Readonly<Record<Role, number>> = { session: 0, log: 1, effect: 2 };
const worst = (roles: readonly Role[]): Role => roles.reduce<Role>((a, b) => (RANK[b] > RANK[a] ? b : a), 'session');

/** Names under which handlers of the frameworks know the answer. */
const REPLIERS = /^(?:res|response|reply|ctx|c)$/;
const ANSWER = /^(?:status|statusCode|body|type|respond)$/;
const CLOSERS: ReadonlySet<string> = new Set(['close', 'delete', 'clear', 'terminate', 'end', 'destroy']);

/**
 * Reads the statements of the functions of a file that serve sessions. `has` follows imports. `isQuiet` tells whether a function of
 * another file, called with the session id alone, only keeps sessions; without it, it is taken to.
 */
export function machineryOf(file: TypeScriptFile, has: (path: string) => boolean, isQuiet: (callee: ts.Node) => boolean = () => true): Machinery {
  const code = sessionCode(file);
  const stores = liveStores(file, has);
  const storeNodes = new Set<ts.Node>(stores.flatMap(({ accesses }) => accesses));
  const storeNames = new Set(stores.flatMap(({ declaration }) => (declaration === undefined ? [] : [declaration])));
  const sessionNodes = new Set<ts.Node>([
    ...code.headerReads.map(({ node }) => node),
    ...code.idAccesses.map(({ node }) => node),
    ...code.gates.map(({ node }) => node),
    ...code.dispatches,
    ...code.connects,
    ...code.transports.map(({ node }) => node),
  ]);
  const quietFunctions = new Map<FunctionNode, boolean>();
  const found: ts.Node[] = [];
  let collecting = false;

  const effect = (node: ts.Node): Role => {
    if (collecting) found.push(node);
    return 'effect';
  };

  /** A transport, a server, an entry of a store, or a variable that holds one. */
  const isLive = (node: ts.Node): boolean => {
    const value = unwrapAwait(node);
    if (sessionNodes.has(value) || storeNodes.has(value) || transportValue(value, file) !== undefined) return true;
    if (ts.isConditionalExpression(value)) return isLive(value.whenTrue) || isLive(value.whenFalse);
    if (ts.isCallExpression(value)) return isFactoryCall(value) || isOpener(value) || isKeyed(value);
    if (ts.isPropertyAccessExpression(value)) return isLive(value.expression);
    if (!ts.isIdentifier(value)) return false;
    const node_ = declarationOf(value, file)?.node;
    if (node_ === undefined) return false;
    if (code.connects.some((call) => unwrapAwait(receiverOf(call) ?? call) !== call && receiverOf(call)?.getText(file.tree) === value.text)) return true;
    const holder = ts.isBindingElement(node_) ? node_.parent.parent : node_;
    return ts.isVariableDeclaration(holder) && holder.initializer !== undefined && isLive(holder.initializer);
  };

  /** `findTransport(sessionId)`, `sessions.keep(id, transport)` of another file: no request without a session has anything to give to it. */
  const isKeyed = (call: ts.CallExpression): boolean => {
    const callee = unwrap(call.expression);
    if (CHECKS.test(callee.getText(file.tree)) || !call.arguments.some((argument) => isSessionId(unwrap(argument), file))) return false;
    return (
      isOfOtherFile(callee) && call.arguments.every((argument) => isSessionId(unwrap(argument), file) || transportValue(unwrap(argument), file) !== undefined)
    );
  };
  const isOfOtherFile = (callee: ts.Node): boolean => {
    const ref = symbolOf(callee, file, has);
    return ref !== undefined && ref.file !== file.path;
  };

  /** The call, or the object, that builds the server which `connect` takes. */
  const isFactoryCall = (call: ts.CallExpression | ts.NewExpression): boolean =>
    code.connects.some((connect) => {
      const receiver = receiverOf(connect);
      return receiver !== undefined && serverSource(receiver, file, has).made === call;
    });

  /** A function of this file without an effect. */
  const isQuietFunction = (fn: FunctionNode): boolean => {
    const known = quietFunctions.get(fn);
    if (known !== undefined) return known;
    quietFunctions.set(fn, false);
    const result = fn.body !== undefined && quietly(() => RANK[roleOf(fn.body as ts.Node)] < RANK.effect);
    quietFunctions.set(fn, result);
    return result;
  };

  /** `sendError(res, 404, text)`, `noSession()`: a function of this file that does nothing but answer. What may turn a caller away is none. */
  const isAnswerer = (callee: ts.Node): boolean => {
    const fn = ts.isIdentifier(callee) && !CHECKS.test(callee.text) ? localFunction(callee, file) : undefined;
    return fn !== undefined && isQuietFunction(fn);
  };

  /** A call of a function that opens sessions: a local one made of nothing else, or an imported one that yields a transport. */
  const isOpener = (call: ts.CallExpression): boolean => {
    const callee = unwrap(call.expression);
    if (!ts.isIdentifier(callee)) return false;
    const fn = localFunction(callee, file);
    if (fn !== undefined)
      return [...code.transports.map(({ node }) => node), ...code.connects, ...code.dispatches].some((node) => isWithin(node, fn)) && isQuietFunction(fn);
    return declarationOf(callee, file)?.kind === 'import' && /(?:open|create|start|new|get|make|build|init)\w*(?:session|transport)/i.test(callee.text);
  };

  const quietly = <T>(run: () => T): T => {
    const before = collecting;
    collecting = false;
    const result = run();
    collecting = before;
    return result;
  };

  const all = (nodes: readonly ts.Node[]): Role => worst(nodes.map(roleOf));

  const reads = new Set<ts.Node>(code.headerReads.map(({ node }) => node));
  const ofCall = (call: ts.CallExpression): Role => {
    if (reads.has(call)) return 'session';
    if (sessionNodes.has(call) || storeNodes.has(call) || isFactoryCall(call) || isOpener(call))
      return worst(call.arguments.filter((argument) => isFunctionNode(unwrap(argument)) || ts.isCallExpression(unwrap(argument))).map(roleOf));
    if (isKeyed(call) && isQuiet(unwrap(call.expression))) return 'session';
    const method = calledMember(call);
    const receiver = receiverOf(call);
    const root = rootOf(call);
    const callee = unwrap(call.expression);
    if (isLogCall(call)) return worst(['log', ...call.arguments.filter((argument) => ts.isAwaitExpression(argument)).map(roleOf)]);
    if (ts.isIdentifier(callee) && (callee.text === 'String' || callee.text === 'Boolean')) return all(call.arguments);
    // Registrations on the server that the handler builds: they move with its construction.
    if ((receiver !== undefined && isLocalServer(rootNode(receiver), file)) || call.arguments.some((argument) => isLocalServer(unwrap(argument), file)))
      return 'session';
    if (isBodyRead(call, file)) return 'session';
    if (method === undefined && isAnswerer(callee)) return all(call.arguments);
    if (method === undefined || receiver === undefined) return effect(call);
    if (root !== undefined && REPLIERS.test(root) && REPLIES.has(method)) return isKeptHeader(call, method, file) ? effect(call) : all(call.arguments);
    if (root === 'Response' && (method === 'json' || method === 'error')) return all(call.arguments);
    if (root !== undefined && /^_?(?:req|res|request|response)$/.test(root) && (method === 'on' || method === 'once')) return all(call.arguments.slice(1));
    if (CLOSERS.has(method) && isLive(receiver)) return 'session';
    if ((method === 'catch' || method === 'then' || method === 'finally') && roleOf(receiver) !== 'effect') return all(call.arguments);
    // Into an object that exists already: somebody else may read it there.
    if (root === 'Object' && method === 'assign' && call.arguments[0] !== undefined && !ts.isObjectLiteralExpression(unwrap(call.arguments[0])))
      return effect(call);
    if (root === 'JSON' || root === 'Buffer' || root === 'Object' || root === 'Promise' || root === 'Array') return all(call.arguments);
    if (isSessionId(call, file)) return 'session';
    if ((method === 'toString' || method === 'trim' || method === 'keys' || method === 'values' || method === 'entries') && roleOf(receiver) === 'session')
      return 'session';
    return effect(call);
  };

  function roleOf(node: ts.Node): Role {
    const value = unwrap(node);
    if (sessionNodes.has(value) || storeNodes.has(value))
      return ts.isCallExpression(value) ? ofCall(value) : ts.isNewExpression(value) ? ofTransport(value) : 'session';
    if (ts.isCallExpression(value)) return ofCall(value);
    const yielded = awaitedByYield(value);
    if (yielded !== undefined) return roleOf(yielded);
    if (ts.isAwaitExpression(value) || ts.isVoidExpression(value) || ts.isTypeOfExpression(value) || ts.isDeleteExpression(value))
      return roleOf(value.expression);
    if (ts.isPrefixUnaryExpression(value))
      return value.operator === ts.SyntaxKind.ExclamationToken || value.operator === ts.SyntaxKind.MinusToken ? roleOf(value.operand) : effect(value);
    if (ts.isBinaryExpression(value)) return ofBinary(value);
    if (ts.isConditionalExpression(value)) return all([value.condition, value.whenTrue, value.whenFalse]);
    if (ts.isNewExpression(value))
      return isLive(value)
        ? ofTransport(value)
        : /^(?:Error|TypeError|URL|Date|Response|Headers)$/.test(value.expression.getText(file.tree)) ||
            serverSource(value, file, has).origin === 'fresh' ||
            isFactoryCall(value)
          ? 'session'
          : effect(value);
    if (isFunctionNode(value)) return value.body === undefined ? 'session' : roleOf(value.body);
    if (ts.isObjectLiteralExpression(value))
      return all(value.properties.map((property) => (ts.isPropertyAssignment(property) ? property.initializer : property)));
    if (ts.isArrayLiteralExpression(value)) return all(value.elements);
    if (ts.isTemplateExpression(value)) return all(value.templateSpans.map(({ expression }) => expression));
    if (ts.isPropertyAccessExpression(value) || ts.isElementAccessExpression(value)) return roleOf(value.expression);
    return ofStatement(value);
  }

  const ofTransport = (node: ts.NewExpression): Role =>
    worst(
      (node.arguments ?? []).flatMap((argument) => {
        const options = unwrap(argument);
        if (!ts.isObjectLiteralExpression(options)) return [];
        return options.properties.flatMap((property) => {
          const value = ts.isPropertyAssignment(property) ? unwrap(property.initializer) : ts.isMethodDeclaration(property) ? property : undefined;
          const name = property.name === undefined ? '' : property.name.getText(file.tree);
          return value !== undefined && isFunctionNode(value) && name.startsWith('on') ? [roleOf(value)] : [];
        });
      }),
    );

  const ofBinary = (node: ts.BinaryExpression): Role => {
    const operator = node.operatorToken.kind;
    if (operator < ts.SyntaxKind.FirstAssignment || operator > ts.SyntaxKind.LastAssignment) return all([node.left, node.right]);
    const left = unwrap(node.left);
    const right = roleOf(node.right);
    if (storeNodes.has(left) || isSessionTarget(left) || isAnswerTarget(left)) return right;
    return effect(node);
  };

  /** `transport = …`, `transport.onclose = …`, `server.server.oninitialized = …` and slots. */
  const isSessionTarget = (left: ts.Node): boolean => {
    if (ts.isIdentifier(left)) {
      const declaration = declarationOf(left, file);
      if (declaration === undefined) return false;
      if (storeNames.has(declaration)) return true;
      return ts.isVariableDeclaration(declaration.node) && !isOuterVariable(declaration.node, left);
    }
    return (
      (ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left)) &&
      isLive(left.expression) &&
      /^on(?:close|error)$/.test(memberName(left) ?? '')
    );
  };

  /** `ctx.status = 404`, `ctx.respond = false`, `res.statusCode = 400`. */
  const isAnswerTarget = (left: ts.Node): boolean =>
    ts.isPropertyAccessExpression(left) && /^(?:res|response|reply|ctx)$/.test(rootNode(left).getText(file.tree)) && ANSWER.test(left.name.text);

  const mentionsSession = (condition: ts.Node): boolean => {
    let found = false;
    eachNode(condition, (inner) => {
      const value = unwrap(inner);
      if (sessionNodes.has(value) || storeNodes.has(value)) found = true;
      if (ts.isIdentifier(value) && (isSessionId(value, file) || isLive(value) || /^(?:headersSent|writableEnded|method)$/.test(value.text))) found = true;
    });
    return found;
  };

  const ofStatement = (node: ts.Node): Role => {
    if (ts.isVariableStatement(node)) return all(node.declarationList.declarations);
    if (ts.isVariableDeclaration(node)) return node.initializer === undefined ? 'session' : roleOf(node.initializer);
    if (ts.isVariableDeclarationList(node)) return all(node.declarations);
    if (ts.isExpressionStatement(node)) return roleOf(node.expression);
    if (ts.isReturnStatement(node) || ts.isThrowStatement(node)) return node.expression === undefined ? 'session' : roleOf(node.expression);
    if (ts.isBlock(node)) return all(node.statements);
    // A reply or an exit that depends on something else than the session is a check of the request.
    if (ts.isIfStatement(node) && endsRequest(node.thenStatement) && !mentionsSession(node.expression)) return effect(node);
    if (ts.isIfStatement(node)) return all([node.expression, node.thenStatement, ...(node.elseStatement === undefined ? [] : [node.elseStatement])]);
    if (ts.isTryStatement(node))
      return all([
        node.tryBlock,
        ...(node.catchClause === undefined ? [] : [node.catchClause.block]),
        ...(node.finallyBlock === undefined ? [] : [node.finallyBlock]),
      ]);
    if (
      ts.isForOfStatement(node) &&
      node.awaitModifier !== undefined &&
      /^_?(?:req|request)$/.test(node.expression.getText(file.tree)) &&
      isCollecting(node.statement)
    )
      return 'session';
    if (ts.isForOfStatement(node) || ts.isForInStatement(node)) return all([node.expression, node.statement]);
    if (ts.isSwitchStatement(node)) return all([node.expression, ...node.caseBlock.clauses.flatMap((clause) => [...clause.statements])]);
    if (ts.isFunctionDeclaration(node)) return node.body === undefined ? 'session' : roleOf(node.body);
    if (
      ts.isPostfixUnaryExpression(node) ||
      ts.isYieldExpression(node) ||
      ts.isForStatement(node) ||
      ts.isWhileStatement(node) ||
      ts.isTaggedTemplateExpression(node)
    )
      return effect(node);
    return 'session';
  };

  return {
    roleOf: (node) => quietly(() => roleOf(node)),
    effectsIn(node) {
      found.length = 0;
      collecting = true;
      roleOf(node);
      collecting = false;
      return [...found];
    },
  };
}
