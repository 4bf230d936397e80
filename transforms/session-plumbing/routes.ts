import { ts } from 'ts-morph';
import { constantOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { namesMethod } from '../_mcp/typescript/method-names.js';
import { localFunction } from '../_mcp/typescript/servers.js';
import { ancestor, calledMember, isFunctionNode, memberName, nameText, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';

const VERBS: ReadonlySet<string> = new Set(['get', 'delete', 'del', 'all']);
const APPS = /(?:app|router|server|fastify|hono|express|elysia|instance|route|api|mcp)\w*$/i;

/** Name of a route for MCP streams or sessions, on any host that registers by verb: `DELETE /mcp`. 405 stubs are none. */
export function routeOf(call: ts.CallExpression, file: TypeScriptFile): string | undefined {
  const method = calledMember(call);
  const receiver = receiverOf(call);
  const [path, ...rest] = call.arguments;
  // `app.on(['GET', 'DELETE'], '/mcp', …)`, `app.on('DELETE', '/mcp', …)`
  if (method === 'on' && receiver !== undefined && path !== undefined && rest.length >= 2) return listedRoute(path, rest, receiver, file);
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

/**
 * Routes that stand in an object: Fastify's `route({ method: ['GET', 'DELETE'], url: '/mcp', handler })`, and tables of Bun
 * (`'/mcp': { POST: …, DELETE: … }`).
 */
export function tableRoute(node: ts.PropertyAssignment, file: TypeScriptFile): string | undefined {
  const value = unwrap(node.initializer);
  if (ts.isObjectLiteralExpression(value) && ts.isStringLiteralLike(node.name) && isMcpPath(node.name, file)) {
    const verbs = value.properties.flatMap((property) => {
      const verb = property.name === undefined ? undefined : nameText(property.name);
      const handler = ts.isPropertyAssignment(property) ? property.initializer : property;
      return (verb === 'GET' || verb === 'DELETE') && !refuses(handler, file) ? [verb] : [];
    });
    return verbs.length === 0 || !value.properties.some((property) => property.name !== undefined && nameText(property.name) === 'POST')
      ? undefined
      : `${verbs.join(' and ')} ${node.name.text}`;
  }
  if (nameText(node.name) !== 'url' || !ts.isObjectLiteralExpression(node.parent) || !isMcpPath(node.initializer, file)) return undefined;
  const call = node.parent.parent;
  if (!ts.isCallExpression(call) || calledMember(call) !== 'route') return undefined;
  const member = (name: string) => node.parent.properties.find((property) => property.name !== undefined && nameText(property.name) === name);
  const [methods, handler] = [member('method'), member('handler')];
  if (methods === undefined || !ts.isPropertyAssignment(methods) || handler === undefined || refuses(handler, file)) return undefined;
  const list = unwrap(methods.initializer);
  const verbs = (ts.isArrayLiteralExpression(list) ? [...list.elements] : [list]).map((element) => constantOf(element, file));
  const own = verbs.filter((verb) => verb === 'GET' || verb === 'DELETE');
  return own.length === 0 ? undefined : `${own.join(' and ')} ${String(constantOf(node.initializer, file) ?? node.initializer.getText(file.tree))}`;
}

/** Hono's `on` with the verbs in front of the path. */
function listedRoute(verbs: ts.Expression, rest: readonly ts.Expression[], receiver: ts.Node, file: TypeScriptFile): string | undefined {
  const list = unwrap(verbs);
  const names = (ts.isArrayLiteralExpression(list) ? list.elements : [list]).map((element) => constantOf(element, file));
  const [path] = rest;
  const handler = rest.at(-1);
  if (!(names.includes('GET') || names.includes('DELETE')) || !APPS.test(receiver.getText(file.tree)) || path === undefined || handler === undefined)
    return undefined;
  if (!isMcpPath(path, file) || !isHandler(handler) || refuses(handler, file)) return undefined;
  return `${names.filter((name) => name === 'GET' || name === 'DELETE').join(' and ')} ${String(constantOf(path, file) ?? path.getText(file.tree))}`;
}

function isMcpPath(path: ts.Node, file: TypeScriptFile): boolean {
  const known = constantOf(path, file);
  if (typeof known === 'string')
    return known.startsWith('/') && /(?:^|\/)(?:\w*-)?mcp(?:\/|$)/i.test(known) && !known.includes('*') && !known.includes('.well-known');
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

/** The verb of `case 'DELETE':` under a `switch` over the method of a request, in code whose branch is about sessions, streams or the endpoint. */
export function verbCase(node: ts.CaseClause, file: TypeScriptFile): string | undefined {
  const verb = constantOf(node.expression, file);
  if ((verb !== 'GET' && verb !== 'DELETE') || !namesMethod(node.parent.parent.expression, file, /^(?:\w*method|verb)$/i)) return undefined;
  const text = node.statements.map((statement) => statement.getText(file.tree)).join(' ');
  if (/\b405\b/.test(text) && !/handle|session/i.test(text)) return undefined;
  return /session|event-?stream|sse|mcp|stream|last-?event|handleRequest/i.test(text) ? verb : undefined;
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
