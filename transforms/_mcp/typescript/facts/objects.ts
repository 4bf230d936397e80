import { ts } from 'ts-morph';
import type { FactSource, SymbolRef } from '../../../../src/core/index.js';
import {
  type TypeScriptFile,
  classRef,
  declarationOf,
  eachNode,
  enclosingFunction,
  fieldValues,
  propertyNameOf,
  referencesOf,
  symbolOf,
} from '../../../../src/languages/typescript/index.js';
import { serverOwners } from '../factory/owners.js';
import { fieldWrites } from '../field-writes.js';
import { calledMember, isFunctionNode, unwrap, wrapped } from '../nodes.js';
import { factories } from '../servers.js';
import { serverClass } from '../sdk.js';
import { within } from './servers.js';

/** `remembering-class`: any file that is looked at may declare one. */
export const rememberingClasses: FactSource = {
  id: 'remembering-classes',
  literals: { strong: [], weak: [] },
  detect: {
    typescript: (file, report) => ({
      end() {
        if (!/\bclass\b/.test(file.text)) return;
        eachNode(file.tree, (node) => {
          if (ts.isClassLike(node) && node.members.some(remembers))
            report.fact({ type: 'remembering-class', site: file.site(node.name ?? node), symbol: classRef(node, file) });
        });
      },
    }),
  },
};

/** Does a member of an object, once it is built, change its fields? */
function remembers(member: ts.ClassElement): boolean {
  if ((ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0) return false;
  const code =
    ts.isMethodDeclaration(member) || ts.isAccessor(member)
      ? member.body
      : ts.isPropertyDeclaration(member) && member.initializer !== undefined && isFunctionNode(unwrap(member.initializer))
        ? member.initializer
        : undefined;
  return code !== undefined && fieldWrites(code).length > 0;
}

/** An object that each server has for itself, of a class of this repository. */
export interface KeptObject {
  readonly node: ts.VariableDeclaration | ts.PropertyDeclaration;
  readonly name: string;
  readonly of: SymbolRef;
}

/** Objects that a factory or a class makes beside its server and that handlers use: with one server per session they live as long as the session. */
export function keptObjects(file: TypeScriptFile, has: (path: string) => boolean): readonly KeptObject[] {
  const found: KeptObject[] = [];
  const connected = transportNames(file);
  const add = (node: KeptObject['node'], name: string, value: ts.Node | undefined): void => {
    const made = value === undefined ? undefined : unwrap(value);
    if (made === undefined || !ts.isNewExpression(made) || serverClass(made.expression, file) !== undefined || connected.has(name)) return;
    const of = symbolOf(unwrap(made.expression), file, has);
    if (of !== undefined) found.push({ node, name, of });
  };
  for (const { fn } of factories(file)) {
    if (fn.body === undefined) continue;
    eachNode(fn.body, (node) => {
      if (isFunctionNode(node) || ts.isClassLike(node)) return false;
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isHandedOn(node.name, fn, file)) add(node, node.name.text, node.initializer);
      return undefined;
    });
  }
  for (const owner of serverOwners(file))
    for (const member of owner.node.members) {
      const name = ts.isPropertyDeclaration(member) ? propertyNameOf(member.name) : undefined;
      if (name !== undefined && ts.isPropertyDeclaration(member)) for (const value of fieldValues(owner.node, name)) add(member, name, value);
    }
  return found;
}

/** Names of variables and fields that a server is connected to: also a transport of the repository's own holds no state of the user. */
function transportNames(file: TypeScriptFile): ReadonlySet<string> {
  const names = new Set<string>();
  eachNode(file.tree, (node) => {
    const transport = ts.isCallExpression(node) && calledMember(node) === 'connect' ? node.arguments[0] : undefined;
    if (transport === undefined) return;
    if (ts.isIdentifier(transport)) names.add(transport.text);
    else if (ts.isPropertyAccessExpression(transport)) names.add(transport.name.text);
  });
  return names;
}

/** Is a variable of a factory used by a function inside of it, or handed to another one? */
function isHandedOn(name: ts.Identifier, fn: ts.Node, file: TypeScriptFile): boolean {
  const declared = declarationOf(name, file);
  if (declared === undefined) return false;
  return referencesOf(declared, file).some((use) => {
    const { parent } = wrapped(use);
    return use !== name && (enclosingFunction(use) !== fn || (ts.isCallExpression(parent) && parent.arguments.includes(wrapped(use) as ts.Expression)));
  });
}

/** `state` for objects that are kept, to be believed when their class is known to remember. */
export function reportKeptObjects(
  file: TypeScriptFile,
  has: (path: string) => boolean,
  report: Parameters<NonNullable<FactSource['detect']['typescript']>>[1],
): void {
  for (const { node, of } of keptObjects(file, has))
    report.fact({ type: 'state', site: file.site(node), ...within(node, file), form: 'closure', category: 'state', of });
}
