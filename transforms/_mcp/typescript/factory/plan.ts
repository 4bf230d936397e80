import { ts } from 'ts-morph';
import type { ImportNeed, Reason } from '../../../../src/core/index.js';
import { type Declaration, type TypeScriptFile, declarationOf, eachNode, enclosingClass } from '../../../../src/languages/typescript/index.js';
import { isWithin, statementOf } from '../nodes.js';

/** How a server is built for one request, proved to work at the place of the routes. */
export interface ServerPlan {
  readonly ok: true;
  /** Body of `() => …`. */
  readonly expression: string;
  readonly async: boolean;
  /** A function that has to be declared in front of the routes. */
  readonly declaration: readonly string[];
  /** Statements whose text moved into the declaration; in a handler that stays they become one call. */
  readonly moved: readonly ts.Statement[];
  /** Text that stands in place of `moved` when the handler stays. */
  readonly replacement: string;
  /** The class whose object builds the server: the entry is a field of it, and `declaration` holds members of it. */
  readonly owner: ts.ClassLikeDeclaration | undefined;
  /** Variable of the process that held the shared server and is needed no longer. */
  readonly shared: Declaration | undefined;
  readonly imports: readonly ImportNeed[];
  readonly notes: readonly string[];
}

export interface NoServerPlan {
  readonly ok: false;
  readonly reason: Reason;
}

export interface Place {
  /** File and statement in front of which the entry is declared. */
  readonly file: TypeScriptFile;
  readonly before: ts.Statement;
  /** Set when the routes are not known yet: the function whose own names no entry can use. */
  readonly handler?: ts.Node;
  /** The class that all handlers are methods of: the entry may be a field of it, and say `this`. */
  readonly owner?: ts.ClassLikeDeclaration | undefined;
}

/** Does `this` mean the object that the entry would be a field of? */
export const isOwner = (self: ts.Node, place: Place): boolean => place.owner !== undefined && enclosingClass(self) === place.owner;

/** The class whose field the entry has to be: code that builds the server says `this`. */
export function ownerFor(nodes: readonly ts.Node[], place: Place): ts.ClassLikeDeclaration | undefined {
  let found = false;
  for (const root of nodes) eachNode(root, (node) => void (found ||= node.kind === ts.SyntaxKind.ThisKeyword && isOwner(node, place)));
  return found ? place.owner : undefined;
}

/** Does a name exist where the entry is declared? */
export const isVisible = (declaration: Declaration, place: Place): boolean =>
  place.handler === undefined ? isWithin(place.before, declaration.scope.node) : !isWithin(declaration.node, place.handler);

/** `.server`, `[0]`, or nothing: the member that holds the server in what a factory returns. */
export const memberText = (member: string | undefined): string => (member === undefined ? '' : /^\d+$/.test(member) ? `[${member}]` : `.${member}`);

/** A plan that is not made, with the place that stands in its way. */
export const refuse = (why: string, next: string, file: TypeScriptFile, ...nodes: readonly ts.Node[]): NoServerPlan => ({
  ok: false,
  reason: { why, next, sites: nodes.map((node) => file.site(node)) },
});

/** A name in an expression that does not exist where the entry is declared. */
export function unreachable(node: ts.Node, file: TypeScriptFile, place: Place): ts.Node | undefined {
  let found: ts.Node | undefined;
  eachNode(node, (inner) => {
    if (found !== undefined) return false;
    if (
      inner.kind === ts.SyntaxKind.ThisKeyword &&
      !isOwner(inner, place) &&
      enclosingClass(inner) !== (file.path === place.file.path ? enclosingClass(place.before) : undefined)
    )
      found = inner;
    if (
      !ts.isIdentifier(inner) ||
      (ts.isPropertyAccessExpression(inner.parent) && inner.parent.name === inner) ||
      (ts.isPropertyAssignment(inner.parent) && inner.parent.name === inner)
    )
      return undefined;
    const declaration = declarationOf(inner, file);
    if (declaration === undefined || isWithin(declaration.node, node)) return undefined;
    const visible = file.path === place.file.path ? isVisible(declaration, place) : declaration.kind === 'import' || isExported(declaration);
    if (!visible) found = inner;
    return undefined;
  });
  return found;
}

const isExported = (declaration: Declaration): boolean => {
  const statement = statementOf(declaration.node) ?? declaration.node;
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
};
