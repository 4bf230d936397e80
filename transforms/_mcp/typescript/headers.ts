import { ts } from 'ts-morph';
import { type TypeScriptFile, constantOf, declarationOf, originOf } from '../../../src/languages/typescript/index.js';
import { HEADERS } from '../vocabulary.js';
import { assertionAround } from './assertions.js';
import { calledMember, memberName, nameText, receiverOf, unwrap, wrapped } from './nodes.js';

/** Value of a header name expression: a constant, or a constant in another letter case. */
export function headerName(node: ts.Node, file: TypeScriptFile, depth = 0): string | undefined {
  const value = unwrap(node);
  if (depth > 5) return undefined;
  if (ts.isCallExpression(value)) {
    const method = calledMember(value);
    const receiver = receiverOf(value);
    return (method === 'toLowerCase' || method === 'toUpperCase') && receiver !== undefined ? headerName(receiver, file, depth + 1) : undefined;
  }
  const constant = constantOf(value, file);
  if (typeof constant === 'string') return constant;
  // `const HEADER = 'Mcp-Session-Id'.toLowerCase()`
  const declared = ts.isIdentifier(value) ? declarationOf(value, file) : undefined;
  const made = declared?.kind === 'const' && ts.isVariableDeclaration(declared.node) ? declared.node.initializer : undefined;
  return made !== undefined && ts.isCallExpression(unwrap(made)) ? headerName(made, file, depth + 1) : undefined;
}

/** How sure it is that an expression is the name of a header. */
export type NameMatch = 'certain' | 'likely' | undefined;

/** A name imported from the same repository can only be judged by how it is called: `SESSION_HEADER`, `HEADERS.MCP_SESSION_ID`. */
const TELLING = /mcp.*session|session.?(id)?.?header|header.*session.?id/i;

/** Does an expression name the session header? `likely`: a constant of another module that is called so. */
export function namesSessionHeader(node: ts.Node, file: TypeScriptFile): NameMatch {
  const name = headerName(node, file);
  if (name !== undefined) return name.toLowerCase() === HEADERS.sessionId ? 'certain' : undefined;
  const value = unwrap(node);
  if (!ts.isIdentifier(value) && !ts.isPropertyAccessExpression(value)) return undefined;
  let root: ts.Node = value;
  while (ts.isPropertyAccessExpression(root)) root = unwrap(root.expression);
  const imported = originOf(root, file)?.module;
  return imported?.startsWith('.') === true && TELLING.test(value.getText(file.tree)) ? 'likely' : undefined;
}

/** A place that reads the session id of a request or a response. */
export interface HeaderRead {
  /** The expression whose value is the id; for destructuring, the binding element. */
  readonly node: ts.Node;
  readonly certainty: 'certain' | 'likely';
  /** Read from an answer: a client keeps the id that a server minted. */
  readonly fromResponse: boolean;
}

const READERS: ReadonlySet<string> = new Set(['get', 'header', 'getHeader', 'has', 'at']);
const RESPONSE = /^(?:\w*(?:response|resp|reply|answer)|r|res\d*|init\w*|result)$/i;

const isAnswer = (node: ts.Node | undefined, file: TypeScriptFile): boolean => {
  if (node === undefined) return false;
  const holder = /^headers$/i.test(memberName(node) ?? '') && ts.isPropertyAccessExpression(node) ? unwrap(node.expression) : node;
  if (RESPONSE.test(ts.isPropertyAccessExpression(holder) ? holder.name.text : holder.getText(file.tree))) return true;
  // What a call was waited for is an answer, whatever it is called.
  const declared = ts.isIdentifier(holder) ? declarationOf(holder, file)?.node : undefined;
  const value = declared !== undefined && ts.isVariableDeclaration(declared) && declared.initializer !== undefined ? unwrap(declared.initializer) : undefined;
  return value !== undefined && ts.isAwaitExpression(value) && ts.isCallExpression(unwrap(value.expression));
};

const isAssigned = (node: ts.Node): boolean => {
  const outer = wrapped(node);
  const parent = outer.parent;
  if (ts.isBinaryExpression(parent))
    return parent.left === outer && parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  return ts.isDeleteExpression(parent);
};

/** The session header read by `headers[…]`; writes and deletions are none. */
export function elementRead(node: ts.ElementAccessExpression, file: TypeScriptFile): HeaderRead | undefined {
  const certainty = namesSessionHeader(node.argumentExpression, file);
  if (certainty === undefined || isAssigned(node)) return undefined;
  const holder = unwrap(node.expression);
  if (certainty === 'likely' && !/headers|meta/i.test(holder.getText(file.tree))) return undefined;
  return { node, certainty, fromResponse: isAnswer(holder, file) };
}

/** The session header read by `req.get(…)`, `headers.get(…)`, `req.header(…)` or a helper that is called so. */
export function callRead(call: ts.CallExpression, file: TypeScriptFile): HeaderRead | undefined {
  const position = call.arguments.findIndex((argument) => namesSessionHeader(argument, file) !== undefined);
  const argument = call.arguments[position];
  if (argument === undefined) return undefined;
  const certainty = namesSessionHeader(argument, file);
  if (certainty === undefined) return undefined;
  const method = calledMember(call);
  if (method !== undefined && position === 0 && call.arguments.length === 1 && READERS.has(method)) {
    const receiver = receiverOf(call);
    const fromResponse = isAnswer(receiver, file);
    // To look whether a server issued one keeps nothing: probes do it to tell a legacy server.
    return fromResponse && method === 'has' && assertionAround(call) === undefined ? undefined : { node: call, certainty, fromResponse };
  }
  const callee = unwrap(call.expression);
  const name = ts.isIdentifier(callee) ? callee.text : method;
  const reads =
    name !== undefined && /header/i.test(name) && /^(?:get|read|find|first|single|one|pick|extract|header|lookup|parse|fetch)/i.test(name) && position > 0;
  return reads ? { node: call, certainty, fromResponse: isAnswer(unwrap(call.arguments[0] as ts.Node), file) } : undefined;
}

/** `const { 'mcp-session-id': id } = req.headers`. */
export function destructuredRead(element: ts.BindingElement, file: TypeScriptFile): HeaderRead | undefined {
  const key = element.propertyName;
  if (key === undefined || !ts.isObjectBindingPattern(element.parent)) return undefined;
  const named = ts.isComputedPropertyName(key)
    ? namesSessionHeader(key.expression, file)
    : nameText(key)?.toLowerCase() === HEADERS.sessionId
      ? 'certain'
      : undefined;
  return named === undefined ? undefined : { node: element, certainty: named, fromResponse: false };
}
