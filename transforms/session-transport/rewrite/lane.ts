import { ts } from 'ts-morph';
import { type Endpoint, type FactOf, type Reason, type Rewrite, type RewriteContext, type Site, contains, factsOf, keyOf } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { type Registration, fullPaths, registrations } from '../../_hosts/express/index.js';
import { nodeAt, statementOf } from '../../_mcp/typescript/nodes.js';
import { dispatches, endpointReach, routesOf } from '../../_mcp/reach.js';
import type { ServerPlan } from '../../_mcp/typescript/factory/plan.js';
import { planServer } from '../../_mcp/typescript/factory/source.js';

/** The legacy stack of one endpoint, as far as it has to be known for a rewrite. */
export interface Lane {
  readonly endpoint: Endpoint;
  /** The file that registers the routes. */
  readonly file: TypeScriptFile;
  /** Routes that hand requests to the SDK, in source order. */
  readonly routes: readonly Registration[];
  /** Other routes of the path: stubs that answer 405, help pages. */
  readonly others: readonly Registration[];
  /** The statement in front of which the entry is declared. */
  readonly first: ts.Statement;
  readonly connects: readonly { readonly file: TypeScriptFile; readonly call: ts.CallExpression }[];
  readonly server: ServerPlan;
  /** Keys of everything that the routes reach. */
  readonly reach: ReadonlySet<string>;
  /** Routes of the endpoint that are registered elsewhere: in another file or another function. */
  readonly away: readonly RouteGroup[];
}

/** Routes that are registered side by side. */
export interface RouteGroup {
  readonly file: TypeScriptFile;
  readonly routes: readonly Registration[];
  readonly first: ts.Statement;
  readonly server: ServerPlan;
}

export const reasonAt = (why: string, next: string, sites: readonly Site[]): Reason => ({ why, next, sites });

/** A refusal that names places of a file. */
export const refuseAt = (why: string, next: string, file: TypeScriptFile, nodes: readonly ts.Node[]): Extract<Rewrite, { outcome: 'refuse' }> => ({
  outcome: 'refuse',
  reason: reasonAt(
    why,
    next,
    nodes.map((node) => file.site(node)),
  ),
});

/** Finds routes, transports and the factory of an endpoint in the texts of the round. */
export function gatherLane(endpoint: Endpoint, context: RewriteContext): Lane | { readonly reason: Reason } {
  const fail = (why: string, next: string, sites: readonly Site[] = endpoint.routes): { readonly reason: Reason } => ({ reason: reasonAt(why, next, sites) });
  const has = (path: string): boolean => context.exists(path);
  const facts = routesOf(endpoint, context.facts);
  const served = facts.filter((route) => dispatches(route, context.facts));
  if (served.length === 0)
    return fail(
      'no route of this endpoint was found to hand a request to the SDK',
      'Register the handler where the tool can follow it, or add the entry by hand.',
    );
  const groups = sideBySide(served, context);
  if ('reason' in groups) return groups;
  const main = groups.find(({ routes }) => routes.some(({ verb }) => verb === 'POST')) ?? groups[0];
  if (main === undefined) return fail('the routes of this endpoint could not be found again', 'Report this as a fault of the tool.');
  const { file, routes, first } = main;
  const path = file.path;
  const all = registrations(file, has);
  const find = (site: Site): Registration | undefined => all.find(({ call }) => call.getStart(file.tree) === site.span.start && call.end === site.span.end);
  const others = facts.filter((route) => route.site.file === path && !served.includes(route)).flatMap((route) => find(route.site) ?? []);

  const reach = endpointReach(endpoint, context.facts);
  const spans = groups.flatMap((group) =>
    group.routes.flatMap(({ handler }) => (handler === undefined ? [] : [{ path: group.file.path, span: group.file.span(handler.node) }])),
  );
  const connects = factsOf(context.facts, 'connect')
    .filter(
      (fact) =>
        (fact.within !== undefined && reach.has(keyOf(fact.within))) ||
        spans.some((entry) => entry.path === fact.site.file && contains(entry.span, fact.site.span)),
    )
    .flatMap((fact) => {
      const tree = context.file('typescript', fact.site.file);
      const node = tree === undefined ? undefined : nodeAt(tree, fact.site.span);
      return tree !== undefined && node !== undefined && ts.isCallExpression(node) ? [{ file: tree, call: node }] : [];
    });
  const [connect] = connects;
  if (connect === undefined)
    return fail(
      'the place where the server is connected was not found among what the routes run',
      'Connect the server in the handler, or in a function that the handler calls by name.',
      endpoint.transports,
    );
  const server = serverFor(main, connects, context);
  if ('reason' in server) return server;
  const away: RouteGroup[] = [];
  for (const group of groups) {
    if (group === main) continue;
    const own = serverFor(group, connects, context);
    if ('reason' in own) return own;
    away.push({ ...group, server: own });
  }
  return { endpoint, file, routes, others, first, connects, server, reach, away };
}

/** The one way in which all `connect` calls of the endpoint build their server, written for the place of some routes. */
function serverFor(group: Omit<RouteGroup, 'server'>, connects: Lane['connects'], context: RewriteContext): ServerPlan | { readonly reason: Reason } {
  const place = { file: group.file, before: group.first };
  const plans = connects.map((item) => planServer(item.call, item.file, place, context.facts, (path) => context.exists(path)));
  const refused = plans.find((plan) => !plan.ok);
  if (refused !== undefined && !refused.ok) return { reason: refused.reason };
  const [server, ...rest] = plans.filter((plan) => plan.ok);
  if (server === undefined) return { reason: reasonAt('no server is built', 'Add the entry by hand.', []) };
  if (rest.some((plan) => plan.expression !== server.expression || plan.moved.length > 0))
    return {
      reason: reasonAt(
        'the routes of this endpoint serve servers of different kinds',
        'Give each kind of server its own path.',
        connects.map((item) => item.file.site(item.call)),
      ),
    };
  return server;
}

/** Finds the registrations of route facts again, grouped by the list of statements that they stand in. */
function sideBySide(served: readonly FactOf<'route'>[], context: RewriteContext): readonly Omit<RouteGroup, 'server'>[] | { readonly reason: Reason } {
  const groups = new Map<ts.Node, { readonly file: TypeScriptFile; readonly routes: Registration[]; readonly first: ts.Statement }>();
  for (const { site } of served) {
    const file = context.file('typescript', site.file);
    if (file === undefined) return { reason: reasonAt(`${site.file} could not be read`, 'Repair the file.', [site]) };
    const all = registrations(file, (path) => context.exists(path));
    const route = all.find(({ call }) => call.getStart(file.tree) === site.span.start && call.end === site.span.end);
    const first = route === undefined ? undefined : statementOf(route.call);
    if (route === undefined || first === undefined)
      return { reason: reasonAt('the routes of this endpoint could not be found again', 'Report this as a fault of the tool.', [site]) };
    if (fullPaths(route, all).length !== 1) return { reason: reasonAt('one registration serves several paths', 'Register each path on its own.', [site]) };
    const known = groups.get(first.parent);
    if (known === undefined) groups.set(first.parent, { file, routes: [route], first });
    else if (!known.routes.includes(route)) known.routes.push(route);
  }
  return [...groups.values()];
}
