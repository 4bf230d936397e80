import { ts } from 'ts-morph';
import type { FileChange, Need, Rewrite, RewriteContext, Site, TextEdit } from '../../../src/core/index.js';
import type { Declaration, TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { indentOf, linesAt, startWithComments, mergeInsertions } from '../../_mcp/typescript/emit/edits.js';
import { sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { isWithin } from '../../_mcp/typescript/nodes.js';
import { MODERN_REVISION } from '../../_mcp/vocabulary.js';
import { DeadCode } from '../rewrite/dead-code.js';
import { reasonAt } from '../rewrite/lane.js';
import { corsListEdits } from './cors.js';
import { dialectOf, serveLines } from '../../_hosts/entry/dialect.js';
import { plainGuards } from '../../_hosts/entry/guards.js';
import { effectsOf } from './effects.js';
import { asyncEdit } from './entry.js';
import { bodyErrors } from '../../_hosts/fastify/body-errors.js';
import { holderOf, placeInFront } from './holder.js';
import type { HandlerLane } from './lane.js';
import type { Region } from './region.js';

type Refusal = Extract<Rewrite, { outcome: 'refuse' }>;

const refuse = (why: string, next: string, sites: readonly Site[]): Refusal => ({ outcome: 'refuse', reason: reasonAt(why, next, sites) });

/** Which clients the entry of the SDK serves beside the modern ones. */
export type Serves = 'both' | 'modern';

/**
 * Replaces the session code of every handler by one entry of the SDK.
 * Precondition: behind the place of the entry a handler does nothing but keep sessions going, and nobody else uses its sessions.
 */
export function replaceInHandlers(lane: HandlerLane, context: RewriteContext, serves: Serves): Rewrite {
  const { file, regions } = lane;
  const has = (path: string): boolean => context.exists(path);
  const strays = regions.flatMap((region) =>
    [...effectsOf(region, has).strays, ...(region.inPlace?.only === true ? [region.inPlace.node] : [])].map((node) => region.file.site(node)),
  );
  if (strays.length > 0)
    return refuse(
      'the handler does more than serve sessions, in the middle of it',
      'Move these statements in front of the session code, or keep the handler with --legacy sessionful.',
      strays,
    );
  const branch = regions.find(({ condition }) => condition !== undefined);
  if (branch !== undefined)
    return refuse(
      'other paths are served by the same statement',
      'Give the MCP path a branch of its own.',
      branch.legacy.slice(0, 1).map((node) => file.site(node)),
    );
  return serveInstead(lane, context, serves);
}

/** An entry that is there already and gives way to the new one under its name. */
export interface HeldEntry {
  readonly name: string;
  /** Range of its declaration, with the comments that mark it. */
  readonly statement: ts.Statement;
  readonly start: number;
  /** What the legacy code looks like to the proof of removal: files beside those that connect servers. */
  readonly files: readonly TypeScriptFile[];
}

/** The edits themselves; the caller has proved that what is replaced only served sessions. */
export function serveInstead(lane: HandlerLane, context: RewriteContext, serves: Serves, held?: HeldEntry): Rewrite {
  const { file, regions, server, endpoint, first } = lane;
  const has = (path: string): boolean => context.exists(path);
  const [head] = regions;
  if (head === undefined) return refuse('the endpoint has no handler', 'Add the entry by hand.', endpoint.routes);
  const web = dialectOf(head.form).family === 'web';
  const holder = holderOf(lane, held?.name);
  const around = plainGuards(endpoint, file, head.form, context, serves);
  const extras = bodyErrors(lane);
  const factory = `${server.async ? 'async ' : ''}() => ${server.expression}`;
  const handler = `createMcpHandler(${factory}${serves === 'modern' ? `, { legacy: ${file.quote}reject${file.quote} }` : ''})`;
  const outside = [...extras.lines, ...(extras.lines.length > 0 ? [''] : []), ...around.lines];
  const entry = [
    ...server.declaration,
    ...(server.declaration.length > 0 ? [''] : []),
    `${holder.declared} = ${web ? handler : `toNodeHandler(${handler})`};`,
    '',
  ];

  const files = [...new Map([...laneFiles(lane), ...(held?.files ?? [])].map((entry) => [entry.path, entry])).values()];
  const dead = new DeadCode(files, context, neighbours(lane, context, files), keptDeclarations(lane));
  for (const region of regions) for (const node of region.legacy) dead.remove(region.file, node);
  for (const statement of server.moved) dead.remove(file, statement);
  dead.settle();
  const leaks = dead.leaks();
  if (leaks.length > 0)
    return refuse(
      'the sessions are used for something else than serving requests',
      'Decide what becomes of these uses first, or keep the sessions with --legacy sessionful.',
      leaks,
    );

  const { changes, removedFiles } = dead.changes();
  const replaced = regions.map((region) => regionEdit(region, serveLines(region, holder.reference, around.inHandler(region), isLast(region))));
  const cors = corsListEdits(lane, has);
  const own = changes
    .flatMap((change) => (change.kind === 'edit' && change.file === file.path ? change.edits : []))
    .flatMap((edit) => inFrontOf(edit, regions));
  const placed =
    held !== undefined
      ? [{ start: held.start, end: held.statement.end, text: linesAt([...outside, ...entry].slice(0, -1), indentOf(held.statement, file), file) }]
      : holder.before === first
        ? [placeInFront(first, [...outside, ...entry], file, own)]
        : [...(outside.length > 0 ? [placeInFront(first, [...outside, ''], file, own)] : []), placeInFront(holder.before, entry, file, own)];
  const edits = mergeInsertions([...placed, ...replaced, ...own, ...cors.edits, ...extras.edits, ...regions.flatMap(asyncEdit)]);
  const result: FileChange[] = [{ kind: 'edit', file: file.path, edits }, ...changes.filter((change) => change.file !== file.path)];
  const packages = ['@modelcontextprotocol/server', ...(web ? [] : ['@modelcontextprotocol/node'])];
  const needs: Need[] = [
    ...server.imports,
    ...extras.needs,
    { kind: 'import', file: file.path, module: '@modelcontextprotocol/server', name: 'createMcpHandler' },
    ...(web ? [] : [{ kind: 'import', file: file.path, module: '@modelcontextprotocol/node', name: 'toNodeHandler' } as const]),
    ...sdkDependencies(context, endpoint.package, packages),
    ...around.needs,
  ];
  const path = endpoint.path ?? 'The endpoint';
  return {
    outcome: 'rewrite',
    changes: result,
    needs,
    todo: [...around.todo, ...extras.todo],
    notes: [
      serves === 'both'
        ? `${path} serves ${MODERN_REVISION} and earlier revisions per request, without sessions.`
        : `${path} serves the modern revision only: clients of 2025-11-25 and earlier get an error that names the versions.`,
      ...(endpoint.sessions === 'minted' ? ['No Mcp-Session-Id is issued any longer; a client that still sends one is served.'] : []),
      serves === 'both'
        ? 'GET and DELETE are answered 405; clients of earlier revisions always get an event stream as answer to a POST.'
        : 'GET and DELETE are answered 405.',
      ...removedFiles.map((removed) => `${removed} was only used by the sessions and is removed.`),
      ...server.notes,
      ...around.notes,
      ...extras.notes,
      ...cors.notes,
    ],
  };
}

/** What is left of a removal that also covers session code: the lines in front of it. The code itself is replaced. */
function inFrontOf(edit: TextEdit, regions: readonly Region[]): readonly TextEdit[] {
  for (const { legacy, file } of regions) {
    const [first] = legacy;
    const begin = first === undefined ? 0 : ts.isStatement(first) ? startWithComments(first, file) : first.getStart(file.tree);
    const end = legacy.at(-1)?.end ?? 0;
    if (edit.end <= begin || edit.start >= end) continue;
    const line = file.text.lastIndexOf('\n', begin - 1) + 1;
    return edit.start < line ? [{ ...edit, end: line }] : [];
  }
  return [edit];
}

/** One text in place of all session code of a handler. */
function regionEdit(region: Region, lines: readonly string[]): TextEdit {
  const { file, legacy } = region;
  const [first] = legacy;
  const last = legacy.at(-1);
  if (first === undefined || last === undefined) return { start: 0, end: 0, text: '' };
  const indent = indentOf(first, file);
  const { parent } = first;
  const start = ts.isStatement(first) ? startWithComments(first, file) : first.getStart(file.tree);
  if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent)) return { start, end: last.end, text: linesAt(lines, indent, file) };
  return { start, end: last.end, text: ['{', ...lines.map((line) => indent + file.indentUnit + line), `${indent}}`].join(file.eol) };
}

/** Does nothing run behind the session code of a handler? */
const isLast = ({ legacy: [first], fn }: Region): boolean => first !== undefined && (first.parent === fn.body || first === fn.body);

/** Files that hold a part of the lane. */
const laneFiles = ({ file, connects }: HandlerLane): readonly TypeScriptFile[] => [
  ...new Map([file, ...connects.map((connect) => connect.file)].map((entry) => [entry.path, entry])).values(),
];

function neighbours({ endpoint }: HandlerLane, context: RewriteContext, files: readonly TypeScriptFile[]): readonly TypeScriptFile[] {
  const known = new Map(files.map((file) => [file.path, file]));
  return [...new Set([...context.filesOf(endpoint.package), ...known.keys()])].flatMap((path) => known.get(path) ?? context.file('typescript', path) ?? []);
}

/** Declarations that the factory of the new entry names. */
function keptDeclarations({ connects, server }: HandlerLane): ReadonlySet<Declaration> {
  const kept = new Set<Declaration>();
  const names = new Set([server.expression, ...server.declaration].join('\n').match(/[A-Za-z_$][\w$]*/g) ?? []);
  for (const { file, call } of connects)
    for (const declaration of file.bindings.declarations) {
      if (!names.has(declaration.name) || declaration === server.shared) continue;
      if (isWithin(call, declaration.scope.node) && !server.moved.some((statement) => isWithin(declaration.node, statement))) kept.add(declaration);
    }
  return kept;
}
