import { ts } from 'ts-morph';
import { constantOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { localFunction } from '../_mcp/typescript/servers.js';
import { ancestor, calledMember, isFunctionNode, memberName, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';

const VERBS: ReadonlySet<string> = new Set(['get', 'delete', 'del', 'all']);
const APPS = /(?:app|router|server|fastify|hono|express|elysia|instance|route|api|mcp)\w*$/i;

/** Name of a route for MCP streams or sessions, on any host that registers by verb: `DELETE /mcp`. 405 stubs are none. */
export function routeOf(call: ts.CallExpression, file: TypeScriptFile): string | undefined {
  const method = calledMember(call);
  const receiver = receiverOf(call);
  const [path, ...rest] = call.arguments;
  if (method === undefined || receiver === undefined || path === undefined || rest.length === 0 || !VERBS.has(method)) return undefined;
  const root = ts.isIdentifier(receiver)
    ? receiver.text
    : (memberName(receiver) ?? (ts.isCallExpression(receiver) || ts.isNewExpression(receiver) ? 'app' : ''));
  if (!APPS.test(root) || !isMcpPath(path, file)) return undefined;
  const handler = rest.at(-1);
  if (handler === undefined || !isHandler(handler) || refuses(handler, file)) return undefined;
  const known = constantOf(path, file);
  return `${method === 'all' ? 'Every method of' : method === 'get' ? 'GET' : 'DELETE'} ${typeof known === 'string' ? known : path.getText(file.tree)}`;
}

function isMcpPath(path: ts.Node, file: TypeScriptFile): boolean {
  const known = constantOf(path, file);
  if (typeof known === 'string') return known.startsWith('/') && /(?:^|\/)(?:\w*-)?mcp(?:\/|$)/i.test(known) && !known.includes('*');
  const text = unwrap(path).getText(file.tree);
  return text.length < 60 && /mcp_?(?:path|route|endpoint)|streamable\w*path|routes?\.mcp|mcp\b.*path|^(?:mcpEndpoint|endpoint)$|httpstream/i.test(text);
}

const isHandler = (node: ts.Node): boolean => {
  const value = unwrap(node);
  return isFunctionNode(value) || ts.isIdentifier(value) || ts.isPropertyAccessExpression(value) || ts.isCallExpression(value);
};

/** A handler that does nothing but answer 405, in place or by name. */
function refuses(handler: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrap(handler);
  const fn = isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : undefined;
  const text = (fn ?? value).getText(file.tree);
  return (/\b405\b|methodNotAllowed/i.test(text) && !text.includes('handleRequest')) || (fn === undefined && /methodNotAllowed|not_?allowed/i.test(text));
}

/** The verb of `req.method === 'GET'` in a branch that is about MCP: its condition or body names a session, a stream or the endpoint. */
export function methodBranch(node: ts.BinaryExpression, file: TypeScriptFile): string | undefined {
  const kind = node.operatorToken.kind;
  const differs = kind === ts.SyntaxKind.ExclamationEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsToken;
  if (kind !== ts.SyntaxKind.EqualsEqualsEqualsToken && kind !== ts.SyntaxKind.EqualsEqualsToken && !differs) return undefined;
  const [left, verb] = [unwrap(node.left), constantOf(node.right, file)];
  if (verb !== 'GET' && verb !== 'DELETE') return undefined;
  if (!(memberName(left) === 'method' || (ts.isIdentifier(left) && /^(?:\w*method|isGet\w*)$/i.test(left.text)))) return undefined;
  const statement = ancestor(
    node,
    (outer): outer is ts.Statement =>
      ts.isIfStatement(outer) || ts.isReturnStatement(outer) || ts.isVariableStatement(outer) || ts.isExpressionStatement(outer),
  );
  const text =
    statement === undefined
      ? ''
      : ts.isIfStatement(statement)
        ? `${statement.expression.getText(file.tree)} ${statement.thenStatement.getText(file.tree)}`
        : statement.getText(file.tree);
  // `if (req.method !== 'GET' || req.path !== '/mcp') return;` guards what is done for a stream.
  if (differs && !(statement !== undefined && ts.isIfStatement(statement) && /['"`][\w/-]*\/mcp['"`]/.test(statement.expression.getText(file.tree))))
    return undefined;
  if (/oauth|well-known|health|metadata|webhook/i.test(statement !== undefined && ts.isIfStatement(statement) ? statement.expression.getText(file.tree) : text))
    return undefined;
  if (/\b405\b/.test(text) && !/handle|session/i.test(text)) return undefined;
  return /session|event-?stream|sse|mcp|stream|last-?event/i.test(text) ? verb : undefined;
}

/** Next.js and other file routes: `export { handler as GET, handler as DELETE }`, `export const DELETE = handler`. */
export function nextExports(node: ts.ExportDeclaration | ts.VariableStatement, file: TypeScriptFile): readonly string[] {
  if (!/\bMcp|mcp/.test(file.text)) return [];
  const names = ts.isExportDeclaration(node)
    ? node.moduleSpecifier === undefined && node.exportClause !== undefined && ts.isNamedExports(node.exportClause)
      ? node.exportClause.elements.map((element) => element.name.text)
      : []
    : node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) === true
      ? node.declarationList.declarations.flatMap((declaration) =>
          ts.isIdentifier(declaration.name) && declaration.initializer !== undefined && !refuses(declaration.initializer, file) ? [declaration.name.text] : [],
        )
      : [];
  const found = names.filter((name) => name === 'GET' || name === 'DELETE');
  return found.length === 0 ? [] : [found.join(' and ')];
}
