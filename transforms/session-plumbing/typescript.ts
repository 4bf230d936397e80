import { ts } from 'ts-morph';
import type { Detector, FindingDetails } from '../../src/core/index.js';
import { declarationOf, instanceOrigin, isWrite, referencesOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { assertionAround } from '../_mcp/typescript/assertions.js';
import { dialectOf, speaksMcp } from '../_mcp/typescript/dialect.js';
import { isSessionId } from '../_mcp/typescript/ids.js';
import { ancestor, calledMember, isFunctionNode, memberName, nameText, receiverOf, unwrap, wrapped } from '../_mcp/typescript/nodes.js';
import { isRegistration } from '../_mcp/typescript/registrations.js';
import { isNothing } from '../_mcp/typescript/options.js';
import { isServedBy } from '../_mcp/typescript/served.js';
import { isShimFile, sessionCode } from '../_mcp/typescript/sessions.js';
import { sessionStores } from '../_mcp/typescript/stores.js';
import { isOnlyTold } from '../_mcp/typescript/telemetry.js';
import { demanded } from './demanded.js';
import { methodBranch, nextExports, routeOf, tableRoute, verbCase } from './routes.js';
import { errorCode, errorText } from './texts.js';

export type Kind =
  | 'generator-option'
  | 'lifecycle-option'
  | 'transport-id'
  | 'handler-session-id'
  | 'keyed-access'
  | 'session-error-text'
  | 'session-error-code'
  | 'refusal-asserted'
  | 'stream-route'
  | 'method-branch'
  | 'transport-variable'
  | 'initialize-test';

const CALLBACKS = /^onsession(?:initialized|closed)$/i;

/** Reports what is about sessions in a file that speaks MCP, unless the transport that it belongs to is followed by another concern. */
export const typescript: Detector<'typescript', Kind> = (file, report, around) => {
  if (isShimFile(file) || !speaksMcp(file)) return {};
  const code = sessionCode(file);
  const known = new Set<ts.Node>([
    ...code.idAccesses.filter(({ of }) => of === 'transport').map(({ node }) => node),
    ...code.headerReads.map(({ node }) => node),
  ]);
  const options = new Set<ts.Node>(
    code.transports.flatMap(({ kind, options: given }) => (kind === 'streamable-http' || kind === 'streamable-web' ? [...given.properties.values()] : [])),
  );
  const gates = new Set<ts.Node>(code.gates.map(({ node }) => node));
  const say = (kind: Kind, node: ts.Node, name: string, details: FindingDetails = {}): void => {
    report.finding(kind, file.span(node), { group: 'sessions', ...details, data: { name } });
  };
  const accesses = new Set<ts.Node>();
  const option = (node: ts.PropertyAssignment | ts.ShorthandPropertyAssignment | ts.MethodDeclaration | ts.BindingElement): void => {
    const name = nameText(node.name);
    if (name === undefined || options.has(node)) return;
    if (ts.isPropertyAssignment(node) && isNothing(node.initializer)) return;
    if (name === 'sessionIdGenerator') say('generator-option', node, name);
    else if (CALLBACKS.test(name)) say('lifecycle-option', ts.isMethodDeclaration(node) ? node.name : node, name);
  };
  const text = (node: ts.Node): void => {
    if (errorText(node, file)) say('session-error-text', node, '', { certainty: 'likely' });
  };
  return {
    PropertyAssignment(node) {
      option(node);
      const route = tableRoute(node, file);
      if (route !== undefined) say('stream-route', node.name, route, { certainty: 'likely' });
    },
    ShorthandPropertyAssignment: option,
    MethodDeclaration: option,
    BindingElement(node) {
      if (ts.isIdentifier(node.name) && node.name.text === 'sessionId' && ts.isObjectBindingPattern(node.parent) && isContext(node.parent, file))
        say('handler-session-id', node, 'sessionId');
    },
    PropertyAccessExpression(node) {
      if (node.name.text !== 'sessionId' || known.has(node)) return;
      const owner = unwrap(node.expression);
      const name = ts.isIdentifier(owner) ? owner.text : memberName(owner);
      if (name === undefined) return;
      if ((canonical(instanceOrigin(owner, file))?.name ?? '').endsWith('ClientTransport')) say('transport-id', node, `${name}.sessionId`);
      else if (/^\w*transport\w*$|^tx\d*$/i.test(name)) say('transport-id', node, `${name}.sessionId`, { certainty: 'likely' });
      else if (/^_?(?:extra|ctx|context|requestContext)$/.test(name) && isHandlerContext(owner, file))
        say('handler-session-id', node, `${name}.sessionId`, isOnlyTold(node, file) ? { category: 'telemetry' } : {});
    },
    ElementAccessExpression(node) {
      if (isKey(node.argumentExpression, file)) access(node, node.expression);
      const owner = unwrap(node.expression);
      if (
        memberName(node) === 'sessionId' &&
        ts.isIdentifier(owner) &&
        /^_?(?:extra|ctx|context|requestContext)$/.test(owner.text) &&
        isHandlerContext(owner, file)
      )
        say('handler-session-id', node, `${owner.text}.sessionId`, isOnlyTold(node, file) ? { category: 'telemetry' } : {});
    },
    CallExpression(call) {
      const method = calledMember(call);
      const route = routeOf(call, file);
      if (route !== undefined) say('stream-route', call.expression, route, { certainty: 'likely' });
      const [first] = call.arguments;
      if (method !== undefined && first !== undefined && KEYED.has(method) && isKey(first, file)) access(call, receiverOf(call) ?? call);
      const callee = unwrap(call.expression);
      if (ts.isIdentifier(callee) && callee.text === 'isInitializeRequest' && !gates.has(call) && !onlyLogs(call)) say('initialize-test', call, callee.text);
    },
    FunctionDeclaration(node) {
      if (node.name?.text === 'isInitializeRequest') say('initialize-test', node.name, node.name.text);
    },
    BinaryExpression(node) {
      const searched = searchedById(node, file);
      if (searched !== undefined) access(searched, receiverOf(searched) ?? searched);
      const branch = methodBranch(node, file);
      if (branch !== undefined && code.dispatches.length === 0 && code.transports.length === 0) say('method-branch', node, branch, { certainty: 'likely' });
      else if (branch !== undefined && assertionAround(node) === undefined && dialectOf(file).borrowed)
        say('method-branch', node, branch, { certainty: 'likely' });
    },
    CaseClause(node) {
      const verb = verbCase(node, file);
      if (verb !== undefined && code.transports.length === 0) say('method-branch', node.expression, verb, { certainty: 'likely' });
    },
    ExportDeclaration(node) {
      for (const name of nextExports(node, file)) say('stream-route', node, name);
    },
    VariableStatement(node) {
      for (const name of nextExports(node, file)) say('stream-route', node.declarationList, name);
      for (const declaration of node.declarationList.declarations) slot(declaration, node.declarationList);
    },
    PrefixUnaryExpression(node) {
      const name = errorCode(node, file);
      if (name !== undefined) say('session-error-code', node, name, { certainty: 'likely' });
    },
    StringLiteral: text,
    NoSubstitutionTemplateLiteral: text,
    TemplateExpression: text,
    RegularExpressionLiteral: text,
    end() {
      for (const { node, status, method } of demanded(file))
        say('refusal-asserted', node, String(status), { group: 'sessions', certainty: 'likely', evidence: [`the test sends \`${method}\` without a session`] });
      const has = (path: string): boolean => around.has(path);
      const covered = new Set(
        sessionStores(file, has)
          .filter(({ holds }) => holds === 'transport' || holds === 'server')
          .flatMap((store) => store.accesses),
      );
      for (const node of accesses)
        if (!covered.has(node))
          say('keyed-access', node, receiverText(node, file), { certainty: 'likely', ...(isServedBy(node, file) ? { category: 'transport' as const } : {}) });
    },
  };

  function access(node: ts.Node, receiver: ts.Node): void {
    const name = receiver.getText(file.tree);
    // Where streams are kept, `sid` is the id of one.
    if (/stream/i.test(name) && !/session/i.test(name) && /[([]sid\b/.test(node.getText(file.tree))) return;
    if (!/headers|params|query|\benv\b|process/i.test(name) && name.length < 80) accesses.add(node);
  }

  /** `let transport: StreamableHTTPServerTransport;` that a nested function fills. */
  function slot(node: ts.VariableDeclaration, list: ts.VariableDeclarationList): void {
    if ((list.flags & ts.NodeFlags.Let) === 0 || !ts.isIdentifier(node.name) || node.type === undefined) return;
    if (node.initializer !== undefined && !isNothing(node.initializer)) return;
    if (!/^(?:\w*StreamableHTTPServerTransport|SSEServerTransport)(?:\s*\|\s*(?:null|undefined))*$/.test(node.type.getText(file.tree))) return;
    const owner = ancestor(node, (outer): outer is ts.Node => isFunctionNode(outer) || ts.isSourceFile(outer));
    const declaration = declarationOf(node.name, file);
    if (declaration === undefined || owner === undefined) return;
    const filledInside = referencesOf(declaration, file).some(
      (use) => isWrite(use) && ancestor(use, (outer): outer is ts.Node => isFunctionNode(outer)) !== owner,
    );
    if (!ts.isSourceFile(owner) && !isSuite(owner) && !filledInside) return;
    say('transport-variable', node, node.name.text, { certainty: 'likely' });
  }
};

const KEYED: ReadonlySet<string> = new Set([
  'get',
  'set',
  'has',
  'delete',
  'add',
  'remove',
  'load',
  'save',
  'getTransport',
  'setTransport',
  'getSession',
  'deleteSession',
  'createSession',
]);
const ID = /^(?:sid|(?:mcp|new|actual|extra|transport|client)?_?session_?id\d*)$/i;

/** The id of a session: proved, or named so in code that speaks MCP. */
function isKey(node: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrap(node);
  const name = ts.isIdentifier(value) ? value.text : ts.isPropertyAccessExpression(value) ? value.name.text : undefined;
  return (name !== undefined && ID.test(name)) || (name !== undefined && isSessionId(value, file));
}

/** `open.find((entry) => entry.id === sessionId)`: a list that is searched by the id of a session. */
function searchedById(node: ts.BinaryExpression, file: TypeScriptFile): ts.CallExpression | undefined {
  if (!/^===?$/.test(node.operatorToken.getText(file.tree))) return undefined;
  const sides = [unwrap(node.left), unwrap(node.right)] as const;
  const index = sides.findIndex((side) => ts.isIdentifier(side) && isSessionId(side, file));
  const other = sides[1 - index];
  if (index < 0 || other === undefined || memberName(other) === undefined) return undefined;
  const fn = ancestor(node, (outer): outer is ts.Node => isFunctionNode(outer));
  const call = fn === undefined ? undefined : wrapped(fn).parent;
  return call !== undefined && ts.isCallExpression(call) && /^(?:find|findIndex|findLast|filter|some)$/.test(calledMember(call) ?? '') ? call : undefined;
}

const receiverText = (node: ts.Node, file: TypeScriptFile): string =>
  (ts.isElementAccessExpression(node) ? node.expression : ts.isCallExpression(node) ? (receiverOf(node) ?? node) : node)
    .getText(file.tree)
    .replace(/\s+/g, ' ')
    .slice(0, 60);

/** A parameter, or a variable that is not built here. */
function isHandlerContext(owner: ts.Node, file: TypeScriptFile): boolean {
  const root = ts.isPropertyAccessExpression(owner) ? unwrap(owner.expression) : owner;
  if (!ts.isIdentifier(root)) return root.kind === ts.SyntaxKind.ThisKeyword;
  const declared = declarationOf(root, file);
  return declared === undefined || declared.kind === 'parameter' || declared.kind === 'let' || declared.kind === 'const';
}

/** `{ sessionId }` taken from the second parameter of a handler, or from a value called like a context. */
function isContext(pattern: ts.ObjectBindingPattern, file: TypeScriptFile): boolean {
  const holder = pattern.parent;
  if (ts.isVariableDeclaration(holder)) return holder.initializer !== undefined && /^_?(?:extra|ctx|context)\b/.test(holder.initializer.getText(file.tree));
  if (!ts.isParameter(holder) || !isFunctionNode(holder.parent)) return false;
  const call = wrapped(holder.parent).parent;
  return holder.parent.parameters.indexOf(holder) === 1 && ts.isCallExpression(call) && isRegistration(call);
}

/** The callback of `describe`: what is declared there is shared by its tests. */
const isSuite = (fn: ts.Node): boolean => {
  const call = wrapped(fn).parent;
  return ts.isCallExpression(call) && /^(?:describe|suite|context)\b/.test(call.expression.getText());
};

/** `if (isInitializeRequest(body)) { log(…) }`: nothing depends on it. */
function onlyLogs(call: ts.CallExpression): boolean {
  const branch = ancestor(call, ts.isIfStatement);
  if (branch === undefined || branch.elseStatement !== undefined || call.pos < branch.expression.pos || call.end > branch.expression.end) return false;
  const then = branch.thenStatement;
  const statements = ts.isBlock(then) ? then.statements : [then];
  return (
    statements.length > 0 &&
    statements.every(
      (statement) =>
        ts.isVariableStatement(statement) ||
        (ts.isExpressionStatement(statement) && /^(?:await )?(?:console|logger|log|this\.log(?:ger)?)\b/.test(statement.getText())),
    )
  );
}
