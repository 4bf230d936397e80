import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, declarationOf, eachNode, enclosingFunction } from '../../../src/languages/typescript/index.js';
import { isFunctionNode, isWithin, unwrap } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { entryOf, isShimEntry } from '../../_mcp/typescript/eras.js';
import { transportValue } from '../../_mcp/typescript/sdk.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';
import { isUrlish, pathConjuncts, pathTest } from '../paths.js';

/** A branch of a listener that one path selects and that speaks MCP. */
export interface Branch {
  readonly path: string | undefined;
  /** The statements of the branch: a block, a statement, a case clause. */
  readonly node: ts.Node;
  /** Calls in it that lead to the SDK. */
  readonly calls: readonly ts.CallExpression[];
}

const cache = new WeakMap<TypeScriptFile, ReadonlySet<ts.Node>>();

/** Calls that hand a request to the SDK: `handleRequest(…)` and its like, and `connect(…)` of an HTTP+SSE transport, which answers on its response. */
const serving = (file: TypeScriptFile): ReadonlySet<ts.Node> => {
  const { connects, dispatches } = sessionCode(file);
  const streams = connects.filter(({ arguments: [transport] }) => transport !== undefined && transportValue(transport, file) === 'sse');
  return new Set([...dispatches, ...streams]);
};

/** Functions of a file that hand a request to the SDK, themselves or through functions of the same file that they call. */
function dispatching(file: TypeScriptFile): ReadonlySet<ts.Node> {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const found = new Set<ts.Node>();
  const addAround = (node: ts.Node): void => {
    for (let fn = enclosingFunction(node); fn !== undefined; fn = enclosingFunction(fn)) found.add(fn);
  };
  for (const call of serving(file)) addAround(call);
  if (found.size > 0) {
    const local: { readonly call: ts.CallExpression; readonly callee: ts.Node }[] = [];
    eachNode(file.tree, (node) => {
      const callee = ts.isCallExpression(node) ? calledFunction(node, file) : undefined;
      if (callee !== undefined && callee !== 'imported') local.push({ call: node as ts.CallExpression, callee });
    });
    for (let size = -1; size !== found.size;) {
      size = found.size;
      for (const { call, callee } of local) if (found.has(callee)) addAround(call);
    }
  }
  cache.set(file, found);
  return found;
}

/** Calls below a node, callbacks included, that hand requests to the SDK: dispatches, and calls of functions that lead to one. */
export function touches(root: ts.Node, file: TypeScriptFile): readonly ts.CallExpression[] {
  const code = sessionCode(file);
  const direct = serving(file);
  const inner = dispatching(file);
  const found: ts.CallExpression[] = [];
  eachNode(root, (node) => {
    if (!ts.isCallExpression(node)) return;
    const callee = direct.has(node) ? undefined : calledFunction(node, file);
    const leads = callee === 'imported' ? code.dispatches.length === 0 && handsOn(node) : callee !== undefined && inner.has(callee);
    if (direct.has(node) || leads) found.push(node);
  });
  return found;
}

/** `handleMcp(req, res)` of another file: told by what it is given and by its name. */
const handsOn = (call: ts.CallExpression): boolean =>
  call.arguments.some((argument) => /^_?(?:req|request|ctx|c)$/.test(argument.getText())) &&
  /mcp|rpc|streamable|session|sse|transport/i.test(call.expression.getText());

/** The function of this file that a call runs, `this.method(…)` included; `imported` for one of another file. */
export function calledFunction(call: ts.CallExpression, file: TypeScriptFile): FunctionNode | 'imported' | undefined {
  const callee = unwrap(call.expression);
  if (ts.isIdentifier(callee)) {
    const local = localFunction(callee, file);
    return local ?? (declarationOf(callee, file)?.kind === 'import' ? 'imported' : undefined);
  }
  if (!ts.isPropertyAccessExpression(callee) || callee.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  for (let owner: ts.Node | undefined = callee.parent; owner !== undefined; owner = owner.parent) {
    if (!ts.isClassLike(owner)) continue;
    const member = owner.members.find((candidate) => candidate.name?.getText(file.tree) === callee.name.text);
    if (member !== undefined && ts.isMethodDeclaration(member)) return member;
    const held = member !== undefined && ts.isPropertyDeclaration(member) && member.initializer !== undefined ? unwrap(member.initializer) : undefined;
    return held !== undefined && isFunctionNode(held) ? held : undefined;
  }
  return undefined;
}

/** The entry of the SDK that a call hands the request to: `modern(req, res)`, `modern.fetch(request)`; its name. */
export function calledEntry(call: ts.CallExpression, file: TypeScriptFile): ts.Identifier | undefined {
  const callee = unwrap(call.expression);
  const name = ts.isPropertyAccessExpression(callee) && callee.name.text === 'fetch' ? unwrap(callee.expression) : callee;
  const node = ts.isIdentifier(name) ? declarationOf(name, file)?.node : undefined;
  const made = node !== undefined && ts.isVariableDeclaration(node) && node.initializer !== undefined ? unwrap(node.initializer) : undefined;
  return made !== undefined && ts.isCallExpression(made) && entryOf(made, file)?.legacy !== undefined && !isShimEntry(made, file) && ts.isIdentifier(name)
    ? name
    : undefined;
}

/** Branches of a listener that only hand requests to an entry of the SDK, by path. */
function entryBranches(fn: FunctionNode, file: TypeScriptFile): readonly Branch[] {
  const found: Branch[] = [];
  if (fn.body === undefined || !file.text.includes('createMcpHandler')) return found;
  eachNode(fn.body, (node) => {
    if (!ts.isCallExpression(node) || calledEntry(node, file) === undefined) return;
    const around = selectedBy(node, fn, file);
    if (around !== undefined) found.push(...around.paths.map((path) => ({ path, node: around.node, calls: [node] })));
  });
  return found;
}

/** The MCP branches of a listener by path; one without a path when a part of the MCP code is under no test of the path. */
export function branchesOf(fn: FunctionNode, file: TypeScriptFile): readonly Branch[] {
  const calls = fn.body === undefined ? [] : touches(fn.body, file);
  const entries = entryBranches(fn, file);
  const places = calls.flatMap((call) => placesOf(call, fn, file));
  // Beside the branch of an entry, what is behind a test that turns other paths away is the rest of its list, not the whole function.
  const own = entries.length === 0 ? places : places.flatMap((branch) => restOf(branch, fn, file));
  const found = [...own, ...entries];
  const merged = new Map<ts.Node, Branch>();
  for (const branch of found) {
    const known = merged.get(branch.node);
    merged.set(branch.node, known === undefined ? branch : { ...known, calls: [...known.calls, ...branch.calls] });
  }
  return [...merged.values()];
}

function placesOf(call: ts.CallExpression, fn: FunctionNode, file: TypeScriptFile): readonly Branch[] {
  const around = selectedBy(call, fn, file);
  if (around !== undefined) return around.paths.map((path) => ({ path, node: around.node, calls: [call] }));
  // `handle(req, res)` without a test of the path: the function that is called may test it.
  const callee = calledFunction(call, file);
  if (callee !== undefined && callee !== 'imported' && callee.body !== undefined) {
    const inner = branchesOf(callee, file);
    if (inner.length > 0 && inner.every(({ path }) => path !== undefined)) return inner;
  }
  return [{ path: refusedOthers(call, fn, file), node: fn.body ?? fn, calls: [call] }];
}

/** The innermost branch around a node that a path selects. */
function selectedBy(
  node: ts.Node,
  fn: FunctionNode,
  file: TypeScriptFile,
): { readonly paths: readonly (string | undefined)[]; readonly node: ts.Node } | undefined {
  for (let at: ts.Node = node; at !== fn && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isIfStatement(parent) && parent.thenStatement === at) {
      const tests = pathConjuncts(parent.expression, file).filter(({ holds }) => holds);
      const [test] = tests;
      if (test !== undefined) return { paths: test.paths, node: at };
    }
    if (ts.isIfStatement(parent) && parent.elseStatement === at) {
      const test = pathTest(parent.expression, file);
      if (test !== undefined && !test.holds) return { paths: test.paths, node: at };
    }
    if (ts.isCaseClause(parent) && ts.isSwitchStatement(parent.parent.parent) && isUrlish(parent.parent.parent.expression, file)) {
      const path = pathOfClause(parent);
      return { paths: [path], node: parent };
    }
  }
  return undefined;
}

const pathOfClause = (clause: ts.CaseClause): string | undefined => {
  const value = unwrap(clause.expression);
  return ts.isStringLiteralLike(value) ? value.text : undefined;
};

/** The statements that stand behind the test of the path, each as a branch of its own. */
function restOf(branch: Branch, fn: FunctionNode, file: TypeScriptFile): readonly Branch[] {
  const [call] = branch.calls;
  const test = call === undefined || branch.node !== fn.body ? undefined : refusal(call, fn, file);
  if (test === undefined || !ts.isBlock(test.parent)) return [branch];
  const { statements } = test.parent;
  return statements.slice(statements.indexOf(test) + 1).map((node) => ({ ...branch, node }));
}

/** `if (url !== '/mcp') { …; return; }` in front: what comes after is that path. */
const refusedOthers = (node: ts.Node, fn: FunctionNode, file: TypeScriptFile): string | undefined => {
  const test = refusal(node, fn, file);
  return test === undefined ? undefined : pathTest(test.expression, file)?.paths[0];
};

/** The test in front of a node that turns all other paths away. */
export function refusal(node: ts.Node, fn: FunctionNode, file: TypeScriptFile): ts.IfStatement | undefined {
  let found: ts.IfStatement | undefined;
  eachNode(fn, (inner) => {
    if (inner !== fn && isFunctionNode(inner)) return false;
    if (!ts.isIfStatement(inner) || inner.end > node.pos || isWithin(node, inner)) return undefined;
    const test = pathTest(inner.expression, file);
    if (test !== undefined && !test.holds && test.paths.length === 1 && /\breturn\b/.test(inner.thenStatement.getText(file.tree))) found = inner;
    return undefined;
  });
  return found;
}
