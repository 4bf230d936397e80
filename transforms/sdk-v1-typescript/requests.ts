import { ts } from 'ts-morph';
import { type ModuleRequest, type TypeScriptFile, moduleRequests } from '../../src/languages/typescript/index.js';
import { sdkOf } from '../_mcp/sdk-table.js';

/** How names are taken from a module at a place that is no static import. */
export interface PatternSite {
  readonly request: ModuleRequest;
  /** `const { A, B: b } = …` around the request. */
  readonly declaration: ts.VariableDeclaration;
  readonly pattern: ts.ObjectBindingPattern;
  /** Declared at the top of the file, where the import editor works. */
  readonly topLevel: boolean;
}

/** Places of a file that name a module, hand-made declarations (`declare module`) apart. */
export const namedModules = (file: TypeScriptFile): readonly ModuleRequest[] => moduleRequests(file).filter((request) => !ts.isModuleDeclaration(request.node));

/** Places of a file that name a module of SDK v1. */
export const v1Requests = (file: TypeScriptFile): readonly ModuleRequest[] => namedModules(file).filter((request) => sdkOf(request.specifier) === 1);

/** The destructuring declaration that a `require` or `await import()` initialises, when there is one. */
export function patternSite(request: ModuleRequest): PatternSite | undefined {
  if (request.form !== 'require' && request.form !== 'dynamic') return undefined;
  let node: ts.Node = request.node;
  while (ts.isAwaitExpression(node.parent) || ts.isParenthesizedExpression(node.parent) || ts.isAsExpression(node.parent)) node = node.parent;
  const declaration = node.parent;
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer !== node || !ts.isObjectBindingPattern(declaration.name)) return undefined;
  const statement = declaration.parent.parent;
  return {
    request,
    declaration,
    pattern: declaration.name,
    topLevel: request.form === 'require' && ts.isVariableStatement(statement) && ts.isSourceFile(statement.parent),
  };
}

/** Name of a binding element in the module, and the local name; `undefined` for rest, defaults and nested patterns. */
export function elementNames(element: ts.BindingElement): { readonly name: string; readonly local: string } | undefined {
  if (element.dotDotDotToken || element.initializer || !ts.isIdentifier(element.name)) return undefined;
  const name = element.propertyName ?? element.name;
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? { name: name.text, local: element.name.text } : undefined;
}
