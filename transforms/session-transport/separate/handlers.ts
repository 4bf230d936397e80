import {
  type Endpoint,
  type FileChange,
  type Need,
  type Rewrite,
  type RewriteContext,
  type Site,
  type TextEdit,
  applyEdits,
  modernPathOf,
} from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { besidePathChecks, namedElsewhere, settledBy } from '../../_hosts/beside/elsewhere.js';
import { besideOf, localToFile } from '../../_hosts/beside/index.js';
import { type EntryPlace, dialectOf, serveLines } from '../../_hosts/entry/dialect.js';
import { plainGuards } from '../../_hosts/entry/guards.js';
import { type FileEdits, announceInCode, codeOf } from '../../_hosts/entry/removal.js';
import { takenBy } from '../../_mcp/collision.js';
import { mergeInsertions } from '../../_mcp/typescript/emit/edits.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { laneMark, removalDate, sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { MODERN_REVISION } from '../../_mcp/vocabulary.js';
import { bodyBefore } from '../../_hosts/entry/body.js';
import { corsListEdits } from '../handlers/cors.js';
import { bodyErrorHandler } from '../../_hosts/fastify/body-errors.js';
import { movedEdits } from '../handlers/insert.js';
import { connectsOf, findHandlers, onePlan } from '../handlers/lane.js';
import { reasonAt } from '../rewrite/lane.js';
import { checksPassed, modernBeside } from './beside.js';

type Refusal = Extract<Rewrite, { outcome: 'refuse' }>;

const refuse = (why: string, next: string, sites: readonly Site[]): Refusal => ({ outcome: 'refuse', reason: reasonAt(why, next, sites) });

/**
 * Adds the modern endpoint beside the handlers of a path, on a path of its own. The old code stays byte for byte.
 * Precondition: the new path is free, and nothing that the old path alone runs checks requests.
 */
export function addBesideHandlers(endpoint: Endpoint, context: RewriteContext): Rewrite {
  const has = (path: string): boolean => context.exists(path);
  const handlers = findHandlers(endpoint, context);
  if ('reason' in handlers) return { outcome: 'refuse', reason: handlers.reason };
  const [head] = handlers;
  const wanted = modernPathOf(endpoint);
  if (head === undefined || wanted === undefined)
    return refuse('the path of the endpoint is not known, so it cannot be told which one is free beside it', 'Add the modern route by hand.', endpoint.routes);
  const file = head.registered;
  const elsewhere = handlers.find(({ registered }) => registered.path !== file.path);
  if (elsewhere !== undefined)
    return refuse('the routes of this endpoint are registered in several files', 'Register them side by side.', [
      elsewhere.registered.site(elsewhere.served.node),
    ]);
  const beside = besideOf(
    endpoint.host,
    handlers.map(({ served }) => served),
    file,
    modernBeside,
    has,
  );
  if (!beside.ok) return { outcome: 'refuse', reason: beside.reason };
  const collision = takenBy(beside.path, endpoint.package, context.facts, context.inventory);
  if (collision !== undefined) return { outcome: 'refuse', reason: collision };
  const checks = handlers.flatMap((handler) => checksPassed(handler, beside, has).map((node) => handler.file.site(node)));
  if (checks.length > 0)
    return refuse(
      'the old handler checks requests itself, and requests of the new path would pass it by',
      'Move the checks in front of the route, so that both paths run them.',
      checks,
    );
  const settled = [
    ...[...beside.repeated, ...beside.passed, ...beside.selectors].map((node) => settledBy(node, file)),
    ...handlers.flatMap(({ served }) => (served.pathNode === undefined ? [] : [settledBy(served.node, file)])),
  ];
  const named = namedElsewhere(
    { old: endpoint.path ?? '', fresh: beside.path },
    endpoint.host,
    [...handlers.map((handler) => handler.file), file],
    settled,
    context,
  );
  if (named.length > 0) return { outcome: 'refuse', reason: besidePathChecks(beside.path, named) };

  const before = beside.place ?? file.tree.statements.at(-1);
  if (before === undefined) return refuse('the route file is empty', 'Add the modern route by hand.', endpoint.routes);
  const server = onePlan(connectsOf(endpoint, context), { file, before }, endpoint, context);
  if ('reason' in server) return { outcome: 'refuse', reason: server.reason };
  const own = beside.place === undefined ? localToFile(server.expression, file) : undefined;
  if (own !== undefined) return { outcome: 'refuse', reason: own.reason };
  if (beside.place === undefined && server.moved.length > 0)
    return refuse('the server is built inside of the route file', 'Move its construction into a module of its own.', [file.site(before)]);

  const body = bodyBefore(beside.shared, beside.passed, beside.names, beside.form, file);
  if (!body.ok)
    return refuse(
      body.why,
      'Read the body in the branch of the old path.',
      body.nodes.map((node) => file.site(node)),
    );
  const place: EntryPlace = { file, form: beside.form, names: beside.names, body: body.use };
  const web = dialectOf(beside.form).family === 'web';
  const name = freeName('modern', file);
  const extras = bodyErrorHandler({ endpoint, file, served: handlers.map(({ served }) => served) });
  const factory = `${server.async ? 'async ' : ''}() => ${server.expression}`;
  const entry = `createMcpHandler(${factory}, { legacy: ${file.quote}reject${file.quote} })`;
  const around = plainGuards(endpoint, file, beside.form, context, 'modern');
  const branch = handlers.some(({ start }) => start !== undefined) || beside.shared.length > 0 || head.served.pathNode === undefined;
  const cors = corsListEdits({ endpoint, file }, has);
  const written = beside.write({
    amended: (node) => amended(node, cors.edits, file),
    declared: [
      ...extras.lines,
      ...(extras.lines.length > 0 ? [''] : []),
      ...around.lines,
      ...server.declaration,
      `// MCP ${MODERN_REVISION} is answered on ${beside.path}. Clients of 2025-11-25 and earlier keep ${endpoint.path ?? 'the old path'}.`,
      `const ${name} = ${web ? entry : `toNodeHandler(${entry})`};`,
    ],
    handled: serveLines(place, name, around.inHandler(place), !branch || endpoint.host === 'nestjs' || endpoint.host === 'nextjs'),
    mark: `// ${laneMark(removalDate(context))}`,
    options: extras.name === undefined ? [] : [`errorHandler: ${extras.name}`],
  });
  const guards = plainGuards(endpoint, file, beside.form, context, 'modern', written.file);
  const outside = cors.edits.filter(({ start, end }) => ![...beside.passed, ...beside.repeated].some((node) => node.pos <= start && end <= node.end));
  const old =
    beside.selectors.length > 0
      ? [{ file: head.file, nodes: beside.passed, names: beside.names }]
      : handlers.map((handler) => codeOf(handler.fn, handler.file));
  const changes = withEdits(written.changes, [{ file, edits: [...movedEdits({ file, server }), ...outside] }, ...announceInCode(old, beside.form, context)]);
  const needs: Need[] = [
    ...server.imports,
    ...written.needs,
    ...extras.needs,
    ...guards.needs,
    { kind: 'import', file: written.file, module: '@modelcontextprotocol/server', name: 'createMcpHandler' },
    ...(web ? [] : [{ kind: 'import', file: written.file, module: '@modelcontextprotocol/node', name: 'toNodeHandler' } as const]),
    ...sdkDependencies(context, endpoint.package, ['@modelcontextprotocol/server', ...(web ? [] : ['@modelcontextprotocol/node'])]),
  ];
  return {
    outcome: 'rewrite',
    changes,
    needs,
    todo: [...around.todo, ...extras.todo],
    notes: [
      `${beside.path} is new and serves ${MODERN_REVISION} only: tell clients of it. ${endpoint.path ?? 'The old path'} stays as it is.`,
      ...server.notes,
      ...around.notes,
      ...extras.notes,
      ...(outside.length > 0 ? cors.notes : []),
    ],
  };
}

/** Changes with further edits of their files, and of others. */
function withEdits(changes: readonly FileChange[], further: readonly FileEdits[]): readonly FileChange[] {
  const edits = new Map<string, TextEdit[]>();
  for (const change of changes) if (change.kind === 'edit') edits.set(change.file, [...change.edits]);
  for (const { file, edits: own } of further) if (own.length > 0) edits.set(file.path, [...(edits.get(file.path) ?? []), ...own]);
  return [
    ...[...edits].map(([file, all]): FileChange => ({ kind: 'edit', file, edits: mergeInsertions(all) })),
    ...changes.filter(({ kind }) => kind !== 'edit'),
  ];
}

/** The text of a node with the edits that lie in it. */
function amended(node: Parameters<TypeScriptFile['textOf']>[0], edits: readonly TextEdit[], file: TypeScriptFile): string {
  const from = node.getStart(file.tree);
  const own = edits.filter(({ start, end }) => from <= start && end <= node.end);
  return applyEdits(
    file.textOf(node),
    own.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from })),
  );
}
