import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { constantOf, enclosingFunction, originOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { insteadOf, isMcpMethod, roleOfMethod, type MethodRole } from '../_mcp/methods.js';
import { pushOf } from '../_mcp/typescript/facts/push.js';
import { dialectOf, speaksMcp } from '../_mcp/typescript/dialect.js';
import { listedMethods, namesMethod } from '../_mcp/typescript/method-names.js';
import { ancestor, calledMember, memberName, nameText, receiverOf, unwrap, wrapped } from '../_mcp/typescript/nodes.js';
import { localFunction } from '../_mcp/typescript/servers.js';
import { expectedStatuses, testCaseAround } from '../_mcp/typescript/tests.js';
import { isShimFile, sessionCode } from '../_mcp/typescript/sessions.js';

export type Kind =
  | 'initialize-message'
  | 'guarded-initialize'
  | 'initialized-notification'
  | 'ping-message'
  | 'removed-request'
  | 'client-question'
  | 'pushed-notification'
  | 'method-branch';

const KINDS: Readonly<Record<Exclude<MethodRole, 'task'>, Kind>> = {
  initialize: 'initialize-message',
  initialized: 'initialized-notification',
  ping: 'ping-message',
  removed: 'removed-request',
  question: 'client-question',
  pushed: 'pushed-notification',
};

/** Reports messages that are built as literals, and branches, tables and schemas that tell them apart. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  if (isShimFile(file) || dialectOf(file).implementation || dialectOf(file).scanner) return {};
  const mcp = speaksMcp(file);
  const say = (kind: Kind, node: ts.Node, method: string): void => {
    report.finding(kind, file.span(node), { group: 'messages', certainty: mcp ? 'certain' : 'likely', data: { method, instead: insteadOf(method) } });
  };
  const branch = (node: ts.Node, method: string): void => {
    // What waits for it is no dispatcher of requests.
    say(roleOfMethod(method) === 'pushed' ? 'pushed-notification' : 'method-branch', node, method);
  };
  return {
    PropertyAssignment(node) {
      const name = nameText(node.name);
      if (name === 'method') built(node, file, mcp, say);
      else if (name !== undefined && isHandlerEntry(node, name, file)) branch(node.name, name);
    },
    MethodDeclaration(node) {
      const name = nameText(node.name);
      if (name !== undefined && isHandlerEntry(node, name, file)) branch(node.name, name);
    },
    BinaryExpression(node) {
      if (!EQUALITY.has(node.operatorToken.kind)) return;
      const method = comparedMethod(node, file);
      if (method !== undefined && (isMcpMethod(method) || mcp)) branch(node, method);
    },
    CaseClause(node) {
      const method = constantOf(node.expression, file);
      if (typeof method !== 'string' || roleOfMethod(method) === undefined || roleOfMethod(method) === 'task') return;
      if (isMcpMethod(method) || hasMcpSibling(node, file)) branch(node.expression, method);
    },
    CallExpression(call) {
      const [schema] = call.arguments;
      if (mcp && calledMember(call) === 'setRequestHandler' && schema !== undefined && /^(?:PingRequestSchema|'ping'|"ping")$/.test(schema.getText(file.tree)))
        branch(schema, 'ping');
      const callee = unwrap(call.expression);
      if (mcp && ts.isIdentifier(callee) && /^(?:create|make|build)Initiali[sz]e\w*(?:Request|Message)$/i.test(callee.text))
        say('initialize-message', call, 'initialize');
      if (mcp && ts.isIdentifier(callee) && /^(?:create|make|build|send)Initialized(?:Notification|Message)?$/i.test(callee.text))
        say('initialized-notification', call, 'notifications/initialized');
      const method = registered(call, file);
      if (method !== undefined && mcp) branch(call.arguments[0] ?? call, method);
      if (mcp) passed(call, file, say);
      const listed = listedMethods(call, file);
      if (mcp && listed.includes('initialize') && !knowsRemoved(listed)) branch(call, 'initialize');
    },
  };
};

/** A list of what the revision took away: who has it refuses these, or checks that others do. */
function knowsRemoved(methods: readonly string[]): boolean {
  const roles = methods.map(roleOfMethod);
  return roles.includes('removed') && roles.every((role) => role === 'initialize' || role === 'initialized' || role === 'ping' || role === 'removed');
}

/** Functions that send what they are given: `rpc('initialize', …)`, `this.request(url, 'ping')`. */
const SENDS = /^(?:json_?)?(?:rpc|send|call|request|notify|post|invoke|mcp|dispatch|rpcCall|exchange)(?:[A-Z_]\w*)?$/;

/** A method as an argument of a helper that makes the message: `send('initialize', { protocolVersion, … })`, `notify('notifications/initialized')`. */
function passed(call: ts.CallExpression, file: TypeScriptFile, say: (kind: Kind, node: ts.Node, method: string) => void): void {
  const callee = unwrap(call.expression);
  const name = ts.isIdentifier(callee) ? callee.text : memberName(callee);
  if (name === undefined || !SENDS.test(name.replace(/^_+/, '')) || testTitle(call)) return;
  // The bridge between a page of MCP Apps and its host has an `initialize` of its own.
  if (/\bpostMessage\(/.test(file.text) && /\bparent\b|['"`]ui\//.test(file.text)) return;
  const index = call.arguments.slice(0, 3).findIndex((argument) => roleOfMethod(String(constantOf(argument, file))) !== undefined);
  const argument = call.arguments[index];
  if (argument === undefined) return;
  const method = String(constantOf(argument, file));
  const role = roleOfMethod(method);
  if (role === undefined || role === 'task') return;
  if (role === 'pushed' && goesToListeners(bodyOfCallee(callee, file) ?? call, file)) return;
  // `initialize` and `ping` are words of other protocols too: the parameters or a sibling call must be of MCP.
  const evident = isMcpMethod(method) || /protocolVersion|clientInfo/.test(file.text) || /['"`](?:tools|resources|prompts)\/\w+['"`]/.test(file.text);
  if (evident) say(KINDS[role], call, method);
}

const testTitle = (call: ts.CallExpression): boolean => ts.isIdentifier(call.expression) && /^(?:test|it|describe)$/.test(call.expression.text);

const EQUALITY: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** `{ method: '…' }`: a message, or a schema of one. */
function built(node: ts.PropertyAssignment, file: TypeScriptFile, mcp: boolean, say: (kind: Kind, node: ts.Node, method: string) => void): void {
  const schema = unwrap(node.initializer);
  const isSchema = ts.isCallExpression(schema) && calledMember(schema) === 'literal' && schema.arguments[0] !== undefined;
  const method = constantOf(isSchema ? (schema.arguments[0] as ts.Expression) : node.initializer, file);
  const role = typeof method === 'string' ? roleOfMethod(method) : undefined;
  if (typeof method !== 'string' || role === undefined || role === 'task') return;
  const object = node.parent;
  const generic = role === 'initialize' || role === 'ping';
  if (generic && !(mcp && (isSchema || isMessage(object, file)))) return;
  if (role === 'pushed' && goesToListeners(object, file)) return;
  const call = wrapped(object).parent;
  // The SDK's own sending methods are looked at where pushes are.
  const push =
    ts.isCallExpression(call) && call.arguments[0] === object && (sessionCode(file).sdk || dialectOf(file).framework !== undefined)
      ? pushOf(call, file)
      : undefined;
  if (push !== undefined && push.what !== 'request' && push.what !== 'notification') return;
  say(isSchema ? 'method-branch' : role === 'initialize' && isRefused(node, file) ? 'guarded-initialize' : KINDS[role], node, method);
}

/** Does code name the subscription that a notification belongs to? Then who asked with `subscriptions/listen` gets it. */
const goesToListeners = (node: ts.Node, file: TypeScriptFile): boolean => node.getText(file.tree).includes('io.modelcontextprotocol/subscriptionId');

/** The function of the file that a call runs: a declared one, or a method of the class around it. */
function bodyOfCallee(callee: ts.Node, file: TypeScriptFile): ts.Node | undefined {
  if (ts.isIdentifier(callee)) return localFunction(callee, file);
  const name = ts.isPropertyAccessExpression(callee) && callee.expression.kind === ts.SyntaxKind.ThisKeyword ? callee.name.text : undefined;
  return name === undefined ? undefined : ancestor(callee, ts.isClassLike)?.members.find((member) => nameText(member.name) === name);
}

/** Does a test send it to be refused for who sends it: 401 or 403? */
function isRefused(node: ts.Node, file: TypeScriptFile): boolean {
  const test = testCaseAround(node);
  return test !== undefined && expectedStatuses(test, file).some(({ status }) => status === 401 || status === 403);
}

/** Is an object a JSON-RPC message: a version, an id, parameters, or the argument of a function that sends one? */
function isMessage(object: ts.ObjectLiteralExpression, file: TypeScriptFile): boolean {
  const names = object.properties.map((property) => (property.name === undefined ? '' : nameText(property.name)));
  if (names.some((name) => name === 'jsonrpc' || name === 'params') || object.properties.some(ts.isSpreadAssignment)) return true;
  // A row of a table about messages is none.
  if (names.some((name) => name !== undefined && /^(?:name|title|label|category|description|validMessage)$/.test(name))) return false;
  const parent = wrapped(object).parent;
  if (ts.isCallExpression(parent)) return true;
  return /jsonrpc/i.test(file.text) || names.length === 1;
}

const METHOD = /^(?:\w*method\w*|m|type)$/i;

/** The method that a comparison asks for. `=== 'initialize'` is a gate of the transport. */
function comparedMethod(node: ts.BinaryExpression, file: TypeScriptFile): string | undefined {
  for (const [side, other] of [
    [node.right, node.left],
    [node.left, node.right],
  ] as const) {
    const method = constantOf(side, file);
    if (typeof method !== 'string' || !namesMethod(other, file, METHOD)) continue;
    const role = roleOfMethod(method);
    // Entries of `inputRequests` are questions of a modern result, under the names that they had.
    if (role === 'question' && /\binputRequests\b/.test(enclosingFunction(node)?.getText(file.tree) ?? '')) continue;
    if (role !== undefined && role !== 'initialize' && role !== 'task') return method;
  }
  return undefined;
}

/** Does a `switch` also tell methods apart that only MCP has? */
function hasMcpSibling(clause: ts.CaseClause, file: TypeScriptFile): boolean {
  return clause.parent.clauses.some((other) => {
    if (other === clause || !ts.isCaseClause(other)) return false;
    const text = constantOf(other.expression, file);
    return typeof text === 'string' && isMcpMethod(text);
  });
}

/** An entry of a table `{ 'tools/list': …, initialize: … }` whose values are functions or names of functions. */
function isHandlerEntry(node: ts.PropertyAssignment | ts.MethodDeclaration, name: string, file: TypeScriptFile): boolean {
  const role = roleOfMethod(name);
  if (role === undefined || role === 'task' || !ts.isObjectLiteralExpression(node.parent)) return false;
  if (ts.isPropertyAssignment(node) && saysOnly(unwrap(node.initializer))) return false;
  return node.parent.properties.some(
    (other) =>
      other !== node &&
      other.name !== undefined &&
      isMcpMethod(nameText(other.name) ?? (ts.isComputedPropertyName(other.name) ? String(constantOf(other.name.expression, file) ?? '') : '')),
  );
}

/** Words and numbers alone: a table of texts about methods, which calls nothing. */
const saysOnly = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isNumericLiteral(node) ||
  node.kind === ts.SyntaxKind.TrueKeyword ||
  node.kind === ts.SyntaxKind.FalseKeyword ||
  (ts.isArrayLiteralExpression(node) && node.elements.every((element) => saysOnly(unwrap(element)))) ||
  (ts.isObjectLiteralExpression(node) &&
    node.properties.length > 0 &&
    node.properties.every((property) => ts.isPropertyAssignment(property) && saysOnly(unwrap(property.initializer))));

/** `handlers.set('initialize', …)`, `rpc.addMethod('ping', …)`. The SDK's `setRequestHandler` belongs to other concerns. */
function registered(call: ts.CallExpression, file: TypeScriptFile): string | undefined {
  const method = calledMember(call);
  const [name] = call.arguments;
  if (
    method === undefined ||
    name === undefined ||
    call.arguments.length < 2 ||
    !/^(?:set|add|addMethod|register|registerMethod|method|on|handle|route|use)$/.test(method)
  )
    return undefined;
  const text = constantOf(name, file);
  if (typeof text !== 'string' || roleOfMethod(text) === undefined || roleOfMethod(text) === 'task') return undefined;
  // `server.on('initialize', …)` beside no other method listens to the handshake; it tells no messages apart.
  if (method === 'on' && text === 'initialize' && !/\.on\(\s*['"`](?:tools|resources|prompts)\//.test(file.text)) return undefined;
  const receiver = receiverOf(call);
  const foreign = receiver === undefined ? undefined : originOf(receiver, file)?.module;
  if (foreign !== undefined && !foreign.startsWith('.')) return undefined;
  return isMcpMethod(text) || /['"`](?:tools|resources|prompts)\/\w+['"`]/.test(file.text) ? text : undefined;
}
