import { ts } from 'ts-morph';
import { isFunctionNode, propertyNameOf, unwrap, wrapped } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import { eachNode } from '../walk.js';
import { isImportCall, isInteropCall, isRequireCall } from './calls.js';

/** One place that names a module by a literal. */
export interface ModuleRequest {
  readonly specifier: string;
  /** `type` is erased by the compiler; `mock` replaces the module in a test; `resolve` only asks for its path. */
  readonly form: 'import' | 'type' | 'require' | 'dynamic' | 'reexport' | 'mock' | 'resolve';
  /** The whole import or export declaration, call or import type. */
  readonly node: ts.Node;
  /** The literal that holds the specifier. */
  readonly literal: ts.StringLiteralLike;
  /** Exported names that the place takes, in source order: `default`, `*` for the module object, none for a bare import. */
  readonly names: readonly string[];
  readonly typeOnly: boolean;
}

const MOCKERS: ReadonlySet<string> = new Set(['jest', 'vi', 'vitest', 'mock', 'td', 'rstest', 'import_vitest']);
const MOCK_METHODS: ReadonlySet<string> = new Set([
  'mock',
  'doMock',
  'unmock',
  'doUnmock',
  'dontMock',
  'deepUnmock',
  'setMock',
  'module',
  'replace',
  'replaceEsm',
  'requireActual',
  'requireMock',
  'importActual',
  'importMock',
  'createMockFromModule',
  'genMockFromModule',
  'unstable_mockModule',
  'unstable_unmockModule',
]);
const MOCK_FUNCTIONS: ReadonlySet<string> = new Set(['proxyquire', 'esmock', 'rewire', 'rewiremock']);

function isMockCall(call: ts.CallExpression): boolean {
  const callee = unwrap(call.expression);
  if (ts.isIdentifier(callee)) return MOCK_FUNCTIONS.has(callee.text);
  if (!ts.isPropertyAccessExpression(callee) || !MOCK_METHODS.has(callee.name.text)) return false;
  const object = unwrap(callee.expression);
  return ts.isIdentifier(object) && MOCKERS.has(object.text.replace(/_\d+$/, ''));
}

function isResolveCall(call: ts.CallExpression, file: TypeScriptFile): boolean {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'resolve') return false;
  const object = unwrap(callee.expression);
  if (ts.isMetaProperty(object)) return object.keywordToken === ts.SyntaxKind.ImportKeyword;
  return ts.isIdentifier(object) && object.text === 'require' && file.bindings.declarationAt(object)?.kind !== 'parameter';
}

const patternNames = (pattern: ts.ObjectBindingPattern): readonly string[] =>
  pattern.elements.map((element) => (element.dotDotDotToken ? '*' : (propertyNameOf(element.propertyName ?? element.name) ?? '*')));

/** What is taken from the module object that an expression yields. */
function namesTaken(expression: ts.Node): readonly string[] {
  const at = wrapped(expression);
  const { parent } = at;
  if (ts.isAwaitExpression(parent)) return namesTaken(parent);
  if (ts.isCallExpression(parent) && parent.arguments[0] === at && isInteropCall(parent)) return namesTaken(parent);
  if (ts.isPropertyAccessExpression(parent) && parent.expression === at) {
    if (parent.name.text !== 'then' || !ts.isCallExpression(parent.parent)) return [parent.name.text];
    const callback = parent.parent.arguments[0];
    const parameter = callback && isFunctionNode(callback) ? callback.parameters[0] : undefined;
    return parameter && ts.isObjectBindingPattern(parameter.name) ? patternNames(parameter.name) : ['*'];
  }
  if (ts.isVariableDeclaration(parent) && parent.initializer === at && ts.isObjectBindingPattern(parent.name)) return patternNames(parent.name);
  return ts.isExpressionStatement(parent) ? [] : ['*'];
}

function namesImported(clause: ts.ImportClause | undefined): readonly string[] {
  if (!clause) return [];
  const names = clause.name ? ['default'] : [];
  const bindings = clause.namedBindings;
  if (!bindings) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, '*'];
  return [...names, ...bindings.elements.map((element) => (element.propertyName ?? element.name).text)];
}

function requestOfCall(call: ts.CallExpression, file: TypeScriptFile): ModuleRequest | undefined {
  const first = call.arguments[0] && unwrap(call.arguments[0]);
  if (!first || !ts.isStringLiteralLike(first)) return undefined;
  const made = (form: ModuleRequest['form'], names: readonly string[]): ModuleRequest => ({
    specifier: first.text,
    form,
    node: call,
    literal: first,
    names,
    typeOnly: false,
  });
  if (isImportCall(call)) return made('dynamic', namesTaken(call));
  if (isRequireCall(call, file)) return made('require', namesTaken(call));
  if (isMockCall(call)) return made('mock', []);
  return isResolveCall(call, file) ? made('resolve', []) : undefined;
}

function requestOf(node: ts.Node, file: TypeScriptFile): ModuleRequest | undefined {
  if (ts.isCallExpression(node)) return requestOfCall(node, file);
  if (ts.isImportDeclaration(node)) {
    if (!ts.isStringLiteralLike(node.moduleSpecifier)) return undefined;
    const names = node.importClause?.namedBindings;
    const everyName =
      names && ts.isNamedImports(names) && !node.importClause.name && names.elements.length > 0 && names.elements.every((element) => element.isTypeOnly);
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword || everyName === true;
    return {
      specifier: node.moduleSpecifier.text,
      form: typeOnly ? 'type' : 'import',
      node,
      literal: node.moduleSpecifier,
      names: namesImported(node.importClause),
      typeOnly,
    };
  }
  if (ts.isExportDeclaration(node)) {
    if (!node.moduleSpecifier || !ts.isStringLiteralLike(node.moduleSpecifier)) return undefined;
    const names =
      node.exportClause && ts.isNamedExports(node.exportClause)
        ? node.exportClause.elements.map((element) => (element.propertyName ?? element.name).text)
        : ['*'];
    return { specifier: node.moduleSpecifier.text, form: 'reexport', node, literal: node.moduleSpecifier, names, typeOnly: node.isTypeOnly };
  }
  if (ts.isImportEqualsDeclaration(node)) {
    const reference = node.moduleReference;
    if (!ts.isExternalModuleReference(reference) || !ts.isStringLiteralLike(reference.expression)) return undefined;
    return {
      specifier: reference.expression.text,
      form: node.isTypeOnly ? 'type' : 'require',
      node,
      literal: reference.expression,
      names: ['*'],
      typeOnly: node.isTypeOnly,
    };
  }
  if (ts.isImportTypeNode(node)) {
    if (!ts.isLiteralTypeNode(node.argument) || !ts.isStringLiteralLike(node.argument.literal)) return undefined;
    let first: ts.EntityName | undefined = node.qualifier;
    while (first && ts.isQualifiedName(first)) first = first.left;
    return { specifier: node.argument.literal.text, form: 'type', node, literal: node.argument.literal, names: [first?.text ?? '*'], typeOnly: true };
  }
  // `declare module 'x'` adds to the types of another module.
  if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name))
    return { specifier: node.name.text, form: 'type', node, literal: node.name, names: [], typeOnly: true };
  return undefined;
}

const cache = new WeakMap<TypeScriptFile, readonly ModuleRequest[]>();

/**
 * Every place that names a module by a literal, in source order: static and dynamic imports, `require`, re-exports, import types,
 * mocks, `require.resolve` and `import.meta.resolve`.
 */
export function moduleRequests(file: TypeScriptFile): readonly ModuleRequest[] {
  const known = cache.get(file);
  if (known) return known;
  const requests: ModuleRequest[] = [];
  eachNode(file.tree, (node) => {
    const request = requestOf(node, file);
    if (request) requests.push(request);
  });
  cache.set(file, requests);
  return requests;
}
