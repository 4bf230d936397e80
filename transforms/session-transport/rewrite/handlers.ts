import { ts } from 'ts-morph';
import type { Rewrite, RewriteContext } from '../../../src/core/index.js';
import { type TypeScriptFile, declarationOf, eachNode } from '../../../src/languages/typescript/index.js';
import type { Registration } from '../../_hosts/express/index.js';
import { isWithin } from '../../_mcp/typescript/nodes.js';
import { type Files, type HandlerCode, handlerCode, isSessionFunction } from '../handler-code.js';
import { isLogCall } from '../handler-syntax.js';
import { type Machinery, machineryOf } from '../machinery.js';
import { middlewareText } from '../middleware.js';
import { type HandlerShape, shapeOf } from '../obstacles.js';
import { type Place, isVisible } from '../../_mcp/typescript/factory/plan.js';
import { type Lane, refuseAt } from './lane.js';

/** Roles of statements, with functions of other files looked at. */
export const handlerMachinery = (file: TypeScriptFile, files: Files): Machinery =>
  machineryOf(file, files.has, (callee) => isSessionFunction(callee, file, files));

/** A route of a lane, and the function that it runs. */
export interface Handler {
  readonly route: Registration;
  readonly code: HandlerCode;
  readonly shape: HandlerShape;
}

/** The handler functions, wherever they stand. */
export function handlersOf(lane: Lane, context: RewriteContext): Handler[] | Extract<Rewrite, { outcome: 'refuse' }> {
  const files = { has: (path: string) => context.exists(path), open: (path: string) => context.file('typescript', path) };
  const handlers: Handler[] = [];
  for (const group of [lane, ...lane.away]) {
    for (const route of group.routes) {
      const code = route.handler === undefined ? undefined : handlerCode(route.handler.node, group.file, files);
      if (code === undefined)
        return refuseAt('it is not known what the handler runs', 'Keep it with --legacy sessionful, or replace it by hand.', group.file, [route.call]);
      handlers.push({ route, code, shape: shapeOf(code.fn, handlerMachinery(code.file, files)) });
    }
  }
  return handlers;
}

/** What the handler does first, as middleware for the place of the routes; `undefined` when it would not mean the same there. */
export function middlewareFor({ shape, code }: Handler, lane: Lane): string | undefined {
  const { leading } = shape;
  if (leading.length > 0 && code.file.path !== lane.file.path) return undefined;
  const place = { file: lane.file, before: lane.first };
  // Without machinery of its own, or with a call that hands the request on, the work is done elsewhere: nothing here comes first.
  const body = shape.fn.body;
  if (leading.length > 0 && body !== undefined && ts.isBlock(body) && leading.length === body.statements.length && shape.caught === undefined) return undefined;
  if (leading.some((statement) => handsOn(statement, shape.fn))) return undefined;
  const foreign = leading.some((statement) => usesThis(statement) || leavesScope(statement, shape.fn, code.file, place));
  return foreign ? undefined : middlewareText(shape, code.file);
}

/** Does a statement give the response to another function? */
function handsOn(statement: ts.Node, fn: HandlerShape['fn']): boolean {
  const response = fn.parameters[1]?.name;
  let found = false;
  if (response === undefined || !ts.isIdentifier(response)) return false;
  eachNode(statement, (node) => {
    if (ts.isCallExpression(node) && node.arguments.some((argument) => ts.isIdentifier(argument) && argument.text === response.text)) found = true;
  });
  return found;
}

const usesThis = (node: ts.Node): boolean => {
  let found = false;
  eachNode(node, (inner) => {
    if (inner.kind === ts.SyntaxKind.ThisKeyword) found = true;
  });
  return found;
};

/** Does a statement of a handler name something that is neither of the handler nor known where the routes are registered? */
function leavesScope(statement: ts.Node, fn: ts.Node, file: TypeScriptFile, place: Place): boolean {
  let found = false;
  eachNode(statement, (node) => {
    const declaration = ts.isIdentifier(node) ? declarationOf(node, file) : undefined;
    if (declaration !== undefined && !isWithin(declaration.node, fn) && !isVisible(declaration, place)) found = true;
  });
  return found;
}

/** Logs of the `catch` around the handler as `onerror`; what the entry answers itself is dropped. */
export function errorOption({ shape, code }: Handler, lane: Lane): { readonly text: string; readonly notes: readonly string[] } {
  const { file } = code;
  const place = { file: lane.file, before: lane.first };
  const clause = shape.caught;
  const variable = clause?.variableDeclaration?.name;
  if (clause === undefined || variable === undefined || !ts.isIdentifier(variable)) return { text: '', notes: [] };
  const logs: string[] = [];
  let lost = false;
  eachNode(clause.block, (node) => {
    if (!ts.isCallExpression(node) || !isLogCall(node)) return undefined;
    const free = shape.fn.parameters.some(({ name }) => ts.isIdentifier(name) && new RegExp(`\\b${name.text}\\b`).test(file.textOf(node)));
    const elsewhere =
      file.path === lane.file.path ? leavesScope(node, shape.fn, file, place) : !/^console\b/.test(file.textOf(node)) || namesOuter(node, shape.fn, file);
    if (free || elsewhere || usesThis(node)) lost = true;
    else logs.push(file.textOf(node));
    return false;
  });
  const notes = lost ? ['A log of the old error branch named what only the handler knows and is dropped.'] : [];
  const [only] = logs;
  if (only === undefined) return { text: '', notes };
  return {
    text: logs.length === 1 ? `onerror: (${variable.text}) => ${only}` : `onerror: (${variable.text}) => { ${logs.map((log) => `${log};`).join(' ')} }`,
    notes,
  };
}

const namesOuter = (node: ts.Node, fn: ts.Node, file: TypeScriptFile): boolean => {
  let found = false;
  eachNode(node, (inner) => {
    const declaration = ts.isIdentifier(inner) ? declarationOf(inner, file) : undefined;
    if (declaration !== undefined && !isWithin(declaration.node, fn)) found = true;
  });
  return found;
};
