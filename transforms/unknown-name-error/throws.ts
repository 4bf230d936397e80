import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, constantOf, declarationOf, eachNode } from '../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, unwrap } from '../_mcp/typescript/nodes.js';
import { sdkName } from '../_mcp/typescript/sdk.js';
import { localFunction } from '../_mcp/typescript/servers.js';

export type Kind = 'missing-resource' | 'unknown-tool' | 'unknown-prompt';

/** `throw new Error(text)` of a handler, or an error of the SDK with another code, that says that the name in the request is not known. */
export interface UnknownName {
  readonly kind: Kind;
  readonly error: ts.NewExpression;
  /** The code that an error of the SDK carries; `undefined` for a plain error. */
  readonly code?: WrongCode;
  /** The text that is thrown. */
  readonly message: ts.Expression;
  /** Expression for the URI that was asked for, when the handler has one. */
  readonly uri: string | undefined;
}

/** A code of JSON-RPC that says something else than that a name is unknown. */
export interface WrongCode {
  readonly node: ts.Expression;
  /** Name in `ErrorCode` and `ProtocolErrorCode`. */
  readonly name: string;
}

/** Codes that are thrown for unknown names, and number. Source: JSON-RPC 2.0. */
export const WRONG_CODES: Readonly<Record<string, number>> = { MethodNotFound: -32601, InvalidRequest: -32600, InternalError: -32603 };

const NOUNS = { 'unknown-tool': 'tool(?: name)?', 'unknown-prompt': 'prompt(?: name)?' } as const;

const HANDLERS: Readonly<Record<string, { readonly kind: Kind; readonly noun: string }>> = {
  'resources/read': { kind: 'missing-resource', noun: 'resources?|uri' },
  ReadResourceRequestSchema: { kind: 'missing-resource', noun: 'resources?|uri' },
  'tools/call': { kind: 'unknown-tool', noun: 'tool(?: name)?' },
  CallToolRequestSchema: { kind: 'unknown-tool', noun: 'tool(?: name)?' },
  'prompts/get': { kind: 'unknown-prompt', noun: 'prompt(?: name)?' },
  GetPromptRequestSchema: { kind: 'unknown-prompt', noun: 'prompt(?: name)?' },
};

/** "Unknown tool: x", "tool x not found": the noun of the handler's method, and that it is not known. */
const says = (text: string, noun: string): boolean =>
  new RegExp(`\\b(?:unknown|unrecogni[sz]ed|no such|invalid)\\s+(?:${noun})\\b`, 'i').test(text) ||
  new RegExp(`\\b(?:${noun})\\b.*\\b(?:not found|unknown|does not exist|is not known|not recogni[sz]ed)\\b`, 'is').test(text);

/** The places of a file where a low-level handler throws a plain error for a name that it does not know, and where any code throws one of the SDK with a wrong code. */
export function unknownNames(file: TypeScriptFile): readonly UnknownName[] {
  const found: UnknownName[] = [];
  eachNode(file.tree, (node) => {
    if (ts.isThrowStatement(node)) found.push(...wronglyCoded(node, file));
    if (!ts.isCallExpression(node) || calledMember(node) !== 'setRequestHandler') return;
    const [first] = node.arguments;
    const last = node.arguments.at(-1);
    if (first === undefined || last === undefined || first === last) return;
    const constant = constantOf(first, file);
    const method = typeof constant === 'string' ? constant : sdkName(first, file);
    const known = method === undefined || !Object.hasOwn(HANDLERS, method) ? undefined : HANDLERS[method];
    const value = unwrap(last);
    const fn = isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : undefined;
    if (known !== undefined && fn?.body !== undefined) found.push(...throwsOf(fn, known.kind, known.noun, file));
  });
  return found;
}

function throwsOf(fn: FunctionNode, kind: Kind, noun: string, file: TypeScriptFile): readonly UnknownName[] {
  const found: UnknownName[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunctionNode(node) || ts.isClassLike(node)) return;
    // What stands in a `try` is caught, and answered in some other way.
    if (ts.isTryStatement(node) && node.catchClause !== undefined) {
      if (node.finallyBlock !== undefined) visit(node.finallyBlock);
      return;
    }
    if (ts.isThrowStatement(node)) {
      const error = unwrap(node.expression);
      const message = ts.isNewExpression(error) ? plainMessage(error, file) : undefined;
      if (ts.isNewExpression(error) && message !== undefined && says(textOf(message), noun)) found.push({ kind, error, message, uri: uriOf(fn, file) });
    }
    ts.forEachChild(node, visit);
  };
  if (fn.body !== undefined) ts.forEachChild(fn.body, visit);
  return found;
}

/**
 * `throw new McpError(ErrorCode.MethodNotFound, 'Unknown tool: …')`: what it says tells what it is about, so that it may stand in a helper too.
 * What a `catch` around it answers in some other way is silent.
 */
function wronglyCoded(node: ts.ThrowStatement, file: TypeScriptFile): readonly UnknownName[] {
  const error = unwrap(node.expression);
  if (!ts.isNewExpression(error) || sdkName(error.expression, file) !== 'ProtocolError') return [];
  const [first, message] = error.arguments ?? [];
  const name = first && codeName(first, file);
  if (first === undefined || message === undefined || name === undefined || isAnswered(node)) return [];
  const text = textOf(message);
  const kind = (['unknown-tool', 'unknown-prompt'] as const).find((each) => says(text, NOUNS[each]));
  return kind === undefined ? [] : [{ kind, error, code: { node: first, name }, message, uri: undefined }];
}

/** The name of a wrong code, written as a member of the SDK's list or as its number. */
export function codeName(node: ts.Expression, file: TypeScriptFile): string | undefined {
  const value = unwrap(node);
  if (ts.isPropertyAccessExpression(value)) {
    const isList = ['ErrorCode', 'ProtocolErrorCode'].includes(sdkName(value.expression, file) ?? '');
    return isList && Object.hasOwn(WRONG_CODES, value.name.text) ? value.name.text : undefined;
  }
  const number = Number(value.getText(file.tree));
  return Object.keys(WRONG_CODES).find((name) => WRONG_CODES[name] === number);
}

/** Does a `catch` of the same function take the error, without throwing what it caught again? */
function isAnswered(node: ts.Node): boolean {
  for (let inner: ts.Node = node; !isFunctionNode(inner.parent) && !ts.isSourceFile(inner.parent); inner = inner.parent) {
    const { parent } = inner;
    if (!ts.isTryStatement(parent) || parent.tryBlock !== inner || parent.catchClause === undefined) continue;
    const caught = parent.catchClause.variableDeclaration?.name;
    let again = false;
    eachNode(parent.catchClause, (part) => {
      if (ts.isThrowStatement(part) && caught !== undefined && ts.isIdentifier(caught) && ts.isIdentifier(part.expression))
        again ||= part.expression.text === caught.text;
    });
    if (!again) return true;
  }
  return false;
}

/** The text of `new Error(text)`, of the global class and without options. */
function plainMessage(error: ts.NewExpression, file: TypeScriptFile): ts.Expression | undefined {
  const callee = unwrap(error.expression);
  if (!ts.isIdentifier(callee) || callee.text !== 'Error' || declarationOf(callee, file) !== undefined || error.arguments?.length !== 1) return undefined;
  return error.arguments[0];
}

/** The fixed parts of a text: a string, a template, a sum of such. */
function textOf(node: ts.Expression): string {
  const value = unwrap(node);
  if (ts.isStringLiteralLike(value)) return value.text;
  if (ts.isTemplateExpression(value)) return [value.head.text, ...value.templateSpans.map((span) => span.literal.text)].join(' x ');
  if (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.PlusToken) return `${textOf(value.left)} ${textOf(value.right)}`;
  return '';
}

/** `request.params.uri`, by the name of the handler's parameter. */
function uriOf(fn: FunctionNode, file: TypeScriptFile): string | undefined {
  const parameter = fn.parameters[0];
  if (parameter === undefined || !ts.isIdentifier(parameter.name)) return undefined;
  const declared = declarationOf(parameter.name, file);
  let hidden = false;
  eachNode(fn, (node) => {
    if (ts.isIdentifier(node) && node.text === declared?.name && declarationOf(node, file) !== declared)
      hidden ||= !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node);
  });
  return hidden ? undefined : `${parameter.name.text}.params.uri`;
}
