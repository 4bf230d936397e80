import { ts } from 'ts-morph';
import type { Site, TextEdit } from '../../../src/core/index.js';
import {
  type FunctionNode,
  type TypeScriptFile,
  type Wanted,
  constantOf,
  declarationOf,
  importBindings,
  isFunctionNode,
  referencesOf,
  returnedExpressions,
} from '../../../src/languages/typescript/index.js';
import { isExported, sdkOf } from '../../_mcp/sdk-table.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { type Files, declared, typeDeclared } from '../declared.js';
import { functionOf, registrationsOf } from '../registrations.js';
import { RESULTS, type Scene, calledFunction, isOtherObject } from '../handler-results.js';
import { castEdits, castOf } from './result-casts.js';
import { bare, someNode } from '../nodes.js';

/** Properties whose values are plain texts, numbers or flags: the compiler takes them as they come. */
const PLAIN: ReadonlySet<string> = new Set(
  'text uri uriTemplate mimeType name title description isError data blob nextCursor hasMore total version model stopReason size priority lastModified'.split(
    ' ',
  ),
);

/** Calls that give back what they were called on. */
const SAME: ReadonlySet<string> = new Set(['filter', 'slice', 'sort', 'toSorted', 'reverse', 'concat']);

/** What makes handlers fit, and the returns whose type nobody can name here. */
export interface Results {
  readonly edits: readonly TextEdit[];
  readonly add: readonly Wanted[];
  /** Returns that the type check may name. */
  readonly open: readonly ts.Node[];
}

/**
 * SDK v1 took any object from a request handler, SDK v2 types the result by its method. Returns whose parts are typed elsewhere, or widened on
 * their way (`type: string` for `'text'`), say what they are: a cast, which changes nothing at run time. JavaScript is left alone.
 */
export function repairResults(file: TypeScriptFile, files: Files): Results {
  const edits: TextEdit[] = [];
  const open: ts.Node[] = [];
  const add = new Map<string, Wanted>();
  const done = new Set<FunctionNode>();
  if (file.isJavaScript || !importBindings(file).some(({ specifier }) => sdkOf(specifier) === 2)) return { edits, add: [], open };
  for (const { call, name, receiver, handler } of registrationsOf(file)) {
    const [first] = call.arguments;
    const method =
      name === 'setRequestHandler' && receiver !== 'other' && first !== undefined && call.arguments.length === 2 ? constantOf(first, file) : undefined;
    const type = typeof method === 'string' ? RESULTS[method] : undefined;
    const fn = functionOf(handler, file);
    if (type === undefined || fn === undefined || !isFunctionNode(fn) || done.has(fn)) continue;
    const annotated = fn.type === undefined ? undefined : annotationOf(fn, handler, type, { file, files });
    if (fn.type !== undefined && annotated === undefined) continue;
    done.add(fn);
    const home = homeOf(type, file);
    if (home === undefined) continue;
    const shared = fn !== handler && !isOnlyFor(handler, fn, file);
    const own: TextEdit[] = [];
    const unknown: ts.Node[] = [];
    for (const expression of returnedExpressions(fn)) {
      if (fits(expression, undefined, fn === handler, { file, files, result: type })) continue;
      const cast = shared || isOtherObject(expression, type, file) ? undefined : castOf(expression, fn, { file, files });
      if (cast === undefined) unknown.push(expression);
      else own.push(...castEdits(expression, cast, home.local, file));
    }
    open.push(...unknown);
    if (annotated !== undefined) {
      // With one return that cannot be cast the annotation would be wrong too.
      if (unknown.length > 0) continue;
      own.push({ ...file.span(annotated), text: home.local });
    }
    if (own.length > 0) add.set(type, home.wanted);
    edits.push(...own);
  }
  return { edits, add: [...add.values()], open };
}

/**
 * The name in `Promise<Name>` that a handler in place gives its result: a type of the project, or one of the SDK that stands for all results.
 * `undefined` for what the compiler takes, and for types that cannot be looked at.
 */
function annotationOf(fn: FunctionNode, handler: ts.Expression, result: string, scene: Scene): ts.Node | undefined {
  const { type } = fn;
  if (fn !== handler || type === undefined || !ts.isTypeReferenceNode(type) || scene.file.textOf(type.typeName) !== 'Promise') return undefined;
  const [inner] = type.typeArguments ?? [];
  if (!inner || !ts.isTypeReferenceNode(inner) || !ts.isIdentifier(inner.typeName) || inner.typeArguments !== undefined) return undefined;
  if (namesSdk(inner, scene.file)) return namesSdk(inner, scene.file, result) ? undefined : inner;
  const found = typeDeclared(inner.typeName, scene.file, scene.files);
  return found === undefined || namesSdk(found.node, found.file) ? undefined : inner;
}

/** Is a function with a name called by nobody but the SDK? A cast in it would change what others see of its result. */
function isOnlyFor(handler: ts.Expression, fn: FunctionNode, file: TypeScriptFile): boolean {
  const name = bare(handler);
  const declaration = ts.isIdentifier(name) ? declarationOf(name, file) : undefined;
  if (declaration === undefined) return false;
  const statement = ts.isVariableDeclaration(declaration.node) ? declaration.node.parent.parent : fn;
  const isExported = ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return !isExported && referencesOf(declaration, file).filter((use) => use.parent !== declaration.node).length === 1;
}

/** What to do where the type check names a handler; the lines are those of before. */
export function untypedNote(sites: readonly Site[]): string {
  const places = sites.slice(0, 3).map(({ file, line }) => `${file}:${String(line)}`);
  const more = sites.length > 3 ? ` and ${String(sites.length - 3)} more` : '';
  return `SDK v2 types what a request handler returns, by its method. Where the type check names one (it may at ${places.join(', ')}${more}), write the type of the result down, or cast it, e.g. \`as CallToolResult\`.`;
}

/** Where the type comes from, and the name that it has in the file. */
function homeOf(type: string, file: TypeScriptFile): { readonly local: string; readonly wanted: Wanted } | undefined {
  const bindings = importBindings(file);
  const known = bindings.find((binding) => sdkOf(binding.specifier) === 2 && binding.name === type);
  if (known) return { local: known.local, wanted: known };
  const module = [...bindings.map(({ specifier }) => specifier), '@modelcontextprotocol/server', '@modelcontextprotocol/client'].find(
    (specifier) => sdkOf(specifier) === 2 && isExported(specifier, type),
  );
  if (module === undefined) return undefined;
  const taken = someNode(file.tree, (node) => ts.isIdentifier(node) && node.text === type);
  const local = taken ? freeName(`Sdk${type}`, file) : type;
  return { local, wanted: { specifier: module, name: type, local, typeOnly: true } };
}

/** Does the compiler take the expression where the result, or its property `key`, is wanted? `typed`: it sees what is wanted while it reads the expression. */
function fits(expression: ts.Expression, key: string | undefined, typed: boolean, scene: Scene): boolean {
  const inner = ts.isParenthesizedExpression(expression) || ts.isNonNullExpression(expression) ? expression.expression : undefined;
  if (inner) return fits(inner, key, typed, scene);
  if (ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) || ts.isTypeAssertionExpression(expression)) return true;
  if (ts.isObjectLiteralExpression(expression))
    return expression.properties.every((property) => {
      if (ts.isSpreadAssignment(property)) return fits(property.expression, undefined, typed, scene);
      const name = property.name !== undefined && (ts.isIdentifier(property.name) || ts.isStringLiteralLike(property.name)) ? property.name.text : '';
      if (ts.isShorthandPropertyAssignment(property)) return PLAIN.has(name) || isSdkTyped(property.name, name, scene);
      // A text that stands for one of few values is widened where nobody asks for it.
      const widened = !typed && (name === 'type' || name === 'role' || name === 'action');
      if (widened && !(ts.isPropertyAssignment(property) && ts.isAsExpression(property.initializer))) return false;
      return !ts.isPropertyAssignment(property) || fits(property.initializer, name, typed, scene);
    });
  if (ts.isArrayLiteralExpression(expression))
    return expression.elements.every((element) => fits(ts.isSpreadElement(element) ? element.expression : element, key, typed, scene));
  if (ts.isConditionalExpression(expression)) return fits(expression.whenTrue, key, typed, scene) && fits(expression.whenFalse, key, typed, scene);
  if (ts.isStringLiteralLike(expression) || ts.isTemplateExpression(expression) || ts.isNumericLiteral(expression)) return true;
  if (expression.kind === ts.SyntaxKind.TrueKeyword || expression.kind === ts.SyntaxKind.FalseKeyword) return true;
  if (key !== undefined && PLAIN.has(key)) return true;
  if (ts.isIdentifier(expression)) return expression.text === 'undefined' || isSdkTyped(expression, key, scene);
  if (ts.isAwaitExpression(expression)) return fits(expression.expression, key, typed, scene);
  if (!ts.isCallExpression(expression)) return false;
  const callee = expression.expression;
  if (ts.isPropertyAccessExpression(callee)) {
    const [argument] = expression.arguments;
    if (SAME.has(callee.name.text)) return fits(callee.expression, key, typed, scene);
    if ((callee.name.text === 'map' || callee.name.text === 'flatMap') && argument && isFunctionNode(argument))
      return argument.type === undefined
        ? returnedExpressions(argument).every((returned) => fits(returned, key, typed, scene))
        : namesSdk(argument.type, scene.file);
  }
  const called = calledFunction(callee, scene);
  return called?.node.type !== undefined && namesSdk(called.node.type, called.file, key === undefined ? scene.result : undefined);
}

/** The declaration writes a type of the SDK down, or `any`, which fits everywhere; or its value fits as it is. */
function isSdkTyped(name: ts.Expression, key: string | undefined, scene: Scene): boolean {
  const found = declared(name, scene.file, scene.files);
  if (found === undefined || !(ts.isVariableDeclaration(found.node) || ts.isParameter(found.node))) return false;
  const { type, initializer } = found.node;
  if (type !== undefined) return namesSdk(type, found.file, key === undefined ? scene.result : undefined);
  // What is written out where it is declared is widened there, once; names inside of it are not followed any further. An empty list is filled later.
  if (initializer !== undefined && ts.isArrayLiteralExpression(initializer) && initializer.elements.length === 0) return false;
  return initializer !== undefined && scene.inside !== true && fits(initializer, undefined, false, { ...scene, file: found.file, inside: true });
}

/** Types of the SDK that stand for any answer, so that the result of one method is not among them. */
const BROAD: ReadonlySet<string> = new Set(['Result', 'ServerResult', 'ClientResult', 'EmptyResult']);

/** Does a type name the SDK: where `result` is given, that result and no other, nor a message? */
function namesSdk(type: ts.Node, file: TypeScriptFile, result?: string): boolean {
  const names = new Map(importBindings(file).flatMap((binding) => (sdkOf(binding.specifier) !== undefined ? [[binding.local, binding.name] as const] : [])));
  // `Record<string, any>` has none of the properties that are wanted; `any` itself has all.
  if (/^(?:Promise<)?any(?:\[\])*>?$/.test(file.textOf(type))) return true;
  if (result !== undefined && someNode(type, (node) => ts.isIdentifier(node) && isOtherAnswer(names.get(node.text), result))) return false;
  return someNode(type, (node) => ts.isIdentifier(node) && names.has(node.text));
}

const isOtherAnswer = (name: string | undefined, result: string): boolean =>
  name !== undefined && name !== result && (BROAD.has(name) || name.startsWith('JSONRPC') || Object.values(RESULTS).includes(name));
