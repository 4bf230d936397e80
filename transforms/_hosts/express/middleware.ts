import { ts } from 'ts-morph';
import type { FactOf, SymbolRef } from '../../../src/core/index.js';
import { classRef, type FunctionNode, type TypeScriptFile, constantOf, functionRef, originOf, symbolOf } from '../../../src/languages/typescript/index.js';
import { canonical } from '../../_mcp/canonical.js';
import { entryOf, isShimWrap } from '../../_mcp/typescript/eras.js';
import { ancestor, calledMember, isFunctionNode, memberName, nameText, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { type Options, readOptions } from '../../_mcp/typescript/options.js';
import { localFunction } from '../../_mcp/typescript/servers.js';

type What = FactOf<'guard'>['what'];

/** What a middleware is: a guard, a parser, something known to leave the body alone, or unknown. */
export interface Middleware {
  readonly node: ts.Node;
  readonly what: What | 'harmless' | 'unknown';
  /** A JSON body is parsed for certain. */
  readonly parsesJson: boolean;
  /** Literal allow-list, `['*']` for any. */
  readonly allows: readonly string[];
  readonly options: Options | undefined;
}

/** Middleware packages that never read the body. */
const HARMLESS: ReadonlySet<string> = new Set([
  'helmet',
  'morgan',
  'compression',
  'cookie-parser',
  'express-session',
  'response-time',
  'serve-static',
  'pino-http',
  'express-winston',
  'connect-timeout',
  'serve-favicon',
  'method-override',
  'errorhandler',
  'express-request-id',
]);
const PARSER_NAMES: ReadonlySet<string> = new Set(['json']);
const RAW_PARSERS: ReadonlySet<string> = new Set(['urlencoded', 'raw', 'text', 'static']);
const SDK_GUARDS: Readonly<Record<string, What>> = {
  requireBearerAuth: 'authentication',
  hostHeaderValidation: 'host',
  localhostHostValidation: 'host',
  originValidation: 'origin',
  localhostOriginValidation: 'origin',
};
const AUTH_NAME = /auth(?!or)|bearer|jwt|api.?key|require.?(?:user|login|token)|verify.?token|credential|secur(?:ity|ed)(?:middlewares?|guards?|checks?)$/i;

/** Judges one argument between the path and the handler, or of `app.use`. */
export function middlewareOf(node: ts.Node, file: TypeScriptFile): Middleware {
  const value = unwrap(node);
  const as = (what: Middleware['what'], more: Partial<Middleware> = {}): Middleware => ({
    node,
    what,
    parsesJson: false,
    allows: [],
    options: undefined,
    ...more,
  });
  if (ts.isCallExpression(value)) {
    const callee = unwrap(value.expression);
    const origin = originOf(callee, file);
    const sdk = canonical(origin)?.name;
    const guard = sdk === undefined ? undefined : SDK_GUARDS[sdk];
    if (guard !== undefined)
      return as(guard, { allows: sdk?.startsWith('localhost') === true ? ['localhost', '127.0.0.1', '[::1]'] : literals(value.arguments[0], file) });
    if (sdk !== undefined) return as('harmless');
    if (origin?.module === 'express' || origin?.module === 'body-parser') {
      const name = origin.name === 'default' || origin.name === '*' ? undefined : origin.name;
      if (name !== undefined && PARSER_NAMES.has(name)) return as('body-parser', { parsesJson: true });
      if (name !== undefined && RAW_PARSERS.has(name))
        return as(name === 'static' ? 'harmless' : 'body-parser', { parsesJson: false, ...(name === 'urlencoded' ? { what: 'harmless' as const } : {}) });
      return as('unknown');
    }
    if (origin?.module === 'cors') {
      const options = readOptions(value.arguments[0], file);
      return as('cors', { allows: originList(options, file), options });
    }
    if (origin !== undefined && /rate-?limit|slow-?down/i.test(origin.module)) return as('rate-limit');
    if (origin !== undefined && HARMLESS.has(origin.module)) return as('harmless');
    const name = ts.isIdentifier(callee) ? callee.text : (calledMember(value) ?? '');
    if (AUTH_NAME.test(name) || (origin !== undefined && /passport|oauth|jwt|auth0/i.test(origin.module))) return as('authentication');
    return as('unknown');
  }
  const fn = isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : undefined;
  const name = ts.isIdentifier(value) ? value.text : memberName(value);
  if (fn !== undefined) return localMiddleware(fn, node, name, file, as);
  if (ts.isIdentifier(value)) {
    const made = declaredCall(value, file);
    if (made !== undefined && made !== value) return { ...middlewareOf(made, file), node };
  }
  if (name !== undefined && AUTH_NAME.test(name)) return as('authentication');
  // An error handler only runs when something has failed before.
  if (name !== undefined && /error/i.test(name)) return as('harmless');
  const origin = originOf(value, file);
  return as(origin !== undefined && HARMLESS.has(origin.module) ? 'harmless' : 'unknown');
}

function localMiddleware(
  fn: FunctionNode,
  node: ts.Node,
  name: string | undefined,
  file: TypeScriptFile,
  as: (what: Middleware['what'], more?: Partial<Middleware>) => Middleware,
): Middleware {
  const text = fn.getText(file.tree);
  if (
    /\.json\(\s*(?:\{[^}]*\})?\s*\)\s*\(|body-?parser|\.body\s*=[^=]|\.on\(\s*['"](?:data|readable|end)['"]|\.pipe\(|for await|rawBody|getRawBody|\.setEncoding\(/i.test(
      text,
    )
  )
    return as('unknown');
  if (/headers(?:\.origin|\[['"]origin['"]\])|\b(?:get|header)\(\s*['"]origin['"]/i.test(text))
    return as(/Access-Control-Allow-Origin/i.test(text) && !text.includes('403') ? 'cors' : 'origin');
  if ((name !== undefined && AUTH_NAME.test(name)) || (/authorization/i.test(text) && /\b40[13]\b/.test(text))) return as('authentication');
  return as('harmless', { node });
}

/** `const parse = express.json()` behind a name. */
function declaredCall(identifier: ts.Identifier, file: TypeScriptFile): ts.Node | undefined {
  const ref = symbolOf(identifier, file, () => false);
  if (ref?.file !== file.path) return undefined;
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      nameText(node.name) === identifier.text &&
      node.initializer !== undefined &&
      ts.isCallExpression(unwrap(node.initializer))
    )
      found = unwrap(node.initializer);
    if (found === undefined) ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return found;
}

/** String elements of an array literal or of a constant one. */
export function literals(node: ts.Node | undefined, file: TypeScriptFile): readonly string[] {
  if (node === undefined) return [];
  const value = unwrap(node);
  const one = constantOf(value, file);
  if (typeof one === 'string') return [one];
  if (!ts.isArrayLiteralExpression(value)) return [];
  return value.elements.flatMap((element) => {
    const text = constantOf(element, file);
    return typeof text === 'string' ? [text] : [];
  });
}

function originList(options: Options, file: TypeScriptFile): readonly string[] {
  const value = options.values.get('origin');
  if (value === undefined) return options.complete ? ['*'] : [];
  return constantOf(value, file) === true ? ['*'] : literals(value, file);
}

/** The function that a route runs. */
export interface HandlerRef {
  readonly symbol: SymbolRef | undefined;
  readonly node: ts.Node;
}

/** Follows a handler argument: inline, named, imported, `this.handle.bind(this)`, a wrapper around one, the wrap of a dual-era entry. */
export function handlerOf(node: ts.Node, file: TypeScriptFile, has: (path: string) => boolean): HandlerRef {
  const value = unwrap(node);
  if (isFunctionNode(value)) return { symbol: functionRef(value, file), node };
  if (ts.isCallExpression(value)) {
    if (calledMember(value) === 'bind') {
      const receiver = receiverOf(value);
      if (receiver !== undefined) return { symbol: memberRef(receiver, file) ?? symbolOf(receiver, file, has), node };
    }
    // `mcp(handler)` of a dual-era entry: the route runs the entry; the handler is its legacy lane.
    if (isShimWrap(value, file) || entryOf(value, file) !== undefined) return { symbol: symbolOf(unwrap(value.expression), file, has), node };
    const inner = value.arguments
      .map((argument) => unwrap(argument))
      .find((argument) => isFunctionNode(argument) || ts.isIdentifier(argument) || ts.isPropertyAccessExpression(argument));
    if (inner !== undefined) {
      const ref = handlerOf(inner, file, has);
      if (ref.symbol !== undefined) return { symbol: ref.symbol, node };
    }
    return { symbol: symbolOf(unwrap(value.expression), file, has), node };
  }
  if (ts.isArrayLiteralExpression(value)) {
    const last = value.elements.at(-1);
    return last === undefined ? { symbol: undefined, node } : { ...handlerOf(last, file, has), node: last };
  }
  return { symbol: memberRef(value, file) ?? symbolOf(value, file, has), node };
}

/** `this.handle` names a member of the class around it. */
function memberRef(node: ts.Node, file: TypeScriptFile): SymbolRef | undefined {
  if (!ts.isPropertyAccessExpression(node) || node.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  const owner = ancestor(node, ts.isClassLike);
  return { file: file.path, name: `${owner === undefined ? '@class' : classRef(owner, file).name}.${node.name.text}` };
}
