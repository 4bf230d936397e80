import { ts } from 'ts-morph';
import {
  type Declaration,
  type TypeScriptFile,
  declarationOf,
  moduleRequests,
  referencesOf,
  resolveSpecifier,
} from '../../../src/languages/typescript/index.js';

/** Statements that are nothing but a call of a function with plain arguments, in its file and where it is imported under one of its names. */
export function plainCalls(
  declaration: Declaration,
  names: readonly string[],
  file: TypeScriptFile,
  neighbours: readonly TypeScriptFile[],
  has: (path: string) => boolean,
): readonly (readonly [TypeScriptFile, ts.Statement])[] {
  const own = referencesOf(declaration, file).flatMap((use) => callStatement(use).map((statement) => [file, statement] as const));
  const imported = neighbours
    .filter((other) => other.path !== file.path)
    .flatMap((other) =>
      moduleRequests(other)
        .filter(({ specifier }) => specifier.startsWith('.') && resolveSpecifier(other.path, specifier, has) === file.path)
        .flatMap((request) => names.flatMap((name) => localNames(request.node, name, other)))
        .flatMap((local) => referencesOf(local, other))
        .flatMap((use) => callStatement(use).map((statement) => [other, statement] as const)),
    );
  return [...own, ...imported];
}

function callStatement(use: ts.Identifier): readonly ts.Statement[] {
  const call = use.parent;
  const plain =
    ts.isCallExpression(call) &&
    call.expression === use &&
    ts.isExpressionStatement(call.parent) &&
    call.arguments.every((argument) => ts.isIdentifier(argument) || ts.isPropertyAccessExpression(argument));
  return plain ? [call.parent] : [];
}

/** Local declarations that an import gives an exported name. */
export function localNames(request: ts.Node, name: string, file: TypeScriptFile): readonly Declaration[] {
  const found: Declaration[] = [];
  const add = (identifier: ts.Node): void => {
    const declaration = declarationOf(identifier, file);
    if (declaration !== undefined) found.push(declaration);
  };
  if (ts.isImportDeclaration(request)) {
    const clause = request.importClause;
    if (clause?.name !== undefined && name === 'default') add(clause.name);
    const bindings = clause?.namedBindings;
    if (bindings !== undefined && ts.isNamespaceImport(bindings)) add(bindings.name);
    if (bindings !== undefined && ts.isNamedImports(bindings))
      for (const element of bindings.elements) if ((element.propertyName ?? element.name).text === name) add(element.name);
    return found;
  }
  let holder: ts.Node | undefined = request;
  while (holder !== undefined && !ts.isVariableDeclaration(holder)) holder = holder.parent;
  if (holder === undefined) return found;
  if (ts.isIdentifier(holder.name)) add(holder.name);
  else if (ts.isObjectBindingPattern(holder.name))
    for (const element of holder.name.elements) if ((element.propertyName ?? element.name).getText(file.tree) === name) add(element.name);
  return found;
}
