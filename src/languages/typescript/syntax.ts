import { ts } from 'ts-morph';
import { eachNode } from './walk.js';

/** A fault that the parser tolerates. `start` is an offset. */
export interface SyntaxFault {
  readonly start: number;
  readonly messageText: string;
}

const TYPE_ONLY_KINDS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.EnumDeclaration,
  ts.SyntaxKind.ModuleDeclaration,
  ts.SyntaxKind.ImportEqualsDeclaration,
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.SatisfiesExpression,
  ts.SyntaxKind.NonNullExpression,
  ts.SyntaxKind.TypeAssertionExpression,
  ts.SyntaxKind.AbstractKeyword,
  ts.SyntaxKind.DeclareKeyword,
  ts.SyntaxKind.PrivateKeyword,
  ts.SyntaxKind.ProtectedKeyword,
  ts.SyntaxKind.PublicKeyword,
  ts.SyntaxKind.ReadonlyKeyword,
  ts.SyntaxKind.OverrideKeyword,
  ts.SyntaxKind.TypeParameter,
]);

function isTypeSyntax(node: ts.Node): boolean {
  if (TYPE_ONLY_KINDS.has(node.kind)) return true;
  if (ts.isTypeNode(node)) return !ts.isExpressionWithTypeArguments(node) || node.typeArguments !== undefined;
  if (ts.isImportClause(node)) return node.phaseModifier === ts.SyntaxKind.TypeKeyword;
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isExportDeclaration(node)) return node.isTypeOnly;
  if (ts.isExportAssignment(node)) return node.isExportEquals === true;
  if (ts.isHeritageClause(node)) return node.token === ts.SyntaxKind.ImplementsKeyword;
  if (ts.isParameter(node)) return node.questionToken !== undefined;
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node)) return node.body === undefined;
  return false;
}

/**
 * Type syntax in a JavaScript file: the parser reads it, no runtime does. Files marked `@flow` are compiled before they
 * run, so there it is no fault.
 */
export function typeSyntaxIn(tree: ts.SourceFile, path: string): SyntaxFault | undefined {
  if (!/\.[cm]?jsx?$/i.test(path) || /@flow\b/.test(tree.text.slice(0, 2000))) return undefined;
  let fault: SyntaxFault | undefined;
  eachNode(tree, (node) => {
    if (fault) return false;
    if (isTypeSyntax(node)) fault = { start: node.getStart(tree), messageText: 'Type syntax in a JavaScript file.' };
    return undefined;
  });
  return fault;
}
