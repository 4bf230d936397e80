import { ts } from 'ts-morph';
import type { SymbolRef } from '../../src/core/index.js';
import { type Origin, type TypeScriptFile, classRef, declarationOf, fieldValues, originOf, symbolOfDeclaration } from '../../src/languages/typescript/index.js';
import { ancestor, calledMember, nameText, receiverOf, unwrap, unwrapAwait, wrapped } from '../_mcp/typescript/nodes.js';
import { rememberedField } from './fields.js';

/** How the applications of a framework come into being, by import provenance. */
export interface AppKind {
  /** Does a call or `new` expression build one? */
  readonly builds: (node: ts.CallExpression | ts.NewExpression, origin: Origin | undefined, file: TypeScriptFile) => boolean;
  /** Does a type name one? */
  readonly typed: (origin: Origin) => boolean;
  /** Methods that return the application, so that a chain of them is one too. */
  readonly chained: ReadonlySet<string>;
  /** A parameter without a type that the framework fills with an application, e.g. that of a plugin. */
  readonly handed?: (parameter: ts.ParameterDeclaration, file: TypeScriptFile) => SymbolRef | undefined;
}

/** An application or router, as far as one file tells. */
export interface HostApp {
  readonly symbol: SymbolRef;
  /** The call that builds it, when that is in this file. */
  readonly made: ts.CallExpression | ts.NewExpression | undefined;
}

/** The application that an expression evaluates to: built in place, held by a variable, a field or a parameter, or the end of a chain. */
export function appBehind(node: ts.Node, file: TypeScriptFile, kind: AppKind, depth = 0): HostApp | undefined {
  const value = unwrapAwait(node);
  if (depth > 40) return undefined;
  if (ts.isCallExpression(value) || ts.isNewExpression(value)) {
    if (kind.builds(value, originOf(unwrap(value.expression), file), file)) return { symbol: chainHolder(value, file, kind), made: value };
    const receiver = ts.isCallExpression(value) ? receiverOf(value) : undefined;
    const method = ts.isCallExpression(value) ? calledMember(value) : undefined;
    return receiver !== undefined && method !== undefined && kind.chained.has(method) ? appBehind(receiver, file, kind, depth + 1) : undefined;
  }
  if (ts.isIdentifier(value)) return fromVariable(value, file, kind, depth);
  if (ts.isPropertyAccessExpression(value) && value.expression.kind === ts.SyntaxKind.ThisKeyword) return fromField(value, file, kind, depth);
  return undefined;
}

/** The variable that holds a chain; else the place of the construction. */
function chainHolder(node: ts.Node, file: TypeScriptFile, kind: AppKind): SymbolRef {
  let value = wrapped(node);
  for (;;) {
    const access = value.parent;
    if (ts.isAwaitExpression(access)) value = wrapped(access);
    else if (ts.isPropertyAccessExpression(access) && kind.chained.has(access.name.text) && ts.isCallExpression(access.parent)) value = wrapped(access.parent);
    else break;
  }
  const field = fieldOf(value);
  const owner = field === undefined ? undefined : ancestor(value, ts.isClassLike);
  if (field !== undefined && owner !== undefined) return { file: file.path, name: `${classRef(owner, file).name}.${field}` };
  const declaration = ts.isVariableDeclaration(value.parent) && ts.isIdentifier(value.parent.name) ? declarationOf(value.parent.name, file) : undefined;
  return declaration === undefined ? { file: file.path, name: `@${String(node.getStart(file.tree))}` } : symbolOfDeclaration(declaration, file);
}

/** `private server = createServer(…)`, `this.server = createServer(…)`: the name of the field. */
function fieldOf({ parent }: ts.Node): string | undefined {
  if (ts.isPropertyDeclaration(parent)) return nameText(parent.name);
  if (!ts.isBinaryExpression(parent) || parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return undefined;
  const { left } = parent;
  return ts.isPropertyAccessExpression(left) && left.expression.kind === ts.SyntaxKind.ThisKeyword ? left.name.text : undefined;
}

const typedAs = (type: ts.TypeNode | undefined, file: TypeScriptFile, kind: AppKind): boolean => {
  const origin = type !== undefined && ts.isTypeReferenceNode(type) ? originOf(type.typeName, file) : undefined;
  return origin !== undefined && kind.typed(origin);
};

function fromVariable(identifier: ts.Identifier, file: TypeScriptFile, kind: AppKind, depth: number): HostApp | undefined {
  const declaration = declarationOf(identifier, file);
  const node = declaration?.node;
  if (declaration === undefined || node === undefined || !(ts.isVariableDeclaration(node) || ts.isParameter(node))) return undefined;
  const symbol = symbolOfDeclaration(declaration, file);
  if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
    const inner = appBehind(node.initializer, file, kind, depth + 1);
    if (inner !== undefined) return { ...inner, symbol };
  }
  if (typedAs(node.type, file, kind)) return { symbol, made: undefined };
  const handed = ts.isParameter(node) ? kind.handed?.(node, file) : undefined;
  return handed === undefined ? undefined : { symbol: handed, made: undefined };
}

const fields = new WeakMap<AppKind, WeakMap<ts.ClassLikeDeclaration, Map<string, HostApp | undefined>>>();

function fromField(access: ts.PropertyAccessExpression, file: TypeScriptFile, kind: AppKind, depth: number): HostApp | undefined {
  const owner = ancestor(access, ts.isClassLike);
  const known = fields.get(kind) ?? new WeakMap<ts.ClassLikeDeclaration, Map<string, HostApp | undefined>>();
  fields.set(kind, known);
  return owner && rememberedField(known, owner, access.name.text, () => fieldApp(owner, access, file, kind, depth));
}

function fieldApp(
  owner: ts.ClassLikeDeclaration,
  access: ts.PropertyAccessExpression,
  file: TypeScriptFile,
  kind: AppKind,
  depth: number,
): HostApp | undefined {
  const name = access.name.text;
  const symbol = { file: file.path, name: `${classRef(owner, file).name}.${name}` };
  const member = owner.members.find(
    (candidate): candidate is ts.PropertyDeclaration => ts.isPropertyDeclaration(candidate) && nameText(candidate.name) === name,
  );
  for (const value of fieldValues(owner, name)) {
    const inner = unwrap(value) === access ? undefined : appBehind(value, file, kind, depth + 1);
    if (inner !== undefined) return { ...inner, symbol };
  }
  const parameter = owner.members.find(ts.isConstructorDeclaration)?.parameters.find((candidate) => nameText(candidate.name) === name);
  return typedAs(member?.type, file, kind) || typedAs(parameter?.type, file, kind) ? { symbol, made: undefined } : undefined;
}
