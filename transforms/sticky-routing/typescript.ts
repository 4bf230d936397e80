import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { constantOf, declarationOf, enclosingFunction, functionRef, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { ancestor, calledMember, nameText, unwrap } from '../_mcp/typescript/nodes.js';
import { readOptions } from '../_mcp/typescript/options.js';
import { CHECKS, routeAtEnd } from './probes.js';
import { reportSetting } from './setting.js';
import { isMcpPath, saysMcp, type Kind } from './words.js';

/**
 * Health checks that ask a route of the MCP server: any HEAD, and a GET of a function that is named for it. Beside them, target groups of
 * the AWS CDK.
 */
export const typescript: Detector<'typescript', Kind | 'probe-in-code'> = (file, report) => ({
  PropertyAssignment(node) {
    const name = nameText(node.name);
    const holder = 'The target group';
    if (name === 'stickinessCookieDuration' && saysMcp(ancestor(node, ts.isStatement)?.getText(file.tree) ?? ''))
      reportSetting(report, {
        kind: 'client-affinity',
        ...file.span(node),
        data: { holder, setting: node.getText(file.tree) },
        evidence: 'its statement names MCP',
      });
    const path = name === 'path' && isWithinCheck(node) ? constantOf(node.initializer, file) : undefined;
    if (typeof path === 'string' && isMcpPath(path))
      reportSetting(report, {
        kind: 'probe-on-endpoint',
        ...file.span(node),
        data: { holder, path },
        evidence: 'it asks with GET, and the path is the endpoint',
      });
  },
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

/** `healthCheck: { path: … }`. */
const isWithinCheck = (node: ts.PropertyAssignment): boolean =>
  ts.isPropertyAssignment(node.parent.parent) && nameText(node.parent.parent.name) === 'healthCheck';

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
