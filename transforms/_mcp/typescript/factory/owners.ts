import { ts } from 'ts-morph';
import type { SymbolRef } from '../../../../src/core/index.js';
import {
  type TypeScriptFile,
  classRef,
  eachNode,
  enclosingClass,
  enclosingFunction,
  fieldValues,
  isFunctionNode,
  propertyNameOf,
} from '../../../../src/languages/typescript/index.js';
import { effectsIn } from '../effects.js';
import { fieldWrites } from '../field-writes.js';
import { returned } from '../ids.js';
import { calledMember, isWithin, receiverOf, unwrap } from '../nodes.js';
import { serverClass } from '../sdk.js';

/** A class each of whose objects builds a server of its own. */
export interface ServerOwner {
  readonly node: ts.ClassLikeDeclaration;
  readonly symbol: SymbolRef;
  readonly parameters: number;
  /** Members that give the server to others: `server`, `getServer()`. Empty when the class connects it itself. */
  readonly members: readonly string[];
  /** Methods that register more on the server of an object. */
  readonly steps: readonly string[];
  /** What building an object does beside building a server, and what the object remembers of the calls of its client. */
  readonly effects: readonly ts.Node[];
}

/** Classes of a file that build a server once for each object, in the constructor or in the initial value of a field. */
export function serverOwners(file: TypeScriptFile): readonly ServerOwner[] {
  const found: ServerOwner[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isClassLike(node) || node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) === true) return;
    const field = serverField(node, file);
    if (field === undefined) return;
    const constructor = node.members.find(ts.isConstructorDeclaration);
    const code = buildingCode(node, field);
    found.push({
      node,
      symbol: classRef(node, file),
      parameters: constructor?.parameters.length ?? 0,
      members: givingMembers(node, field),
      steps: stepsOf(node, field).flatMap((step) => propertyNameOf(step.name) ?? []),
      effects: [...effectsOfBuilding(node, code, file), ...remembered(node, code)],
    });
  });
  return found;
}

/** The field that is given one server, while the object is built. */
function serverField(owner: ts.ClassLikeDeclaration, file: TypeScriptFile): string | undefined {
  const names = new Set<string>();
  eachNode(owner, (node) => {
    const made = ts.isNewExpression(node) && serverClass(node.expression, file) !== undefined ? node : undefined;
    if (made === undefined || enclosingClass(made) !== owner) return;
    const { parent } = made;
    const whileBuilt = ts.isPropertyDeclaration(parent) || ts.isConstructorDeclaration(enclosingFunction(made) ?? parent);
    const isStatic = ts.isPropertyDeclaration(parent) && (ts.getCombinedModifierFlags(parent) & ts.ModifierFlags.Static) !== 0;
    const name = ts.isPropertyDeclaration(parent)
      ? propertyNameOf(parent.name)
      : ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left) && parent.left.expression.kind === ts.SyntaxKind.ThisKeyword
        ? parent.left.name.text
        : undefined;
    if (name !== undefined && whileBuilt && !isStatic) names.add(name);
  });
  const [name] = names;
  return name !== undefined && names.size === 1 && fieldValues(owner, name).length === 1 ? name : undefined;
}

function givingMembers(owner: ts.ClassLikeDeclaration, field: string): readonly string[] {
  const isOpen = (member: ts.ClassElement): boolean =>
    (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Static)) === 0;
  const gives = (fn: ts.MethodDeclaration | ts.GetAccessorDeclaration): boolean => {
    const values = returned(fn).map(unwrap);
    return (
      fn.parameters.length === 0 &&
      fn.body?.statements.length === 1 &&
      values.length === 1 &&
      values.every((value) => ts.isPropertyAccessExpression(value) && value.expression.kind === ts.SyntaxKind.ThisKeyword && value.name.text === field)
    );
  };
  const declared = owner.members.find((member) => ts.isPropertyDeclaration(member) && propertyNameOf(member.name) === field);
  return [
    ...(field.startsWith('#') || (declared !== undefined && !isOpen(declared)) ? [] : [field]),
    ...owner.members.flatMap((member) => {
      const name = propertyNameOf(member.name);
      if (name === undefined || !isOpen(member)) return [];
      if (ts.isGetAccessorDeclaration(member)) return gives(member) ? [name] : [];
      return ts.isMethodDeclaration(member) && gives(member) ? [`${name}()`] : [];
    }),
  ];
}

type Method = ts.MethodDeclaration & { readonly body: ts.Block };

const methodNamed = (owner: ts.ClassLikeDeclaration, name: string | undefined): Method | undefined =>
  owner.members.find((member): member is Method => ts.isMethodDeclaration(member) && member.body !== undefined && propertyNameOf(member.name) === name);

/** Methods that code calls or names as `this.method`, with those that these name. Code of nested functions counts. */
function methodsFrom(roots: readonly ts.Node[], owner: ts.ClassLikeDeclaration): ReadonlySet<ts.Node> {
  const found = new Set<ts.Node>();
  const follow = (root: ts.Node): void => {
    eachNode(root, (node) => {
      const method = ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword ? methodNamed(owner, node.name.text) : undefined;
      if (method === undefined || found.has(method.body)) return;
      found.add(method.body);
      follow(method.body);
    });
  };
  for (const root of roots) follow(root);
  return found;
}

/** Public methods that register on the server: the second step of building it. */
const stepsOf = (owner: ts.ClassLikeDeclaration, field: string): readonly Method[] =>
  owner.members.filter((member): member is Method => {
    if (!ts.isMethodDeclaration(member) || member.body === undefined) return false;
    let registers = false;
    eachNode(member.body, (node) => {
      const receiver = ts.isCallExpression(node) ? receiverOf(node) : undefined;
      const on = receiver !== undefined && ts.isPropertyAccessExpression(receiver) ? receiver : undefined;
      if (on?.expression.kind === ts.SyntaxKind.ThisKeyword && on.name.text === field)
        registers ||= !LIFECYCLE.has(calledMember(node as ts.CallExpression) ?? '');
      return !isFunctionNode(node);
    });
    return registers;
  });

const LIFECYCLE: ReadonlySet<string> = new Set(['connect', 'close']);

/** Constructor, initial values of fields, the steps, and the methods that these call while they run. */
function buildingCode(owner: ts.ClassLikeDeclaration, field: string): readonly ts.Node[] {
  const code: ts.Node[] = [];
  const add = (root: ts.Node | undefined): void => {
    if (root === undefined || code.includes(root)) return;
    code.push(root);
    eachNode(root, (node) => {
      if (isFunctionNode(node)) return false;
      if (ts.isCallExpression(node) && receiverOf(node)?.kind === ts.SyntaxKind.ThisKeyword) add(methodNamed(owner, calledMember(node))?.body);
      return undefined;
    });
  };
  for (const member of owner.members) {
    if (ts.isConstructorDeclaration(member)) add(member.body);
    if (ts.isPropertyDeclaration(member) && (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) === 0) add(member.initializer);
  }
  for (const step of stepsOf(owner, field)) add(step.body);
  return code;
}

/** Fields of a new object belong to it, unless they were handed in. */
function effectsOfBuilding(owner: ts.ClassLikeDeclaration, code: readonly ts.Node[], file: TypeScriptFile): readonly ts.Node[] {
  const own = (node: ts.Node): boolean => code.some((root) => isWithin(node, root)) || ts.findAncestor(node, ts.isConstructorDeclaration)?.parent === owner;
  return effectsIn(code, (declaration) => own(declaration.node) && !ts.isParameter(declaration.node), file).filter((effect) => !isOwnField(effect, owner));
}

/** `this.tools = …`, `this.tools.set(…)` with a container that the class itself makes. */
function isOwnField(effect: ts.Node, owner: ts.ClassLikeDeclaration): boolean {
  const target = ts.isBinaryExpression(effect) ? effect.left : ts.isCallExpression(effect) ? receiverOf(effect) : undefined;
  if (target === undefined || !ts.isPropertyAccessExpression(target) || target.expression.kind !== ts.SyntaxKind.ThisKeyword) return false;
  if (ts.isBinaryExpression(effect)) return true;
  const values = fieldValues(owner, target.name.text);
  return values.length > 0 && values.every((value) => ts.isNewExpression(value) || ts.isArrayLiteralExpression(value) || ts.isObjectLiteralExpression(value));
}

/** Writes to fields by the handlers that are registered: what one request leaves there, the next one would not find. */
function remembered(owner: ts.ClassLikeDeclaration, code: readonly ts.Node[]): readonly ts.Node[] {
  const handlers = new Set<ts.Node>();
  for (const root of code)
    eachNode(root, (node) => {
      if (isFunctionNode(node)) handlers.add(node);
    });
  const roots = new Set([...handlers, ...[...methodsFrom([...handlers], owner)].filter((body) => !code.includes(body))]);
  return [...new Set([...roots].flatMap(fieldWrites))];
}
