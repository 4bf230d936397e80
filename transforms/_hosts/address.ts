import { ts } from 'ts-morph';
import type { FactOf } from '../../src/core/index.js';
import { type TypeScriptFile, constantOf, declarationOf } from '../../src/languages/typescript/index.js';
import { isFunctionNode, unwrap } from '../_mcp/typescript/nodes.js';
import { readOptions } from '../_mcp/typescript/options.js';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);

/** Where something listens, as far as the call tells. */
export interface Address {
  readonly address: string | undefined;
  readonly port: string | undefined;
  readonly exposure: FactOf<'listen'>['exposure'];
}

/** The exposure of an address that is written in the code. `without` is what the platform does when there is none. */
export function addressFrom(
  host: ts.Node | undefined,
  port: ts.Node | undefined,
  complete: boolean,
  without: Address['exposure'],
  file: TypeScriptFile,
): Address {
  const constant = host === undefined ? undefined : constantOf(host, file);
  const address = typeof constant === 'string' ? constant : undefined;
  const portText = port === undefined || isFunctionNode(unwrap(port)) ? undefined : file.textOf(port);
  const exposure = host === undefined ? (complete ? without : 'unknown') : address === undefined ? 'unknown' : LOOPBACK.has(address) ? 'loopback' : 'public';
  return { address, port: portText, exposure };
}

/** `listen(port, host?, …)` and `listen({ port, host })`. Node listens on all interfaces without an address. */
export function listenAddress(call: ts.CallExpression, file: TypeScriptFile, without: Address['exposure'] = 'public'): Address {
  const [first, second] = call.arguments;
  const object = first === undefined || isFunctionNode(unwrap(first)) ? undefined : optionsOf(first, file);
  if (object !== undefined) {
    const options = readOptions(object, file);
    return addressFrom(options.values.get('host'), options.values.get('port'), options.complete, without, file);
  }
  const host = second !== undefined && !isCallback(second, file) && !isBacklog(second, file) ? second : undefined;
  return addressFrom(host, first, true, without, file);
}

/** `serve({ fetch, port, hostname })` of a web-standard runtime. */
export function serveAddress(options: ts.Node | undefined, file: TypeScriptFile, without: Address['exposure'] = 'public'): Address {
  const read = readOptions(options, file);
  return addressFrom(read.values.get('hostname') ?? read.values.get('host'), read.values.get('port'), read.complete, without, file);
}

function optionsOf(node: ts.Node, file: TypeScriptFile): ts.Node | undefined {
  const value = unwrap(node);
  if (ts.isObjectLiteralExpression(value)) return value;
  const declared = ts.isIdentifier(value) ? declarationOf(value, file)?.node : undefined;
  const initial = declared !== undefined && ts.isVariableDeclaration(declared) && declared.initializer !== undefined ? unwrap(declared.initializer) : undefined;
  return initial !== undefined && ts.isObjectLiteralExpression(initial) ? initial : undefined;
}

const isBacklog = (node: ts.Node, file: TypeScriptFile): boolean => typeof constantOf(node, file) === 'number';

function isCallback(node: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrap(node);
  if (isFunctionNode(value)) return true;
  const declared = ts.isIdentifier(value) ? declarationOf(value, file) : undefined;
  if (declared === undefined) return false;
  if (declared.kind === 'function') return true;
  const initial = ts.isVariableDeclaration(declared.node) ? declared.node.initializer : undefined;
  return initial !== undefined && isFunctionNode(unwrap(initial));
}
