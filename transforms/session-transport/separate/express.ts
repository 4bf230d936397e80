import { type Endpoint, type FileChange, type Rewrite, type RewriteContext, modernPathOf } from '../../../src/core/index.js';
import { EXPRESS_ADAPTER, applicationText, fenceOf, newRoute, newRouteImports } from '../../_hosts/express/beside.js';
import { besidePathChecks, namedElsewhere, settledBy } from '../../_hosts/beside/elsewhere.js';
import { announceRoutes } from '../../_hosts/entry/removal.js';
import { pathBeside } from '../../_hosts/beside/path.js';
import { takenBy } from '../../_mcp/collision.js';
import { mergeInsertions } from '../../_mcp/typescript/emit/edits.js';
import { laneMark, removalDate, sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { MODERN_REVISION } from '../../_mcp/vocabulary.js';
import { movedEdits } from '../handlers/insert.js';
import { errorAnswers } from '../../_hosts/express/errors.js';
import { guardsInHandlers } from '../rewrite/guards-in-handlers.js';
import { gatherLane, reasonAt, refuseAt } from '../rewrite/lane.js';
import { corsEdits } from '../rewrite/surroundings.js';

/**
 * Adds the modern endpoint beside the routes of Express, on a path of its own. The old routes stay byte for byte.
 * Precondition: the new path is free, and nothing that the old path alone runs checks requests.
 */
export function addBesideExpress(endpoint: Endpoint, context: RewriteContext): Rewrite {
  const lane = gatherLane(endpoint, context);
  if ('reason' in lane) return { outcome: 'refuse', reason: lane.reason };
  const { file, routes, others, server, first } = lane;
  const main = routes.find(({ verb }) => verb === 'POST') ?? routes.find(({ verb }) => verb === 'ALL' || verb === 'USE');
  if (main === undefined)
    return refuseAt(
      'no route takes POST requests',
      'Add the modern route by hand.',
      file,
      routes.map(({ call }) => call),
    );
  const path = pathBeside(main.pathNode, endpoint.path, (old) => modernPathOf({ transport: 'streamable-http', path: old }) ?? old, file);
  if (path === undefined || applicationText(main, file) === undefined)
    return refuseAt('the path of the route is no literal, so it cannot be told which path is free beside it', 'Add the modern route by hand.', file, [
      main.call,
    ]);
  const front = others.find((other) => (other.verb === 'ALL' || other.verb === 'POST') && other.call.pos < main.call.pos);
  if (front !== undefined)
    return refuseAt(
      `what is registered for ${endpoint.path ?? 'the path'} alone would not run for ${path.full}`,
      'Register it with app.use, which covers everything below the path.',
      file,
      [front.call],
    );
  const collision = takenBy(path.full, endpoint.package, context.facts, context.inventory);
  if (collision !== undefined) return { outcome: 'refuse', reason: collision };
  const checks = guardsInHandlers(lane, context);
  const [check] = checks;
  if (check !== undefined)
    return {
      outcome: 'refuse',
      reason: reasonAt(
        `${check.what}; requests of the new path would pass it by`,
        'Move these statements into middleware in front of the routes.',
        checks.map(({ site }) => site),
      ),
    };
  const named = namedElsewhere(
    { old: endpoint.path ?? '', fresh: path.full },
    endpoint.host,
    [file],
    routes.map(({ call }) => settledBy(call, file)),
    context,
  );
  if (named.length > 0) return { outcome: 'refuse', reason: besidePathChecks(path.full, named) };
  const fence = fenceOf(main, endpoint, path.full, 'session-transport/session-route', file);
  const errors = errorAnswers(lane, context, path.text);
  const cors = corsEdits(lane, (other) => context.exists(other));
  const announced = [{ file, routes }, ...lane.away].map((group) => ({
    file: group.file.path,
    ...announceRoutes(group.routes, group.file, context),
  }));
  const own = announced.filter((group) => group.file === file.path).flatMap(({ edits }) => edits);
  const away = announced.filter((group) => group.file !== file.path && group.edits.length > 0);
  const route = newRoute(
    {
      route: main,
      middleware: main.middleware.map(({ node }) => file.textOf(node)),
      statement: first,
      path: path.text,
      server,
      options: `, { legacy: ${file.quote}reject${file.quote} }`,
      comment: `// MCP ${MODERN_REVISION} is answered on ${path.full}. Clients of 2025-11-25 and earlier keep ${endpoint.path ?? 'the old path'}.`,
      fence,
      behind: errors.lines,
      mark: `// ${laneMark(removalDate(context))}`,
    },
    file,
  );
  return {
    outcome: 'rewrite',
    changes: [
      { kind: 'edit', file: file.path, edits: mergeInsertions([route, ...movedEdits({ file, server }), ...own, ...cors.edits]) },
      ...away.map((group): FileChange => ({ kind: 'edit', file: group.file, edits: group.edits })),
    ],
    needs: [
      ...newRouteImports(server, file),
      ...fence.needs,
      ...errors.needs,
      ...announced.flatMap(({ needs }) => needs),
      ...sdkDependencies(context, endpoint.package, [
        '@modelcontextprotocol/server',
        '@modelcontextprotocol/node',
        ...(fence.needs.length > 0 ? [EXPRESS_ADAPTER] : []),
      ]),
    ],
    todo: fence.todo,
    notes: [
      `${path.full} is new and serves ${MODERN_REVISION} only: tell clients of it. ${endpoint.path ?? 'The old path'} stays as it is.`,
      ...server.notes,
      ...(errors.lines.length > 0 ? ['Malformed bodies and failures on the new path are answered as JSON-RPC errors.'] : []),
      ...cors.notes,
    ],
  };
}
