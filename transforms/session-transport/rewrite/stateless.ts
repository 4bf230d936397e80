import type { FileChange, Need, Rewrite, RewriteContext, TextEdit } from '../../../src/core/index.js';
import { type Declaration, type TypeScriptFile, moduleRequests, resolveSpecifier } from '../../../src/languages/typescript/index.js';
import { isWithin, statementOf } from '../../_mcp/typescript/nodes.js';
import { MODERN_REVISION } from '../../_mcp/vocabulary.js';
import { machineryOf } from '../machinery.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { DeadCode } from './dead-code.js';
import { indentOf, linesAt } from '../../_mcp/typescript/emit/edits.js';
import { neighbours } from './neighbours.js';
import { type Handler, errorOption, handlersOf, middlewareFor } from './handlers.js';
import { type Lane, reasonAt, refuseAt } from './lane.js';
import { sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { errorAnswers } from '../../_hosts/express/errors.js';
import { onlyOurs, receiverText, stubs } from './routes.js';
import { corsEdits, guards } from './surroundings.js';
import { LOOPBACK_ORIGINS } from '../../_hosts/entry/guards.js';

/**
 * Replaces the whole legacy stack of a lane by one entry that serves both eras per request.
 * Precondition: the handlers do nothing but keep sessions going, apart from leading statements that become middleware and logs of a
 * `catch` that become `onerror`; the stores have no other use.
 */
export function replaceLane(lane: Lane, context: RewriteContext, serves: 'both' | 'modern' = 'both'): Rewrite {
  const { file, routes, others, server, endpoint } = lane;
  const has = (path: string): boolean => context.exists(path);
  const handlers = handlersOf(lane, context);
  if (!Array.isArray(handlers)) return handlers;
  const whole = [...routes, ...stubs(others, file)];
  const statements = whole.map(({ call }) => statementOf(call));
  const mixed = whole.find((route, index) => !onlyOurs(statements[index], whole, route));
  if (mixed !== undefined)
    return refuseAt('the statement that registers the route does something else too', 'Register the route in a statement of its own.', file, [mixed.call]);
  for (const group of lane.away) {
    const stray = group.routes.find((route) => ['POST', 'ALL', 'USE'].includes(route.verb) || !onlyOurs(statementOf(route.call), group.routes, route));
    if (stray !== undefined) return refuseAt('the path takes requests in several places', 'Register its routes side by side.', group.file, [stray.call]);
  }
  const preflight = others.find(({ verb }) => verb === 'OPTIONS');
  if (preflight !== undefined)
    return refuseAt(
      'the path has an OPTIONS route of its own, which the entry would hide',
      'Answer preflight requests with middleware in front of the path.',
      file,
      [preflight.call],
    );

  const main = routes.find(({ verb }) => verb === 'POST') ?? routes.find(({ verb }) => verb === 'ALL' || verb === 'USE') ?? routes[0];
  const handler = main === undefined ? undefined : handlers.find(({ route }) => route === main);
  if (main === undefined || handler === undefined)
    return refuseAt(
      'no route takes POST requests',
      'Add the entry by hand.',
      file,
      routes.map(({ call }) => call),
    );
  const { shape, code } = handler;
  for (const { shape: other, code: theirs } of handlers) {
    const machinery = machineryOf(theirs.file, has);
    const effects = other.leading.filter((statement) => other !== shape && machinery.roleOf(statement) === 'effect');
    if (other.stray.length > 0)
      return refuseAt(
        'the handler does more than serve sessions, in the middle of it',
        'Move these statements into middleware in front of the route, or keep the handler with --legacy sessionful.',
        theirs.file,
        other.stray,
      );
    if (effects.length > 0) return refuseAt('the handlers of one path start differently', 'Give them one middleware.', theirs.file, effects);
  }
  const front = middlewareFor(handler, lane);
  if (front === undefined)
    return refuseAt('what the handler does first cannot stand alone', 'Move these statements into middleware in front of the route.', code.file, shape.leading);

  const around = guards(lane, context);
  const cors = corsEdits(lane, has);
  const name = freeName('node', file);
  const logs = errorOption(handler, lane);
  const options = [...(serves === 'modern' ? [`legacy: ${file.quote}reject${file.quote}`] : []), ...(logs.text === '' ? [] : [logs.text])].join(', ');
  const errors = errorAnswers(lane, context);
  const factory = `${server.async ? 'async ' : ''}() => ${server.expression}`;
  const path = main.pathNode === undefined ? `${file.quote}/${file.quote}` : file.textOf(main.pathNode);
  const receiver = receiverText(main, file);
  const pages = around.ownOrigins === true ? freeName('webPages', file) : undefined;
  // Requests without the header are of an earlier revision, whose clients keep what they had.
  const pagesOnly =
    pages === undefined
      ? []
      : serves === 'modern'
        ? [pages]
        : [
            `(req, res, next) => ((req.get(${file.quote}mcp-protocol-version${file.quote}) ?? ${file.quote}${file.quote}) < ${file.quote}2026${file.quote} ? next() : ${pages}(req, res, next))`,
          ];
  const middle = [...pagesOnly, ...main.middleware.map(({ node }) => file.textOf(node)), ...(front === '' ? [] : [front])].map((text) => `${text}, `).join('');
  const entry = [
    ...around.lines,
    ...server.declaration,
    ...(server.declaration.length > 0 ? [''] : []),
    ...(pages === undefined ? [] : [`const ${pages} = originValidation([${LOOPBACK_ORIGINS.map((host) => file.quote + host + file.quote).join(', ')}]);`]),
    `const ${name} = toNodeHandler(createMcpHandler(${factory}${options === '' ? '' : `, { ${options} }`}));`,
    `${receiver}.all(${path}, ${middle}(req, res) => void ${name}(req, res, req.body));`,
    ...errors.lines,
  ];

  const parts = laneFiles(lane, handlers, (path) => context.file('typescript', path));
  const files = withBarrels(parts, neighbours(endpoint.package, parts, context), has);
  const dead = new DeadCode(files, context, neighbours(endpoint.package, files, context), keptDeclarations(lane, [middle, receiver, path]));
  for (const statement of statements) if (statement !== undefined) dead.remove(file, statement);
  dead.replace(file, lane.first);
  for (const group of lane.away) for (const route of group.routes) dead.remove(group.file, statementOf(route.call) ?? route.call);
  for (const statement of server.moved) dead.remove(file, statement);
  dead.settle();
  const leaks = dead.leaks();
  if (leaks.length > 0)
    return {
      outcome: 'refuse',
      reason: reasonAt(
        'the sessions are used for something else than serving requests',
        'Decide what becomes of these uses first, or keep the sessions with --legacy sessionful.',
        leaks,
      ),
    };

  const { changes, removedFiles } = dead.changes();
  const first = lane.first;
  const replaced: TextEdit = { start: first.getStart(file.tree), end: first.end, text: linesAt(entry, indentOf(first, file), file) };
  const own = changes.flatMap((change) => (change.kind === 'edit' && change.file === file.path ? change.edits : []));
  const result: FileChange[] = [
    { kind: 'edit', file: file.path, edits: [replaced, ...own, ...cors.edits] },
    ...changes.filter((change) => change.file !== file.path),
  ];
  const needs: Need[] = [
    ...server.imports,
    { kind: 'import', file: file.path, module: '@modelcontextprotocol/node', name: 'toNodeHandler' },
    { kind: 'import', file: file.path, module: '@modelcontextprotocol/server', name: 'createMcpHandler' },
    ...sdkDependencies(context, endpoint.package, ['@modelcontextprotocol/server', '@modelcontextprotocol/node']),
    ...around.needs,
    ...errors.needs,
    ...(pages === undefined
      ? []
      : [
          { kind: 'import', file: file.path, module: '@modelcontextprotocol/express', name: 'originValidation' } as const,
          ...sdkDependencies(context, endpoint.package, ['@modelcontextprotocol/express']),
        ]),
  ];
  const minted = endpoint.sessions === 'minted';
  return {
    outcome: 'rewrite',
    changes: result,
    needs,
    todo: around.todo,
    notes: [
      ...(serves === 'modern'
        ? [
            `${endpoint.path ?? 'The endpoint'} serves ${MODERN_REVISION} only: \`initialize\` of earlier revisions is answered with an error that names the versions.`,
            'GET and DELETE are answered 405.',
          ]
        : [
            `${endpoint.path ?? 'The endpoint'} serves ${MODERN_REVISION} and earlier revisions per request, without sessions.`,
            ...(minted ? ['No Mcp-Session-Id is issued any longer; a client that still sends one is served.'] : []),
            'GET and DELETE are answered 405; clients of earlier revisions always get an event stream as answer to a POST.',
          ]),
      ...removedFiles.map((removed) => `${removed} was only used by the sessions and is removed.`),
      ...server.notes,
      ...logs.notes,
      ...errors.notes,
      ...around.notes,
      ...cors.notes,
    ],
  };
}

/** Files that hold a part of the lane: routes, handlers, what connects. */
function laneFiles(lane: Lane, handlers: readonly Handler[], open: (path: string) => TypeScriptFile | undefined): readonly TypeScriptFile[] {
  const stores = lane.endpoint.stores.flatMap((store) => open(store.file) ?? []);
  const all = [lane.file, ...lane.away.map(({ file }) => file), ...handlers.map(({ code }) => code.file), ...lane.connects.map(({ file }) => file), ...stores];
  return [...new Map(all.map((file) => [file.path, file])).values()];
}

/** Files that only hand on what the files of the lane export join it. */
function withBarrels(files: readonly TypeScriptFile[], others: readonly TypeScriptFile[], has: (path: string) => boolean): readonly TypeScriptFile[] {
  const own = new Set(files.map(({ path }) => path));
  const barrels = others.filter(
    (other) =>
      !own.has(other.path) &&
      moduleRequests(other).some(({ form, specifier }) => form === 'reexport' && own.has(resolveSpecifier(other.path, specifier, has) ?? '')),
  );
  return [...files, ...barrels];
}

const namesIn = (texts: readonly string[]): ReadonlySet<string> => new Set(texts.join('\n').match(/[A-Za-z_$][\w$]*/g) ?? []);

/** Declarations that the new entry names: its factory, the middleware of its route. */
function keptDeclarations(lane: Lane, route: readonly string[]): ReadonlySet<Declaration> {
  const named = namesIn(route);
  const kept = new Set(lane.file.bindings.declarations.filter(({ name, scope }) => named.has(name) && isWithin(lane.first, scope.node)));
  for (const { file, call } of lane.connects) {
    const names = namesIn([lane.server.expression, ...lane.server.declaration]);
    for (const declaration of file.bindings.declarations) {
      if (!names.has(declaration.name) || declaration === lane.server.shared) continue;
      if (isWithin(call, declaration.scope.node) && !lane.server.moved.some((statement) => isWithin(declaration.node, statement))) kept.add(declaration);
    }
  }
  return kept;
}
