import { ts } from 'ts-morph';
import type { Need, Rewrite, RewriteContext, TextEdit } from '../../../src/core/index.js';
import { indentOf, insertInFront, linesAt, mergeInsertions } from '../../_mcp/typescript/emit/edits.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { laneMark, removalDate, sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { sunsetOf } from '../../_mcp/typescript/emit/removal.js';
import { announceReturns } from '../../_hosts/entry/removal.js';
import { MODERN_REVISION, SHIM } from '../../_mcp/vocabulary.js';
import { passedTodo } from '../rewrite/guards-in-handlers.js';
import { reasonAt } from '../rewrite/lane.js';
import { shimFor, stateTodo } from '../rewrite/sessionful.js';
import { corsListEdits } from './cors.js';
import { bodyErrors } from '../../_hosts/fastify/body-errors.js';
import { askLines, dialectOf } from '../../_hosts/entry/dialect.js';
import { effectsOf } from './effects.js';
import { asyncEdit, shimGuards } from './entry.js';
import { holderOf, placeInFront } from './holder.js';
import type { HandlerLane } from './lane.js';
import type { Region } from './region.js';

/**
 * Keeps the legacy code byte for byte and asks the modern entry in front of it, in every handler.
 * Precondition: the place where the session code begins is proved, and no check of the request stands behind it.
 */
export function askInHandlers(lane: HandlerLane, context: RewriteContext): Rewrite {
  const { endpoint, file, regions, server, first } = lane;
  const has = (path: string): boolean => context.exists(path);
  const effects = regions.map((region) => ({ region, ...effectsOf(region, has) }));
  const placed = new Set(
    effects.filter(({ region, checks }) => region.inPlace?.only === true || (region.inPlace !== undefined && checks.length > 0)).map(({ region }) => region),
  );
  const inFront = effects.filter(({ region }) => !placed.has(region));
  const checks = inFront.flatMap(({ region, checks }) => checks.map((node) => region.file.site(node)));
  if (checks.length > 0)
    return {
      outcome: 'refuse',
      reason: reasonAt(
        'the legacy handler checks requests between its session code, and modern requests would pass it by',
        'Move these statements in front of the first one that asks for the session.',
        checks,
      ),
    };
  const [head] = regions;
  if (head === undefined) return { outcome: 'refuse', reason: reasonAt('the endpoint has no handler', 'Add the entry by hand.', endpoint.routes) };
  const dialect = dialectOf(head.form);
  const holder = holderOf(lane);
  const answer = freeName('answer', file);
  const around = shimGuards(lane);
  const extras = bodyErrors(lane);
  const mark = `// ${laneMark(removalDate(context))}`;
  const passed = [passedTodo(inFront.flatMap(({ region, passed }) => passed.map((node) => region.file.site(node)))) ?? []].flat();
  const state = endpoint.state.length > 0 ? [stateTodo(endpoint)] : [];
  const outside = [...extras.lines, ...(extras.lines.length > 0 ? [''] : [])];
  const entry = [
    ...around.lines,
    ...server.declaration,
    ...(server.owner !== undefined && server.declaration.length > 0 ? [''] : []),
    ...state.map((what) => `// TODO(unsession) session-transport/session-map: ${what}`),
    ...passed.map((what) => `// TODO(unsession) session-transport/session-route: ${what}`),
    `// MCP ${MODERN_REVISION} is answered by ${holder.reference}(...); what follows it in the handlers serves clients of 2025-11-25 and earlier.`,
    mark,
    `${holder.declared} = dualEra(${server.async ? 'async ' : ''}() => ${server.expression}${around.options});`,
    '',
  ];
  const edits: TextEdit[] =
    holder.before === first
      ? [placeInFront(first, [...outside, ...entry], file, [])]
      : [...(outside.length > 0 ? [placeInFront(first, outside, file, [])] : []), placeInFront(holder.before, entry, file, [])];
  edits.push(...movedEdits(lane));
  // Several routes may hand their requests to the same function.
  const calls = [...new Map([...placed].flatMap((region) => (region.inPlace === undefined ? [] : [[region.inPlace.node, region] as const]))).values()];
  const announced = announceRegions(
    inFront.map(({ region }) => region),
    calls,
    holder.reference,
    context,
  );
  edits.push(...announced.closing);
  for (const region of calls) edits.push(...askInPlace(region, holder.reference));
  for (const { region } of inFront)
    edits.push(...insertInFront(region.legacy, [...askLines(region, holder.reference, answer), mark], file), ...asyncEdit(region));
  edits.push(...announced.opening);
  const cors = corsListEdits(lane, has);
  edits.push(...cors.edits, ...extras.edits);
  const shim = shimFor(file, endpoint.host, context);
  const needs: Need[] = [
    ...server.imports,
    ...extras.needs,
    shim.need.kind === 'shim' ? { ...shim.need, template: dialect.template, model: { ...shim.need.model, ...dialect.model } } : shim.need,
    { kind: 'import', file: file.path, module: shim.path, name: SHIM.exported },
    ...sdkDependencies(context, endpoint.package, ['@modelcontextprotocol/server', ...(dialect.family === 'node' ? ['@modelcontextprotocol/node'] : [])]),
  ];
  return {
    outcome: state.length > 0 ? 'scaffold' : 'rewrite',
    changes: [{ kind: 'edit', file: file.path, edits: mergeInsertions(edits) }],
    needs,
    todo: [...state, ...passed, ...around.todo, ...extras.todo, ...announced.todo],
    notes: [
      `POST ${endpoint.path ?? ''} now serves ${MODERN_REVISION} without a session; clients of earlier revisions keep their sessions.`,
      'GET and DELETE without an Mcp-Session-Id header are answered 405.',
      ...server.notes,
      ...around.notes,
      ...extras.notes,
      ...cors.notes,
    ],
  };
}

/** `(await mcp(request)) ?? (await transport.handleRequest(request))`: what the entry does not answer is the transport's. */
function askInPlace({ file, inPlace }: Region, entry: string): readonly TextEdit[] {
  if (inPlace === undefined) return [];
  const { node, handed } = inPlace;
  return [
    { start: node.getStart(file.tree), end: node.getStart(file.tree), text: `(await ${entry}(${handed})) ?? (` },
    { start: node.end, end: node.end, text: ')' },
  ];
}

/**
 * Web-standard handlers return what the legacy code answers, so that the removal date is added there; a response object of Node has it already.
 * Where the same statements answer other paths too, that is left to the team.
 */
function announceRegions(inFront: readonly Region[], placed: readonly Region[], name: string, context: RewriteContext) {
  const sunset = sunsetOf(context) !== undefined;
  const told = sunset ? inFront.filter(({ form }) => dialectOf(form).family === 'web') : [];
  const returned = told.filter(({ condition }) => condition === undefined).map(({ legacy, file }) => announceReturns(legacy, `${name}.announceRemoval`, file));
  const handed = sunset
    ? placed.flatMap(({ inPlace, file }) => (inPlace === undefined ? [] : [announceReturns([inPlace.node], `await ${name}.announceRemoval`, file)]))
    : [];
  const wrapped = [...returned, ...handed];
  return {
    opening: wrapped.flatMap(({ opening }) => opening),
    closing: wrapped.flatMap(({ closing }) => closing),
    todo:
      returned.length < told.length
        ? [`hand what the legacy code of this path returns through ${name}.announceRemoval(...), which adds Deprecation and Sunset`]
        : [],
  };
}

/** Construction that became a function is called in its old place. */
export function movedEdits({ file, server }: Pick<HandlerLane, 'file' | 'server'>): readonly TextEdit[] {
  const [first, ...rest] = server.moved;
  if (first === undefined || !ts.isStatement(first)) return [];
  const last = rest.at(-1) ?? first;
  return [{ start: first.getStart(file.tree), end: last.end, text: linesAt([server.replacement], indentOf(first, file), file) }];
}
