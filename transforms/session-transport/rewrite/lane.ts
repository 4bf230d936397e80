import { ts } from 'ts-morph';
import { type Endpoint, type Reason, type RewriteContext, type Site, factsOf, keyOf } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { type Registration, fullPaths, registrations } from '../../_hosts/express/index.js';
import { nodeAt, statementOf } from '../../_mcp/typescript/nodes.js';
import { dispatches, endpointReach, routesOf } from '../reach.js';
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
}

export const reasonAt = (why: string, next: string, sites: readonly Site[]): Reason => ({ why, next, sites });

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
  const path = served[0]?.site.file ?? '';
  if (served.some((route) => route.site.file !== path))
    return fail(
      'the routes of this endpoint are registered in several files',
      'Register them in one file.',
      served.map(({ site }) => site),
    );
  const file = context.file('typescript', path);
  if (file === undefined) return fail(`${path} could not be read`, 'Repair the file.');

  const all = registrations(file, has);
  const find = (site: Site): Registration | undefined => all.find(({ call }) => call.getStart(file.tree) === site.span.start && call.end === site.span.end);
  const routes = served.flatMap((route) => find(route.site) ?? []).filter((route, index, list) => list.indexOf(route) === index);
  const others = facts.filter((route) => route.site.file === path && !served.includes(route)).flatMap((route) => find(route.site) ?? []);
  const [head] = routes;
  if (head === undefined || routes.length !== new Set(served.map(({ site }) => `${String(site.span.start)}:${String(site.span.end)}`)).size)
    return fail('the routes of this endpoint could not be found again', 'Report this as a fault of the tool.');
  if (routes.some((route) => fullPaths(route, all).length !== 1))
    return fail(
      'one registration serves several paths',
      'Register each path on its own.',
      routes.map(({ call }) => file.site(call)),
    );
  const statements = routes.map(({ call }) => statementOf(call));
  const first = statements[0];
  if (first === undefined || statements.some((statement) => statement?.parent !== first.parent))
    return fail(
      'the routes of this endpoint are registered in several functions',
      'Register them side by side.',
      routes.map(({ call }) => file.site(call)),
    );

  const reach = endpointReach(endpoint, context.facts);
  const span = routes.flatMap(({ handler }) => (handler === undefined ? [] : [handler.node]));
  const connects = factsOf(context.facts, 'connect')
    .filter(
      (fact) =>
        (fact.within !== undefined && reach.has(keyOf(fact.within))) ||
        (fact.site.file === path && span.some((node) => node.getStart(file.tree) <= fact.site.span.start && fact.site.span.end <= node.end)),
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
  const place = { file, before: first };
  const plans = connects.map((item) => planServer(item.call, item.file, place, context.facts, has));
  const refused = plans.find((plan) => !plan.ok);
  if (refused !== undefined && !refused.ok) return { reason: refused.reason };
  const [server, ...rest] = plans.filter((plan) => plan.ok);
  if (server === undefined) return fail('no server is built', 'Add the entry by hand.');
  if (rest.some((plan) => plan.expression !== server.expression || plan.moved.length > 0))
    return fail(
      'the routes of this endpoint serve servers of different kinds',
      'Give each kind of server its own path.',
      connects.map((item) => item.file.site(item.call)),
    );
  return { endpoint, file, routes, others, first, connects, server, reach };
}
