import { ts } from 'ts-morph';
import type { FactOf } from '../../../src/core/index.js';
import { type TypeScriptFile, constantOf, declarationOf, originOf } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { type ExpressApp, appOf, assumedApp } from './apps.js';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);

/** A `listen` call of an application, or of an HTTP server around one. */
export interface Listen {
  readonly call: ts.CallExpression;
  readonly app: ExpressApp;
  readonly address: string | undefined;
  readonly port: string | undefined;
  readonly exposure: FactOf<'listen'>['exposure'];
}

export function listenOf(call: ts.CallExpression, file: TypeScriptFile, has: (path: string) => boolean): Listen | undefined {
  if (calledMember(call) !== 'listen') return undefined;
  const receiver = receiverOf(call);
  const app = receiver === undefined ? undefined : (appOf(receiver, file) ?? servedApp(receiver, file, has) ?? assumedApp(receiver, file, has));
  if (app === undefined) return undefined;
  const [first, second] = call.arguments;
  const options = first !== undefined && !isFunctionNode(unwrap(first)) && ts.isObjectLiteralExpression(unwrap(first)) ? readOptions(first, file) : undefined;
  const host = options === undefined ? (second !== undefined && !isCallback(second, file) ? second : undefined) : options.values.get('host');
  const port = options === undefined ? first : options.values.get('port');
  const constant = host === undefined ? undefined : constantOf(host, file);
  const address = typeof constant === 'string' ? constant : undefined;
  const portText = port === undefined || isFunctionNode(unwrap(port)) ? undefined : file.textOf(port);
  // Without an address Node listens on all interfaces.
  const exposure =
    host === undefined
      ? options?.complete === false
        ? 'unknown'
        : 'public'
      : address === undefined
        ? 'unknown'
        : LOOPBACK.has(address)
          ? 'loopback'
          : EVERYWHERE.has(address)
            ? 'public'
            : 'public';
  return { call, app, address, port: portText, exposure };
}

function isCallback(node: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrap(node);
  if (isFunctionNode(value)) return true;
  if (!ts.isIdentifier(value)) return false;
  const declared = declarationOf(value, file);
  return (
    declared?.kind === 'function' ||
    (declared !== undefined &&
      ts.isVariableDeclaration(declared.node) &&
      declared.node.initializer !== undefined &&
      isFunctionNode(unwrap(declared.node.initializer)))
  );
}

const SERVERS = /^(?:node:)?https?$/;

/** `createServer(app)`, directly or behind a variable. */
function servedApp(node: ts.Node, file: TypeScriptFile, has: (path: string) => boolean): ExpressApp | undefined {
  let value = unwrap(node);
  if (ts.isIdentifier(value)) {
    const declared = declarationOf(value, file)?.node;
    if (declared === undefined || !ts.isVariableDeclaration(declared) || declared.initializer === undefined) return undefined;
    value = unwrap(declared.initializer);
  }
  if (!ts.isCallExpression(value)) return undefined;
  const origin = originOf(unwrap(value.expression), file);
  if (origin === undefined || !SERVERS.test(origin.module) || origin.name !== 'createServer') return undefined;
  for (const argument of value.arguments) {
    const app = appOf(argument, file) ?? assumedApp(argument, file, has);
    if (app !== undefined) return app;
  }
  return undefined;
}
