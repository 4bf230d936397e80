import { ts } from 'ts-morph';
import { type TypeScriptFile, constantOf, declarationOf, eachNode } from '../../../src/languages/typescript/index.js';
import { LANE_MARK, SHIM, SHIM_FILE } from '../vocabulary.js';
import { dialectOf } from './dialect.js';
import { namesMethod } from './method-names.js';
import { type HeaderRead, callRead, destructuredRead, elementRead } from './headers.js';
import { ancestor, calledMember, isFunctionNode, memberName, receiverOf, unwrap, unwrapAwait } from './nodes.js';
import { type Options, readOptions } from './options.js';
import { type TransportKind, isHttpTransport, isSdkCall, serverClass, transportKind, transportValue } from './sdk.js';

/** `new StreamableHTTPServerTransport({ … })` with its options. */
export interface TransportUse {
  readonly node: ts.NewExpression;
  readonly kind: TransportKind;
  readonly className: string;
  readonly options: Options;
}

/** Everything of one file that has to do with sessions, found in one pass and kept with the file. */
export interface SessionCode {
  readonly transports: readonly TransportUse[];
  readonly servers: readonly { readonly node: ts.NewExpression; readonly className: string }[];
  readonly headerReads: readonly HeaderRead[];
  /** `transport.sessionId`, `extra.sessionId`. */
  readonly idAccesses: readonly { readonly node: ts.Node; readonly of: 'transport' | 'context' | 'query' }[];
  /** `isInitializeRequest(body)`, `body.method === 'initialize'`, `case 'initialize':`. */
  readonly gates: readonly { readonly node: ts.Node; readonly sdk: boolean }[];
  /** `transport.handleRequest(…)`, `transport.handlePostMessage(…)`. */
  readonly dispatches: readonly ts.CallExpression[];
  readonly connects: readonly ts.CallExpression[];
  /** Is there any MCP code in the file beside header names? */
  readonly sdk: boolean;
}

export const SESSION_CALLBACKS = ['onsessioninitialized', 'onsessionclosed'] as const;

const cache = new WeakMap<TypeScriptFile, SessionCode>();

/** Reads the session code of a file; the result is kept as long as the file lives. */
export function sessionCode(file: TypeScriptFile): SessionCode {
  let known = cache.get(file);
  if (known === undefined) {
    known = isShimFile(file) ? NOTHING : dialectOf(file).implementation ? { ...NOTHING, sdk: false } : collect(file);
    cache.set(file, known);
  }
  return known;
}

const NOTHING: SessionCode = { transports: [], servers: [], headerReads: [], idAccesses: [], gates: [], dispatches: [], connects: [], sdk: true };

/** The shim that this tool wrote: it reads legacy headers to keep the eras apart, and is no session code of the project. */
export const isShimFile = (file: TypeScriptFile): boolean => SHIM_FILE.test(file.path) && LANE_MARK.test(file.text) && file.text.includes(SHIM.exported);

function collect(file: TypeScriptFile): SessionCode {
  const transports: TransportUse[] = [];
  const servers: { node: ts.NewExpression; className: string }[] = [];
  const headerReads: HeaderRead[] = [];
  const idAccesses: { node: ts.Node; of: 'transport' | 'context' | 'query' }[] = [];
  const gates: { node: ts.Node; sdk: boolean }[] = [];
  const dispatches: ts.CallExpression[] = [];
  const connects: ts.CallExpression[] = [];
  const { sdk: named, borrowed, wire } = dialectOf(file);
  const sdk = named || borrowed;
  const mcp = sdk || wire;
  const asks = isOnlyClient(file.text);

  const onCall = (call: ts.CallExpression): void => {
    const read = callRead(call, file);
    if (read !== undefined) headerReads.push(read);
    if (isSdkCall(call, file, 'isInitializeRequest') && !isOnlyLogged(call)) gates.push({ node: call, sdk: true });
    const method = calledMember(call);
    const receiver = receiverOf(call);
    if (receiver === undefined) return;
    if (method === 'handleRequest' || method === 'handlePostMessage') {
      const kind = transportValue(receiver, file);
      // Transports that come out of a map or a helper carry no type; the SDK's method takes a request first.
      if (isHttpTransport(kind) || (kind === undefined && mcp && call.arguments.length >= 1 && isPlausibleDispatch(call, file))) dispatches.push(call);
    }
    if (method === 'connect' && call.arguments.length === 1 && isConnect(call, receiver, file)) connects.push(call);
  };

  eachNode(file.tree, (node) => {
    if (ts.isNewExpression(node)) {
      const transport = transportKind(node.expression, file);
      if (transport !== undefined)
        transports.push({ node, kind: transport.kind, className: transport.name, options: readOptions(optionsArgument(node, transport.kind), file) });
      const server = serverClass(node.expression, file);
      if (server !== undefined) servers.push({ node, className: server });
    } else if (ts.isElementAccessExpression(node)) {
      const read = elementRead(node, file);
      if (read !== undefined) headerReads.push(read);
    } else if (ts.isBindingElement(node)) {
      const read = destructuredRead(node, file);
      if (read !== undefined) headerReads.push(read);
    } else if (ts.isCallExpression(node)) {
      onCall(node);
    } else if (ts.isPropertyAccessExpression(node) && node.name.text === 'sessionId') {
      const of = idOwner(node, file, sdk);
      if (of !== undefined) idAccesses.push({ node, of });
    } else if (!asks && ts.isBinaryExpression(node) && isMethodTest(node, file, mcp)) {
      gates.push({ node, sdk: false });
    } else if (mcp && !asks && ts.isCaseClause(node) && constantOf(node.expression, file) === 'initialize' && switchesOnMethod(node, file)) {
      gates.push({ node, sdk: false });
    }
  });
  return { transports, servers, headerReads, idAccesses, gates, dispatches, connects, sdk };
}

/** The file uses the client of the SDK, and nothing in it serves: it tells apart what it is asked to call. */
const isOnlyClient = (text: string): boolean =>
  /@modelcontextprotocol\/(?:sdk\/)?client\b/.test(text) &&
  !/@modelcontextprotocol\/(?:sdk\/)?(?:server|node|express|hono|fastify)\b|\b(?:createServer|listen|express|fastify|Hono|Elysia|serve|stdin|onmessage|Response|handleRequest)\b/.test(
    text,
  );

/** `if (isInitializeRequest(body)) { console.log(…) }`: nothing depends on the answer. */
function isOnlyLogged(gate: ts.Node): boolean {
  const branch = ancestor(gate, ts.isIfStatement);
  if (branch === undefined || branch.elseStatement !== undefined || gate.pos < branch.expression.pos || gate.end > branch.expression.end) return false;
  const statements = ts.isBlock(branch.thenStatement) ? branch.thenStatement.statements : [branch.thenStatement];
  return statements.every(
    (statement) =>
      ts.isVariableStatement(statement) ||
      (ts.isExpressionStatement(statement) && /^(?:void\s|await\s)?(?:this\.)?(?:console|logger|log)\b/.test(statement.getText())),
  );
}

/** The option object of a transport; `SSEServerTransport` takes its own as third argument. */
const optionsArgument = (node: ts.NewExpression, kind: TransportKind): ts.Node | undefined => node.arguments?.[kind === 'sse' ? 2 : 0];

const REQUEST = /^(?:req|request|_req|ctx\.req|c\.req|incoming|raw)\b|\.(?:req|raw|request)\b/i;

const isPlausibleDispatch = (call: ts.CallExpression, file: TypeScriptFile): boolean => {
  const first = call.arguments[0];
  const receiver = receiverOf(call);
  if (first === undefined || receiver === undefined) return false;
  return REQUEST.test(first.getText(file.tree)) && !(ts.isIdentifier(receiver) && /^(?:app|router|next|handler|vite)$/.test(receiver.text));
};

/** `server.connect(transport)`: one of the two must be known to be of the SDK. */
function isConnect(call: ts.CallExpression, receiver: ts.Node, file: TypeScriptFile): boolean {
  const argument = call.arguments[0];
  if (argument === undefined || isClientName(receiver.getText(file.tree))) return false;
  if (transportValue(argument, file) !== undefined) return true;
  const value = unwrapAwait(receiver);
  if (ts.isNewExpression(value)) return serverClass(value.expression, file) !== undefined;
  if (!ts.isIdentifier(value)) return false;
  const declaration = declarationOf(value, file)?.node;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return false;
  const made = unwrapAwait(declaration.initializer);
  return ts.isNewExpression(made) && serverClass(made.expression, file) !== undefined;
}

/** `clientRef.current`, `this.client`: what it connects is the other side. */
const isClientName = (text: string): boolean => /client/i.test(text) && !/server/i.test(text);

const CONTEXT = /^(?:extra|ctx|context|_extra|requestContext)$/;

/** What `x.sessionId` is the id of; `undefined` when it is a product's own session. */
function idOwner(node: ts.PropertyAccessExpression, file: TypeScriptFile, sdk: boolean): 'transport' | 'context' | 'query' | undefined {
  const owner = unwrap(node.expression);
  if (transportValue(owner, file) !== undefined) return 'transport';
  if (!sdk) return undefined;
  if (ts.isIdentifier(owner) && CONTEXT.test(owner.text)) {
    const declared = declarationOf(owner, file);
    return declared?.kind === 'parameter' ? 'context' : undefined;
  }
  if (memberName(owner) === 'query') return 'query';
  const name = ts.isIdentifier(owner) ? owner.text : memberName(owner);
  return name !== undefined && /transport$/i.test(name) ? 'transport' : undefined;
}

const EQUALITY: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** `message.method === 'initialize'`, in either order. */
function isMethodTest(node: ts.BinaryExpression, file: TypeScriptFile, mcp: boolean): boolean {
  if (!EQUALITY.has(node.operatorToken.kind)) return false;
  const sides = [unwrap(node.left), unwrap(node.right)] as const;
  const literal = sides.findIndex((side) => constantOf(side, file) === 'initialize');
  if (literal < 0) return false;
  const other = sides[1 - literal];
  // Editors and debuggers have an `initialize` too, but not in the body of an HTTP request.
  return other !== undefined && namesMethod(other, file, METHOD) && (mcp || /\bbody\b/.test(other.getText(file.tree)));
}

const METHOD = /^(?:\w*method|m)$/i;

function switchesOnMethod(clause: ts.CaseClause, file: TypeScriptFile): boolean {
  return namesMethod(clause.parent.parent.expression, file, METHOD);
}

/** The parameter that receives the session id in a callback option, e.g. `id` of `onsessioninitialized: id => …`. */
export function callbackParameters(options: Options): readonly ts.ParameterDeclaration[] {
  return SESSION_CALLBACKS.flatMap((name) => {
    const value = options.values.get(name);
    const fn = value === undefined ? undefined : unwrap(value);
    const first = fn !== undefined && isFunctionNode(fn) ? fn.parameters[0] : undefined;
    return first === undefined ? [] : [first];
  });
}
