import type { ts } from 'ts-morph';
import type { TypeScriptFile } from './file.js';

/** Node types that a listener can name by kind. A kind that is not listed is delivered as a plain `ts.Node`. */
type Listed =
  | ts.ArrayBindingPattern
  | ts.ArrayLiteralExpression
  | ts.ArrowFunction
  | ts.AsExpression
  | ts.AwaitExpression
  | ts.BinaryExpression
  | ts.BindingElement
  | ts.Block
  | ts.BreakStatement
  | ts.CallExpression
  | ts.CaseClause
  | ts.CatchClause
  | ts.ClassDeclaration
  | ts.ClassExpression
  | ts.ConditionalExpression
  | ts.ConstructorDeclaration
  | ts.Decorator
  | ts.DefaultClause
  | ts.DeleteExpression
  | ts.ElementAccessExpression
  | ts.EnumDeclaration
  | ts.EnumMember
  | ts.ExportAssignment
  | ts.ExportDeclaration
  | ts.ExportSpecifier
  | ts.ExpressionStatement
  | ts.ExpressionWithTypeArguments
  | ts.ForInStatement
  | ts.ForOfStatement
  | ts.ForStatement
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.GetAccessorDeclaration
  | ts.HeritageClause
  | ts.Identifier
  | ts.IfStatement
  | ts.ImportClause
  | ts.ImportDeclaration
  | ts.ImportEqualsDeclaration
  | ts.ImportSpecifier
  | ts.ImportTypeNode
  | ts.InterfaceDeclaration
  | ts.JsxAttribute
  | ts.JsxElement
  | ts.JsxSelfClosingElement
  | ts.JsxText
  | ts.MethodDeclaration
  | ts.MethodSignature
  | ts.ModuleDeclaration
  | ts.NamespaceImport
  | ts.NewExpression
  | ts.NoSubstitutionTemplateLiteral
  | ts.NonNullExpression
  | ts.NumericLiteral
  | ts.ObjectBindingPattern
  | ts.ObjectLiteralExpression
  | ts.ParameterDeclaration
  | ts.ParenthesizedExpression
  | ts.PostfixUnaryExpression
  | ts.PrefixUnaryExpression
  | ts.PropertyAccessExpression
  | ts.PropertyAssignment
  | ts.PropertyDeclaration
  | ts.PropertySignature
  | ts.RegularExpressionLiteral
  | ts.ReturnStatement
  | ts.SatisfiesExpression
  | ts.SetAccessorDeclaration
  | ts.ShorthandPropertyAssignment
  | ts.SourceFile
  | ts.SpreadAssignment
  | ts.SpreadElement
  | ts.StringLiteral
  | ts.SwitchStatement
  | ts.TaggedTemplateExpression
  | ts.TemplateExpression
  | ts.ThrowStatement
  | ts.TryStatement
  | ts.TypeAliasDeclaration
  | ts.TypeLiteralNode
  | ts.TypeOfExpression
  | ts.TypeQueryNode
  | ts.TypeReferenceNode
  | ts.VariableDeclaration
  | ts.VariableDeclarationList
  | ts.VariableStatement
  | ts.WhileStatement
  | ts.YieldExpression;

type Kinds = typeof ts.SyntaxKind;
type NodeOf<K extends keyof Kinds> = [Extract<Listed, { readonly kind: Kinds[K] }>] extends [never] ? ts.Node : Extract<Listed, { readonly kind: Kinds[K] }>;

/** Listeners by the name of the syntax kind: `CallExpression: (call) => …`. */
export type TypeScriptVisitors = { readonly [K in keyof Kinds]?: (node: NodeOf<K>) => void };

declare module '../../core/concern.js' {
  interface Languages {
    typescript: { file: TypeScriptFile; visitors: TypeScriptVisitors };
  }
}
