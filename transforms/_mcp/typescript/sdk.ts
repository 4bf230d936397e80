import { ts } from 'ts-morph';
import type { FactOf } from '../../../src/core/index.js';
import { type TypeScriptFile, declarationOf, instanceOrigin, originOf } from '../../../src/languages/typescript/index.js';
import { canonical } from '../canonical.js';
import { unwrap, unwrapAwait } from './nodes.js';

export type TransportKind = FactOf<'transport'>['kind'];

/** Server-side and client-side transports by canonical name. */
const SERVER_TRANSPORTS: Readonly<Record<string, TransportKind>> = {
  StreamableHTTPServerTransport: 'streamable-http',
  NodeStreamableHTTPServerTransport: 'streamable-http',
  WebStandardStreamableHTTPServerTransport: 'streamable-web',
  SSEServerTransport: 'sse',
  StdioServerTransport: 'stdio',
  InMemoryTransport: 'in-memory',
};

const CLIENT_TRANSPORTS: ReadonlySet<string> = new Set([
  'StreamableHTTPClientTransport',
  'SSEClientTransport',
  'StdioClientTransport',
  'WebSocketClientTransport',
]);

/** Canonical name of the SDK symbol that an expression or a type names. */
export const sdkName = (node: ts.Node, file: TypeScriptFile): string | undefined => canonical(originOf(node, file))?.name;

/** Kind of server transport that a class expression names. */
export function transportKind(className: ts.Node, file: TypeScriptFile): { readonly kind: TransportKind; readonly name: string } | undefined {
  const name = sdkName(className, file);
  const kind = name === undefined ? undefined : SERVER_TRANSPORTS[name];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}

export const isHttpTransport = (kind: TransportKind | undefined): boolean => kind === 'streamable-http' || kind === 'streamable-web' || kind === 'sse';

export const clientTransport = (className: ts.Node, file: TypeScriptFile): string | undefined => {
  const name = sdkName(className, file);
  return name !== undefined && CLIENT_TRANSPORTS.has(name) ? name : undefined;
};

/** `McpServer` or `Server`. */
export function serverClass(className: ts.Node, file: TypeScriptFile): string | undefined {
  const name = sdkName(className, file);
  return name === 'McpServer' || name === 'Server' ? name : undefined;
}

/** Type names below a type node, so that `Map<string, T | undefined>` and `{ [id: string]: T }` both give `T`. */
export function typeNames(type: ts.Node): readonly ts.Node[] {
  const names: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node)) names.push(node.typeName);
    if (ts.isTypeQueryNode(node)) names.push(node.exprName);
    if (!ts.isFunctionTypeNode(node)) ts.forEachChild(node, visit);
  };
  visit(type);
  return names;
}

/** What a type annotation mentions: an SDK server transport, an SDK server, or neither. */
export function heldBy(type: ts.Node | undefined, file: TypeScriptFile): 'transport' | 'server' | undefined {
  if (type === undefined) return undefined;
  let found: 'transport' | 'server' | undefined;
  for (const name of typeNames(type)) {
    const sdk = sdkName(name, file);
    if (sdk !== undefined && (sdk in SERVER_TRANSPORTS || sdk === 'Transport')) return 'transport';
    if (sdk === 'McpServer' || sdk === 'Server') found = 'server';
    const local = ts.isIdentifier(name) ? declarationOf(name, file)?.node : undefined;
    if (found === undefined && local !== undefined && (ts.isInterfaceDeclaration(local) || ts.isTypeAliasDeclaration(local))) {
      const members = ts.isInterfaceDeclaration(local) ? local.members : [local.type];
      for (const member of members) {
        const held = member.pos === type.pos ? undefined : directlyHeld(member, file);
        if (held === 'transport') return held;
        found ??= held;
      }
    }
  }
  return found;
}

function directlyHeld(node: ts.Node, file: TypeScriptFile): 'transport' | 'server' | undefined {
  const names = typeNames(node).map((name) => sdkName(name, file));
  if (names.some((name) => name !== undefined && (name in SERVER_TRANSPORTS || name === 'Transport'))) return 'transport';
  return names.some((name) => name === 'McpServer' || name === 'Server') ? 'server' : undefined;
}

/** Kind of transport that a value is an instance of, by construction or annotation. */
export function transportValue(node: ts.Node, file: TypeScriptFile): TransportKind | undefined {
  const value = unwrapAwait(node);
  if (ts.isNewExpression(value)) return transportKind(value.expression, file)?.kind;
  const name = canonical(instanceOrigin(value, file))?.name;
  if (name !== undefined && name in SERVER_TRANSPORTS) return SERVER_TRANSPORTS[name];
  if (ts.isIdentifier(value)) {
    const node = declarationOf(value, file)?.node;
    const type = node !== undefined && (ts.isVariableDeclaration(node) || ts.isParameter(node)) ? node.type : undefined;
    if (heldBy(type, file) === 'transport') return 'streamable-http';
  }
  return undefined;
}

/** True when an identifier is a value of the SDK with that name, e.g. a guard function. */
export const isSdkCall = (call: ts.CallExpression, file: TypeScriptFile, name: string): boolean => sdkName(unwrap(call.expression), file) === name;
