import { ts } from 'ts-morph';
import { type Endpoint, type FactOf, type Reason, type RewriteContext, type Site, factsOf, keyOf } from '../../../src/core/index.js';
import { type FunctionNode, type TypeScriptFile, enclosingFunction } from '../../../src/languages/typescript/index.js';
import { type Served, handlersOfHost, isAt } from '../../_hosts/index.js';
import type { Place, ServerPlan } from '../../_mcp/typescript/factory/plan.js';
import { planServer } from '../../_mcp/typescript/factory/source.js';
import { isFunctionNode, isWithin, nodeAt, statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { dispatches, endpointReach, routesOf } from '../../_mcp/reach.js';
import { reasonAt } from '../rewrite/lane.js';
import { type Region, regionOf } from './region.js';

/** The legacy code of an endpoint whose handlers are functions of this repository. */
export interface HandlerLane {
  readonly endpoint: Endpoint;
  /** The file that holds the handlers, and the entry. */
  readonly file: TypeScriptFile;
  readonly served: readonly Served[];
  readonly regions: readonly Region[];
  /** The statement in front of which the entry is declared. */
  readonly first: ts.Statement;
  readonly connects: readonly { readonly file: TypeScriptFile; readonly call: ts.CallExpression }[];
  readonly server: ServerPlan;
}

/** A handler that was found again in the texts of the round. */
export interface FoundHandler {
  readonly served: Served;
  /** File of the registration. */
  readonly registered: TypeScriptFile;
  readonly file: TypeScriptFile;
  readonly fn: FunctionNode;
  /** The block of a branch that a path selects in the function. */
  readonly start: ts.Node | undefined;
}

interface Failed {
  readonly reason: Reason;
}

const fail = (why: string, next: string, sites: readonly Site[]): Failed => ({ reason: reasonAt(why, next, sites) });

/** Handlers of the routes of an endpoint that hand requests to the SDK (`all`: of every route). One function that serves two routes is one handler. */
export function findHandlers(endpoint: Endpoint, context: RewriteContext, all = false): readonly FoundHandler[] | Failed {
  const found = findRoutes(endpoint, context, all);
  return 'reason' in found ? found : [...new Map(found.map((handler) => [handler.start ?? handler.fn, handler])).values()];
}

/** The same, one for each route: to take routes out, each registration counts. */
export function findRoutes(endpoint: Endpoint, context: RewriteContext, all: boolean): readonly FoundHandler[] | Failed {
  const routes = routesOf(endpoint, context.facts).filter((route) => all || dispatches(route, context.facts));
  if (routes.length === 0)
    return fail(
      'no route of this endpoint was found to hand a request to the SDK',
      'Register the handler where the tool can follow it, or add the entry by hand.',
      endpoint.routes,
    );
  const found: FoundHandler[] = [];
  for (const route of routes) {
    const handler = findHandler(endpoint.host, route, context);
    if (handler === undefined)
      return fail('the function behind a route was not found', 'Hand over a function that the tool can follow by its name, or add the entry by hand.', [
        route.site,
      ]);
    found.push(handler);
  }
  return found;
}

function findHandler(host: string, route: FactOf<'route'>, context: RewriteContext): FoundHandler | undefined {
  const has = (path: string): boolean => context.exists(path);
  const registered = context.file('typescript', route.site.file);
  const served = registered === undefined ? undefined : handlersOfHost(host, registered, has).served.find((entry) => isAt(entry, route.site, registered));
  if (registered === undefined || served === undefined) return undefined;
  const value = unwrap(served.handlerNode);
  if (isFunctionNode(value)) return { served, registered, file: registered, fn: value, start: undefined };
  if (ts.isStatement(value) || ts.isCaseClause(value)) {
    const fn = enclosingFunction(value);
    return fn === undefined ? undefined : { served, registered, file: registered, fn, start: value };
  }
  const symbol = served.handler;
  const fact = symbol === undefined ? undefined : factsOf(context.facts, 'function').find((candidate) => keyOf(candidate.symbol) === keyOf(symbol));
  const file = fact === undefined ? undefined : context.file('typescript', fact.site.file);
  const node = file === undefined || fact === undefined ? undefined : nodeAt(file, fact.site.span);
  return file !== undefined && node !== undefined && isFunctionNode(node) ? { served, registered, file, fn: node, start: undefined } : undefined;
}

/** Finds handlers, the place of the entry in each, and the factory. */
export function gatherHandlers(endpoint: Endpoint, context: RewriteContext): HandlerLane | Failed {
  const has = (path: string): boolean => context.exists(path);
  const handlers = findHandlers(endpoint, context);
  if ('reason' in handlers) return handlers;
  const regions: Region[] = [];
  for (const { file, fn, served, start } of handlers) {
    const region = regionOf(fn, file, served.form, has, start);
    if (!region.ok)
      return fail(
        region.why,
        region.next,
        region.nodes.map((node) => file.site(node)),
      );
    if (!regions.some(({ legacy }) => legacy[0] === region.legacy[0])) regions.push(region);
  }
  const [head] = regions;
  if (head === undefined) return fail('the endpoint has no handler', 'Add the entry by hand.', endpoint.routes);
  const { file } = head;
  const strange = regions.find((region) => region.file.path !== file.path);
  if (strange !== undefined)
    return fail('the handlers of this endpoint are in several files', 'Put them into one file.', [file.site(head.fn), strange.file.site(strange.fn)]);
  if (regions.some((region) => region.form !== head.form))
    return fail(
      'the handlers of this endpoint are handed their requests in different ways',
      'Give them one signature.',
      regions.map(({ fn }) => file.site(fn)),
    );
  const first = placeFor(regions, handlers, file);
  if (first === undefined)
    return fail(
      'there is no place that all handlers of this endpoint see',
      'Declare the handlers side by side.',
      regions.map(({ fn }) => file.site(fn)),
    );
  const connects = connectsOf(endpoint, context);
  const server = onePlan(connects, { file, before: first, owner: ownerOf(regions) }, endpoint, context);
  if ('reason' in server) return server;
  return { endpoint, file, served: handlers.map(({ served }) => served), regions, first, connects, server };
}

/** The class that all handlers are methods of. A static method has no object whose field the entry could be. */
function ownerOf(regions: readonly Region[]): ts.ClassLikeDeclaration | undefined {
  const owners = regions.map(({ fn }) =>
    ts.isMethodDeclaration(fn) && (ts.getCombinedModifierFlags(fn) & ts.ModifierFlags.Static) === 0 ? fn.parent : undefined,
  );
  const [owner] = owners;
  return owner !== undefined && ts.isClassLike(owner) && owners.every((other) => other === owner) ? owner : undefined;
}

/** The one way in which all `connect` calls of an endpoint build their server, written for a place. */
export function onePlan(connects: HandlerLane['connects'], place: Place, endpoint: Endpoint, context: RewriteContext): ServerPlan | Failed {
  if (connects.length === 0)
    return fail(
      'the place where the server is connected was not found among what the routes run',
      'Connect the server in the handler, or in a function that the handler calls by name.',
      endpoint.transports,
    );
  const plans = connects.map((item) => planServer(item.call, item.file, place, context.facts, (path) => context.exists(path)));
  const refused = plans.find((plan) => !plan.ok);
  if (refused !== undefined && !refused.ok) return { reason: refused.reason };
  const [server, ...rest] = plans.filter((plan) => plan.ok);
  return server === undefined || rest.some((plan) => plan.expression !== server.expression || plan.moved.length > 0)
    ? fail(
        'the handlers of this endpoint serve servers of different kinds',
        'Give each kind of server its own path.',
        connects.map((item) => item.file.site(item.call)),
      )
    : server;
}

/** `connect` calls among what the routes of an endpoint run. */
export function connectsOf(endpoint: Endpoint, context: RewriteContext): HandlerLane['connects'] {
  const reach = endpointReach(endpoint, context.facts);
  const spans = routesOf(endpoint, context.facts).flatMap(({ site, handlerSpan }) =>
    handlerSpan === undefined ? [] : [{ file: site.file, span: handlerSpan }],
  );
  return factsOf(context.facts, 'connect')
    .filter(
      ({ within, site }) =>
        (within !== undefined && reach.has(keyOf(within))) ||
        spans.some(({ file, span }) => file === site.file && span.start <= site.span.start && site.span.end <= span.end),
    )
    .flatMap(({ site }) => {
      const tree = context.file('typescript', site.file);
      const node = tree === undefined ? undefined : nodeAt(tree, site.span);
      return tree !== undefined && node !== undefined && ts.isCallExpression(node) ? [{ file: tree, call: node }] : [];
    });
}

/** The first statement, in the innermost list around all handlers and their registrations, that holds one of them. */
export function placeFor(regions: readonly Pick<Region, 'fn'>[], handlers: readonly FoundHandler[], file: TypeScriptFile): ts.Statement | undefined {
  const own = handlers.filter((handler) => handler.file.path === file.path).map(({ fn }) => fn);
  const anchors: ts.Node[] = [
    ...regions.map(({ fn }) => own.find((outer) => isWithin(fn, outer)) ?? fn),
    ...handlers.filter(({ registered, start }) => registered.path === file.path && start === undefined).map(({ served }) => served.node),
  ];
  const chains = anchors.map((anchor) => statementsAround(anchor));
  const [chain = []] = chains;
  for (const candidate of chain) {
    const list = candidate.parent;
    const members = chains.map((other) => other.find((statement) => statement.parent === list));
    if (members.some((member) => member === undefined)) continue;
    const statements = members.flatMap((member) => member ?? []).sort((a, b) => a.pos - b.pos);
    return statements[0];
  }
  return undefined;
}

/** Statements around a node, innermost first; a function that is a statement itself counts. */
function statementsAround(node: ts.Node): readonly ts.Statement[] {
  const found: ts.Statement[] = [];
  for (let at = statementOf(node); at !== undefined; at = at.parent.parent === undefined ? undefined : statementOf(at.parent)) found.push(at);
  return found;
}
