import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode, importBindings, referencesOf } from '../../../src/languages/typescript/index.js';
import { errorCodeOf, sdkOf } from '../../_mcp/sdk-table.js';
import { bare } from '../nodes.js';
import type { Say } from './typescript.js';

const MEANING: Readonly<Record<string, { readonly meaning: string; readonly member: string }>> = {
  '-32001': { meaning: 'a time-out', member: 'RequestTimeout' },
  '-32000': { meaning: 'a closed connection', member: 'ConnectionClosed' },
};

/** A client of v1 or v2, and no server: there the same numbers answer requests for lost sessions. */
function isClientFile(file: TypeScriptFile): boolean {
  const modules = importBindings(file).map((binding) => binding.specifier);
  const client = modules.some((module) => /^@modelcontextprotocol\/(sdk\/client|client)(\/|$)/.test(module));
  return client && !modules.some((module) => /^@modelcontextprotocol\/(sdk\/server|server|node|express|hono|fastify)(\/|$)/.test(module));
}

function codeOf(node: ts.Expression): string | undefined {
  const inner = bare(node);
  return ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.MinusToken && ts.isNumericLiteral(inner.operand)
    ? `-${inner.operand.text}`
    : undefined;
}

const isCode = (node: ts.Expression): boolean => {
  const inner = bare(node);
  return ts.isPropertyAccessExpression(inner) && inner.name.text === 'code';
};

/** Error classes and codes that v2 splits, and numbers that it no longer raises. */
export function detectErrors(file: TypeScriptFile, say: Say): void {
  const client = isClientFile(file);
  for (const binding of importBindings(file)) {
    if (sdkOf(binding.specifier) !== 1) continue;
    const declaration = file.bindings.root.values.get(binding.local);
    if (!declaration) continue;
    if (binding.name === 'McpError')
      for (const use of referencesOf(declaration, file))
        if (isGuard(use))
          say('error-class', file.span(use), { data: { name: 'McpError', target: '`ProtocolError`, or `SdkError` for time-outs and closed connections' } });
    if (binding.name === 'ErrorCode') {
      for (const use of referencesOf(declaration, file)) {
        const member = ts.isPropertyAccessExpression(use.parent) ? use.parent.name.text : undefined;
        const target = member === undefined ? undefined : errorCodeOf(member);
        if (target !== undefined && ts.isPropertyAccessExpression(use.parent) && target.startsWith('SdkErrorCode'))
          say('error-class', file.span(use.parent), { data: { name: `ErrorCode.${member ?? ''}`, target: `\`${target}\` on \`SdkError\`` } });
      }
    }
    if (binding.name === 'StreamableHTTPError') for (const use of referencesOf(declaration, file)) httpStatus(use, file, say);
  }
  if (!client) return;
  eachNode(file.tree, (node) => {
    if (
      !ts.isBinaryExpression(node) ||
      ![ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(node.operatorToken.kind)
    )
      return;
    for (const [side, other] of [
      [node.left, node.right],
      [node.right, node.left],
    ] as const) {
      const code = codeOf(other);
      const known = code === undefined ? undefined : MEANING[code];
      if (code !== undefined && known && isCode(side)) say('raw-error-code', file.span(other), { data: { code, ...known } });
    }
  });
}

const isGuard = (use: ts.Identifier): boolean =>
  ts.isBinaryExpression(use.parent) && use.parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword && use.parent.right === use;

/** `e.code` in the branch of `e instanceof StreamableHTTPError`, in the same condition or in the block behind it. */
function httpStatus(use: ts.Identifier, file: TypeScriptFile, say: Say): void {
  if (!isGuard(use) || !ts.isBinaryExpression(use.parent)) return;
  const subject = bare(use.parent.left);
  const declaration = ts.isIdentifier(subject) ? declarationOf(subject, file) : undefined;
  if (!declaration) return;
  let scope: ts.Node = use.parent;
  while (!ts.isStatement(scope)) scope = scope.parent;
  // The other branch is of an error that it is not, when nothing but the class was asked for.
  const otherwise = ts.isIfStatement(scope) && bare(scope.expression) === use.parent ? scope.elseStatement : undefined;
  for (const other of referencesOf(declaration, file)) {
    const access = other.parent;
    if (otherwise !== undefined && other.pos >= otherwise.pos && other.end <= otherwise.end) continue;
    if (other.pos >= scope.pos && other.end <= scope.end && ts.isPropertyAccessExpression(access) && access.expression === other && access.name.text === 'code')
      say('http-error-code', file.span(access.name));
  }
}
