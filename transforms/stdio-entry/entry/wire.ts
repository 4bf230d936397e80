import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, declarationOf, referencesOf } from '../../../src/languages/typescript/index.js';
import { calledMember, memberName, statementOf, unwrapAwait } from '../../_mcp/typescript/nodes.js';
import { runsOf, removeRun } from './move.js';
import { type NoEntryPlan, stop } from './model.js';

/** What becomes of the transport: the entry makes its own, unless this one is special or used elsewhere. */
export interface Wire {
  readonly ok: true;
  /** Options of the entry, e.g. `transport: new StdioServerTransport(input, output)`. */
  readonly options: readonly string[];
  /** Removals of what the entry does itself. */
  readonly edits: readonly TextEdit[];
}

/** Reads the argument of `connect`. Hooks on the transport are lost in the entry, which sets its own: `onerror` becomes its option. */
export function wireOf(connect: ts.CallExpression, file: TypeScriptFile): Wire | NoEntryPlan {
  const [argument] = connect.arguments;
  if (argument === undefined) return stop('`connect` is given no transport', 'Connect it to a transport first.', file, connect);
  const value = unwrapAwait(argument);
  const logging = 'onerror: console.error';
  if (ts.isNewExpression(value)) return { ok: true, options: plain(value) ? [logging] : [`transport: ${file.textOf(value)}`, logging], edits: [] };
  const handed: Wire = {
    ok: true,
    options: [...(ts.isIdentifier(value) && value.text === 'transport' ? ['transport'] : [`transport: ${file.textOf(value)}`]), logging],
    edits: [],
  };
  if (!ts.isIdentifier(value)) return handed;
  const declaration = declarationOf(value, file);
  const node = declaration?.node;
  if (declaration === undefined || node === undefined || !ts.isVariableDeclaration(node) || node.initializer === undefined)
    return stop('the transport is chosen or handed in elsewhere', 'Give the stdio branch a `connect` of its own.', file, connect);
  const others = referencesOf(declaration, file).filter((use) => use !== argument && use !== value);
  const options: string[] = [];
  const hooks: ts.Statement[] = [];
  let closed = false;
  for (const use of others) {
    const member = ts.isPropertyAccessExpression(use.parent) && use.parent.expression === use ? use.parent : undefined;
    if (member !== undefined && ts.isCallExpression(member.parent) && calledMember(member.parent) === 'close') {
      closed = true;
      continue;
    }
    const hook = member === undefined ? undefined : assignment(member);
    if (hook !== undefined && memberName(hook.left) === 'onerror' && options.length === 0) {
      options.push(`onerror: ${file.textOf(hook.right)}`);
      hooks.push(hook.parent as ts.ExpressionStatement);
      continue;
    }
    const why =
      member === undefined
        ? 'the transport is also used elsewhere'
        : `\`${file.textOf(member)}\` hooks into the transport, which belongs to the entry from then on`;
    const next =
      member?.name.text === 'onclose'
        ? "Move what it does to the end of standard input (`process.stdin.on('end', …)`) or to the place that closes the server."
        : 'Take this use out first.';
    return stop(why, next, file, use);
  }
  const made = unwrapAwait(node.initializer);
  const statement = statementOf(node);
  const alone = statement !== undefined && ts.isVariableStatement(statement) && statement.declarationList.declarations.length === 1;
  if (!alone || closed || !ts.isNewExpression(made) || isExported(statement)) {
    return { ...handed, options: [...handed.options.slice(0, -1), ...(options.length > 0 ? options : [logging])], edits: removals(hooks, file) };
  }
  if (options.length === 0) options.push(logging);
  return { ok: true, options: plain(made) ? options : [`transport: ${file.textOf(made)}`, ...options], edits: removals([statement, ...hooks], file) };
}

const plain = (made: ts.NewExpression): boolean => (made.arguments?.length ?? 0) === 0;

const isExported = (statement: ts.VariableStatement): boolean => (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** `transport.onerror = …` as a statement. */
function assignment(member: ts.PropertyAccessExpression): (ts.BinaryExpression & { readonly parent: ts.Node }) | undefined {
  const { parent } = member;
  return ts.isBinaryExpression(parent) &&
    parent.left === member &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isExpressionStatement(parent.parent) &&
    (ts.isBlock(parent.parent.parent) || ts.isSourceFile(parent.parent.parent))
    ? parent
    : undefined;
}

/** Statements that may stand in different lists. */
function removals(statements: readonly ts.Statement[], file: TypeScriptFile): readonly TextEdit[] {
  const lists = new Map<ts.Node, Set<ts.Node>>();
  for (const statement of statements) lists.set(statement.parent, (lists.get(statement.parent) ?? new Set<ts.Node>()).add(statement));
  return [...lists].flatMap(([parent, own]) => runsOf(own, (parent as ts.Block).statements, file).map((run) => removeRun(run, file)));
}
