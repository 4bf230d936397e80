import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode, instanceOrigin, originOf } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { methodOf } from '../_mcp/sdk-table.js';
import { takenMethod } from '../_mcp/typescript/taken.js';
import { type ToolParts, isText, partsOf } from './argument-roles.js';
import { bare } from './nodes.js';

/**
 * How sure it is that a method is called on an SDK object. `sdk`: proved by construction or annotation; `likely`: named like one, in a
 * file that imports the SDK or with a method name that only the SDK has; `unknown`: nothing speaks for it; `other`: proved to be something else.
 */
export type Receiver = 'sdk' | 'likely' | 'unknown' | 'other';

/**
 * `register`: `registerTool` and its sisters. `variadic`: `.tool`, `.prompt`, `.resource` of v1. `annotations`: the variadic form whose only
 * object is a `ToolAnnotations`, which v1 tells from a schema at run time. `schema`: `setRequestHandler(XSchema, …)`. `method`: the same with a
 * method string. `opaque`: the same with something that is neither.
 */
export type RegistrationForm = 'register' | 'variadic' | 'annotations' | 'schema' | 'method' | 'opaque';

/** A call that hands a handler to an SDK object. */
export interface Registration {
  readonly call: ts.CallExpression & { readonly expression: ts.PropertyAccessExpression };
  readonly name: string;
  readonly receiver: Receiver;
  readonly form: RegistrationForm;
  /** Exported name of the schema that stands for the method, e.g. `CallToolRequestSchema`. */
  readonly schema?: string;
  readonly handler: ts.Expression;
  /** What `.tool` and `.prompt` of v1 got between name and handler; `undefined` when that cannot be told. */
  readonly parts?: ToolParts;
  /** Position of the context parameter of the handler; `undefined` when the shape of the call does not tell. */
  readonly contextIndex: number | undefined;
}

const VARIADIC: ReadonlySet<string> = new Set(['tool', 'prompt', 'resource']);
const REGISTER: ReadonlySet<string> = new Set(['registerTool', 'registerPrompt', 'registerResource']);
const HANDLER: ReadonlySet<string> = new Set(['setRequestHandler', 'setNotificationHandler']);
const OWNERS: ReadonlySet<string> = new Set(['McpServer', 'Server', 'Client', 'Protocol']);

/** Is a name one that people give to a server or a client of MCP? */
export const looksLikeServer = (name: string): boolean => name.split(/[^a-zA-Z0-9]+|(?=[A-Z])/).some((word) => /^(mcp|server|client)$/i.test(word));

function terminalName(expression: ts.Expression): string | undefined {
  const inner = bare(expression);
  if (ts.isIdentifier(inner)) return inner.text;
  return ts.isPropertyAccessExpression(inner) ? inner.name.text : undefined;
}

function receiverOf(expression: ts.Expression, file: TypeScriptFile, distinctive: boolean, importsSdk: boolean): Receiver {
  const inner = bare(expression);
  const origin =
    instanceOrigin(inner, file) ?? (ts.isPropertyAccessExpression(inner) && inner.name.text === 'server' ? instanceOrigin(inner.expression, file) : undefined);
  if (origin) return OWNERS.has(canonical(origin)?.name ?? '') ? 'sdk' : 'other';
  const made = madeBy(inner, file);
  if (made) return made;
  const name = terminalName(expression);
  if (distinctive && importsSdk) return 'likely';
  return name !== undefined && looksLikeServer(name) && (importsSdk || distinctive) ? 'likely' : 'unknown';
}

/** What a name was made by, when it is a constant: a call into another package is foreign, a local factory may return a server. */
function madeBy(inner: ts.Expression, file: TypeScriptFile): Receiver | undefined {
  const own = originOf(inner, file);
  if (own) return own.module.startsWith('.') ? undefined : 'other';
  const node = ts.isIdentifier(inner) ? declarationOf(inner, file)?.node : undefined;
  let value = node && ts.isVariableDeclaration(node) ? node.initializer : ts.isCallExpression(inner) ? inner : undefined;
  if (value && ts.isAwaitExpression(value)) value = value.expression;
  if (!value || !ts.isCallExpression(value)) return undefined;
  const origin = originOf(value.expression, file);
  if (origin && !origin.module.startsWith('.') && canonical(origin) === undefined) return 'other';
  const factory = functionOf(value.expression, file);
  return factory && returnsServer(factory, file) ? 'sdk' : undefined;
}

function returnsServer(fn: ts.SignatureDeclaration, file: TypeScriptFile): boolean {
  const body = (fn as ts.FunctionLikeDeclaration).body;
  if (!body) return false;
  const isServer = (expression: ts.Expression): boolean => OWNERS.has(canonical(instanceOrigin(bare(expression), file))?.name ?? '');
  if (!ts.isBlock(body)) return isServer(body);
  let found = false;
  eachNode(body, (node) => {
    if (ts.isFunctionLike(node)) return false;
    if (ts.isReturnStatement(node) && node.expression && isServer(node.expression)) found = true;
    return undefined;
  });
  return found;
}

const isFunctionLike = (node: ts.Expression): boolean =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isCallExpression(node);

/** Property of a config object: present, absent, or not to be told (spread, not a literal). */
function hasProperty(config: ts.Expression | undefined, name: string): boolean | undefined {
  if (!config || !ts.isObjectLiteralExpression(config)) return undefined;
  if (
    config.properties.some((property) => property.name && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) && property.name.text === name)
  )
    return true;
  return config.properties.some(ts.isSpreadAssignment) ? undefined : false;
}

const indexFor = (present: boolean | undefined): number | undefined => (present === undefined ? undefined : present ? 1 : 0);

/** Resource callbacks get `(uri, context)`, template callbacks `(uri, variables, context)`. */
function resourceIndex(target: ts.Expression | undefined, file: TypeScriptFile): number | undefined {
  if (isText(target)) return 1;
  if (target && instanceOrigin(target, file) && canonical(instanceOrigin(target, file))?.name === 'ResourceTemplate') return 2;
  if (target && ts.isNewExpression(target) && canonical(originOf(target.expression, file))?.name === 'ResourceTemplate') return 2;
  return undefined;
}

function variadic(name: string, args: readonly ts.Expression[], file: TypeScriptFile): Pick<Registration, 'form' | 'contextIndex' | 'parts'> {
  if (name === 'resource') return { form: 'variadic', contextIndex: resourceIndex(args[1], file) };
  const parts = partsOf(args.slice(1, -1), file);
  if (parts === undefined) return { form: 'variadic', contextIndex: undefined };
  const annotated = name === 'tool' && parts.schema === undefined && parts.annotations !== undefined;
  return { form: annotated ? 'annotations' : 'variadic', contextIndex: parts.schema === undefined ? 0 : 1, parts };
}

function handlerForm(first: ts.Expression, file: TypeScriptFile): { readonly form: RegistrationForm; readonly schema?: string } {
  if (isText(first)) return { form: 'method' };
  const origin = originOf(first, file);
  const name = origin?.name ?? (ts.isPropertyAccessExpression(first) ? first.name.text : ts.isIdentifier(first) ? first.text : undefined);
  if (name !== undefined && methodOf(name) !== undefined && (origin === undefined ? ts.isPropertyAccessExpression(first) : canonical(origin) !== undefined))
    return { form: 'schema', schema: name };
  return { form: 'opaque' };
}

const cache = new WeakMap<TypeScriptFile, readonly Registration[]>();

/** Every registration of a file, in source order. */
export function registrationsOf(file: TypeScriptFile): readonly Registration[] {
  const known = cache.get(file);
  if (known) return known;
  const found: Registration[] = [];
  const importsSdk = file.text.includes('@modelcontextprotocol/');
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const name = node.expression.name.text;
    const args = node.arguments;
    const handler = args.at(-1);
    const [first, second] = args;
    if (!handler || !first || args.length < 2) return;
    const call = node as Registration['call'];
    if (HANDLER.has(name)) {
      const target = args.length > 2 ? handler : second;
      if (!target) return;
      found.push({
        call,
        name,
        receiver: receiverOf(node.expression.expression, file, true, importsSdk),
        handler: target,
        contextIndex: 1,
        ...handlerForm(first, file),
      });
    } else if (REGISTER.has(name) && args.length >= 3) {
      const key = name === 'registerTool' ? 'inputSchema' : 'argsSchema';
      const contextIndex = name === 'registerResource' ? resourceIndex(second, file) : indexFor(hasProperty(second, key));
      found.push({ call, name, receiver: receiverOf(node.expression.expression, file, true, importsSdk), form: 'register', handler, contextIndex });
    } else if (VARIADIC.has(name) && isFunctionLike(handler)) {
      const receiver = receiverOf(node.expression.expression, file, false, importsSdk);
      // A name that is no text says nothing about the call; then the object must be proved to be a server.
      if (isText(first) || receiver === 'sdk') found.push({ call, name, receiver, handler, ...variadic(name, args, file) });
    }
  });
  cache.set(file, found);
  return found;
}

/** A call of a variadic method by a name of its own: `const add = server.tool.bind(server)`, then `add('sow', …)`. */
export interface TakenRegistration {
  readonly call: ts.CallExpression;
  /** The method, as v1 calls it. */
  readonly name: string;
}

/** Calls of `.tool`, `.prompt` and `.resource` after they were taken off an object that is proved to be a server. */
export function takenRegistrationsOf(file: TypeScriptFile): readonly TakenRegistration[] {
  const found: TakenRegistration[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || node.arguments.length < 2) return;
    const taken = takenMethod(node, file);
    if (taken !== undefined && VARIADIC.has(taken.method) && canonical(instanceOrigin(taken.receiver, file))?.name === 'McpServer')
      found.push({ call: node, name: taken.method });
  });
  return found;
}

/** The method of v2 for one of the variadic ones. */
export const replacementOf = (name: string): string => `register${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Functions that a handler argument can be: the function itself, or the one that a local name stands for. */
export function functionOf(expression: ts.Expression, file: TypeScriptFile): ts.SignatureDeclaration | undefined {
  const inner = bare(expression);
  if (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner)) return inner;
  if (!ts.isIdentifier(inner)) return undefined;
  const node = declarationOf(inner, file)?.node;
  if (node && ts.isFunctionDeclaration(node)) return node;
  return node && ts.isVariableDeclaration(node) && node.initializer ? functionOf(node.initializer, file) : undefined;
}
