import { ts } from 'ts-morph';
import type { FileChange, Need, Rewrite, RewriteContext, TextEdit } from '../../../src/core/index.js';
import { type Declaration, type TypeScriptFile, eachNode, enclosingFunction } from '../../../src/languages/typescript/index.js';
import type { Registration } from '../../_hosts/express/index.js';
import { isFunctionNode, isWithin, statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';
import { MODERN_REVISION } from '../../_mcp/vocabulary.js';
import { isLogCall } from '../handler-syntax.js';
import { machineryOf } from '../machinery.js';
import { middlewareText } from '../middleware.js';
import { type HandlerShape, shapeOf } from '../obstacles.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { DeadCode } from './dead-code.js';
import { indentOf, linesAt } from '../../_mcp/typescript/emit/edits.js';
import { type Lane, reasonAt } from './lane.js';
import { sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { LOOPBACK_ORIGINS, corsEdits, guards } from './surroundings.js';

type Refusal = Extract<Rewrite, { outcome: 'refuse' }>;

const refuse = (why: string, next: string, file: TypeScriptFile, nodes: readonly ts.Node[]): Refusal => ({
  outcome: 'refuse',
  reason: reasonAt(
    why,
    next,
    nodes.map((node) => file.site(node)),
  ),
});

/**
 * Replaces the whole legacy stack of a lane by one entry that serves both eras per request.
 * Precondition: the handlers do nothing but keep sessions going, apart from leading statements that become middleware and logs of a
 * `catch` that become `onerror`; the stores have no other use.
 */
export function replaceLane(lane: Lane, context: RewriteContext): Rewrite {
  const { file, routes, others, server, endpoint } = lane;
  const has = (path: string): boolean => context.exists(path);
  const handlers = handlersOf(lane);
  if (!Array.isArray(handlers)) return handlers;
  const whole = [...routes, ...stubs(others, file)];
  const statements = whole.map(({ call }) => statementOf(call));
  const mixed = whole.find((route, index) => !onlyOurs(statements[index], whole, route));
  if (mixed !== undefined)
    return refuse('the statement that registers the route does something else too', 'Register the route in a statement of its own.', file, [mixed.call]);
  const preflight = others.find(({ verb }) => verb === 'OPTIONS');
  if (preflight !== undefined)
    return refuse(
      'the path has an OPTIONS route of its own, which the entry would hide',
      'Answer preflight requests with middleware in front of the path.',
      file,
      [preflight.call],
    );

  const main = routes.find(({ verb }) => verb === 'POST') ?? routes.find(({ verb }) => verb === 'ALL' || verb === 'USE') ?? routes[0];
  const shape = main === undefined ? undefined : handlers.find(({ route }) => route === main)?.shape;
  if (main === undefined || shape === undefined)
    return refuse(
      'no route takes POST requests',
      'Add the entry by hand.',
      file,
      routes.map(({ call }) => call),
    );
  const machinery = machineryOf(file, has);
  for (const { shape: other } of handlers) {
    const effects = other.leading.filter((statement) => other !== shape && machinery.roleOf(statement) === 'effect');
    if (other.stray.length > 0)
      return refuse(
        'the handler does more than serve sessions, in the middle of it',
        'Move these statements into middleware in front of the route, or keep the handler with --legacy sessionful.',
        file,
        other.stray,
      );
    if (effects.length > 0) return refuse('the handlers of one path start differently', 'Give them one middleware.', file, effects);
  }
  const front = middlewareText(shape, file);
  if (front === undefined)
    return refuse('what the handler does first cannot stand alone', 'Move these statements into middleware in front of the route.', file, shape.leading);

  const around = guards(lane, context);
  const cors = corsEdits(lane, has);
  const name = freeName('node', file);
  const options = errorOption(shape, file);
  const factory = `${server.async ? 'async ' : ''}() => ${server.expression}`;
  const path = main.pathNode === undefined ? `${file.quote}/${file.quote}` : file.textOf(main.pathNode);
  const receiver = receiverText(main, file);
  const pages = around.ownOrigins === true ? freeName('webPages', file) : undefined;
  // Requests without the header are of an earlier revision, whose clients keep what they had.
  const pagesOnly =
    pages === undefined
      ? []
      : [
          `(req, res, next) => ((req.get(${file.quote}mcp-protocol-version${file.quote}) ?? ${file.quote}${file.quote}) < ${file.quote}2026${file.quote} ? next() : ${pages}(req, res, next))`,
        ];
  const middle = [...pagesOnly, ...main.middleware.map(({ node }) => file.textOf(node)), ...(front === '' ? [] : [front])].map((text) => `${text}, `).join('');
  const entry = [
    ...around.lines,
    ...server.declaration,
    ...(server.declaration.length > 0 ? [''] : []),
    ...(pages === undefined ? [] : [`const ${pages} = originValidation([${LOOPBACK_ORIGINS.map((host) => file.quote + host + file.quote).join(', ')}]);`]),
    `const ${name} = toNodeHandler(createMcpHandler(${factory}${options.text === '' ? '' : `, { ${options.text} }`}));`,
    `${receiver}.all(${path}, ${middle}(req, res) => void ${name}(req, res, req.body));`,
  ];

  const dead = new DeadCode(laneFiles(lane), context, neighbours(lane, context), keptDeclarations(lane));
  for (const statement of statements) if (statement !== undefined) dead.remove(file, statement);
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
  const own = changes
    .flatMap((change) => (change.kind === 'edit' && change.file === file.path ? change.edits : []))
    .filter((edit) => !(edit.start <= replaced.start && edit.end >= replaced.end));
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
      `${endpoint.path ?? 'The endpoint'} serves ${MODERN_REVISION} and earlier revisions per request, without sessions.`,
      ...(minted ? ['No Mcp-Session-Id is issued any longer; a client that still sends one is served.'] : []),
      'GET and DELETE are answered 405; clients of earlier revisions always get an event stream as answer to a POST.',
      ...removedFiles.map((removed) => `${removed} was only used by the sessions and is removed.`),
      ...server.notes,
      ...options.notes,
      ...around.notes,
      ...cors.notes,
    ],
  };
}

interface Handler {
  readonly route: Registration;
  readonly shape: HandlerShape;
}

/** The handler functions, which must be in the file of the routes. */
function handlersOf(lane: Lane): Handler[] | Refusal {
  const { file, routes } = lane;
  const machinery = machineryOf(file, () => true);
  const handlers: Handler[] = [];
  for (const route of routes) {
    const node = route.handler === undefined ? undefined : unwrap(route.handler.node);
    const fn = node === undefined ? undefined : isFunctionNode(node) ? node : ts.isIdentifier(node) ? localFunction(node, file) : undefined;
    if (fn === undefined)
      return refuse('the handler is not a function of this file', 'Keep it with --legacy sessionful, or replace it by hand.', file, [route.call]);
    handlers.push({ route, shape: shapeOf(fn, machinery) });
  }
  return handlers;
}

/** Routes of the same path that only say that a method is not allowed. */
const stubs = (others: readonly Registration[], file: TypeScriptFile): readonly Registration[] =>
  others.filter(({ verb, handler }) => {
    if ((verb !== 'GET' && verb !== 'DELETE' && verb !== 'ALL') || handler === undefined) return false;
    const node = unwrap(handler.node);
    const fn = isFunctionNode(node) ? node : ts.isIdentifier(node) ? localFunction(node, file) : undefined;
    return fn !== undefined && /\b405\b/.test(fn.getText(file.tree)) && sessionCode(file).dispatches.every((call) => enclosingFunction(call) !== fn);
  });

/** Is a statement an expression whose registrations are all of the lane? */
export function onlyOurs(statement: ts.Statement | undefined, ours: readonly Registration[], route: Registration): boolean {
  if (statement === undefined || !ts.isExpressionStatement(statement)) return false;
  let node: ts.Node = unwrap(statement.expression);
  for (let steps = 0; ts.isCallExpression(node) && steps < 50; steps++) {
    const call: ts.CallExpression = node;
    const callee = unwrap(call.expression);
    if (!ts.isPropertyAccessExpression(callee)) return false;
    if (callee.name.text === 'route') return true;
    if (!ours.some((own) => own.call === call)) return false;
    node = unwrap(callee.expression);
  }
  return isWithin(route.call, statement) && !ts.isCallExpression(node);
}

/** The application that the route is registered on, as written. */
export function receiverText(route: Registration, file: TypeScriptFile): string {
  let node: ts.Node = unwrap(route.call);
  while (ts.isCallExpression(node)) node = unwrap((unwrap(node.expression) as ts.PropertyAccessExpression).expression);
  return file.textOf(node);
}

/** Logs of the `catch` around the handler as `onerror`; what the entry answers itself is dropped. */
function errorOption(shape: HandlerShape, file: TypeScriptFile): { readonly text: string; readonly notes: readonly string[] } {
  const clause = shape.caught;
  const variable = clause?.variableDeclaration?.name;
  if (clause === undefined || variable === undefined || !ts.isIdentifier(variable)) return { text: '', notes: [] };
  const logs: string[] = [];
  let lost = false;
  eachNode(clause.block, (node) => {
    if (!ts.isCallExpression(node) || !isLogCall(node)) return undefined;
    const free = shape.fn.parameters.some(({ name }) => ts.isIdentifier(name) && new RegExp(`\\b${name.text}\\b`).test(file.textOf(node)));
    if (free) lost = true;
    else logs.push(file.textOf(node));
    return false;
  });
  const notes = lost ? ['A log of the old error branch named the request and is dropped.'] : [];
  const [only] = logs;
  if (only === undefined) return { text: '', notes };
  return {
    text: logs.length === 1 ? `onerror: (${variable.text}) => ${only}` : `onerror: (${variable.text}) => { ${logs.map((log) => `${log};`).join(' ')} }`,
    notes,
  };
}

/** Files that hold a part of the lane. */
function laneFiles(lane: Lane): readonly TypeScriptFile[] {
  return [...new Map([lane.file, ...lane.connects.map(({ file }) => file)].map((file) => [file.path, file])).values()];
}

function neighbours(lane: Lane, context: RewriteContext): readonly TypeScriptFile[] {
  const paths = new Set([...context.filesOf(lane.endpoint.package), ...laneFiles(lane).map(({ path }) => path)]);
  const known = new Map(laneFiles(lane).map((file) => [file.path, file]));
  return [...paths].flatMap((path) => known.get(path) ?? context.file('typescript', path) ?? []);
}

/** Declarations that the factory expression of the new entry names. */
function keptDeclarations(lane: Lane): ReadonlySet<Declaration> {
  const kept = new Set<Declaration>();
  for (const { file, call } of lane.connects) {
    const names = new Set([lane.server.expression, ...lane.server.declaration].join('\n').match(/[A-Za-z_$][\w$]*/g) ?? []);
    for (const declaration of file.bindings.declarations) {
      if (!names.has(declaration.name) || declaration === lane.server.shared) continue;
      if (isWithin(call, declaration.scope.node) && !lane.server.moved.some((statement) => isWithin(declaration.node, statement))) kept.add(declaration);
    }
  }
  return kept;
}
