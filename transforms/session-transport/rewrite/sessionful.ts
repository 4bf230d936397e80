import type { Endpoint, FileChange, Need, Rewrite, RewriteContext, Site, TextEdit } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { MODERN_REVISION, SHIM } from '../../_mcp/vocabulary.js';
import { statementOf } from '../../_mcp/typescript/nodes.js';
import { guardsInHandlers, passedByHandlers, passedTodo } from './guards-in-handlers.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { insertBefore, linesAt, indentOf } from '../../_mcp/typescript/emit/edits.js';
import { type Lane, type RouteGroup, reasonAt } from './lane.js';
import { laneMark, removalDate, sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { DEPRECATION, sunsetOf } from '../../_mcp/typescript/emit/removal.js';
import { errorAnswers } from '../../_hosts/express/errors.js';
import { shimPlace } from '../../_mcp/typescript/emit/shim-place.js';
import { corsEdits, guards } from './surroundings.js';
import { LOOPBACK_ORIGINS } from '../../_hosts/entry/guards.js';

/**
 * Keeps the legacy stack byte for byte inside of `mcp(…)` and puts the modern entry in front of it.
 * Precondition: the factory is known and no check of the handlers would be passed by.
 */
export function wrapLane(lane: Lane, context: RewriteContext): Rewrite {
  const { file, routes, server, endpoint } = lane;
  const has = (path: string): boolean => context.exists(path);
  const checks = guardsInHandlers(lane, context);
  const [first] = checks;
  if (first !== undefined) {
    return {
      outcome: 'refuse',
      reason: reasonAt(
        `${first.what}; modern requests would pass it by`,
        'Move these statements into middleware in front of the route.',
        checks.map(({ site }) => site),
      ),
    };
  }
  const date = removalDate(context);
  const state = endpoint.state.length > 0 ? [stateTodo(endpoint)] : [];
  const passed = [passedTodo(passedByHandlers(lane, context)) ?? []].flat();
  const around = guards(lane, context);
  const cors = corsEdits(lane, has);
  const errors = errorAnswers(lane, context);
  const changes: FileChange[] = [];
  const needs: Need[] = [...sdkDependencies(context, endpoint.package, ['@modelcontextprotocol/server', '@modelcontextprotocol/node']), ...around.needs];
  const origins = around.ownOrigins === true;
  const groups: readonly RouteGroup[] = [{ file, routes, first: lane.first, server }, ...lane.away];
  for (const group of groups) {
    const main = group.first === lane.first;
    const name = freeName('mcp', group.file);
    const shim = shimFor(group.file, endpoint.host, context);
    const entry = [
      ...(main ? around.lines : []),
      ...group.server.declaration,
      ...(main ? state.map((what) => `// TODO(unsession) session-transport/session-map: ${what}`) : []),
      ...(main ? passed.map((what) => `// TODO(unsession) session-transport/session-route: ${what}`) : []),
      `// MCP ${MODERN_REVISION} is answered here; what is inside of ${name}(...) serves clients of 2025-11-25 and earlier.`,
      `// ${laneMark(date)}`,
      `const ${name} = dualEra(${group.server.async ? 'async ' : ''}() => ${group.server.expression}${origins ? `, { allowedOrigins: [${LOOPBACK_ORIGINS.map((host) => group.file.quote + host + group.file.quote).join(', ')}] }` : ''});`,
      '',
    ];
    changes.push({
      kind: 'edit',
      file: group.file.path,
      edits: [
        insertBefore(group.first, entry, group.file),
        ...wrapEdits(group, name),
        ...movedEdits(group),
        ...(main ? [...cors.edits, ...errorEdits(group, errors.lines)] : []),
      ],
    });
    needs.push(...group.server.imports, shim.need, ...(main ? errors.needs : []), {
      kind: 'import',
      file: group.file.path,
      module: shim.path,
      name: SHIM.exported,
    });
  }
  return {
    outcome: state.length > 0 ? 'scaffold' : 'rewrite',
    changes,
    needs,
    todo: [...state, ...passed, ...around.todo],
    notes: [
      `POST ${endpoint.path ?? ''} now serves ${MODERN_REVISION} without a session; clients of earlier revisions keep their sessions.`,
      'GET and DELETE without an Mcp-Session-Id header are answered 405.',
      ...server.notes,
      ...around.notes,
      ...errors.notes,
      ...cors.notes,
    ],
  };
}

/** Lines behind the last route. */
function errorEdits({ file, routes, first }: RouteGroup, lines: readonly string[]): readonly TextEdit[] {
  const last = statementOf(routes.at(-1)?.call ?? first) ?? first;
  return lines.length === 0 ? [] : [{ start: last.end, end: last.end, text: linesAt(['', ...lines], indentOf(last, file), file) }];
}

/** `mcp(` and `)` around each handler. */
function wrapEdits({ file, routes }: RouteGroup, name: string): readonly TextEdit[] {
  return routes.flatMap(({ handler }) => {
    if (handler === undefined) return [];
    const start = handler.node.getStart(file.tree);
    return [
      { start, end: start, text: `${name}(` },
      { start: handler.node.end, end: handler.node.end, text: ')' },
    ];
  });
}

/** What happens to state that was kept apart by sessions, once requests without a session reach it. */
export function stateTodo(endpoint: Endpoint): string {
  const places = [...new Set(endpoint.state.map(({ file, line }) => `${file}:${String(line)}`))].slice(0, 5).join(', ');
  return `state that a session kept apart (${places}) is lost for modern callers or shared by all of them: key it by a handle that is bound to the caller`;
}

/** Why the modern lane is not opened in front of state that is looked up by the session id. */
export const sharedState = ({ file, line }: Site): string =>
  `State is looked up by the session id (${file}:${String(line)}); modern requests have none, so all callers would share one entry. Key it by a handle that is bound to the caller first.`;

/** Construction that became a function is called in its old place. */
function movedEdits({ file, server }: RouteGroup): readonly TextEdit[] {
  const [first, ...rest] = server.moved;
  if (first === undefined) return [];
  const last = rest.at(-1) ?? first;
  return [{ start: first.getStart(file.tree), end: last.end, text: linesAt([server.replacement], indentOf(first, file), file) }];
}

interface Shim {
  readonly path: string;
  readonly need: Need;
}

/** The shim beside the file that uses it, in the language and module system of that file. */
export function shimFor(file: TypeScriptFile, host: string, context: RewriteContext): Shim {
  const { path, typescript, commonjs } = shimPlace(file, stemFor(file, host, context));
  const { owner } = context.options;
  return {
    path,
    need: {
      kind: 'shim',
      template: SHIM.template,
      path,
      model: {
        typescript,
        commonjs,
        laneMark: laneMark(removalDate(context)),
        owner: oneLine(owner ?? ''),
        maxBodyBytes: '1024 * 1024',
        deprecation: DEPRECATION,
        sunsetHttpDate: sunsetOf(context) ?? '',
      },
    },
  };
}

/** The first host of a folder (Express, if it is there) has the plain name: each host asks in words of its own, so two cannot share a shim. */
function stemFor(file: TypeScriptFile, host: string, context: RewriteContext): string {
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
  const rank = (id: string): string => (id === 'express' ? '' : id);
  const hosts = context.inventory.endpoints
    .filter(({ transport, routes }) => transport === 'streamable-http' && routes.some((site) => folderOf(site.file) === folderOf(file.path)))
    .map((endpoint) => endpoint.host);
  const [first = host] = [...hosts].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return first === host ? SHIM.stem : `${SHIM.stem}-${host}`;
}

/** Text of a user that goes into a comment: one line, nothing that could end it. */
const oneLine = (text: string): string => text.replace(/[^\x20-\x7e\u00a0-\uffff]|[\u2028\u2029]/g, ' ').trim();
