import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, exportsOf, originOf, resolveSpecifier, symbolOf } from '../../src/languages/typescript/index.js';
import { bare } from './nodes.js';
import { functionOf } from './registrations.js';

/** The files among which functions and handlers are followed. */
export interface Files {
  get(path: string): TypeScriptFile | undefined;
  has(path: string): boolean;
  readonly paths: readonly string[];
}

/** A function with a body, or a method. */
export type FunctionLike = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration;

const isBodied = (node: ts.Node): node is FunctionLike =>
  (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isMethodDeclaration(node)) && node.body !== undefined;

/** A function of a file by the name under which `symbolOf` gives it: top-level names and `Class.member`. */
function functionNamed(file: TypeScriptFile, name: string): FunctionLike | undefined {
  const [owner, member] = name.split('.');
  for (const statement of file.tree.statements) {
    if (member !== undefined) {
      if (!ts.isClassDeclaration(statement) || statement.name?.text !== owner) continue;
      for (const element of statement.members)
        if (ts.isMethodDeclaration(element) && element.name.getText(file.tree) === member && element.body) return element;
    } else if (ts.isFunctionDeclaration(statement) && statement.name?.text === name && statement.body) return statement;
    else if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        if (!ts.isIdentifier(declaration.name) || declaration.name.text !== name || !declaration.initializer) continue;
        const value = bare(declaration.initializer);
        if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return value;
      }
    }
  }
  return undefined;
}

/** The function that an expression stands for, in this file or in another one of the set. */
export function resolveFunction(
  expression: ts.Expression,
  file: TypeScriptFile,
  files: Files,
): { readonly fn: FunctionLike; readonly file: TypeScriptFile } | undefined {
  const local = functionOf(expression, file);
  if (local && isBodied(local)) return { fn: local, file };
  const given = bare(expression);
  const bound =
    ts.isCallExpression(given) && ts.isPropertyAccessExpression(given.expression) && given.expression.name.text === 'bind'
      ? given.expression.expression
      : given;
  const inner = bare(bound);
  if (ts.isPropertyAccessExpression(inner) && inner.expression.kind === ts.SyntaxKind.ThisKeyword) {
    const method = methodOfClass(inner, inner.name.text);
    if (method) return { fn: method, file };
  }
  const member = memberOfObject(inner, file, files);
  if (member) return member;
  const symbol = symbolOf(inner, file, (path) => files.has(path));
  const target = symbol && files.get(symbol.file);
  const fn = target && functionNamed(target, symbol.name);
  return target && fn ? { fn, file: target } : undefined;
}

/** `tool.handler` of `const tool = { handler: async (args, extra) => … }`, in this file or in the one that the name is imported from. */
function memberOfObject(inner: ts.Expression, file: TypeScriptFile, files: Files): { readonly fn: FunctionLike; readonly file: TypeScriptFile } | undefined {
  if (!ts.isPropertyAccessExpression(inner) || !ts.isIdentifier(inner.expression)) return undefined;
  const found = declared(inner.expression, file, files);
  const value = found && ts.isVariableDeclaration(found.node) && found.node.initializer ? bare(found.node.initializer) : undefined;
  if (!found || !value || !ts.isObjectLiteralExpression(value)) return undefined;
  const home = found.file;
  const member = value.properties.find((property) => property.name?.getText(home.tree) === inner.name.text);
  if (!member) return undefined;
  if (ts.isMethodDeclaration(member)) return member.body ? { fn: member, file: home } : undefined;
  const given = ts.isShorthandPropertyAssignment(member) ? member.name : ts.isPropertyAssignment(member) ? member.initializer : undefined;
  return given && !ts.isPropertyAccessExpression(bare(given)) ? resolveFunction(given, home, files) : undefined;
}

function methodOfClass(node: ts.Node, name: string): FunctionLike | undefined {
  let current: ts.Node = node;
  while (!ts.isClassLike(current)) {
    if (ts.isSourceFile(current)) return undefined;
    current = current.parent;
  }
  for (const member of current.members) {
    if (!member.name || !ts.isIdentifier(member.name) || member.name.text !== name) continue;
    if (ts.isMethodDeclaration(member) && member.body) return member;
    if (ts.isPropertyDeclaration(member) && member.initializer && (ts.isArrowFunction(member.initializer) || ts.isFunctionExpression(member.initializer)))
      return member.initializer;
  }
  return undefined;
}

/** The file that a name of this file is written in, and its name there: imports are followed, and files that hand on what they import. */
function homeOf(name: ts.Expression, file: TypeScriptFile, files: Files): { readonly file: TypeScriptFile; readonly name: string } | undefined {
  const origin = originOf(name, file);
  let module = origin?.module;
  let known = origin?.name;
  let from = file;
  for (let step = 0; step < 5 && module !== undefined && known !== undefined; step++) {
    const path = resolveSpecifier(from.path, module, (other) => files.has(other));
    const home = path === undefined ? undefined : files.get(path);
    if (home === undefined) return undefined;
    const handed = exportsOf(home).find((exported) => exported.name === known)?.from;
    if (handed === undefined) return { file: home, name: known };
    [from, module, known] = [home, handed.specifier, handed.imported];
  }
  return undefined;
}

/** What a name stands for, in this file or in the one that it comes from; a default export that has no name is given as the statement. */
export function declared(name: ts.Expression, file: TypeScriptFile, files: Files): { readonly node: ts.Node; readonly file: TypeScriptFile } | undefined {
  const own = ts.isIdentifier(name) ? declarationOf(name, file) : undefined;
  if (own && own.kind !== 'import') return { node: own.node, file };
  const home = homeOf(name, file, files);
  const node =
    home &&
    (exportsOf(home.file).find((exported) => exported.name === home.name)?.declaration?.node ??
      (home.name === 'default'
        ? home.file.tree.statements.find((statement) => ts.isExportAssignment(statement) && statement.isExportEquals !== true)
        : undefined));
  return home && node && { node, file: home.file };
}

/** The interface or alias that a type name stands for, in this file or in the one that it comes from. */
export function typeDeclared(name: ts.Identifier, file: TypeScriptFile, files: Files): { readonly node: ts.Node; readonly file: TypeScriptFile } | undefined {
  const home = originOf(name, file) === undefined ? { file, name: name.text } : homeOf(name, file, files);
  const node = home?.file.tree.statements.find(
    (statement) => (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) && statement.name.text === home.name,
  );
  return home && node && { node, file: home.file };
}
