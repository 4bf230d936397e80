import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode, originOf } from '../../../src/languages/typescript/index.js';
import { isFunctionNode, unwrap } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { type Address, addressFrom, serveAddress } from '../address.js';

/** A place that hands web-standard requests to a function or an application. */
export interface Serve {
  readonly node: ts.Node;
  readonly runtime: 'node' | 'bun' | 'deno' | 'module';
  /** The `fetch` handler, or the application that has one. */
  readonly fetch: ts.Node | undefined;
  readonly address: Address;
}

/** `serve({ fetch })` of `@hono/node-server`, `Bun.serve`, `Deno.serve`, `export default { fetch }` of Workers and Bun. */
export function servesOf(file: TypeScriptFile): readonly Serve[] {
  const found: Serve[] = [];
  eachNode(file.tree, (node) => {
    if (ts.isCallExpression(node)) {
      const serve = served(node, file);
      if (serve !== undefined) found.push(serve);
    } else if (ts.isExportAssignment(node) && node.isExportEquals !== true) {
      const value = unwrap(node.expression);
      const options = readOptions(value, file);
      const fetch = options.values.get('fetch');
      if (fetch !== undefined)
        found.push({ node, runtime: 'module', fetch, address: addressFrom(options.values.get('hostname'), options.values.get('port'), true, 'public', file) });
      // `export default app`: Bun and Workers serve an application as it is, to everybody.
      else if (ts.isIdentifier(value) || ts.isNewExpression(value))
        found.push({ node, runtime: 'module', fetch: value, address: { address: undefined, port: undefined, exposure: 'public' } });
    }
  });
  return found;
}

const isGlobal = (node: ts.Node, name: string, file: TypeScriptFile): boolean =>
  ts.isIdentifier(node) && node.text === name && declarationOf(node, file) === undefined;

function served(call: ts.CallExpression, file: TypeScriptFile): Serve | undefined {
  const callee = unwrap(call.expression);
  const [first, second] = call.arguments;
  const origin = originOf(callee, file);
  if (origin?.module === '@hono/node-server' && (origin.name === 'serve' || origin.name === 'createAdaptorServer'))
    return { node: call, runtime: 'node', fetch: readOptions(first, file).values.get('fetch'), address: serveAddress(first, file) };
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'serve') return undefined;
  if (isGlobal(callee.expression, 'Bun', file) || origin?.module === 'bun')
    return { node: call, runtime: 'bun', fetch: readOptions(first, file).values.get('fetch'), address: serveAddress(first, file) };
  if (!isGlobal(callee.expression, 'Deno', file)) return undefined;
  const options = first !== undefined && ts.isObjectLiteralExpression(unwrap(first)) ? first : undefined;
  const handler = options === undefined ? first : (second ?? readOptions(options, file).values.get('handler'));
  return {
    node: call,
    runtime: 'deno',
    fetch: handler !== undefined && isFunctionNode(unwrap(handler)) ? unwrap(handler) : handler,
    address: serveAddress(options, file),
  };
}
