import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../src/core/index.js';
import {
  classRef,
  type Declaration,
  type FunctionNode,
  type TypeScriptFile,
  declarationOf,
  eachNode,
  enclosingFunction,
  functionRef,
  isWrite,
  symbolOf,
  symbolOfDeclaration,
} from '../../../src/languages/typescript/index.js';
import { effectsOf, localFunction } from './effects.js';
import { returned } from './ids.js';
import { ancestor, isFunctionNode, isModuleLevel, isWithin, nameText, unwrap, unwrapAwait, wrapped } from './nodes.js';
import { heldBy, serverClass } from './sdk.js';

export { localFunction } from './effects.js';

/** Where the server of a `connect` call comes from. */
export interface ServerSource {
  /** `fresh`: built in this run of the function; `shared`: exists outside of it. */
  readonly origin: 'fresh' | 'shared' | 'unknown';
  /** The construction or the factory call, `await` and casts removed. */
  readonly made: ts.NewExpression | ts.CallExpression | undefined;
  /** The construction is awaited. */
  readonly awaited: boolean;
  /** Member that holds the server in what the factory returns: `createServer().server`. */
  readonly member: string | undefined;
  readonly factory: SymbolRef | undefined;
  readonly variable: Declaration | undefined;
  readonly server: SymbolRef | undefined;
}

const UNKNOWN: ServerSource = {
  origin: 'unknown',
  made: undefined,
  awaited: false,
  member: undefined,
  factory: undefined,
  variable: undefined,
  server: undefined,
};

/** Follows the receiver of `connect` to where the server is built. */
export function serverSource(receiver: ts.Node, file: TypeScriptFile, has: (path: string) => boolean, depth = 0): ServerSource {
  const value = unwrapAwait(receiver);
  const awaited = ts.isAwaitExpression(unwrap(receiver));
  if (depth > 6) return UNKNOWN;
  if (ts.isNewExpression(value))
    return serverClass(value.expression, file) === undefined
      ? { ...UNKNOWN, made: value, factory: symbolOf(value.expression, file, has) }
      : { ...UNKNOWN, origin: 'fresh', made: value };
  if (ts.isCallExpression(value)) {
    const owner = ownerOf(value, file, has, depth);
    if (owner !== undefined) return owner;
    const factory = symbolOf(unwrap(value.expression), file, has);
    return { ...UNKNOWN, origin: 'fresh', made: value, awaited, factory };
  }
  if (ts.isPropertyAccessExpression(value) && value.expression.kind !== ts.SyntaxKind.ThisKeyword) {
    const inner = serverSource(value.expression, file, has, depth + 1);
    if (inner.made !== undefined && inner.member === undefined) return { ...inner, member: value.name.text };
    return inner.made === undefined ? { ...UNKNOWN, server: symbolOf(value, file, has) } : UNKNOWN;
  }
  if (ts.isPropertyAccessExpression(value)) {
    // A field of the object: it outlives the call.
    const owner = ancestor(value, ts.isClassLike);
    return {
      ...UNKNOWN,
      origin: 'shared',
      server: { file: file.path, name: `${owner === undefined ? '@class' : classRef(owner, file).name}.${value.name.text}` },
    };
  }
  if (!ts.isIdentifier(value)) return UNKNOWN;
  return fromVariable(value, file, has, depth);
}

/** `owner.getServer()`, where this run of the function built the owner. */
function ownerOf(call: ts.CallExpression, file: TypeScriptFile, has: (path: string) => boolean, depth: number): ServerSource | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee) || call.arguments.length > 0) return undefined;
  const inner = serverSource(callee.expression, file, has, depth + 1);
  const built = inner.made !== undefined && ts.isNewExpression(inner.made) && inner.factory !== undefined && inner.origin === 'unknown';
  return built && inner.member === undefined ? { ...inner, member: `${callee.name.text}()` } : undefined;
}

function fromVariable(identifier: ts.Identifier, file: TypeScriptFile, has: (path: string) => boolean, depth: number): ServerSource {
  const declaration = declarationOf(identifier, file);
  if (declaration === undefined) return UNKNOWN;
  const server = symbolOf(identifier, file, has) ?? symbolOfDeclaration(declaration, file);
  if (declaration.kind === 'import') return { ...UNKNOWN, origin: 'shared', variable: declaration, server };
  const node = declaration.node;
  const here = enclosingFunction(identifier);
  const outside = here !== undefined && !isWithin(node, here);
  if (ts.isBindingElement(node)) {
    const holder = ancestor(node, ts.isVariableDeclaration);
    if (holder?.initializer === undefined) return UNKNOWN;
    const inner = serverSource(holder.initializer, file, has, depth + 1);
    const member = nameText(node.propertyName ?? node.name) ?? String(ts.isArrayBindingPattern(node.parent) ? node.parent.elements.indexOf(node) : '');
    return { ...inner, member, variable: declaration, server, origin: outside && isModuleLevel(node) ? 'shared' : inner.origin };
  }
  if (!ts.isVariableDeclaration(node)) return UNKNOWN;
  const value = node.initializer ?? onlyAssignment(declaration, file);
  const inner = value === undefined ? { ...UNKNOWN, origin: 'unknown' as const } : serverSource(value, file, has, depth + 1);
  const shared = outside && (inner.made !== undefined || heldBy(node.type, file) === 'server' || isModuleLevel(node));
  // An object of the process stays one object, whatever class it is of.
  const factory = shared && inner.made !== undefined && ts.isNewExpression(inner.made) ? undefined : inner.factory;
  return { ...inner, factory, variable: declaration, server, origin: shared ? 'shared' : inner.origin };
}

/** Value of a variable that is assigned once. */
function onlyAssignment(declaration: Declaration, file: TypeScriptFile): ts.Node | undefined {
  const values: ts.Node[] = [];
  eachNode(declaration.scope.node, (node) => {
    if (ts.isIdentifier(node) && node.text === declaration.name && isWrite(node) && declarationOf(node, file) === declaration) {
      if (ts.isBinaryExpression(node.parent) && node.parent.left === node) values.push(node.parent.right);
    }
  });
  return values.length === 1 ? values[0] : undefined;
}

/** A function that builds a server. */
export interface Factory {
  readonly fn: FunctionNode;
  readonly symbol: SymbolRef;
  readonly returns: 'server' | 'wrapped';
  readonly member: string | undefined;
  /** Effects that nothing takes back. */
  readonly effects: readonly ts.Node[];
  /** Member beside the server that takes back what the factory started. */
  readonly release: string | undefined;
  /** The factory starts timers that `release` stops. */
  readonly starts: boolean;
}

const cache = new WeakMap<TypeScriptFile, readonly Factory[]>();

/** Functions of a file that construct an SDK server and return it, plain or in an object or tuple. */
export function factories(file: TypeScriptFile): readonly Factory[] {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const found: Factory[] = [];
  eachNode(file.tree, (node) => {
    if (!isFunctionNode(node) || node.body === undefined || ts.isConstructorDeclaration(node)) return;
    const result = returnedServer(node, file);
    if (result === undefined) return;
    const release = releaseOf(node, result.member, file);
    const all = effectsOf(node, file);
    const effects = release === undefined ? all : all.filter((effect) => !isStoppedBy(effect, release.fn, file));
    found.push({ fn: node, symbol: functionRef(node, file), ...result, effects, release: release?.member, starts: effects.length < all.length });
  });
  cache.set(file, found);
  return found;
}

function returnedServer(fn: FunctionNode, file: TypeScriptFile): { returns: 'server' | 'wrapped'; member: string | undefined } | undefined {
  for (const expression of returned(fn)) {
    const value = unwrapAwait(expression);
    if (buildsServer(value, fn, file)) return { returns: 'server', member: undefined };
    if (ts.isObjectLiteralExpression(value)) {
      for (const property of value.properties) {
        const inner = ts.isPropertyAssignment(property) ? property.initializer : ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
        if (inner !== undefined && buildsServer(unwrapAwait(inner), fn, file)) return { returns: 'wrapped', member: nameText(property.name) };
      }
    }
    if (ts.isArrayLiteralExpression(value)) {
      const index = value.elements.findIndex((element) => buildsServer(unwrapAwait(element), fn, file));
      if (index >= 0) return { returns: 'wrapped', member: String(index) };
    }
  }
  return undefined;
}

const STOPS: ReadonlySet<string> = new Set(['clearInterval', 'clearTimeout', 'clearImmediate']);
const RELEASE_NAME = /^(?:clean_?up|dispose|destroy|shut_?down|stop|tear_?down|release|close)$/i;

/** A function without parameters that is returned beside the server: it stops timers, or is called what such functions are called. */
function releaseOf(fn: FunctionNode, server: string | undefined, file: TypeScriptFile): { readonly member: string; readonly fn: FunctionNode } | undefined {
  if (server === undefined) return undefined;
  const candidates: { readonly member: string; readonly fn: FunctionNode }[] = [];
  const consider = (member: string | undefined, value: ts.Node): void => {
    const inner = unwrap(value);
    const target = isFunctionNode(inner) ? inner : ts.isIdentifier(inner) ? localFunction(inner, file) : undefined;
    if (member !== undefined && member !== server && target?.parameters.length === 0 && isWithin(target, fn)) candidates.push({ member, fn: target });
  };
  for (const expression of returned(fn)) {
    const value = unwrapAwait(expression);
    if (ts.isObjectLiteralExpression(value)) {
      for (const property of value.properties) {
        if (ts.isPropertyAssignment(property)) consider(nameText(property.name), property.initializer);
        else if (ts.isShorthandPropertyAssignment(property)) consider(property.name.text, property.name);
        else if (ts.isMethodDeclaration(property)) consider(nameText(property.name), property);
      }
    } else if (ts.isArrayLiteralExpression(value)) value.elements.forEach((element, index) => consider(String(index), element));
  }
  return candidates.find((candidate) => stopsTimers(candidate.fn)) ?? candidates.find(({ member }) => RELEASE_NAME.test(member));
}

function stopsTimers(fn: FunctionNode): boolean {
  let found = false;
  eachNode(fn, (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && STOPS.has(node.expression.text)) found = true;
  });
  return found;
}

/** A timer whose variable the release function clears. */
function isStoppedBy(effect: ts.Node, release: FunctionNode, file: TypeScriptFile): boolean {
  if (!ts.isCallExpression(effect)) return false;
  const outer = wrapped(effect);
  const holder = ts.isVariableDeclaration(outer.parent)
    ? outer.parent.name
    : ts.isBinaryExpression(outer.parent) && outer.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && outer.parent.right === outer
      ? outer.parent.left
      : undefined;
  if (holder === undefined || !ts.isIdentifier(holder)) return false;
  const variable = declarationOf(holder, file);
  let stopped = false;
  eachNode(release, (node) => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || !STOPS.has(node.expression.text)) return;
    const argument = node.arguments[0];
    if (argument !== undefined && ts.isIdentifier(unwrap(argument)) && declarationOf(unwrap(argument), file) === variable) stopped = true;
  });
  return variable !== undefined && stopped;
}

/** Functions of a file that return the server which another function returns. */
export function forwarders(
  file: TypeScriptFile,
  has: (path: string) => boolean,
): readonly { readonly node: FunctionNode; readonly symbol: SymbolRef; readonly through: SymbolRef }[] {
  const found: { node: FunctionNode; symbol: SymbolRef; through: SymbolRef }[] = [];
  eachNode(file.tree, (node) => {
    if (!isFunctionNode(node) || node.body === undefined || ts.isConstructorDeclaration(node)) return;
    const values = returned(node).map((value) => unwrapAwait(value));
    const [value] = values;
    const named = value !== undefined && ts.isIdentifier(value) ? declarationOf(value, file)?.node : undefined;
    const made =
      named !== undefined && ts.isVariableDeclaration(named) && isWithin(named, node) && named.initializer !== undefined
        ? unwrapAwait(named.initializer)
        : value;
    if (values.length !== 1 || made === undefined || !ts.isCallExpression(made)) return;
    const through = symbolOf(unwrap(made.expression), file, has);
    const symbol = functionRef(node, file);
    const speaks = node.type === undefined ? /server|mcp/i.test(`${symbol.name} ${through?.name ?? ''}`) : heldBy(node.type, file) === 'server';
    if (through !== undefined && speaks && (through.file !== file.path || through.name !== symbol.name)) found.push({ node, symbol, through });
  });
  return found;
}

/** Is a returned value a server that this run of the function built? */
function buildsServer(value: ts.Node, fn: FunctionNode, file: TypeScriptFile, depth = 0): boolean {
  if (depth > 4) return false;
  if (ts.isNewExpression(value)) return serverClass(value.expression, file) !== undefined;
  if (ts.isIdentifier(value)) {
    const node = declarationOf(value, file)?.node;
    if (node === undefined || !ts.isVariableDeclaration(node) || !isWithin(node, fn)) return false;
    return node.initializer !== undefined && buildsServer(unwrapAwait(node.initializer), fn, file, depth + 1);
  }
  if (ts.isCallExpression(value)) {
    const callee = unwrap(value.expression);
    const node = ts.isIdentifier(callee) ? declarationOf(callee, file)?.node : undefined;
    const target =
      node === undefined
        ? undefined
        : ts.isFunctionDeclaration(node)
          ? node
          : ts.isVariableDeclaration(node) && node.initializer !== undefined
            ? unwrap(node.initializer)
            : undefined;
    return (
      target !== undefined &&
      isFunctionNode(target) &&
      target !== fn &&
      returned(target).some((expression) => buildsServer(unwrapAwait(expression), target, file, depth + 1))
    );
  }
  return false;
}
