import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode } from '../../src/languages/typescript/index.js';
import { calledMember, receiverOf, statementOf, unwrap } from '../_mcp/typescript/nodes.js';

/** Methods of `console` that Node writes to stdout, and that `console.error` takes the place of. */
const TO_STDOUT: ReadonlySet<string> = new Set(['log', 'info', 'debug']);

/** A process that reads its command line or listens on a port may print for a person. */
const OTHER_USES = /\bprocess\.argv\b|\bparseArgs\b|['"](?:commander|yargs|minimist|meow|cac|@oclif\/core|@clack\/prompts)['"]|\.listen\(/;

/**
 * Logs of a file that serves stdio which go to stdout, between the messages of the protocol. Silent where the process may also be a command
 * for a person (arguments, a port), where `console.log` is redirected, and in front of an exit.
 */
export function stdoutLogs(file: TypeScriptFile): readonly ts.CallExpression[] {
  if (OTHER_USES.test(file.text) || /\bconsole\.(?:log|info|debug)\s*=[^=]|\bconsole\s*=[^=]/.test(file.text)) return [];
  const found: ts.CallExpression[] = [];
  eachNode(file.tree, (node) => {
    const receiver = ts.isCallExpression(node) ? receiverOf(node) : undefined;
    if (!ts.isCallExpression(node) || receiver === undefined || !TO_STDOUT.has(calledMember(node) ?? '')) return;
    if (ts.isIdentifier(receiver) && receiver.text === 'console' && declarationOf(receiver, file) === undefined && !exitsBehind(node, file)) found.push(node);
  });
  return found;
}

/** `console.log(usage); process.exit(0);`: such a run serves nobody. */
function exitsBehind(call: ts.CallExpression, file: TypeScriptFile): boolean {
  const statement = statementOf(call);
  const list = statement === undefined ? undefined : statement.parent;
  if (statement === undefined || list === undefined || !ts.isBlock(list)) return false;
  return list.statements.slice(list.statements.indexOf(statement) + 1).some((next) => /\bprocess\.exit\(/.test(file.textOf(next)));
}

/** The name that has to change. */
export const methodName = (call: ts.CallExpression): ts.Node | undefined => {
  const callee = unwrap(call.expression);
  return ts.isPropertyAccessExpression(callee) ? callee.name : undefined;
};
