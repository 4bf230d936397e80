import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, constantOf, declarationOf, referencesOf } from '../../../src/languages/typescript/index.js';
import type { Contexts } from '../contexts.js';
import type { Repair } from './context.js';
import type { Todo } from './markers.js';

interface Place {
  readonly file: TypeScriptFile;
  readonly node: ts.Expression;
}

const isExpressionOf = (node: ts.Node): node is ts.PropertyAccessExpression | ts.ElementAccessExpression =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);

/** Climbs out of parentheses, casts and `!`. */
function outer(node: ts.Expression): ts.Expression {
  let current: ts.Expression = node;
  while (ts.isParenthesizedExpression(current.parent) || ts.isAsExpression(current.parent) || ts.isNonNullExpression(current.parent)) current = current.parent;
  return current;
}

/** Reads `place.name`, with constants that only stand for the place followed once more. */
function membersOf(place: Place, name: string): readonly Place[] {
  return usesOf(place).flatMap(({ file, node }) => {
    const parent = outer(node).parent;
    return ts.isPropertyAccessExpression(parent) && parent.expression === outer(node) && parent.name.text === name ? [{ file, node: parent }] : [];
  });
}

/** The place itself, and the uses of a `const` that it initialises. */
function usesOf(place: Place): readonly Place[] {
  const top = outer(place.node);
  const parent = top.parent;
  if (!ts.isVariableDeclaration(parent) || parent.initializer !== top || !ts.isIdentifier(parent.name)) return [place];
  const declaration = declarationOf(parent.name, place.file);
  if (declaration?.kind !== 'const') return [place];
  return referencesOf(declaration, place.file).map((node) => ({ file: place.file, node }));
}

/** Expressions that hold one part of the context: `ctx.http`, or `http` of a context that was taken apart. */
function partsOf(contexts: Contexts, part: 'http' | 'mcpReq'): readonly Place[] {
  const places: Place[] = [];
  for (const { file, declaration } of contexts.variables) {
    for (const node of referencesOf(declaration, file)) places.push(...membersOf({ file, node }, part));
  }
  for (const { file, pattern } of contexts.patterns) {
    for (const element of pattern.elements) {
      if (!ts.isIdentifier(element.name) || (element.propertyName ?? element.name).getText(file.tree) !== part) continue;
      const declaration = declarationOf(element.name, file);
      if (declaration) places.push(...referencesOf(declaration, file).map((node) => ({ file, node })));
    }
  }
  return places;
}

/** Methods of the web `Headers`; any other member is a header name of the v1 record. */
const HEADERS_MEMBERS: ReadonlySet<string> = new Set(['get', 'has', 'entries', 'keys', 'values', 'forEach', 'getSetCookie', 'set', 'append', 'delete']);

/** Only the truth of the value is looked at, so that `null` (absent in `Headers`) and `undefined` (absent in v1) are the same. */
function asksForTruth(node: ts.Expression, file: TypeScriptFile, depth = 0): boolean {
  const top = outer(node);
  const parent = top.parent;
  if (ts.isIfStatement(parent) || ts.isPrefixUnaryExpression(parent) || ts.isWhileStatement(parent)) return true;
  if (ts.isConditionalExpression(parent)) return parent.condition === top;
  if (ts.isPropertyAccessExpression(parent) || ts.isCallExpression(parent)) return parent.expression === top && parent.questionDotToken !== undefined;
  if (ts.isBinaryExpression(parent)) {
    const kind = parent.operatorToken.kind;
    if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken) return parent.left === top;
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return parent.left === top && asksForTruth(parent, file, depth);
    // Comparison with a text: null and undefined are both unequal to it.
    return (
      (kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken) &&
      (ts.isStringLiteralLike(parent.right) || ts.isStringLiteralLike(parent.left))
    );
  }
  if (depth === 0 && ts.isVariableDeclaration(parent) && parent.initializer === top && !parent.type && ts.isIdentifier(parent.name)) {
    const declaration = declarationOf(parent.name, file);
    return declaration?.kind === 'const' && referencesOf(declaration, file).every((use) => asksForTruth(use, file, 1) || isGuarded(use, declaration.name));
  }
  return false;
}

/** Used where it was tested just before: `ua ? use(ua) : …`, `ua && use(ua)`. */
function isGuarded(use: ts.Expression, name: string): boolean {
  for (let node: ts.Node = use; !ts.isFunctionLike(node) && !ts.isSourceFile(node); node = node.parent) {
    const parent = node.parent;
    if (ts.isConditionalExpression(parent) && parent.whenTrue === node && ts.isIdentifier(parent.condition) && parent.condition.text === name) return true;
    if (ts.isIfStatement(parent) && parent.thenStatement === node && ts.isIdentifier(parent.expression) && parent.expression.text === name) return true;
    if (
      ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken &&
      parent.right === node &&
      ts.isIdentifier(parent.left) &&
      parent.left.text === name
    )
      return true;
  }
  return false;
}

function headerEdits(place: Place): { readonly edits: readonly TextEdit[]; readonly todo?: Todo } {
  const { file, node } = place;
  const top = outer(node);
  const parent = top.parent;
  const todo: Todo = {
    file,
    node: parent,
    kind: 'request-headers',
    text: 'in v2 these are web `Headers`: read one with `.get(name)`, all with `Object.fromEntries(headers)`.',
  };
  if (!isExpressionOf(parent) || parent.expression !== top)
    return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? { edits: [] } : { edits: [], todo };
  if (ts.isPropertyAccessExpression(parent) && HEADERS_MEMBERS.has(parent.name.text)) return { edits: [] };
  if (ts.isBinaryExpression(parent.parent) && parent.parent.left === parent && parent.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return { edits: [], todo };
  const name = ts.isPropertyAccessExpression(parent) ? `${file.quote}${parent.name.text}${file.quote}` : file.textOf(parent.argumentExpression);
  const dot = parent.questionDotToken ? '?.' : '.';
  const replaced: TextEdit = { start: top.end, end: parent.end, text: `${dot}get(${name})` };
  if (asksForTruth(parent, file)) return { edits: [replaced] };
  const around = outer(parent);
  const holder = parent.parent;
  const plain =
    around === parent &&
    (ts.isVariableDeclaration(holder) ||
      ts.isReturnStatement(holder) ||
      ts.isPropertyAssignment(holder) ||
      (ts.isCallExpression(holder) && holder.expression !== parent) ||
      ts.isArrowFunction(holder));
  if (plain) return { edits: [{ ...replaced, text: `${replaced.text} ?? undefined` }] };
  return {
    edits: [
      { start: parent.getStart(file.tree), end: parent.getStart(file.tree), text: '(' },
      { ...replaced, text: `${replaced.text} ?? undefined)` },
    ],
  };
}

/** `ctx.http?.req` is a web `Request` in v2: header reads become `.get(name)`, and `url` is text instead of a `URL`. */
export function repairRequestReads(contexts: Contexts): ReadonlyMap<string, Repair> {
  const byFile = new Map<string, { edits: TextEdit[]; todos: Todo[] }>();
  const of = (path: string): { edits: TextEdit[]; todos: Todo[] } => {
    const known = byFile.get(path) ?? { edits: [], todos: [] };
    byFile.set(path, known);
    return known;
  };
  for (const request of partsOf(contexts, 'http').flatMap((http) => membersOf(http, 'req'))) {
    for (const headers of membersOf(request, 'headers').flatMap(usesOf)) {
      const { edits, todo } = headerEdits(headers);
      of(headers.file.path).edits.push(...edits);
      if (todo) of(headers.file.path).todos.push(todo);
    }
    for (const url of membersOf(request, 'url').flatMap(usesOf)) {
      const parent = outer(url.node).parent;
      if (isExpressionOf(parent) && parent.expression === outer(url.node))
        of(url.file.path).todos.push({
          file: url.file,
          node: parent,
          kind: 'request-context',
          text: 'in v2 `req.url` is a text, not a `URL`: wrap it in `new URL(…)`.',
        });
    }
  }
  return byFile;
}

const propertyOf = (object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined => {
  for (const property of object.properties) {
    if (ts.isPropertyAssignment(property) && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) && property.name.text === name)
      return property.initializer;
    if (ts.isShorthandPropertyAssignment(property) && property.name.text === name) return property.name;
  }
  return undefined;
};

/**
 * `notify({ method: 'notifications/message', params: { level, data, logger } })` becomes `log(level, data, logger)`: the raw form ignores the
 * log level that a 2026-07-28 client asks for in its request, which the revision forbids.
 */
export function repairLogging(contexts: Contexts): ReadonlyMap<string, Repair> {
  const byFile = new Map<string, { edits: TextEdit[]; todos: Todo[] }>();
  for (const notify of partsOf(contexts, 'mcpReq').flatMap((request) => membersOf(request, 'notify'))) {
    const { file, node } = notify;
    const call = outer(node).parent;
    if (!ts.isCallExpression(call) || call.expression !== outer(node) || !ts.isPropertyAccessExpression(node)) continue;
    const message = call.arguments[0];
    if (!message || !ts.isObjectLiteralExpression(message)) continue;
    const method = propertyOf(message, 'method');
    if (!method || constantOf(method, file) !== 'notifications/message') continue;
    const entry = byFile.get(file.path) ?? { edits: [], todos: [] };
    byFile.set(file.path, entry);
    const params = propertyOf(message, 'params');
    const level = params && ts.isObjectLiteralExpression(params) ? propertyOf(params, 'level') : undefined;
    const data = params && ts.isObjectLiteralExpression(params) ? propertyOf(params, 'data') : undefined;
    const known =
      params !== undefined &&
      ts.isObjectLiteralExpression(params) &&
      params.properties.every(
        (property) => property.name !== undefined && ['level', 'data', 'logger'].includes(property.name.getText(file.tree).replace(/['"]/g, '')),
      );
    if (!level || !data || !known || call.arguments.length !== 1 || hasComment(message, file)) {
      entry.todos.push({
        file,
        node: call,
        kind: 'raw-log-notification',
        text: 'send this with `ctx.mcpReq.log(level, data, logger)`: the raw notification ignores the log level of the request.',
      });
      continue;
    }
    const logger = ts.isObjectLiteralExpression(params) ? propertyOf(params, 'logger') : undefined;
    entry.edits.push({ ...file.span(node.name), text: 'log' });
    entry.edits.push({ ...file.span(message), text: [level, data, ...(logger ? [logger] : [])].map((part) => file.textOf(part)).join(', ') });
  }
  return byFile;
}

function hasComment(node: ts.Node, file: TypeScriptFile): boolean {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, file.textOf(node));
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia) return true;
  }
  return false;
}
