import { ts } from 'ts-morph';
import {
  type TypeScriptFile,
  declarationOf,
  eachNode,
  enclosingFunction,
  importBindings,
  isRelative,
  originOf,
} from '../../../src/languages/typescript/index.js';
import { canonical } from '../../_mcp/canonical.js';
import { packageOf, sdkOf } from '../../_mcp/sdk-table.js';
import { bare, someNode } from '../nodes.js';
import type { Obstacle } from './bindings.js';

/** Objects that one copy of the SDK does not take from another. */
const OBJECTS: ReadonlySet<string> = new Set(['McpServer', 'Server', 'Client', 'Transport']);

/**
 * Places where another package builds what this code takes for an object of SDK v1: `createMapServer()` that is connected to a transport, a table of
 * such functions that is typed with `McpServer`. The package brings an SDK of its own; as long as that is v1, its objects do not fit SDK v2.
 *
 * @param own packages of the repository, which move with this one
 */
export function foreignServers(file: TypeScriptFile, own: ReadonlySet<string>): readonly Obstacle[] {
  const foreign = (expression: ts.Expression): string | undefined => {
    const module = originOf(bare(expression), file)?.module;
    if (module === undefined || isRelative(module) || module.startsWith('node:') || module.startsWith('#') || sdkOf(module) !== undefined) return undefined;
    const name = packageOf(module);
    return own.has(name) ? undefined : name;
  };
  const types = new Set(
    importBindings(file).flatMap((binding) => {
      const symbol = canonical({ module: binding.specifier, name: binding.name });
      return symbol?.sdk === 1 && OBJECTS.has(symbol.name) ? [binding.local] : [];
    }),
  );
  const typed = (type: ts.TypeNode | undefined): boolean => type !== undefined && someNode(type, (node) => ts.isIdentifier(node) && types.has(node.text));
  const found = new Map<string, ts.Node>();
  const add = (expression: ts.Expression | undefined): void => {
    const value = expression && bare(ts.isAwaitExpression(expression) ? expression.expression : expression);
    // What is handed an object may hand it back: `wrapServer(server)`.
    if (
      value &&
      ts.isCallExpression(value) &&
      value.arguments.some((argument) => someNode(argument, (node) => ts.isNewExpression(node) || ts.isIdentifier(node)))
    )
      return;
    const maker = value && ts.isCallExpression(value) ? value.expression : value;
    const name = maker && foreign(maker);
    if (value && name !== undefined && !found.has(name)) found.set(name, value);
  };
  eachNode(file.tree, (node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'connect' && node.arguments.length === 1) {
      const [transport] = node.arguments;
      if (!transport || !isTransport(transport, file)) return undefined;
      const receiver = node.expression.expression;
      const declared = ts.isIdentifier(receiver) ? declarationOf(receiver, file)?.node : undefined;
      add(declared && ts.isVariableDeclaration(declared) ? declared.initializer : ts.isCallExpression(receiver) ? receiver : undefined);
    } else if (ts.isVariableDeclaration(node) && typed(node.type) && node.initializer) {
      const value = bare(node.initializer);
      if (ts.isObjectLiteralExpression(value))
        for (const property of value.properties)
          add(ts.isPropertyAssignment(property) ? property.initializer : ts.isShorthandPropertyAssignment(property) ? property.name : undefined);
      else if (ts.isArrayLiteralExpression(value)) for (const element of value.elements) add(element);
      else if (ts.isCallExpression(value)) add(value);
    } else if (ts.isReturnStatement(node) && node.expression && ts.isCallExpression(bare(node.expression)) && typed(enclosingFunction(node)?.type))
      add(node.expression);
    return undefined;
  });
  return [...found].map(([name, node]) => ({
    file,
    node,
    why: `\`${name}\` builds a server here with an SDK copy of its own, which is v1: SDK v2 takes no objects of it.`,
    next: `Raise \`${name}\` to a release on SDK v2 first, or keep this part on SDK v1 in a package of its own; then run the migration again.`,
  }));
}

/** An object of a transport class of SDK v1. */
function isTransport(expression: ts.Expression, file: TypeScriptFile): boolean {
  const inner = bare(expression);
  const node = ts.isIdentifier(inner) ? declarationOf(inner, file)?.node : undefined;
  const value = node && ts.isVariableDeclaration(node) ? node.initializer : inner;
  return value !== undefined && ts.isNewExpression(value) && canonical(originOf(value.expression, file))?.sdk === 1;
}
