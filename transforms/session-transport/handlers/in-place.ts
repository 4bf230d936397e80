import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, declarationOf, eachNode, enclosingFunction, originOf } from '../../../src/languages/typescript/index.js';
import { calledFunction, touches } from '../../_hosts/node-http/branches.js';
import type { RequestForm } from '../../_hosts/served.js';
import { isFunctionNode, isWithin, receiverOf, unwrap, unwrapAwait, wrapped } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';
import { isAsync } from './shape.js';

/** The one call of a handler that hands a web-standard request to a transport of its own: the entry can be asked at that very place. */
export interface InPlace {
  /** The function around the call. */
  readonly fn: FunctionNode;
  /** `await transport.handleRequest(request)`; without `await` where it is returned. */
  readonly node: ts.Expression;
  /** What the entry is handed, as it is written. */
  readonly handed: string;
}

/**
 * Finds that call. All around it, checks in front and what is done with the answer, then runs for both eras.
 * Precondition: the transport is built for this request and has no session, nothing on the way asks for one, and the call is the only one.
 * @param names how the handler says its request
 */
export function inPlaceOf(fn: FunctionNode, file: TypeScriptFile, form: RequestForm, names: readonly (string | undefined)[]): InPlace | undefined {
  const code = sessionCode(file);
  const seen = new Set<FunctionNode>();
  let at: FunctionNode | undefined = fn;
  while (at?.body !== undefined && !seen.has(at)) {
    const { body }: FunctionNode = at;
    seen.add(at);
    const asksSession = [...code.headerReads, ...code.gates, ...code.idAccesses].some(({ node }) => isWithin(node, body));
    const [call, second] = touches(body, file);
    if (asksSession || call === undefined || second !== undefined || enclosingFunction(call) !== at) return undefined;
    if (code.dispatches.includes(call)) return isAsync(at) ? ownCall(call, at, file, form, names[0]) : undefined;
    const callee = calledFunction(call, file);
    at = callee === 'imported' ? undefined : callee;
  }
  return undefined;
}

function ownCall(call: ts.CallExpression, fn: FunctionNode, file: TypeScriptFile, form: RequestForm, name: string | undefined): InPlace | undefined {
  const [request, options] = call.arguments;
  const node = ts.isAwaitExpression(call.parent) ? call.parent : call;
  const place = wrapped(node).parent;
  const stands =
    ts.isVariableDeclaration(place) ||
    ts.isReturnStatement(place) ||
    (ts.isCallExpression(place) && place.arguments.includes(wrapped(node) as ts.Expression)) ||
    (ts.isBinaryExpression(place) && place.operatorToken.kind === ts.SyntaxKind.EqualsToken && place.right === wrapped(node));
  if (!stands || (node === call && !ts.isReturnStatement(place)) || request === undefined || call.arguments.length > 2) return undefined;
  if (!isOwnTransport(receiverOf(call), fn, file)) return undefined;
  const asked = file.textOf(request);
  if (!/^[\w$.]+$/.test(asked) || (options !== undefined && !isPlainObject(unwrap(options)))) return undefined;
  const further = options === undefined ? '' : `, ${file.textOf(options)}`;
  if (form !== 'hono') return { fn, node, handed: asked + further };
  return asked === `${name ?? ''}.req.raw` ? { fn, node, handed: (name ?? '') + further } : undefined;
}

/** An object that may be written twice: nothing runs where it is built. */
function isPlainObject(node: ts.Node): boolean {
  let runs = !ts.isObjectLiteralExpression(node);
  eachNode(node, (inner) => {
    if (ts.isCallExpression(inner) || ts.isNewExpression(inner) || ts.isAwaitExpression(inner) || ts.isTaggedTemplateExpression(inner)) runs = true;
    return !isFunctionNode(inner);
  });
  return !runs;
}

/** `const transport = new WebStandardStreamableHTTPServerTransport()` of the same function, without session ids. */
function isOwnTransport(receiver: ts.Node | undefined, fn: FunctionNode, file: TypeScriptFile): boolean {
  const value = receiver === undefined ? undefined : unwrap(receiver);
  const declared = value !== undefined && ts.isIdentifier(value) ? declarationOf(value, file)?.node : undefined;
  if (declared === undefined || !ts.isVariableDeclaration(declared) || declared.initializer === undefined || enclosingFunction(declared) !== fn) return false;
  const made = unwrapAwait(declared.initializer);
  if (!ts.isNewExpression(made) || originOf(unwrap(made.expression), file)?.name !== 'WebStandardStreamableHTTPServerTransport') return false;
  const options = readOptions(made.arguments?.[0], file);
  const generator = options.values.get('sessionIdGenerator');
  if (!options.complete || (generator !== undefined && file.textOf(generator) !== 'undefined') || options.values.has('eventStore')) return false;
  let reused = false;
  eachNode(fn, (node) => {
    if (isFunctionNode(node) && node !== fn) return false;
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && file.textOf(node.left) === declared.name.getText(file.tree))
      reused = true;
    return undefined;
  });
  return !reused;
}
