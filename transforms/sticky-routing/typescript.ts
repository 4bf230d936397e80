import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { constantOf, declarationOf, enclosingFunction, functionRef, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { calledMember, unwrap } from '../_mcp/typescript/nodes.js';
import { readOptions } from '../_mcp/typescript/options.js';
import { CHECKS, routeAtEnd } from './probes.js';

/** Health checks that ask a route of the MCP server: any HEAD, and a GET of a function that is named for it. */
export const typescript: Detector<'typescript', 'probe-in-code'> = (file, report) => ({
  CallExpression(call) {
    const [url, options] = call.arguments;
    const verb = verbOf(call, options, file);
    const path = url === undefined || verb === undefined ? undefined : pathOf(url, file);
    if (path === undefined || verb === undefined) return;
    const fn = enclosingFunction(call);
    if (verb === 'GET' && !(fn !== undefined && CHECKS.test(functionRef(fn, file).name))) return;
    report.finding('probe-in-code', file.span(call), { group: file.path, certainty: 'likely', data: { method: verb, path, stage: 'observe' } });
  },
});

/** What a call asks with: `fetch(url, { method: 'HEAD' })`, `axios.head(url)`. */
function verbOf(call: ts.CallExpression, options: ts.Expression | undefined, file: TypeScriptFile): 'GET' | 'HEAD' | undefined {
  const member = calledMember(call);
  if (member === 'head') return 'HEAD';
  if (!(ts.isIdentifier(call.expression) && call.expression.text === 'fetch') && member !== 'fetch') return undefined;
  const object = options === undefined ? undefined : unwrap(options);
  const method = object !== undefined && ts.isObjectLiteralExpression(object) ? readOptions(object, file).values.get('method') : undefined;
  const named = method === undefined ? (options === undefined || object !== undefined ? 'GET' : undefined) : constantOf(method, file);
  return named === 'GET' || named === 'HEAD' ? named : undefined;
}

/** The MCP route that a URL ends with: written there, or in what its variable was given. */
function pathOf(written: ts.Expression, file: TypeScriptFile): string | undefined {
  const url = unwrap(written);
  if (!ts.isIdentifier(url)) return routeAtEnd(url.getText(file.tree));
  const node = declarationOf(url, file)?.node;
  const value = node !== undefined && ts.isVariableDeclaration(node) ? node.initializer : undefined;
  return value === undefined ? undefined : routeAtEnd(value.getText(file.tree));
}
