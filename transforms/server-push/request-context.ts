import { ts } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../src/core/index.js';
import { type FunctionNode, type TypeScriptFile, declarationOf, eachNode, referencesOf } from '../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, memberName, nameText, receiverOf, unwrap, wrapped } from '../_mcp/typescript/nodes.js';
import { readOptions } from '../_mcp/typescript/options.js';

/** How a place inside a handler names the context of its request. */
export interface ContextAccess {
  /** Expression that stands for `ctx.mcpReq`. */
  readonly request: string;
  /** Expression that stands for `ctx`, when the handler has a name for it. */
  readonly context: string | undefined;
  /** Adds the parameter, when the handler has none yet. */
  readonly edits: readonly TextEdit[];
  readonly needs: readonly ImportNeed[];
}

interface Handler {
  readonly fn: FunctionNode;
  readonly registration: ts.CallExpression;
  /** Position of the context among the parameters. */
  readonly index: number;
}

const REGISTER = /^(?:setRequestHandler|registerTool|registerPrompt|registerResource)$/;
/** Methods that run their callback before they return. */
const AT_ONCE: ReadonlySet<string> = new Set(['forEach', 'map', 'flatMap', 'filter', 'find', 'findIndex', 'some', 'every', 'reduce', 'reduceRight']);

/**
 * The context of the request that runs a place. `undefined` unless it is proved: the place is in a registered handler (or a callback that runs
 * within it), the handler is registered on the same server object, and the position of the context parameter is known.
 */
export function contextAt(call: ts.CallExpression, file: TypeScriptFile): ContextAccess | undefined {
  const handler = handlerAround(call, file);
  const receiver = receiverOf(call);
  const registered = handler === undefined ? undefined : receiverOf(handler.registration);
  if (handler === undefined || receiver === undefined || registered === undefined || !isSameServer(receiver, registered, file)) return undefined;
  const { fn, index } = handler;
  const parameter = fn.parameters[index];
  if (fn.parameters.some((other) => other.dotDotDotToken !== undefined)) return undefined;
  if (parameter !== undefined) return existing(parameter);
  return added(handler, file);
}

function existing(parameter: ts.ParameterDeclaration): ContextAccess | undefined {
  if (ts.isIdentifier(parameter.name)) return { request: `${parameter.name.text}.mcpReq`, context: parameter.name.text, edits: [], needs: [] };
  if (!ts.isObjectBindingPattern(parameter.name)) return undefined;
  const part = parameter.name.elements.find(
    (element) => nameText(element.propertyName ?? (ts.isIdentifier(element.name) ? element.name : undefined)) === 'mcpReq',
  );
  return part !== undefined && ts.isIdentifier(part.name) ? { request: part.name.text, context: undefined, edits: [], needs: [] } : undefined;
}

/** `async (request) =>` becomes `async (request, ctx) =>`. */
function added({ fn, index, registration }: Handler, file: TypeScriptFile): ContextAccess | undefined {
  const used = new Set<string>();
  eachNode(fn, (node) => {
    if (ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)) used.add(node.text);
  });
  const name = ['ctx', 'requestContext', 'serverContext'].find((candidate) => !used.has(candidate));
  if (name === undefined) return undefined;
  const inline = fn.parent === registration || wrapped(fn).parent === registration;
  const typed = !file.isJavaScript && !inline;
  const missing = Array.from({ length: index - fn.parameters.length }, (_, at) => (fn.parameters.length + at === 0 ? '_request' : `_argument${String(at)}`));
  if (typed && missing.length > 0) return undefined;
  const list = [...missing, typed ? `${name}: ServerContext` : name].join(', ');
  const last = fn.parameters.at(-1);
  const edits = last === undefined ? intoEmpty(fn, list, file) : behind(last, fn, list, file);
  if (edits === undefined) return undefined;
  const needs: ImportNeed[] = typed ? [{ kind: 'import', file: file.path, module: '@modelcontextprotocol/server', name: 'ServerContext', typeOnly: true }] : [];
  return { request: `${name}.mcpReq`, context: name, edits, needs };
}

function intoEmpty(fn: FunctionNode, list: string, file: TypeScriptFile): readonly TextEdit[] | undefined {
  const at = fn.parameters.pos;
  return file.text[at - 1] === '(' ? [{ start: at, end: at, text: list }] : undefined;
}

function behind(last: ts.ParameterDeclaration, fn: FunctionNode, list: string, file: TypeScriptFile): readonly TextEdit[] {
  const bare = ts.isArrowFunction(fn) && fn.parameters.length === 1 && !/^\s*\(/.test(file.text.slice(fn.getStart(file.tree)).replace(/^async\b/, ''));
  if (!bare) return [{ start: last.end, end: last.end, text: `, ${list}` }];
  return [
    { start: last.getStart(file.tree), end: last.getStart(file.tree), text: '(' },
    { start: last.end, end: last.end, text: `, ${list})` },
  ];
}

/** Climbs to the handler, through callbacks that run while the handler runs. */
function handlerAround(call: ts.Node, file: TypeScriptFile): Handler | undefined {
  for (let node: ts.Node = call.parent; !ts.isSourceFile(node); node = node.parent) {
    if (!isFunctionNode(node)) continue;
    const found = handlerOf(node, file);
    if (found !== undefined) return found;
    if (!runsAtOnce(node)) return undefined;
  }
  return undefined;
}

function runsAtOnce(fn: FunctionNode): boolean {
  const value = wrapped(fn);
  const parent = value.parent;
  if (ts.isNewExpression(parent)) return parent.expression.getText() === 'Promise';
  if (!ts.isCallExpression(parent)) return false;
  if (parent.expression === value) return true;
  return AT_ONCE.has(calledMember(parent) ?? '') && parent.arguments[0] === value;
}

/** Is a function the handler of a registration, in place or by a name that stands for nothing else? */
function handlerOf(fn: FunctionNode, file: TypeScriptFile): Handler | undefined {
  const inPlace = registrationOf(wrapped(fn), file);
  if (inPlace !== undefined) return { fn, ...inPlace };
  const name = ts.isFunctionDeclaration(fn)
    ? fn.name
    : ts.isVariableDeclaration(wrapped(fn).parent)
      ? (wrapped(fn).parent as ts.VariableDeclaration).name
      : undefined;
  if (name === undefined || !ts.isIdentifier(name)) return undefined;
  const declaration = declarationOf(name, file);
  const uses = declaration === undefined ? [] : referencesOf(declaration, file).filter((use) => use !== name);
  const [only] = uses;
  const registration = only === undefined || uses.length > 1 ? undefined : registrationOf(wrapped(only), file);
  return registration === undefined ? undefined : { fn, ...registration };
}

function registrationOf(value: ts.Node, file: TypeScriptFile): { readonly registration: ts.CallExpression; readonly index: number } | undefined {
  const call = value.parent;
  if (!ts.isCallExpression(call) || call.arguments.at(-1) !== value || !REGISTER.test(calledMember(call) ?? '')) return undefined;
  const index = contextIndex(call, file);
  return index === undefined ? undefined : { registration: call, index };
}

/** Position of the context in the handler of a v2 registration; `undefined` when the call does not tell. */
function contextIndex(call: ts.CallExpression, file: TypeScriptFile): number | undefined {
  const method = calledMember(call);
  if (method === 'setRequestHandler') return 1;
  const [, second] = call.arguments;
  if (second === undefined) return undefined;
  if (method === 'registerResource') {
    const target = unwrap(second);
    if (ts.isStringLiteralLike(target) || ts.isTemplateExpression(target)) return 1;
    return ts.isNewExpression(target) && target.expression.getText(file.tree).endsWith('ResourceTemplate') ? 2 : undefined;
  }
  const options = readOptions(second, file);
  if (options.values.has(method === 'registerTool' ? 'inputSchema' : 'argsSchema')) return 1;
  return options.complete ? 0 : undefined;
}

/** `server` and `server.server` are one server; anything else must be the same text with the same declaration. */
function isSameServer(a: ts.Node, b: ts.Node, file: TypeScriptFile): boolean {
  const [one, other] = [lowLevelOf(a), lowLevelOf(b)];
  if (one.getText(file.tree) !== other.getText(file.tree)) return false;
  const [first, second] = [rootOf(one), rootOf(other)];
  if (first === undefined || second === undefined) return false;
  if (!ts.isIdentifier(first) || !ts.isIdentifier(second)) return first.kind === second.kind;
  return declarationOf(first, file) === declarationOf(second, file);
}

const lowLevelOf = (node: ts.Node): ts.Node => {
  const value = unwrap(node);
  const inner = ts.isPropertyAccessExpression(value) && memberName(value) === 'server' ? unwrap(value.expression) : undefined;
  return inner !== undefined && inner.kind !== ts.SyntaxKind.ThisKeyword ? inner : value;
};

function rootOf(node: ts.Node): ts.Node | undefined {
  let current = unwrap(node);
  while (ts.isPropertyAccessExpression(current)) current = unwrap(current.expression);
  return ts.isIdentifier(current) || current.kind === ts.SyntaxKind.ThisKeyword ? current : undefined;
}
