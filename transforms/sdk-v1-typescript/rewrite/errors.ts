import { ts } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, eachNode, importBindings, originOf } from '../../../src/languages/typescript/index.js';
import { canonical, isSdkSymbol } from '../../_mcp/canonical.js';
import { bare } from '../nodes.js';
import type { Todo } from './markers.js';

/** Edits, imports and markers for error guards. */
export interface ErrorRepair {
  readonly edits: readonly TextEdit[];
  readonly add: readonly ReturnType<(typeof ImportNeed)['parse']>[];
  readonly todos: readonly Todo[];
}

/** Codes that SDK v1 raised itself with a number; in v2 they are `SdkError` with a text code. Source: `ErrorCode` of v1, `SdkErrorCode` of v2. */
const LOCAL_CODES: Readonly<Record<string, string>> = { '-32001': 'RequestTimeout', '-32000': 'ConnectionClosed' };

const V2_CLIENT = '@modelcontextprotocol/client';

function numberOf(node: ts.Expression): string | undefined {
  const inner = bare(node);
  if (ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.MinusToken && ts.isNumericLiteral(inner.operand)) return `-${inner.operand.text}`;
  return undefined;
}

/** A comparison of `subject.code` with one of the local codes. */
interface Comparison {
  readonly node: ts.BinaryExpression;
  readonly subject: ts.Identifier;
  readonly access: ts.PropertyAccessExpression;
  readonly literal: ts.Expression;
  readonly member: string;
}

function comparisonOf(node: ts.BinaryExpression): Comparison | undefined {
  if (![ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsToken].includes(node.operatorToken.kind)) return undefined;
  for (const [side, other] of [
    [node.left, node.right],
    [node.right, node.left],
  ] as const) {
    const member = LOCAL_CODES[numberOf(other) ?? ''];
    const access = bare(side);
    if (member === undefined || !ts.isPropertyAccessExpression(access) || access.name.text !== 'code') continue;
    const subject = bare(access.expression);
    if (ts.isIdentifier(subject)) return { node, subject, access, literal: other, member };
  }
  return undefined;
}

/** The `instanceof` test of the same value in the same conjunction. */
function guardOf({ node, subject }: Comparison): ts.BinaryExpression | undefined {
  let top: ts.Node = node;
  while (
    ts.isParenthesizedExpression(top.parent) ||
    (ts.isBinaryExpression(top.parent) && top.parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
  )
    top = top.parent;
  const conjuncts: ts.Node[] = [top];
  for (let at = conjuncts.pop(); at; at = conjuncts.pop()) {
    if (ts.isParenthesizedExpression(at)) conjuncts.push(at.expression);
    else if (ts.isBinaryExpression(at) && at.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) conjuncts.push(at.left, at.right);
    else if (
      ts.isBinaryExpression(at) &&
      at.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword &&
      ts.isIdentifier(bare(at.left)) &&
      (bare(at.left) as ts.Identifier).text === subject.text
    )
      return at;
  }
  return undefined;
}

/** Only a file that talks to a server and is none: there the same numbers answer requests for lost sessions. */
function isClientFile(file: TypeScriptFile): boolean {
  const modules = importBindings(file).map((binding) => binding.specifier);
  return (
    modules.some((module) => module === V2_CLIENT || module.startsWith(`${V2_CLIENT}/`)) &&
    !modules.some((module) => /^@modelcontextprotocol\/(server|node|express|hono|fastify)/.test(module))
  );
}

const isCaught = (subject: ts.Identifier): boolean => {
  for (let node: ts.Node = subject; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isCatchClause(node))
      return node.variableDeclaration !== undefined && ts.isIdentifier(node.variableDeclaration.name) && node.variableDeclaration.name.text === subject.text;
    if (ts.isFunctionLike(node) && node.parameters.some((parameter) => ts.isIdentifier(parameter.name) && parameter.name.text === subject.text)) return true;
  }
  return false;
};

/**
 * Numbers written where v1 had `ErrorCode.RequestTimeout` or `ErrorCode.ConnectionClosed`. They compile in v2 and never match again: the class
 * is `SdkError` and its code a text.
 */
export function repairRawCodes(file: TypeScriptFile): ErrorRepair {
  const edits: TextEdit[] = [];
  const todos: Todo[] = [];
  const names = new Set<string>();
  if (!isClientFile(file)) return { edits, todos, add: [] };
  eachNode(file.tree, (node) => {
    if (!ts.isBinaryExpression(node)) return;
    const comparison = comparisonOf(node);
    if (!comparison) return;
    const guard = guardOf(comparison);
    const code = `SdkErrorCode.${comparison.member}`;
    if (guard) {
      const symbol = canonical(originOf(guard.right, file));
      if (symbol?.name === 'SdkError') edits.push({ ...file.span(comparison.literal), text: code });
      else if (symbol?.name === 'ProtocolError') edits.push({ ...file.span(guard.right), text: 'SdkError' }, { ...file.span(comparison.literal), text: code });
      else return;
    } else if (isCaught(comparison.subject)) {
      const test = `${comparison.subject.text} instanceof SdkError && ${comparison.subject.text}.code === ${code}`;
      const parent = node.parent;
      const plain =
        ts.isIfStatement(parent) ||
        ts.isParenthesizedExpression(parent) ||
        (ts.isBinaryExpression(parent) && [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken].includes(parent.operatorToken.kind));
      edits.push({ ...file.span(node), text: plain ? test : `(${test})` });
    } else {
      todos.push({ file, node, kind: 'raw-error-code', text: `this number is \`SdkError\` with \`${code}\` in v2; the comparison never matches.` });
      return;
    }
    names.add('SdkErrorCode').add('SdkError');
  });
  return { edits, todos, add: [...names].map((name) => ({ kind: 'import', file: file.path, module: V2_CLIENT, name })) };
}

/** `new StreamableHTTPError(404, …)` and the like: the constructor changed, so the call stays for a person. */
export function markErrorConstruction(file: TypeScriptFile): readonly Todo[] {
  const todos: Todo[] = [];
  eachNode(file.tree, (node) => {
    if (
      ts.isNewExpression(node) &&
      isSdkSymbol(originOf(node.expression, file), 'SdkHttpError') &&
      node.arguments?.[0] &&
      !ts.isPropertyAccessExpression(node.arguments[0])
    ) {
      todos.push({ file, node, kind: 'http-error-code', text: 'v2 constructs it as `new SdkHttpError(SdkErrorCode.…, message, { status, statusText })`.' });
    }
  });
  return todos;
}
