import { ts } from 'ts-morph';
import type { Reason, RewriteContext, Site, WorkItem } from '../../../src/core/index.js';
import { type Declaration, type TypeScriptFile, declarationOf } from '../../../src/languages/typescript/index.js';
import { type Registration, registrations } from '../../_hosts/express/index.js';
import { isShimWrap } from '../../_mcp/typescript/eras.js';
import { unwrap } from '../../_mcp/typescript/nodes.js';
import { routesOf } from '../../_mcp/reach.js';
import { reasonAt } from './lane.js';
import { stubs } from './routes.js';

/** Routes that one entry of this tool wraps, and the variable that holds it. */
export interface Wrapped {
  readonly file: TypeScriptFile;
  readonly routes: readonly Registration[];
  readonly entry: ts.VariableDeclaration & { readonly name: ts.Identifier };
  readonly call: ts.CallExpression;
  readonly declaration: Declaration;
}

/** A lane that this tool wrote: routes that are registered apart have an entry each. */
export interface WrappedLane {
  /** Holds the route of POST requests; the modern entry takes its place. */
  readonly main: Wrapped;
  readonly away: readonly Wrapped[];
  /** Routes of the path that only say that a method is not allowed: the modern entry says it itself. */
  readonly refusals: readonly { readonly file: TypeScriptFile; readonly route: Registration }[];
}

const OWN = 'Only lanes that this tool wrote are removed; take the other ones out by hand.';

/** Finds the lane of an item again in the texts of the round. Every route of its endpoint is wrapped, or refuses a method. */
export function wrappedLane(item: WorkItem, context: RewriteContext): WrappedLane | { readonly reason: Reason } {
  const endpoint = item.endpoint === undefined ? undefined : context.endpoint(item.endpoint);
  const fail = (why: string, sites: readonly Site[] = endpoint?.routes ?? item.sites.slice(0, 5)): { readonly reason: Reason } => ({
    reason: reasonAt(why, OWN, sites),
  });
  if (endpoint?.host !== 'express') return fail('the routes of the lane are not known');
  const groups = new Map<Declaration, { readonly file: TypeScriptFile; readonly routes: Registration[] }>();
  const refusals = new Map<Registration, { readonly file: TypeScriptFile; readonly route: Registration }>();
  for (const { site } of routesOf(endpoint, context.facts)) {
    const file = context.file('typescript', site.file);
    const route =
      file &&
      registrations(file, (path) => context.exists(path)).find(({ call }) => call.getStart(file.tree) === site.span.start && call.end === site.span.end);
    if (file === undefined || route === undefined) return fail('a route of the lane was not found again', [site]);
    const declaration = wrapOf(route, file);
    const known = declaration === undefined ? undefined : groups.get(declaration);
    if (declaration === undefined && stubs([route], file).length === 0) return fail('not all routes of the lane are wrapped by the entry of this tool');
    if (declaration === undefined) refusals.set(route, { file, route });
    else if (known === undefined) groups.set(declaration, { file, routes: [route] });
    else if (!known.routes.includes(route)) known.routes.push(route);
  }
  const wrapped: Wrapped[] = [];
  for (const [declaration, { file, routes }] of groups) {
    const { node } = declaration;
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined)
      return fail('the routes of the lane have different entries');
    const call = unwrap(node.initializer);
    if (!ts.isCallExpression(call) || call.arguments[0] === undefined) return fail('the entry takes no factory');
    wrapped.push({ file, routes, entry: node as Wrapped['entry'], call, declaration });
  }
  const takesPosts = wrapped.filter(({ routes }) => routes.some(({ verb }) => verb !== 'GET' && verb !== 'DELETE'));
  const [main = wrapped[0], ...others] = takesPosts;
  if (main === undefined) return fail('not all routes of the lane are wrapped by the entry of this tool');
  if (others.length > 0) return fail('the path takes requests in several places');
  return { main, away: wrapped.filter((group) => group !== main), refusals: [...refusals.values()] };
}

/** The variable of the entry that wraps the handler of a route. */
function wrapOf({ handler }: Registration, file: TypeScriptFile): Declaration | undefined {
  const node = handler === undefined ? undefined : unwrap(handler.node);
  return node !== undefined && ts.isCallExpression(node) && isShimWrap(node, file) ? declarationOf(unwrap(node.expression), file) : undefined;
}
