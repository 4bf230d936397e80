import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { declarationOf, eachNode, instanceOrigin, originOf, referencesOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { calledMember, isFunctionNode, receiverOf } from '../_mcp/typescript/nodes.js';
import { clientTransport } from '../_mcp/typescript/sdk.js';
import { isTelemetry } from '../_mcp/typescript/telemetry.js';

/** Reports catch clauses that try an older transport, and loops that call a tool again, when the error is not looked at. */
export const typescript: Detector<'typescript', 'era-fallback' | 'call-retry'> = (file, report) => ({
  CatchClause(clause) {
    const fallback = olderTransport(clause, file);
    if (fallback === undefined || !triesStreamable(clause.parent, file) || looksAtError(clause, file)) return;
    const modern = canonical(originOf(fallback.expression, file))?.sdk === 2;
    report.finding('era-fallback', file.span(fallback), {
      group: 'recovery',
      certainty: 'likely',
      impact: modern ? 'degrades' : 'tidies',
      evidence: [
        'the catch clause does not look at its error',
        ...(modern ? [] : ['the v1 client speaks no modern revision, so this matters from its SDK step on']),
      ],
      data: { fallback: fallback.getText(file.tree).replace(/\s+/g, ' ').slice(0, 60), ...(modern ? { reject: 'modern-fallback' } : {}) },
    });
  },
  CallExpression(call) {
    if (calledMember(call) !== 'callTool' || !isClient(receiverOf(call), file)) return;
    const attempt = enclosing(call, ts.isTryStatement);
    const loop = attempt === undefined ? undefined : enclosing(attempt, (node): node is ts.IterationStatement => ts.isIterationStatement(node, false));
    if (attempt?.catchClause === undefined || loop === undefined || !isWithin(call, attempt.tryBlock)) return;
    if (leaves(attempt.catchClause.block) || /idempotent|readOnlyHint|idempotency/i.test(loop.getText(file.tree)) || iterates(loop, call, file)) return;
    report.finding('call-retry', file.span(call), {
      group: 'retry',
      certainty: 'likely',
      related: [file.site(loop, 'repeated here')],
      evidence: ['the catch clause neither throws nor leaves the loop', 'nothing in the loop names idempotency'],
      data: { call: call.expression.getText(file.tree), reject: 'blind-retry' },
    });
  },
});

const isWithin = (node: ts.Node, outer: ts.Node): boolean => node.pos >= outer.pos && node.end <= outer.end;

/** The nearest ancestor of a kind inside of the same function. */
function enclosing<T extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is T): T | undefined {
  for (let current = node.parent; !ts.isSourceFile(current) && !isFunctionNode(current); current = current.parent) if (is(current)) return current;
  return undefined;
}

function olderTransport(clause: ts.CatchClause, file: TypeScriptFile): ts.NewExpression | undefined {
  let found: ts.NewExpression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && clientTransport(node.expression, file) === 'SSEClientTransport') found ??= node;
    ts.forEachChild(node, visit);
  };
  visit(clause.block);
  return found;
}

/** Does the `try` block use a Streamable HTTP client transport, made there or before? */
function triesStreamable(attempt: ts.TryStatement, file: TypeScriptFile): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && clientTransport(node.expression, file) === 'StreamableHTTPClientTransport') found = true;
    if (ts.isIdentifier(node) && canonical(instanceOrigin(node, file))?.name === 'StreamableHTTPClientTransport') found = true;
    ts.forEachChild(node, visit);
  };
  visit(attempt.tryBlock);
  return found;
}

/** Is the caught error used for more than a log? */
function looksAtError(clause: ts.CatchClause, file: TypeScriptFile): boolean {
  const name = clause.variableDeclaration?.name;
  if (name === undefined) return false;
  if (!ts.isIdentifier(name)) return true;
  const declaration = declarationOf(name, file);
  return declaration === undefined || referencesOf(declaration, file).some((use) => use !== name && !isTelemetry(use, file));
}

function isClient(receiver: ts.Node | undefined, file: TypeScriptFile): boolean {
  if (receiver === undefined) return false;
  if (canonical(instanceOrigin(receiver, file))?.name === 'Client') return true;
  const node = ts.isIdentifier(receiver) ? declarationOf(receiver, file)?.node : undefined;
  const type = node !== undefined && (ts.isParameter(node) || ts.isVariableDeclaration(node)) ? node.type : undefined;
  return type !== undefined && ts.isTypeReferenceNode(type) && canonical(originOf(type.typeName, file))?.name === 'Client';
}

/** Does a block end the attempt: throw, return or break on every way? A conditional one counts: somebody looked. */
function leaves(block: ts.Block): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (isFunctionNode(node)) return;
    if (ts.isThrowStatement(node) || ts.isReturnStatement(node) || ts.isBreakStatement(node) || ts.isIfStatement(node)) found = true;
    ts.forEachChild(node, visit);
  };
  visit(block);
  return found;
}

/** A loop over different calls (each with a value of the loop) is no repetition of one. */
function iterates(loop: ts.IterationStatement, call: ts.CallExpression, file: TypeScriptFile): boolean {
  if (!ts.isForOfStatement(loop) && !ts.isForInStatement(loop)) return false;
  const names = new Set<string>();
  eachNode(loop.initializer, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return call.arguments.some((argument) => [...names].some((name) => new RegExp(`\\b${name}\\b`).test(argument.getText(file.tree))));
}
