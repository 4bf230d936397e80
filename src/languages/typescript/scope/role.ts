import { ts } from 'ts-morph';

/**
 * What an identifier does where it stands. `namespace` is the left side of `A.B` in type position; `any` may name a value,
 * a type or both (`export { Cart }`); `none` is a property, label, attribute or another module's name.
 */
export type Role = 'none' | 'declaration' | 'value' | 'type' | 'namespace' | 'any';

function roleInQualifiedName(name: ts.QualifiedName, identifier: ts.Identifier): Role {
  if (name.right === identifier) return 'none';
  let outer: ts.Node = name;
  while (ts.isQualifiedName(outer.parent)) outer = outer.parent;
  if (ts.isImportTypeNode(outer.parent)) return 'none';
  return ts.isTypeQueryNode(outer.parent) ? 'value' : 'namespace';
}

/** `<div>` is an element of the platform, `<Cart>` a name in scope. */
const isIntrinsicTag = (name: string): boolean => /^[a-z]/.test(name) || name.includes('-');

/** The role of an identifier by its parent alone. */
export function roleOf(identifier: ts.Identifier): Role {
  if (identifier.text === '') return 'none';
  const parent = identifier.parent;
  switch (parent.kind) {
    case ts.SyntaxKind.PropertyAccessExpression:
      return (parent as ts.PropertyAccessExpression).name === identifier ? 'none' : 'value';
    case ts.SyntaxKind.QualifiedName:
      return roleInQualifiedName(parent as ts.QualifiedName, identifier);
    case ts.SyntaxKind.TypeReference:
      return identifier.text === 'const' && (ts.isAsExpression(parent.parent) || ts.isTypeAssertionExpression(parent.parent)) ? 'none' : 'type';
    case ts.SyntaxKind.ExpressionWithTypeArguments:
      if (!ts.isHeritageClause(parent.parent)) return 'value';
      return parent.parent.token === ts.SyntaxKind.ExtendsKeyword && ts.isClassLike(parent.parent.parent) ? 'value' : 'type';
    case ts.SyntaxKind.PropertyAssignment:
    case ts.SyntaxKind.PropertyDeclaration:
      return (parent as ts.PropertyAssignment | ts.PropertyDeclaration).name === identifier ? 'none' : 'value';
    case ts.SyntaxKind.EnumMember:
      return (parent as ts.EnumMember).name === identifier ? 'declaration' : 'value';
    case ts.SyntaxKind.BindingElement:
      if ((parent as ts.BindingElement).propertyName === identifier) return 'none';
      return (parent as ts.BindingElement).name === identifier ? 'declaration' : 'value';
    case ts.SyntaxKind.Parameter:
    case ts.SyntaxKind.VariableDeclaration:
      return (parent as ts.VariableDeclaration | ts.ParameterDeclaration).name === identifier ? 'declaration' : 'value';
    case ts.SyntaxKind.ImportSpecifier:
      return (parent as ts.ImportSpecifier).name === identifier ? 'declaration' : 'none';
    case ts.SyntaxKind.ImportEqualsDeclaration:
      return (parent as ts.ImportEqualsDeclaration).name === identifier ? 'declaration' : 'namespace';
    case ts.SyntaxKind.FunctionDeclaration:
    case ts.SyntaxKind.FunctionExpression:
    case ts.SyntaxKind.ClassDeclaration:
    case ts.SyntaxKind.ClassExpression:
    case ts.SyntaxKind.InterfaceDeclaration:
    case ts.SyntaxKind.TypeAliasDeclaration:
    case ts.SyntaxKind.EnumDeclaration:
    case ts.SyntaxKind.ModuleDeclaration:
    case ts.SyntaxKind.TypeParameter:
    case ts.SyntaxKind.ImportClause:
    case ts.SyntaxKind.NamespaceImport:
      return 'declaration';
    case ts.SyntaxKind.ExportSpecifier: {
      const specifier = parent as ts.ExportSpecifier;
      if (specifier.parent.parent.moduleSpecifier) return 'none';
      return (specifier.propertyName ?? specifier.name) === identifier ? 'any' : 'none';
    }
    case ts.SyntaxKind.ExportAssignment:
      return 'any';
    case ts.SyntaxKind.JsxOpeningElement:
    case ts.SyntaxKind.JsxSelfClosingElement:
    case ts.SyntaxKind.JsxClosingElement:
      return isIntrinsicTag(identifier.text) ? 'none' : 'value';
    case ts.SyntaxKind.MethodDeclaration:
    case ts.SyntaxKind.MethodSignature:
    case ts.SyntaxKind.PropertySignature:
    case ts.SyntaxKind.GetAccessor:
    case ts.SyntaxKind.SetAccessor:
    case ts.SyntaxKind.NamespaceExport:
    case ts.SyntaxKind.NamespaceExportDeclaration:
    case ts.SyntaxKind.ImportAttribute:
    case ts.SyntaxKind.LabeledStatement:
    case ts.SyntaxKind.BreakStatement:
    case ts.SyntaxKind.ContinueStatement:
    case ts.SyntaxKind.MetaProperty:
    case ts.SyntaxKind.JsxAttribute:
    case ts.SyntaxKind.JsxNamespacedName:
    case ts.SyntaxKind.NamedTupleMember:
    case ts.SyntaxKind.ImportType:
      // A label's statement is a statement and never an identifier; a member's initialiser has its own case above.
      return 'none';
    default:
      return 'value';
  }
}
