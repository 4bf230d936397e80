import { ts } from 'ts-morph';
import type { SymbolRef } from '../../src/core/index.js';
import {
  type FunctionNode,
  type TypeScriptFile,
  declarationOf,
  eachNode,
  exportsOf,
  functionRef,
  originOf,
  resolveSpecifier,
  symbolOf,
} from '../../src/languages/typescript/index.js';
import { machineryOf } from './machinery.js';
import { calledMember, isFunctionNode, nameText, receiverOf, unwrap, unwrapAwait } from '../_mcp/typescript/nodes.js';

/** The function that a route runs, and the file that holds its text. */
export interface HandlerCode {
  readonly file: TypeScriptFile;
  readonly fn: FunctionNode;
}

/** Reads other files of the state that is rewritten. */
export interface Files {
  readonly has: (path: string) => boolean;
  readonly open: (path: string) => TypeScriptFile | undefined;
}

/** Forwarders, re-exports and aliases are followed so far. */
const MAX_STEPS = 8;

/**
 * Follows a handler argument to the function that does the work: inline, named, a class member (bound or not), in this file or
 * another, behind functions that do nothing but call it. `undefined` when it cannot be followed, or when something on the way does more.
 */
export function handlerCode(node: ts.Node, file: TypeScriptFile, files: Files, depth = 0): HandlerCode | undefined {
  if (depth > MAX_STEPS) return undefined;
  const value = unwrap(node);
  if (isFunctionNode(value)) {
    const target = forwarded(value, file);
    return target === undefined ? { file, fn: value } : (handlerCode(target, file, files, depth + 1) ?? { file, fn: value });
  }
  if (ts.isCallExpression(value)) {
    const receiver = receiverOf(value);
    if (calledMember(value) === 'bind' && receiver !== undefined && value.arguments.length === 1) return handlerCode(receiver, file, files, depth + 1);
    const [inner] = value.arguments;
    return inner !== undefined && value.arguments.length === 1 && isPlainWrapper(value.expression, file, files)
      ? handlerCode(inner, file, files, depth + 1)
      : undefined;
  }
  const ref = symbolOf(value, file, files.has);
  return ref === undefined ? undefined : functionOf(ref, file, files, depth);
}

/** The function of a name, in the file that declares it. */
function functionOf(ref: SymbolRef, from: TypeScriptFile, files: Files, depth: number): HandlerCode | undefined {
  const file = ref.file === from.path ? from : files.open(ref.file);
  if (file === undefined || depth > MAX_STEPS) return undefined;
  const found = named(ref.name, file);
  if (found !== undefined) return handlerCode(found, file, files, depth + 1);
  const [head = '', member, more] = ref.name.split('.');
  for (const entry of exportsOf(file)) {
    if (entry.name !== head && entry.name !== '*') continue;
    // A name that is only handed on.
    const path = entry.from === undefined ? undefined : resolveSpecifier(file.path, entry.from.specifier, files.has);
    if (path !== undefined && entry.from !== undefined) {
      const name = entry.from.imported === '*' ? ref.name : [entry.from.imported, ...ref.name.split('.').slice(1)].join('.');
      const next = functionOf({ file: path, name }, file, files, depth + 1);
      if (next !== undefined) return next;
    }
    const holder = entry.declaration?.node;
    if (holder === undefined || !ts.isVariableDeclaration(holder) || holder.initializer === undefined) continue;
    if (member === undefined) return handlerCode(holder.initializer, file, files, depth + 1);
    if (more === undefined) return memberOf(unwrap(holder.initializer), member, file, files, depth);
  }
  const local = member !== undefined && more === undefined ? file.bindings.root.values.get(head)?.node : undefined;
  return local !== undefined && ts.isVariableDeclaration(local) && local.initializer !== undefined && member !== undefined
    ? memberOf(unwrap(local.initializer), member, file, files, depth)
    : undefined;
}

/** `post` of `{ post: handlePost }` or of an instance. */
function memberOf(value: ts.Node, member: string, file: TypeScriptFile, files: Files, depth: number): HandlerCode | undefined {
  if (ts.isObjectLiteralExpression(value)) {
    const property = value.properties.find((candidate) => nameText(candidate.name) === member);
    if (property === undefined) return undefined;
    if (ts.isMethodDeclaration(property)) return { file, fn: property };
    const inner = ts.isPropertyAssignment(property) ? property.initializer : ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
    return inner === undefined ? undefined : handlerCode(inner, file, files, depth + 1);
  }
  if (!ts.isNewExpression(value)) return undefined;
  const owner = symbolOf(value.expression, file, files.has);
  return owner === undefined ? undefined : functionOf({ file: owner.file, name: `${owner.name}.${member}` }, file, files, depth + 1);
}

/** The function of a file that other files know by this name. */
function named(name: string, file: TypeScriptFile): FunctionNode | undefined {
  let found: FunctionNode | undefined;
  eachNode(file.tree, (node) => {
    if (found !== undefined) return false;
    if (isFunctionNode(node) && node.body !== undefined && functionRef(node, file).name === name) found = node;
    return undefined;
  });
  return found;
}

/** What a function calls with its own parameters, when that is all it does: `(req, res) => controller.handlePost(req, res)`. */
function forwarded(fn: FunctionNode, file: TypeScriptFile): ts.Node | undefined {
  const body = fn.body;
  if (body === undefined) return undefined;
  let only: ts.Node = body;
  if (ts.isBlock(body)) {
    const [statement] = body.statements;
    if (statement === undefined || body.statements.length !== 1) return undefined;
    only = ts.isExpressionStatement(statement) || ts.isReturnStatement(statement) ? (statement.expression ?? statement) : statement;
  }
  const call = unwrapAwait(only);
  if (!ts.isCallExpression(call) || call.arguments.length < 2) return undefined;
  // The SDK's own method is the work itself.
  if (/^handle(?:Request|PostMessage)$/.test(calledMember(call) ?? '')) return undefined;
  const own = call.arguments.every((argument, index) => {
    const parameter = fn.parameters[index];
    return (
      parameter !== undefined &&
      ts.isIdentifier(parameter.name) &&
      ts.isIdentifier(unwrap(argument)) &&
      declarationOf(unwrap(argument), file) === declarationOf(parameter.name, file)
    );
  });
  const callee = unwrap(call.expression);
  return own && (ts.isIdentifier(callee) || ts.isPropertyAccessExpression(callee)) ? callee : undefined;
}

/** Functions of packages that only pass a rejected handler on to `next`. */
const ASYNC_WRAPPERS: ReadonlySet<string> = new Set(['express-async-handler']);

/** Does a function only call the handler that it is given and hand its failure to `next`? */
export function isPlainWrapper(callee: ts.Node, file: TypeScriptFile, files: Files): boolean {
  const origin = originOf(unwrap(callee), file);
  if (origin !== undefined && ASYNC_WRAPPERS.has(origin.module)) return true;
  const ref = symbolOf(unwrap(callee), file, files.has);
  const home = ref === undefined ? undefined : ref.file === file.path ? file : files.open(ref.file);
  const wrapper = ref === undefined || home === undefined ? undefined : named(ref.name, home);
  const inner = wrapper === undefined ? undefined : returnedFunction(wrapper);
  const handler = wrapper?.parameters[0]?.name;
  if (
    wrapper === undefined ||
    home === undefined ||
    inner?.body === undefined ||
    wrapper.parameters.length !== 1 ||
    handler === undefined ||
    !ts.isIdentifier(handler)
  )
    return false;
  const next = inner.parameters[2]?.name;
  const nextName = next !== undefined && ts.isIdentifier(next) ? next.text : undefined;
  let plain = true;
  let called = false;
  eachNode(inner.body, (node) => {
    if (ts.isIfStatement(node) || ts.isBinaryExpression(node) || ts.isNewExpression(node) || ts.isVariableStatement(node) || ts.isDeleteExpression(node))
      plain = false;
    if (!ts.isCallExpression(node)) return;
    const target = unwrap(node.expression);
    if (ts.isIdentifier(target) && target.text === handler.text) called = true;
    else if (ts.isIdentifier(target) && target.text === nextName) return;
    else if (/^(?:catch|then|resolve)$/.test(calledMember(node) ?? '')) return;
    else plain = false;
  });
  return plain && called;
}

/** The function that a function of one statement returns. */
function returnedFunction(fn: FunctionNode): FunctionNode | undefined {
  const body = fn.body;
  if (body === undefined) return undefined;
  const [statement] = ts.isBlock(body) ? body.statements : [];
  const value = !ts.isBlock(body)
    ? unwrap(body)
    : body.statements.length === 1 && statement !== undefined && ts.isReturnStatement(statement) && statement.expression !== undefined
      ? unwrap(statement.expression)
      : undefined;
  return value !== undefined && isFunctionNode(value) ? value : undefined;
}

/** Does a function of another file do nothing but keep sessions? What cannot be followed may do anything. */
export function isSessionFunction(callee: ts.Node, file: TypeScriptFile, files: Files): boolean {
  const code = handlerCode(callee, file, files);
  return code?.fn.body !== undefined && code.file !== file && machineryOf(code.file, files.has, () => false).roleOf(code.fn.body) === 'session';
}
