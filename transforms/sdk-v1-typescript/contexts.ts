import { ts } from 'ts-morph';
import { type Declaration, type TypeScriptFile, declarationOf, eachNode, isWrite, originOf, referencesOf } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { type Files, resolveFunction, typeDeclared } from './declared.js';
import { bare } from './nodes.js';
import { registrationsOf } from './registrations.js';

/**
 * Where each property of the v1 request context is in v2, as written after the context variable.
 * Source: `ServerContext` of `@modelcontextprotocol/server` and the mapping of the official codemod.
 */
export const CONTEXT_KEYS: Readonly<Record<string, string>> = {
  signal: 'mcpReq.signal',
  requestId: 'mcpReq.id',
  _meta: 'mcpReq._meta',
  sendRequest: 'mcpReq.send',
  sendNotification: 'mcpReq.notify',
  authInfo: 'http?.authInfo',
  requestInfo: 'http?.req',
  closeSSEStream: 'http?.closeSSE',
  closeStandaloneSSEStream: 'http?.closeStandaloneSSE',
};

/** Properties of the experimental tasks of v1, which v2 does not have. */
export const TASK_KEYS: ReadonlySet<string> = new Set(['taskId', 'taskStore', 'taskRequestedTtl']);

/** Names under which code annotates a context parameter. */
const CONTEXT_TYPES: ReadonlySet<string> = new Set(['ServerContext', 'ClientContext', 'RequestHandlerExtra']);

/** A parameter (or a constant that stands for one) that holds a request context. */
export interface ContextVariable {
  readonly file: TypeScriptFile;
  readonly declaration: Declaration;
  /** The parameter was named by a registration or an annotation, or got the context of such a one handed on. */
  readonly source: 'handler' | 'annotation' | 'forwarded' | 'alias';
}

/** A parameter or constant that takes the context apart: `({ signal }) => …`, `const { signal } = extra`. */
export interface ContextPattern {
  readonly file: TypeScriptFile;
  readonly pattern: ts.ObjectBindingPattern;
}

/** A place where the context goes somewhere that cannot be followed. */
export interface ContextEscape {
  readonly file: TypeScriptFile;
  readonly node: ts.Node;
  readonly into: string;
}

/** Everything that holds a request context in a set of files. */
export interface Contexts {
  readonly variables: readonly ContextVariable[];
  readonly patterns: readonly ContextPattern[];
  readonly escapes: readonly ContextEscape[];
}

/** Does a type stand for the request context of the SDK, under its own name or an alias, also of another file? */
export function isContextType(type: ts.TypeNode, file: TypeScriptFile, files: Files, depth = 0): boolean {
  if (ts.isUnionTypeNode(type)) {
    const rest = type.types.filter(
      (part) => part.kind !== ts.SyntaxKind.UndefinedKeyword && !(ts.isLiteralTypeNode(part) && part.literal.kind === ts.SyntaxKind.NullKeyword),
    );
    return rest.length === 1 && rest[0] !== undefined && isContextType(rest[0], file, files, depth);
  }
  if (!ts.isTypeReferenceNode(type)) return false;
  const symbol = canonical(originOf(type.typeName, file));
  if (symbol) return CONTEXT_TYPES.has(symbol.name);
  if (depth >= 5 || !ts.isIdentifier(type.typeName)) return false;
  const alias = typeDeclared(type.typeName, file, files);
  return alias !== undefined && ts.isTypeAliasDeclaration(alias.node) && isContextType(alias.node.type, alias.file, files, depth + 1);
}

/** An annotation under which a property read would still compile, whatever the shape of the context. */
const isOpen = (type: ts.TypeNode | undefined): boolean => type === undefined || type.kind === ts.SyntaxKind.AnyKeyword;

/** Climbs out of parentheses, casts and `!`. */
function outer(node: ts.Node): ts.Node {
  let current = node;
  while (
    ts.isParenthesizedExpression(current.parent) ||
    ts.isAsExpression(current.parent) ||
    ts.isNonNullExpression(current.parent) ||
    ts.isSatisfiesExpression(current.parent)
  )
    current = current.parent;
  return current;
}

/** Handlers whose call does not tell the position: a lone parameter is the context when it is read like one and like nothing else. */
function readsLikeContext(parameter: ts.ParameterDeclaration, file: TypeScriptFile): boolean {
  if (ts.isObjectBindingPattern(parameter.name))
    return parameter.name.elements.some((element) => (element.propertyName ?? element.name).getText(file.tree) in CONTEXT_KEYS);
  const declaration = ts.isIdentifier(parameter.name) ? declarationOf(parameter.name, file) : undefined;
  const reads = declaration
    ? referencesOf(declaration, file).flatMap((use) =>
        ts.isPropertyAccessExpression(use.parent) && use.parent.expression === use ? [use.parent.name.text] : [],
      )
    : [];
  return reads.length > 0 && reads.every((name) => Object.hasOwn(CONTEXT_KEYS, name) || name === 'sessionId');
}

/** Finds every variable and pattern that holds a request context, starting at registrations and annotations and following hand-overs. */
export function findContexts(files: Files): Contexts {
  const variables: ContextVariable[] = [];
  const patterns: ContextPattern[] = [];
  const escapes: ContextEscape[] = [];
  const seen = new Set<ts.Node>();
  const queue: ContextVariable[] = [];

  const addParameter = (parameter: ts.ParameterDeclaration | undefined, file: TypeScriptFile, source: ContextVariable['source']): void => {
    if (!parameter || parameter.dotDotDotToken || seen.has(parameter)) return;
    seen.add(parameter);
    if (ts.isObjectBindingPattern(parameter.name)) patterns.push({ file, pattern: parameter.name });
    else if (ts.isIdentifier(parameter.name)) {
      const declaration = declarationOf(parameter.name, file);
      if (declaration) queue.push({ file, declaration, source });
    }
  };

  for (const path of files.paths) {
    const file = files.get(path);
    if (!file) continue;
    for (const registration of registrationsOf(file)) {
      if (registration.receiver === 'other' || registration.receiver === 'unknown') continue;
      for (const expression of handlerExpressions(registration.handler)) {
        const target = resolveFunction(expression, file, files);
        if (!target) continue;
        const parameters = target.fn.parameters;
        const [first, second] = parameters;
        const index = registration.contextIndex ?? (second ? 1 : first && readsLikeContext(first, target.file) ? 0 : undefined);
        if (index !== undefined) addParameter(parameters[index], target.file, 'handler');
      }
    }
    eachNode(file.tree, (node) => {
      if (ts.isParameter(node) && node.type && isContextType(node.type, file, files)) addParameter(node, file, 'annotation');
      if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isPropertyAccessExpression(node.left) &&
        node.left.name.text === 'fallbackRequestHandler'
      ) {
        const target = resolveFunction(node.right, file, files);
        if (target) addParameter(target.fn.parameters[1], target.file, 'handler');
      }
    });
  }

  for (let variable = queue.shift(); variable !== undefined; variable = queue.shift()) {
    variables.push(variable);
    const { file, declaration } = variable;
    for (const use of referencesOf(declaration, file)) {
      const top = outer(use);
      const parent = top.parent;
      if (ts.isPropertyAccessExpression(parent) && parent.expression === top) continue;
      if (ts.isElementAccessExpression(parent) && parent.expression === top) continue;
      if (ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent) || isTest(top)) continue;
      if (ts.isVariableDeclaration(parent) && parent.initializer === top) {
        if (ts.isObjectBindingPattern(parent.name)) {
          if (!seen.has(parent)) patterns.push({ file, pattern: parent.name });
          seen.add(parent);
          continue;
        }
        const alias = ts.isIdentifier(parent.name) ? declarationOf(parent.name, file) : undefined;
        if (alias?.kind === 'const') {
          if (!seen.has(parent)) queue.push({ file, declaration: alias, source: 'alias' });
          seen.add(parent);
          continue;
        }
      }
      if (ts.isCallExpression(parent) && parent.expression !== top) {
        const index = parent.arguments.indexOf(top as ts.Expression);
        const target = resolveFunction(parent.expression, file, files);
        const parameter = target?.fn.parameters[index];
        if (target && !parameter && !target.fn.parameters.some((other) => other.dotDotDotToken)) continue;
        if (
          target &&
          parameter &&
          !parameter.dotDotDotToken &&
          (isOpen(parameter.type) || (parameter.type && isContextType(parameter.type, target.file, files)))
        ) {
          addParameter(parameter, target.file, 'forwarded');
          continue;
        }
        escapes.push({ file, node: parent, into: `${parent.expression.getText(file.tree)}()` });
        continue;
      }
      if (ts.isIdentifier(use) && isWrite(use)) continue;
      escapes.push({
        file,
        node: top,
        into: ts.isSpreadAssignment(parent) || ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent) ? 'an object' : 'another value',
      });
    }
  }
  return { variables, patterns, escapes };
}

/** Only whether the context is there is asked, or nothing is done with it. */
function isTest(node: ts.Node): boolean {
  const parent = node.parent;
  if (
    ts.isIfStatement(parent) ||
    ts.isPrefixUnaryExpression(parent) ||
    ts.isVoidExpression(parent) ||
    ts.isTypeOfExpression(parent) ||
    ts.isExpressionStatement(parent)
  )
    return true;
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken && parent.left === node;
}

/** A handler argument is a function, or (experimental tasks) an object of functions. */
function handlerExpressions(handler: ts.Expression): readonly ts.Expression[] {
  const inner = bare(handler);
  if (!ts.isObjectLiteralExpression(inner)) return [inner];
  return inner.properties.flatMap((property) => (ts.isPropertyAssignment(property) ? [property.initializer] : []));
}
