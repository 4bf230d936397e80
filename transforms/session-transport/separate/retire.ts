import { ts } from 'ts-morph';
import {
  type Endpoint,
  type FileChange,
  type Rewrite,
  type RewriteContext,
  type Site,
  type TextEdit,
  keyOf,
  separateSibling,
} from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { type Registration, registrations } from '../../_hosts/express/index.js';
import { hasHandlers } from '../../_hosts/index.js';
import { receiverOf, statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { findRoutes } from '../handlers/lane.js';
import { endpointReach, routesOf } from '../../_mcp/reach.js';
import { DeadCode } from '../rewrite/dead-code.js';
import { reasonAt } from '../rewrite/lane.js';
import { neighbours } from '../rewrite/neighbours.js';
import { onlyOurs } from '../rewrite/routes.js';
import { branchEdit } from './branch-edit.js';

const refuse = (why: string, next: string, sites: readonly Site[]): Extract<Rewrite, { outcome: 'refuse' }> => ({
  outcome: 'refuse',
  reason: reasonAt(why, next, sites),
});

const BY_HAND = 'Take the old route out by hand.';

/**
 * Does an endpoint keep its URL for old clients beside one that serves modern clients on a path of its own, in the same process? A package may
 * hold several servers: without its old routes, a process that has no modern endpoint would serve nobody.
 */
export function standsBeside(endpoint: Endpoint, context: RewriteContext): boolean {
  if (endpoint.era !== 'legacy') return false;
  if (endpoint.transport !== 'sse' && endpoint.transport !== 'sse-post') return separateSibling(endpoint, context.inventory.endpoints) !== undefined;
  const files = new Set(endpoint.routes.map(({ file }) => file));
  return context.inventory.endpoints.some(
    (other) => other.package === endpoint.package && other.era !== 'legacy' && other.routes.some(({ file }) => files.has(file)),
  );
}

/** One old route: where it is, and the edit that takes it out when it is no statement of its own. */
interface Old {
  readonly file: TypeScriptFile;
  readonly nodes: readonly ts.Node[];
  readonly edit?: TextEdit;
}

/**
 * Takes old routes out that stand beside the modern endpoint, and all that only they used, in every file. Their path is served by nobody then.
 * Precondition: each route is a statement, a method or a branch of its own, and nothing outside of them uses their sessions.
 */
export function retireBeside(endpoint: Endpoint, context: RewriteContext): Rewrite {
  const lane = laneOf(endpoint, context);
  const found: Old[] = [];
  const gone: string[] = [];
  for (const member of lane) {
    if (member.host === 'nextjs') {
      gone.push(...member.routes.map(({ file }) => file));
      continue;
    }
    const routes = hasHandlers(member.host) ? handlerRoutes(member, context) : member.host === 'express' ? expressRoutes(member, context) : undefined;
    if (routes === undefined) return refuse('the routes of the old endpoint are not known', BY_HAND, member.routes);
    if ('outcome' in routes) return routes;
    found.push(...routes);
  }
  const files = [...new Map(found.map(({ file }) => [file.path, file])).values()];
  const around = neighbours(endpoint.package, files, context);
  const fileOf = (key: string): string => key.slice(0, key.lastIndexOf('#'));
  const inLane = new Set([
    ...context.inventory.legacyLane.map(fileOf),
    ...files.map(({ path }) => path),
    ...lane.flatMap((member) => [
      ...[...endpointReach(member, context.facts)].map(fileOf),
      ...[...member.transports, ...member.stores].map(({ file }) => file),
    ]),
  ]);
  const dead = new DeadCode(
    around.filter(({ path }) => inLane.has(path)),
    context,
    around,
    new Set(),
  );
  for (const { file, nodes, edit } of found)
    for (const node of nodes) {
      if (edit === undefined) dead.remove(file, node);
      else dead.replace(file, node);
    }
  dead.settle();
  const leaks = dead.leaks();
  if (leaks.length > 0)
    return refuse('the sessions are used for something else than serving requests', 'Decide what becomes of these uses first, then retire the lane.', leaks);
  const { changes, removedFiles } = dead.changes();
  const own = [
    ...found.flatMap(({ file, edit }) => (edit === undefined ? [] : [{ file: file.path, edit }])),
    ...around.flatMap((file) => promisesIn(file, lane).map((edit) => ({ file: file.path, edit }))),
  ];
  const merged = new Map<string, TextEdit[]>();
  for (const change of changes) if (change.kind === 'edit') merged.set(change.file, [...(merged.get(change.file) ?? []), ...change.edits]);
  for (const { file, edit } of own)
    if (!removedFiles.includes(file))
      merged.set(file, [...(merged.get(file) ?? []).filter((other) => other.end <= edit.start || other.start >= edit.end), edit]);
  const paths = lane.map(({ path }) => path ?? 'the old path').join(', ');
  return {
    outcome: 'rewrite',
    changes: [
      ...[...merged].map(([file, edits]): FileChange => ({ kind: 'edit', file, edits })),
      ...[...new Set([...removedFiles, ...gone])].map((file): FileChange => ({ kind: 'remove', file })),
    ],
    needs: [],
    todo: [],
    notes: [
      `${paths}: served by nobody any longer; clients of earlier revisions that still ask are answered 404.`,
      ...[...removedFiles, ...gone].map((path) => `${path} was only used by the old routes and is removed.`),
    ],
  };
}

/** The part of the comment on a modern entry that says which path old clients keep. */
function promisesIn({ text }: TypeScriptFile, lane: readonly Endpoint[]): readonly TextEdit[] {
  return [...text.matchAll(/(?<=MCP [\d-]+ is answered on \S+\.) Clients of 2025-11-25 and earlier keep (\S+)\./g)]
    .filter(([, path]) => lane.some((member) => member.path === path))
    .map(({ index, 0: { length } }) => ({ start: index, end: index + length, text: '' }));
}

/** A stream of HTTP+SSE and the route that its messages are posted to go together. */
function laneOf(endpoint: Endpoint, context: RewriteContext): readonly Endpoint[] {
  if (endpoint.transport !== 'sse' && endpoint.transport !== 'sse-post') return [endpoint];
  const stores = new Set(endpoint.stores.map(keyOf));
  const files = new Set(endpoint.routes.map(({ file }) => file));
  return context.inventory.endpoints.filter(
    (other) =>
      other.package === endpoint.package &&
      (other.transport === 'sse' || other.transport === 'sse-post') &&
      (other.id === endpoint.id || other.stores.some((store) => stores.has(keyOf(store))) || other.routes.some(({ file }) => files.has(file))),
  );
}

function expressRoutes(endpoint: Endpoint, context: RewriteContext): readonly Old[] | Extract<Rewrite, { outcome: 'refuse' }> {
  const found: { readonly file: TypeScriptFile; readonly route: Registration }[] = [];
  for (const { site } of routesOf(endpoint, context.facts)) {
    const file = context.file('typescript', site.file);
    const route =
      file &&
      registrations(file, (path) => context.exists(path)).find(({ call }) => call.getStart(file.tree) === site.span.start && call.end === site.span.end);
    if (file === undefined || route === undefined) return refuse('a route of the old endpoint was not found again', BY_HAND, [site]);
    if (!found.some((other) => other.route === route)) found.push({ file, route });
  }
  const all = found.map(({ route }) => route);
  const old: Old[] = [];
  for (const { file, route } of found) {
    const statement = statementOf(route.call);
    if (statement === undefined || !onlyOurs(statement, all, route) || route.paths.length !== 1)
      return refuse('the statement that registers a route does something else too', 'Register the route in a statement of its own.', [file.site(route.call)]);
    old.push({ file, nodes: [statement] });
  }
  return old;
}

function handlerRoutes(endpoint: Endpoint, context: RewriteContext): readonly Old[] | Extract<Rewrite, { outcome: 'refuse' }> {
  const handlers = findRoutes(endpoint, context, true);
  if ('reason' in handlers) return { outcome: 'refuse', reason: handlers.reason };
  const old: Old[] = [];
  for (const { registered: file, served } of handlers) {
    const { node } = served;
    if (ts.isMethodDeclaration(node)) {
      old.push({ file, nodes: [node] });
      continue;
    }
    const statement = statementOf(node);
    if (served.pathNode !== undefined && statement !== undefined && ts.isExpressionStatement(statement) && unwrap(statement.expression) === node) {
      old.push({ file, nodes: [statement] });
      continue;
    }
    const link = served.form === 'elysia' && ts.isCallExpression(node) ? receiverOf(node) : undefined;
    if (link !== undefined && ts.isCallExpression(node)) {
      old.push({ file, nodes: [...node.arguments], edit: { start: link.end, end: node.end, text: '' } });
      continue;
    }
    const branches = served.pathNode === undefined && served.path !== undefined ? branchEdit(served, file) : undefined;
    if (branches === undefined)
      return refuse('the old route is mixed with other ones', 'Give it a statement or a branch of its own, or take it out by hand.', [file.site(node)]);
    old.push(
      ...branches
        .filter((branch) => !old.some((other) => other.nodes.includes(branch.node)))
        .map(({ node: part, ...branch }) => ({ file, nodes: [part], ...branch })),
    );
  }
  return old;
}
