import { ts } from 'ts-morph';
import type { Site, TextEdit } from '../../../src/core/index.js';
import {
  type FunctionNode,
  type TypeScriptFile,
  type Wanted,
  constantOf,
  declarationOf,
  enclosingClass,
  importBindings,
  exportsOf,
  isFunctionNode,
  originOf,
  referencesOf,
  resolveSpecifier,
  returnedExpressions,
} from '../../../src/languages/typescript/index.js';
import { isExported, sdkOf } from '../../_mcp/sdk-table.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import type { Files } from '../contexts.js';
import { functionOf, registrationsOf } from '../registrations.js';
import { bare, someNode } from '../nodes.js';

/** Result types by method. Source: `ResultTypeMap` of `@modelcontextprotocol/server` and `/client` 2.4. */
const RESULTS: Readonly<Record<string, string>> = {
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'sampling/createMessage': 'CreateMessageResult',
  'elicitation/create': 'ElicitResult',
  'roots/list': 'ListRootsResult',
};

/** Properties whose values are plain texts, numbers or flags: the compiler takes them as they come. */
const PLAIN: ReadonlySet<string> = new Set(
  'text uri uriTemplate mimeType name title description isError data blob nextCursor hasMore total version model stopReason size priority lastModified'.split(
    ' ',
  ),
);

/** Calls that give back what they were called on. */
const SAME: ReadonlySet<string> = new Set(['filter', 'slice', 'sort', 'toSorted', 'reverse', 'concat']);

/** The file, and those that it imports from. */
interface Scene {
  readonly file: TypeScriptFile;
  readonly files: Files;
  /** The value of a declaration is looked at. */
  readonly inside?: boolean;
}

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
    if (type === undefined || fn === undefined || !isFunctionNode(fn) || fn.type !== undefined || done.has(fn)) continue;
    done.add(fn);
    const home = homeOf(type, file);
    if (home === undefined) continue;
    const shared = fn !== handler && !isOnlyFor(handler, fn, file);
    for (const expression of returnedExpressions(fn)) {
      if (fits(expression, undefined, fn === handler, { file, files })) continue;
      const cast = shared ? undefined : castOf(expression, { file, files });
      if (cast === undefined) {
        open.push(expression);
        continue;
      }
      add.set(type, home.wanted);
      if (cast === 'awaited') edits.push({ start: expression.getStart(file.tree), end: expression.getStart(file.tree), text: '(' });
      const wrapped = cast === 'promise' ? `Promise<${home.local}>` : home.local;
      edits.push({ start: expression.end, end: expression.end, text: `${cast === 'awaited' ? ')' : ''} as ${wrapped}` });
    }
  }
  return { edits, add: [...add.values()], open };
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
      if (ts.isShorthandPropertyAssignment(property)) return PLAIN.has(name) || isSdkTyped(property.name, scene);
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
  if (ts.isIdentifier(expression)) return expression.text === 'undefined' || isSdkTyped(expression, scene);
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
  return called?.node.type !== undefined && namesSdk(called.node.type, called.file);
}

/** What a name stands for, in this file or in the one that it is imported from. */
function declared(name: ts.Expression, { file, files }: Scene): { readonly node: ts.Node; readonly file: TypeScriptFile } | undefined {
  const own = ts.isIdentifier(name) ? declarationOf(name, file) : undefined;
  if (own && own.kind !== 'import') return { node: own.node, file };
  const origin = originOf(name, file);
  const path = origin && resolveSpecifier(file.path, origin.module, (other) => files.has(other));
  const home = path === undefined ? undefined : files.get(path);
  const node = home && exportsOf(home).find((exported) => exported.name === origin?.name)?.declaration?.node;
  return home && node && { node, file: home };
}

/** The declaration writes a type of the SDK down, or `any`, which fits everywhere; or its value fits as it is. */
function isSdkTyped(name: ts.Expression, scene: Scene): boolean {
  const found = declared(name, scene);
  if (found === undefined || !(ts.isVariableDeclaration(found.node) || ts.isParameter(found.node))) return false;
  const { type, initializer } = found.node;
  if (type !== undefined) return namesSdk(type, found.file);
  // What is written out where it is declared is widened there, once; names inside of it are not followed any further.
  return initializer !== undefined && scene.inside !== true && fits(initializer, undefined, false, { ...scene, file: found.file, inside: true });
}

function namesSdk(type: ts.TypeNode, file: TypeScriptFile): boolean {
  const locals = new Set(importBindings(file).flatMap((binding) => (sdkOf(binding.specifier) !== undefined ? [binding.local] : [])));
  // `Record<string, any>` has none of the properties that are wanted; `any` itself has all.
  if (/^(?:Promise<)?any(?:\[\])*>?$/.test(file.textOf(type))) return true;
  return someNode(type, (node) => ts.isIdentifier(node) && locals.has(node.text));
}

/** The function that is called, by its name or as a method of the class around. */
function calledFunction(callee: ts.Expression, scene: Scene): { readonly node: ts.SignatureDeclaration; readonly file: TypeScriptFile } | undefined {
  const { file } = scene;
  if (ts.isPropertyAccessExpression(callee) && callee.expression.kind === ts.SyntaxKind.ThisKeyword) {
    const node = enclosingClass(callee)?.members.find((member) => ts.isMethodDeclaration(member) && member.name.getText(file.tree) === callee.name.text);
    return node && { node: node as ts.MethodDeclaration, file };
  }
  const found = declared(bare(callee), scene);
  const node = found && (ts.isVariableDeclaration(found.node) ? found.node.initializer && functionOf(found.node.initializer, found.file) : found.node);
  return found && node && ts.isFunctionLike(node) ? { node, file: found.file } : undefined;
}

/** How a return can be cast: as it is, as a promise, or awaited in parentheses; `undefined` when it is not known which of them it is. */
function castOf(expression: ts.Expression, scene: Scene): 'value' | 'promise' | 'awaited' | undefined {
  const inner = ts.isParenthesizedExpression(expression) ? expression.expression : expression;
  if (ts.isObjectLiteralExpression(inner)) return 'value';
  if (ts.isAwaitExpression(inner)) return 'awaited';
  if (ts.isIdentifier(inner)) {
    const node = declared(inner, scene)?.node;
    if (!node || !ts.isVariableDeclaration(node)) return undefined;
    if (node.type) return someNode(node.type, (part) => ts.isIdentifier(part) && part.text === 'Promise') ? 'promise' : 'value';
    return node.initializer && (ts.isAwaitExpression(node.initializer) || ts.isObjectLiteralExpression(node.initializer)) ? 'value' : undefined;
  }
  const called = ts.isCallExpression(inner) ? calledFunction(inner.expression, scene) : undefined;
  if (!called) return undefined;
  const { node, file } = called;
  const isAsync = ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  if (isAsync || (node.type !== undefined && /^Promise\b/.test(file.textOf(node.type)))) return 'promise';
  return node.type === undefined ? undefined : 'value';
}
