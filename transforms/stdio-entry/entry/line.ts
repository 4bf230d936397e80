import { ts } from 'ts-morph';
import { type Declaration, type TypeScriptFile, declarationOf, enclosingFunction, referencesOf } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, isWithin, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { isEager } from './movable.js';

/** The statements that build one server, and what else the program does with it. */
export interface Line {
  /** The list that declares the server. */
  readonly list: readonly ts.Statement[];
  readonly declared: ts.VariableStatement;
  /** Statements of that list that become the body of the factory: construction, registrations, functions that use the server. */
  readonly moved: ReadonlySet<ts.Statement>;
  /** Registrations in the function that connects, in front of the connection. */
  readonly late: ReadonlySet<ts.Statement>;
  /** Declarations that come along. */
  readonly bound: ReadonlySet<Declaration>;
  readonly closings: readonly ts.CallExpression[];
  /** Connections to other transports and other uses, as `use` of the server variable. */
  readonly others: readonly ts.Identifier[];
  /** The first use that has no place in a factory. */
  readonly stray: { readonly node: ts.Node; readonly why: string } | undefined;
}

export type BlockLike = ts.Block | ts.SourceFile | ts.CaseOrDefaultClause | ts.ModuleBlock;

/** The statement of a list that holds a node. */
const holderIn = (node: ts.Node, list: readonly ts.Statement[]): ts.Statement | undefined => list.find((statement) => isWithin(node, statement));

/** Follows a server variable through its program, to everything that has to move when the construction becomes a function. */
export function lineOf(server: Declaration, declared: ts.VariableStatement, connect: ts.CallExpression, file: TypeScriptFile): Line {
  const list = (declared.parent as BlockLike).statements;
  const lists = listsAround(connect, list);
  const moved = new Set<ts.Statement>([declared]);
  const late = new Set<ts.Statement>();
  const bound = new Set<Declaration>(declaredIn(declared, file));
  const closings = new Set<ts.CallExpression>();
  const others = new Set<ts.Identifier>();
  let stray: Line['stray'];
  const fail = (node: ts.Node, why: string): void => {
    stray ??= { node, why };
  };
  const seen = new Set<ts.Node>();

  const place = (use: ts.Identifier, declaration: Declaration): void => {
    const name = declaration.name;
    if (declaration === server) {
      const call = callOn(use);
      if (call === connect) return;
      if (call !== undefined && calledMember(call) === 'connect') return void others.add(use);
      if (call !== undefined && calledMember(call) === 'close' && !isWithin(use, declared)) return void closings.add(call);
      if (isExportOf(use)) return void others.add(use);
    }
    const holder = lists.map((own) => holderIn(use, own)).find((found) => found !== undefined && !isWithin(connect, found));
    const statement = holderIn(use, list);
    if (holder !== undefined && holder !== statement) {
      if (holder.pos > connect.pos) return fail(use, `\`${name}\` is used after it is connected`);
      if (!isEager(use, holder)) return void others.add(use);
      if (functionIn(holder) !== undefined) return fail(use, `\`${name}\` is used in a function beside the connection`);
      late.add(holder);
      return take(holder, declaration);
    }
    if (statement === undefined || isWithin(connect, statement)) return void others.add(use);
    if (lists.includes(list) && statement.pos > connect.pos && isEager(use, statement)) return fail(use, `\`${name}\` is used after it is connected`);
    const fn = functionIn(statement);
    if (fn === undefined && !isEager(use, statement)) return void others.add(use);
    moved.add(statement);
    take(statement, declaration);
  };
  const take = (statement: ts.Statement, declaration: Declaration): void => {
    for (const own of declaredIn(statement, file)) if (own !== declaration) bound.add(own);
  };
  for (let size = -1; size !== bound.size;) {
    size = bound.size;
    for (const declaration of [...bound]) {
      for (const use of referencesOf(declaration, file)) {
        if (seen.has(use)) continue;
        seen.add(use);
        place(use, declaration);
      }
    }
  }
  // A close inside of what moves closes the server of its own connection.
  const isMoved = (node: ts.Node): boolean => [...moved, ...late].some((statement) => isWithin(node, statement));
  const outside = [...others].filter((use) => !isMoved(use));
  for (const use of outside) {
    const declaration = declarationOf(use, file);
    if (declaration !== server && declaration !== undefined) fail(use, `\`${declaration.name}\`, which belongs to the server, is used elsewhere too`);
  }
  const uses = outside.filter((use) => declarationOf(use, file) === server);
  return { list, declared, moved, late, bound, closings: [...closings].filter((call) => !isMoved(call)), others: uses, stray };
}

/** Statement lists around a connection, inner ones first, as far as its function reaches. The list that declares the server ends the search. */
function listsAround(connect: ts.CallExpression, list: readonly ts.Statement[]): readonly (readonly ts.Statement[])[] {
  const lists: (readonly ts.Statement[])[] = [];
  for (let at: ts.Node = connect; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent) || ts.isModuleBlock(parent)) lists.push(parent.statements);
    if (lists.at(-1) === list || isFunctionNode(parent)) break;
  }
  return lists;
}

/** `server.name(…)` around the use of `server`; `server.server.name(…)` is none. */
export function callOn(use: ts.Node): ts.CallExpression | undefined {
  const access = use.parent;
  if (!ts.isPropertyAccessExpression(access) || access.expression !== use) return undefined;
  return ts.isCallExpression(access.parent) && access.parent.expression === access && receiverOf(access.parent) !== undefined ? access.parent : undefined;
}

const isExportOf = (use: ts.Identifier): boolean => ts.isExportSpecifier(use.parent) || ts.isExportAssignment(use.parent) || ts.isTypeQueryNode(use.parent);

/** A statement that only declares a function. */
function functionIn(statement: ts.Statement): ts.Node | undefined {
  if (ts.isFunctionDeclaration(statement)) return statement;
  if (!ts.isVariableStatement(statement) || statement.declarationList.declarations.length !== 1) return undefined;
  const value = statement.declarationList.declarations[0]?.initializer;
  const inner = value === undefined ? undefined : unwrap(value);
  return inner !== undefined && isFunctionNode(inner) ? inner : undefined;
}

/** Names that a statement declares in its list. */
export function declaredIn(statement: ts.Statement, file: TypeScriptFile): readonly Declaration[] {
  const names: ts.Identifier[] = [];
  const add = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) names.push(name);
    else for (const element of name.elements) if (ts.isBindingElement(element)) add(element.name);
  };
  if (ts.isVariableStatement(statement)) for (const { name } of statement.declarationList.declarations) add(name);
  if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name !== undefined) names.push(statement.name);
  return names.flatMap((name) => declarationOf(name, file) ?? []);
}

/** Does the function around a place take part in no other run than the one that starts the program? Told by its uses: one call, or none. */
export const isCalledOnce = (node: ts.Node, file: TypeScriptFile): boolean => {
  const fn = enclosingFunction(node);
  if (fn === undefined) return true;
  const name = ts.isFunctionDeclaration(fn) ? fn.name : ts.isVariableDeclaration(fn.parent) && ts.isIdentifier(fn.parent.name) ? fn.parent.name : undefined;
  const declaration = name === undefined ? undefined : declarationOf(name, file);
  return declaration === undefined ? ts.isCallExpression(unwrapParent(fn)) : referencesOf(declaration, file).filter((use) => !isExportOf(use)).length <= 1;
};

const unwrapParent = (node: ts.Node): ts.Node => {
  let at = node.parent;
  while (ts.isParenthesizedExpression(at)) at = at.parent;
  return at;
};
