import { ts } from 'ts-morph';
import { type TypeScriptFile, enclosingClass } from '../../src/languages/typescript/index.js';
import { type Files, declared } from './declared.js';
import { bare, someNode } from './nodes.js';
import { functionOf } from './registrations.js';

/** The file, and those that it imports from. */
export interface Scene {
  readonly file: TypeScriptFile;
  readonly files: Files;
  /** The type that the method wants; asked where a whole result is looked at. */
  readonly result?: string;
  /** The value of a declaration is looked at. */
  readonly inside?: boolean;
}

/** The function that is called, by its name or as a method of the class around. */
export function calledFunction(callee: ts.Expression, scene: Scene): { readonly node: ts.SignatureDeclaration; readonly file: TypeScriptFile } | undefined {
  const { file } = scene;
  if (ts.isPropertyAccessExpression(callee) && callee.expression.kind === ts.SyntaxKind.ThisKeyword) {
    const node = enclosingClass(callee)?.members.find((member) => ts.isMethodDeclaration(member) && member.name.getText(file.tree) === callee.name.text);
    return node && { node: node as ts.MethodDeclaration, file };
  }
  const found = declared(bare(callee), scene.file, scene.files);
  const node = found && (ts.isVariableDeclaration(found.node) ? found.node.initializer && functionOf(found.node.initializer, found.file) : found.node);
  return found && node && ts.isFunctionLike(node) ? { node, file: found.file } : undefined;
}

/** Result types by method. Source: `ResultTypeMap` of `@modelcontextprotocol/server` and `/client` 2.4. */
export const RESULTS: Readonly<Record<string, string>> = {
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

/** What a result cannot do without, by its type: an object without it is another answer, e.g. the task of an experimental tool. */
const PARTS: Readonly<Record<string, string>> = {
  ListToolsResult: 'tools',
  CallToolResult: 'content',
  ListResourcesResult: 'resources',
  ListResourceTemplatesResult: 'resourceTemplates',
  ReadResourceResult: 'contents',
  ListPromptsResult: 'prompts',
  GetPromptResult: 'messages',
  CompleteResult: 'completion',
  ListRootsResult: 'roots',
};

/** An object in place that lacks the part which the result is about. */
export function isOtherObject(expression: ts.Expression, result: string, file: TypeScriptFile): boolean {
  const inner = bare(expression);
  const part = PARTS[result];
  if (part === undefined || !ts.isObjectLiteralExpression(inner) || inner.properties.some(ts.isSpreadAssignment)) return false;
  return !inner.properties.some((property) => property.name?.getText(file.tree).replace(/['"]/g, '') === part);
}

/** A JSON-RPC error that is returned as a result: no cast makes one of it, it has to be thrown. */
export function isErrorAnswer(expression: ts.Expression, scene: Scene): boolean {
  const type = ts.isCallExpression(expression) ? calledFunction(expression.expression, scene)?.node.type : undefined;
  return type !== undefined && someNode(type, (node) => ts.isIdentifier(node) && node.text.startsWith('JSONRPC'));
}
