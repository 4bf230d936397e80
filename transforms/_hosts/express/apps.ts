import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../src/core/index.js';
import {
  type TypeScriptFile,
  classRef,
  declarationOf,
  fieldValues,
  functionRef,
  isFunctionNode,
  originOf,
  symbolOf,
  symbolOfDeclaration,
} from '../../../src/languages/typescript/index.js';
import { isSdkSymbol } from '../../_mcp/canonical.js';
import { ancestor, calledMember, nameText, receiverOf, unwrap, wrapped } from '../../_mcp/typescript/nodes.js';
import { rememberedField } from '../fields.js';

/** An Express application or router, as far as one file tells. */
export interface ExpressApp {
  readonly symbol: SymbolRef;
  readonly kind: 'app' | 'router';
  /** Built in this file: all that is registered on it before can be seen here. */
  readonly built: boolean;
  /** `createMcpExpressApp` of the SDK: a JSON parser and a host check come with it. */
  readonly sdk: boolean;
  /** This file does not show that it is an application: another one has to. */
  readonly assumed?: boolean;
}

const CHAINED: ReadonlySet<string> = new Set([
  'use',
  'set',
  'enable',
  'disable',
  'engine',
  'param',
  'all',
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'options',
  'head',
]);

/** `express()`, `express.Router()`, `Router()`, `createMcpExpressApp()`. */
function construction(node: ts.Node, file: TypeScriptFile): Pick<ExpressApp, 'kind' | 'sdk'> | undefined {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const callee = unwrap(node.expression);
  const origin = originOf(callee, file);
  if (origin?.module === 'express') {
    if (origin.name === 'default' || origin.name === '*' || origin.name === 'express') return { kind: 'app', sdk: false };
    if (origin.name === 'Router') return { kind: 'router', sdk: false };
  }
  return isSdkSymbol(origin, 'createMcpExpressApp') ? { kind: 'app', sdk: true } : undefined;
}

/** `app: Express`, `app: express.Application`, `router: Router`. */
function annotated(type: ts.Node | undefined, file: TypeScriptFile): Pick<ExpressApp, 'kind' | 'sdk'> | undefined {
  if (type === undefined || !ts.isTypeReferenceNode(type)) return undefined;
  const origin = originOf(type.typeName, file);
  if (origin?.module !== 'express' && origin?.module !== 'express-serve-static-core') return undefined;
  if (/(?:^|\.)(?:Express|Application|Core)$/.test(origin.name)) return { kind: 'app', sdk: false };
  return /(?:^|\.)I?Router$/.test(origin.name) ? { kind: 'router', sdk: false } : undefined;
}

/** The application that an expression evaluates to: a variable, a field, a parameter, or a chain of `use` calls on one. */
export function appOf(node: ts.Node, file: TypeScriptFile, depth = 0): ExpressApp | undefined {
  const value = unwrap(node);
  if (depth > 40) return undefined;
  const made = construction(value, file);
  if (made !== undefined) return { ...made, symbol: chainHolder(value, file), built: true };
  if (ts.isCallExpression(value)) {
    const receiver = receiverOf(value);
    const method = calledMember(value);
    return receiver !== undefined && method !== undefined && CHAINED.has(method) ? appOf(receiver, file, depth + 1) : undefined;
  }
  if (ts.isIdentifier(value)) return fromVariable(value, file, depth);
  if (ts.isPropertyAccessExpression(value) && value.expression.kind === ts.SyntaxKind.ThisKeyword) return fromField(value, file, depth);
  return undefined;
}

/** `const app = express().use(…)`: the variable that holds the chain; else the place of the construction. */
function chainHolder(node: ts.Node, file: TypeScriptFile): SymbolRef {
  let value = wrapped(node);
  for (
    let access = value.parent;
    ts.isPropertyAccessExpression(access) && CHAINED.has(access.name.text) && ts.isCallExpression(access.parent);
    access = value.parent
  )
    value = wrapped(access.parent);
  const declaration = ts.isVariableDeclaration(value.parent) && ts.isIdentifier(value.parent.name) ? declarationOf(value.parent.name, file) : undefined;
  return declaration === undefined ? { file: file.path, name: `@${String(node.getStart(file.tree))}` } : symbolOfDeclaration(declaration, file);
}

function fromVariable(identifier: ts.Identifier, file: TypeScriptFile, depth: number): ExpressApp | undefined {
  const declaration = declarationOf(identifier, file);
  if (declaration === undefined) return undefined;
  const node = declaration.node;
  if (!ts.isVariableDeclaration(node) && !ts.isParameter(node)) return undefined;
  const symbol = ts.isParameter(node) ? parameterRef(node, file) : symbolOfDeclaration(declaration, file);
  if (symbol === undefined) return undefined;
  if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
    const inner = appOf(node.initializer, file, depth + 1);
    if (inner !== undefined) return { ...inner, symbol };
  }
  const type = annotated(node.type, file);
  return type === undefined ? undefined : { ...type, symbol, built: false };
}

const fields = new WeakMap<ts.ClassLikeDeclaration, Map<string, ExpressApp | undefined>>();

function fromField(access: ts.PropertyAccessExpression, file: TypeScriptFile, depth: number): ExpressApp | undefined {
  const owner = ancestor(access, ts.isClassLike);
  return owner && rememberedField(fields, owner, access.name.text, () => fieldApp(owner, access, file, depth));
}

function fieldApp(owner: ts.ClassLikeDeclaration, access: ts.PropertyAccessExpression, file: TypeScriptFile, depth: number): ExpressApp | undefined {
  const name = access.name.text;
  const symbol = { file: file.path, name: `${classRef(owner, file).name}.${name}` };
  const member = owner.members.find(
    (candidate): candidate is ts.PropertyDeclaration => ts.isPropertyDeclaration(candidate) && nameText(candidate.name) === name,
  );
  for (const value of fieldValues(owner, name)) {
    const inner = unwrap(value) === access ? undefined : appOf(value, file, depth + 1);
    if (inner !== undefined) return { ...inner, symbol };
  }
  const parameter = owner.members.find(ts.isConstructorDeclaration)?.parameters.find((candidate) => nameText(candidate.name) === name);
  const type = annotated(member?.type ?? parameter?.type, file);
  return type === undefined ? undefined : { ...type, symbol, built: false };
}

/** A parameter under the name that callers can compute: the function and the position. */
const parameterRef = (node: ts.ParameterDeclaration, file: TypeScriptFile): SymbolRef | undefined =>
  isFunctionNode(node.parent) ? positionRef(functionRef(node.parent, file), node.parent.parameters.indexOf(node)) : undefined;

/** The name of the parameter at a position, for those who declare it and those who fill it. */
export const positionRef = (fn: SymbolRef, index: number): SymbolRef => ({ file: fn.file, name: `${fn.name}#${String(index)}` });

/**
 * What may be an application of another file: a name that is imported from a file of the project, or a parameter without a type.
 * Whether it is one, the other file tells.
 */
export function assumedApp(node: ts.Node, file: TypeScriptFile, has: (path: string) => boolean): ExpressApp | undefined {
  const value = unwrap(node);
  const declaration = declarationOf(value, file);
  const open = (symbol: SymbolRef | undefined): ExpressApp | undefined =>
    symbol === undefined ? undefined : { symbol, kind: 'app', built: false, sdk: false, assumed: true };
  if (ts.isIdentifier(value) && declaration?.kind === 'parameter') {
    const parameter = declaration.node;
    return ts.isParameter(parameter) && parameter.type === undefined ? open(parameterRef(parameter, file)) : undefined;
  }
  const symbol = ts.isIdentifier(value) || ts.isPropertyAccessExpression(value) ? symbolOf(value, file, has) : undefined;
  return symbol !== undefined && symbol.file !== file.path ? open(symbol) : undefined;
}
