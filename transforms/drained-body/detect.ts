import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { type TypeScriptFile, declarationOf } from '../../src/languages/typescript/index.js';
import { registrations } from '../_hosts/express/index.js';
import { entryOf, isShimEntry } from '../_mcp/typescript/eras.js';
import { isFunctionNode, unwrap, unwrapAwait } from '../_mcp/typescript/nodes.js';
import { sdkName } from '../_mcp/typescript/sdk.js';
import { localFunction } from '../_mcp/typescript/servers.js';

export type Kinds = 'drained-body';

/** SDK calls that read the body themselves, in Express handlers behind a body parser. */
export const detectTypeScript: Detector<'typescript', Kinds> = (file, report, around) => ({
  end() {
    for (const { handler, parser, verb } of registrations(file, (path) => around.has(path))) {
      if (handler === undefined || parser !== 'before' || verb === 'GET' || verb === 'DELETE') continue;
      const value = unwrap(handler.node);
      if (ts.isIdentifier(value) && nodeHandler(value, file)) {
        report.finding('drained-body', file.span(value), { data: { call: value.text, body: 'req.body', mounted: true } });
        continue;
      }
      const fn = isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : undefined;
      const parameter = fn?.parameters[0]?.name;
      if (fn === undefined || parameter === undefined || !ts.isIdentifier(parameter)) continue;
      for (const call of drained(fn, parameter.text, file)) {
        report.finding('drained-body', file.span(call), { data: { call: file.textOf(call.expression), body: `${parameter.text}.body` } });
      }
    }
  },
});

/** Calls of a handler that miss the parsed body, the era predicate included when what it looks at was made without one. */
function drained(fn: ts.Node, request: string, file: TypeScriptFile): readonly ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && misses(node, request, file)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(fn);
  return found;
}

function misses(call: ts.CallExpression, request: string, file: TypeScriptFile): boolean {
  const callee = unwrap(call.expression);
  const name = sdkName(callee, file);
  const [first] = call.arguments;
  const isRequest = first !== undefined && ts.isIdentifier(unwrap(first)) && (unwrap(first) as ts.Identifier).text === request;
  if (name === 'toWebRequest') return isRequest && call.arguments.length === 1;
  if (name === 'isLegacyRequest') return call.arguments.length === 1 && first !== undefined && madeWithoutBody(first, request, file);
  return ts.isIdentifier(callee) && nodeHandler(callee, file) && isRequest && call.arguments.length === 2;
}

/** `toWebRequest(req)`, directly or behind a constant. */
function madeWithoutBody(node: ts.Node, request: string, file: TypeScriptFile): boolean {
  let value = unwrapAwait(node);
  if (ts.isIdentifier(value)) {
    const declared = declarationOf(value, file)?.node;
    if (declared === undefined || !ts.isVariableDeclaration(declared) || declared.initializer === undefined) return false;
    value = unwrapAwait(declared.initializer);
  }
  return ts.isCallExpression(value) && sdkName(unwrap(value.expression), file) === 'toWebRequest' && misses(value, request, file);
}

/** A variable that holds `toNodeHandler(…)`. */
function nodeHandler(identifier: ts.Identifier, file: TypeScriptFile): boolean {
  const declared = declarationOf(identifier, file)?.node;
  const value = declared !== undefined && ts.isVariableDeclaration(declared) && declared.initializer !== undefined ? unwrap(declared.initializer) : undefined;
  return (
    value !== undefined &&
    ts.isCallExpression(value) &&
    !isShimEntry(value, file) &&
    (sdkName(unwrap(value.expression), file) === 'toNodeHandler' ||
      (entryOf(value, file) !== undefined && sdkName(unwrap(value.expression), file) !== 'createMcpHandler'))
  );
}
