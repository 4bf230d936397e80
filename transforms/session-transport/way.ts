import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, enclosingFunction, symbolOf } from '../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, receiverOf, unwrap, unwrapAwait } from '../_mcp/typescript/nodes.js';
import { type Files, handlerCode, isPlainWrapper } from './handler-code.js';
import { machineryOf } from './machinery.js';
import { dispatchers, isGuard } from './obstacles.js';

/** Something that modern requests would pass by. */
export interface Check {
  readonly file: TypeScriptFile;
  readonly node: ts.Node;
  /** Seen, not only feared: a function around the handler that could not be read may still be plain. */
  readonly certain: boolean;
}

/** Functions between a route and the SDK are followed so far. */
const MAX_STEPS = 5;

/**
 * What stands between a route and the function that hands requests to the SDK, and would be passed by in front of it: a function
 * wrapped around the handler, a check in a function that then calls the handler. Functions that only hand on are none.
 */
export function checksOnTheWay(handler: ts.Node, file: TypeScriptFile, files: Files, depth = 0): readonly Check[] {
  const value = unwrap(handler);
  if (depth > MAX_STEPS) return [];
  if (ts.isCallExpression(value)) {
    const [inner] = value.arguments;
    const receiver = receiverOf(value);
    if (calledMember(value) === 'bind' && receiver !== undefined) return checksOnTheWay(receiver, file, files, depth + 1);
    if (inner === undefined || !namesHandler(inner)) return [];
    return isPlainWrapper(value.expression, file, files)
      ? checksOnTheWay(inner, file, files, depth + 1)
      : [{ file, node: value, certain: isReadable(value.expression, file, files) }];
  }
  const code = handlerCode(value, file, files);
  return code === undefined ? [] : checksOfFunction(code.fn, code.file, files, depth);
}

/** Can the text of a function be seen? */
function isReadable(callee: ts.Node, file: TypeScriptFile, files: Files): boolean {
  const ref = symbolOf(unwrap(callee), file, files.has);
  return ref !== undefined && (ref.file === file.path || files.open(ref.file) !== undefined);
}

const namesHandler = (node: ts.Node): boolean => {
  const value = unwrap(node);
  return isFunctionNode(value) || ts.isIdentifier(value) || ts.isPropertyAccessExpression(value) || ts.isCallExpression(value);
};

function checksOfFunction(fn: FunctionNode, file: TypeScriptFile, files: Files, depth: number): readonly Check[] {
  // Functions that speak to the SDK are looked at as handlers.
  if (dispatchers(file).includes(fn) || fn.body === undefined) return [];
  const machinery = machineryOf(file, files.has);
  const statements = ts.isBlock(fn.body) ? flat(fn.body.statements) : [fn.body];
  return statements.flatMap((statement): readonly Check[] => {
    const target = handedOn(statement, fn);
    if (target !== undefined) return symbolOf(target, file, files.has) === undefined ? [] : checksOnTheWay(target, file, files, depth + 1);
    return machinery.roleOf(statement) === 'effect' && isGuard(statement) ? [{ file, node: statement, certain: true }] : [];
  });
}

/** Statements in order, those of a `try` in its place. */
const flat = (statements: readonly ts.Statement[]): readonly ts.Node[] =>
  statements.flatMap((statement): readonly ts.Node[] => (ts.isTryStatement(statement) ? flat(statement.tryBlock.statements) : [statement]));

/** What a statement hands the request to, when that is all it does. */
function handedOn(statement: ts.Node, fn: FunctionNode): ts.Node | undefined {
  const inner = ts.isExpressionStatement(statement) || ts.isReturnStatement(statement) ? statement.expression : statement;
  const call = inner === undefined ? undefined : unwrapAwait(inner);
  if (call === undefined || !ts.isCallExpression(call) || enclosingFunction(call) !== fn) return undefined;
  const names = new Set(fn.parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : [])));
  const given = call.arguments.map((argument) => unwrap(argument));
  return given.length >= 2 && given.every((argument) => ts.isIdentifier(argument) && names.has(argument.text)) ? unwrap(call.expression) : undefined;
}
