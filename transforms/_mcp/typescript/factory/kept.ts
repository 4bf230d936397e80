import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../../src/core/index.js';
import {
  type FunctionNode,
  type TypeScriptFile,
  classRef,
  declarationOf,
  eachNode,
  enclosingClass,
  fieldValues,
  functionRef,
  instanceOrigin,
  symbolOf,
} from '../../../../src/languages/typescript/index.js';
import { canonical } from '../../canonical.js';
import { returned } from '../ids.js';
import { isFunctionNode, isModuleLevel, nameText, unwrap, unwrapAwait } from '../nodes.js';
import { heldBy } from '../sdk.js';

/** A function that returns a server which it did not build in this run. */
export interface KeptServer {
  readonly symbol: SymbolRef;
  /** The place that gives the server out, or that a subclass puts in place of the function. */
  readonly node: ts.Node;
}

/** Functions of a file that return a server of the module or of their object: each call gives the same one. */
export function keptServers(file: TypeScriptFile): readonly KeptServer[] {
  const found: KeptServer[] = [];
  eachNode(file.tree, (node) => {
    if (!isFunctionNode(node) || node.body === undefined || ts.isConstructorDeclaration(node)) return;
    const kept = returned(node)
      .flatMap(alternatives)
      .find((value) => isKept(value, node, file));
    if (kept !== undefined) found.push({ symbol: functionRef(node, file), node: kept });
  });
  return found;
}

/** What a subclass puts in place of a method of its base, when that gives the same server each time: the base may stand for the subclass. */
export function keptByOverride(file: TypeScriptFile, has: (path: string) => boolean): readonly KeptServer[] {
  const own = new Map(keptServers(file).map((kept) => [kept.symbol.name, kept]));
  const found: KeptServer[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isClassLike(node)) return;
    const base = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    const symbol = base === undefined ? undefined : symbolOf(base.expression, file, has);
    if (symbol === undefined) return;
    for (const member of node.members) {
      const name = nameText(member.name);
      const kept = name === undefined ? undefined : own.get(`${classRef(node, file).name}.${name}`);
      if (kept !== undefined && name !== undefined) found.push({ symbol: { file: symbol.file, name: `${symbol.name}.${name}` }, node: kept.node });
    }
  });
  return found;
}

/** `kept ?? build()` and `first ? kept : build()` give one of two. */
function alternatives(node: ts.Node): readonly ts.Node[] {
  const value = unwrapAwait(node);
  if (ts.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse].flatMap(alternatives);
  if (!ts.isBinaryExpression(value)) return [value];
  const { kind } = value.operatorToken;
  const either = kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
  const assigned = kind === ts.SyntaxKind.QuestionQuestionEqualsToken || kind === ts.SyntaxKind.BarBarEqualsToken || kind === ts.SyntaxKind.EqualsToken;
  return either ? [value.left, value.right].flatMap(alternatives) : assigned ? [unwrap(value.left)] : [value];
}

function isKept(value: ts.Node, fn: FunctionNode, file: TypeScriptFile): boolean {
  if (!isServer(value, file)) return false;
  if (ts.isIdentifier(value)) {
    const node = declarationOf(value, file)?.node;
    return node !== undefined && ts.isVariableDeclaration(node) && isModuleLevel(node);
  }
  return ts.isPropertyAccessExpression(value) && (value.expression.kind === ts.SyntaxKind.ThisKeyword || isOwnStatic(value, fn, file));
}

/** `Registry.server` inside of the class `Registry`. */
const isOwnStatic = (value: ts.PropertyAccessExpression, fn: FunctionNode, file: TypeScriptFile): boolean => {
  const owner = enclosingClass(fn);
  return owner !== undefined && declarationOf(unwrap(value.expression), file)?.node === owner;
};

/** Is a value known to be a server: by its type, or by what it is given? */
function isServer(value: ts.Node, file: TypeScriptFile, seen: ReadonlySet<string> = new Set()): boolean {
  const name = canonical(instanceOrigin(value, file))?.name;
  if (name === 'McpServer' || name === 'Server') return true;
  const node = declarationOf(value, file)?.node;
  if (node !== undefined && ts.isVariableDeclaration(node)) return heldBy(node.type, file) === 'server';
  if (!ts.isPropertyAccessExpression(value)) return false;
  const owner = enclosingClass(value);
  const field = owner?.members.find((member) => ts.isPropertyDeclaration(member) && nameText(member.name) === value.name.text);
  if (field !== undefined && ts.isPropertyDeclaration(field) && heldBy(field.type, file) === 'server') return true;
  // A field may be given its own value, or two fields that of each other.
  if (owner === undefined || seen.has(value.name.text)) return false;
  const asked = new Set([...seen, value.name.text]);
  return fieldValues(owner, value.name.text).some((given) => isServer(unwrapAwait(given), file, asked));
}
