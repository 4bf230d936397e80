import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, constantOf, eachNode, enclosingFunction } from '../../../src/languages/typescript/index.js';
import { indentOf, insertBefore, linesAt, startWithComments } from '../../_mcp/typescript/emit/edits.js';
import { calledMember, isFunctionNode, statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { requestNames } from '../entry/names.js';
import { type Branch, branchesOf, calledEntry, calledFunction, refusal, touches } from '../node-http/branches.js';
import { isUrlish, pathConjuncts, pathTest } from '../paths.js';
import type { Served } from '../served.js';
import { type Beside, type NoBeside, noBeside } from './model.js';
import type { Rename } from './path.js';

const OWN_BRANCH = 'Give the MCP path a branch of its own: if (path === ...) { ...; return; }';

/** A new branch in front of the old one, in the function that tells the paths apart. */
export function besideBranch(served: Served, file: TypeScriptFile, rename: Rename): Beside | NoBeside {
  const value = unwrap(served.handlerNode);
  const fn = isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : enclosingFunction(value);
  const own = served.path;
  if (fn === undefined || own === undefined)
    return noBeside('no branch for the path was found, so it cannot be told which path is free beside it', OWN_BRANCH, file, served.node);
  const tests = branchesOf(fn, file)
    .filter(({ path, calls }) => path === own && !calls.every((call) => calledEntry(call, file) !== undefined))
    .map((branch) => selectorOf(branch, fn, own, file));
  const [first] = tests.flatMap((test) => test ?? []).sort((a, b) => a.head.pos - b.head.pos);
  if (first === undefined || tests.includes(undefined)) return noBeside('the old path has no branch of its own', OWN_BRANCH, file, served.node);
  const {
    head,
    selected: [old],
  } = first;
  const path = rename(own);
  const test = first.write(path);
  const around = enclosingFunction(head);
  const place = around === undefined ? undefined : statementOf(around);
  if (around === undefined || place === undefined || test === undefined) return noBeside('the test of the path could not be read', OWN_BRANCH, file, head);
  const named = literalOf(path, file);
  if (named !== undefined) return noBeside(`${path} is named here already`, 'Give one of both another path.', file, named);
  // Behind a test that turns other paths away, the old code is what follows it.
  const behind = old?.parent === head.parent ? old : undefined;
  const names = requestNames(around);
  const pair = served.form === 'node' || served.form === 'node-parsed';
  if (names[0] === undefined || (pair && names[1] === undefined) || !isHandedOn(fn, around, file, pair ? 2 : 1))
    return noBeside('the function that tells the paths apart does not take the request as it comes', 'Hand it the request and the response.', file, around);
  const asynchronous = (ts.getCombinedModifierFlags(around) & ts.ModifierFlags.Async) !== 0;
  return {
    ok: true,
    path,
    place,
    passed: first.selected,
    selectors: tests.flatMap((entry) => entry?.test ?? []),
    shared: inFrontOf(head, around),
    form: served.form,
    names,
    repeated: [],
    write({ declared, handled, mark }) {
      const unit = file.indentUnit;
      const body = handled.map((line) => unit + (asynchronous ? line : line.replace(/^await /, 'void ')));
      const lines = ts.isSwitchStatement(head) ? [`case ${test}: {`, ...body, '}'] : [`if (${test}) {`, ...body, '}'];
      const [clause] = ts.isSwitchStatement(head) ? head.caseBlock.clauses : [];
      const target = clause ?? head;
      const start = startWithComments(target, file);
      const top = startWithComments(place, file);
      const inner = {
        start,
        end: start,
        text: linesAt([...lines, ...(behind === undefined ? [mark] : []), ''], indentOf(target, file), file) + indentOf(target, file),
      };
      const outer = linesAt([...declared, '', ''], indentOf(place, file), file) + indentOf(place, file);
      const edits = top === start ? [{ ...inner, text: outer + inner.text }] : [{ start: top, end: top, text: outer }, inner];
      if (behind !== undefined) edits.push(insertBefore(behind, [mark], file));
      return { changes: [{ kind: 'edit', file: file.path, edits }], file: file.path, needs: [] };
    },
  };
}

/** What selects a branch: the statement that decides, what it selects, and the same test of another path. */
interface Selector {
  readonly head: ts.Statement;
  /** The test itself. */
  readonly test: ts.Node;
  readonly selected: readonly ts.Node[];
  readonly write: (path: string) => string | undefined;
}

function selectorOf({ node, calls: [call] }: Branch, fn: FunctionNode, own: string, file: TypeScriptFile): Selector | undefined {
  if (ts.isCaseClause(node)) {
    const head = node.parent.parent;
    return { head, test: node.expression, selected: [node], write: (path) => file.quote + path + file.quote };
  }
  const { parent } = node;
  if (ts.isIfStatement(parent)) {
    const tests = parent.thenStatement === node ? pathConjuncts(parent.expression, file).filter(({ holds }) => holds) : [pathTest(parent.expression, file)];
    const [test] = tests;
    return test === undefined
      ? undefined
      : { head: chainHead(parent), test: parent.expression, selected: [node], write: (path) => testOf(test.node, own, path, file) };
  }
  // `if (url !== '/mcp') { …; return; }` in front: what comes after is that path.
  const owner = node === fn.body ? fn : isFunctionNode(parent) && parent.body === node ? parent : undefined;
  const head = call === undefined || owner === undefined ? undefined : refusal(call, owner, file);
  if (head === undefined || !ts.isBlock(head.parent)) return undefined;
  const { statements } = head.parent;
  return { head, test: head.expression, selected: statements.slice(statements.indexOf(head) + 1), write: (path) => testOf(head.expression, own, path, file) };
}

/** The first `if` of a chain of `else if`. */
function chainHead(node: ts.IfStatement): ts.IfStatement {
  let at = node;
  while (ts.isIfStatement(at.parent) && at.parent.elseStatement === at) at = at.parent;
  return at;
}

/** The test of the old path with the new one in its place; `undefined` for a test that is no comparison of the whole path. */
function testOf(node: ts.Node, own: string, path: string, file: TypeScriptFile): string | undefined {
  const value = unwrap(node);
  if (ts.isPrefixUnaryExpression(value)) return testOf(value.operand, own, path, file);
  // `url.startsWith('/mcp')` stands behind the new branch, so what begins with the new path does not get there.
  if (ts.isCallExpression(value) && calledMember(value) === 'startsWith') {
    const [beginning] = value.arguments;
    return beginning !== undefined && ts.isStringLiteralLike(beginning) && beginning.text === own
      ? `${file.textOf(value.expression)}(${file.quote}${path}${file.quote})`
      : undefined;
  }
  if (!ts.isBinaryExpression(value) || ts.isBinaryExpression(unwrap(value.left))) return undefined;
  const [subject, other] = isUrlish(value.left, file) ? [value.left, value.right] : [value.right, value.left];
  if (constantOf(other, file) !== own) return undefined;
  const constant = unwrap(other);
  const text = ts.isIdentifier(constant) && path.startsWith(own) ? `\`\${${constant.text}}${path.slice(own.length)}\`` : file.quote + path + file.quote;
  return `${file.textOf(subject)} === ${text}`;
}

/** A string that is the path already. */
function literalOf(path: string, file: TypeScriptFile): ts.Node | undefined {
  let found: ts.Node | undefined;
  eachNode(file.tree, (node) => {
    if (ts.isStringLiteralLike(node) && node.text === path) found = node;
  });
  return found;
}

/** Is a function the listener itself, or one that the listener hands request and response to, in their order? */
function isHandedOn(fn: FunctionNode, inner: FunctionNode, file: TypeScriptFile, count: number): boolean {
  if (fn === inner) return true;
  const names = requestNames(fn);
  const call = fn.body === undefined ? undefined : touches(fn.body, file).find((node) => calledFunction(node, file) === inner);
  return call !== undefined && names.slice(0, count).every((name, index) => name !== undefined && call.arguments[index]?.getText(file.tree) === name);
}

/** Statements that run before one in its function. */
function inFrontOf(statement: ts.Statement, fn: FunctionNode): readonly ts.Statement[] {
  const found: ts.Statement[] = [];
  for (let at: ts.Node = statement; at !== fn && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isBlock(parent)) found.unshift(...parent.statements.slice(0, parent.statements.indexOf(at as ts.Statement)));
  }
  return found;
}
