import { ts } from 'ts-morph';
import { propertyNameOf, unwrap } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import type { Declaration } from '../scope/model.js';
import { declarationOf } from '../scope/query.js';

/** One name that a file offers to others. */
export interface ExportedName {
  /** `default` for a default export, `export =` and `module.exports =`. */
  readonly name: string;
  /** The local declaration behind it. */
  readonly declaration?: Declaration;
  /** The exported expression when no declaration stands behind it. */
  readonly value?: ts.Expression;
  /** The module that is handed on; `imported` is the name there, `*` for all. */
  readonly from?: { readonly specifier: string; readonly imported: string };
}

/** `exports` or `module.exports`. */
export function isExportsObject(node: ts.Node, file: TypeScriptFile): boolean {
  if (ts.isIdentifier(node)) return node.text === 'exports' && !declarationOf(node, file);
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === 'exports' &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'module' &&
    !declarationOf(node.expression, file)
  );
}

function exported(name: string, value: ts.Expression, file: TypeScriptFile): ExportedName {
  const declaration = declarationOf(unwrap(value), file);
  return declaration ? { name, declaration } : { name, value };
}

function ofCommonJs(statement: ts.ExpressionStatement, file: TypeScriptFile): ExportedName[] {
  const assignment = statement.expression;
  if (!ts.isBinaryExpression(assignment) || assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return [];
  // `exports.a = exports.b = value`
  const targets: ts.Expression[] = [];
  let value: ts.Expression = assignment;
  while (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    targets.push(value.left);
    value = value.right;
  }
  const found: ExportedName[] = [];
  for (const target of targets) {
    if (ts.isPropertyAccessExpression(target) && isExportsObject(target.expression, file)) {
      if (!ts.isVoidExpression(value)) found.push(exported(target.name.text, value, file));
    } else if (isExportsObject(target, file)) {
      const object = unwrap(value);
      if (ts.isObjectLiteralExpression(object)) {
        for (const property of object.properties) {
          const name = propertyNameOf(property.name);
          if (name === undefined) continue;
          if (ts.isShorthandPropertyAssignment(property)) {
            const declaration = file.bindings.declarationAt(property.name);
            if (declaration) found.push({ name, declaration });
          } else if (ts.isPropertyAssignment(property)) found.push(exported(name, property.initializer, file));
        }
      } else found.push(exported('default', value, file));
    }
  }
  return found;
}

function ofDeclaration(statement: ts.ExportDeclaration, file: TypeScriptFile): ExportedName[] {
  const clause = statement.exportClause;
  const specifier = statement.moduleSpecifier && ts.isStringLiteralLike(statement.moduleSpecifier) ? statement.moduleSpecifier.text : undefined;
  if (!clause) return specifier === undefined ? [] : [{ name: '*', from: { specifier, imported: '*' } }];
  if (ts.isNamespaceExport(clause)) return specifier === undefined ? [] : [{ name: clause.name.text, from: { specifier, imported: '*' } }];
  return clause.elements.flatMap((element): ExportedName[] => {
    const local = element.propertyName ?? element.name;
    if (specifier !== undefined) return [{ name: element.name.text, from: { specifier, imported: local.text } }];
    const declaration = declarationOf(local, file);
    return declaration ? [{ name: element.name.text, declaration }] : [];
  });
}

function namesIn(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));
}

function ofStatement(statement: ts.Statement, file: TypeScriptFile): ExportedName[] {
  if (ts.isExportDeclaration(statement)) return ofDeclaration(statement, file);
  if (ts.isExportAssignment(statement)) return [exported('default', statement.expression, file)];
  if (ts.isExpressionStatement(statement)) return ofCommonJs(statement, file);
  if (!ts.canHaveModifiers(statement)) return [];
  const modifiers = ts.getModifiers(statement) ?? [];
  if (!modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)) return [];
  const named = (identifier: ts.Identifier, name: string): ExportedName[] => {
    const declaration = file.bindings.declarationAt(identifier);
    return declaration ? [{ name, declaration }] : [];
  };
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) =>
      namesIn(declaration.name).flatMap((identifier) => named(identifier, identifier.text)),
    );
  }
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) {
    const isDefault = modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword);
    return statement.name ? named(statement.name, isDefault ? 'default' : statement.name.text) : [];
  }
  return [];
}

const cache = new WeakMap<TypeScriptFile, readonly ExportedName[]>();

/** Names that a file exports, ESM and CommonJS, in source order. `export *` is one entry named `*`. */
export function exportsOf(file: TypeScriptFile): readonly ExportedName[] {
  let known = cache.get(file);
  if (!known) {
    known = file.tree.statements.flatMap((statement) => ofStatement(statement, file));
    cache.set(file, known);
  }
  return known;
}
