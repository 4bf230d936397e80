import { ts } from 'ts-morph';
import type { FileChange, Need, Rewrite, RewriteContext, Site, TextEdit, WorkItem } from '../../../src/core/index.js';
import {
  type Declaration,
  type TypeScriptFile,
  declarationOf,
  eachNode,
  importBindings,
  moduleRequests,
  referencesOf,
  resolveSpecifier,
} from '../../../src/languages/typescript/index.js';
import type { Registration } from '../../_hosts/express/index.js';
import { hasHandlers } from '../../_hosts/index.js';
import { isShimEntry } from '../../_mcp/typescript/eras.js';
import { statementOf } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { EVENT_STORE, LANE_MARK, SHIM_FILE } from '../../_mcp/vocabulary.js';
import { retireHandlers } from '../handlers/index.js';
import { retireBeside, standsBeside } from '../separate/retire.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { DeadCode } from './dead-code.js';
import { indentOf, linesAt } from '../../_mcp/typescript/emit/edits.js';
import { neighbours } from './neighbours.js';
import { reasonAt } from './lane.js';
import { rejectEarlier } from './reject.js';
import { sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { onlyOurs, receiverText } from './routes.js';
import { type Wrapped, wrappedLane } from './wrapped.js';

const refuse = (why: string, next: string, sites: readonly Site[]): Extract<Rewrite, { outcome: 'refuse' }> => ({
  outcome: 'refuse',
  reason: reasonAt(why, next, sites),
});

/**
 * Takes the legacy lane of one endpoint out: `mcp(handler)` and all that only these handlers used, in every file, give way to an entry that serves
 * the modern revision alone. Precondition: all routes of the endpoint are wrapped by the shim of this tool, and nothing outside of the lane
 * uses its sessions.
 */
export function retire(item: WorkItem, context: RewriteContext): Rewrite {
  if (item.group === 'sessionless-lane') return rejectEarlier(item, context);
  const old = item.endpoint === undefined ? undefined : context.endpoint(item.endpoint);
  if (old !== undefined && standsBeside(old, context)) return retireBeside(old, context);
  const host = old?.host;
  if (host !== undefined && hasHandlers(host)) return retireHandlers(item, context);
  const found = wrappedLane(item, context);
  if ('reason' in found) return { outcome: 'refuse', reason: found.reason };
  const { main: lane, away, refusals } = found;
  const { file, routes, call } = lane;
  const groups = [lane, ...away];
  const registered = [...groups.flatMap((group) => group.routes.map((route) => ({ file: group.file, route }))), ...refusals];
  const all = registered.map(({ route }) => route);
  const mixed = registered.find(({ route }) => !onlyOurs(statementOf(route.call), all, route));
  const main = routes.find(({ verb }) => verb === 'POST') ?? routes[0];
  const first = routes[0] === undefined ? undefined : statementOf(routes[0].call);
  if (first === undefined || main === undefined || mixed !== undefined) {
    return refuse('the statement that registers a route does something else too', 'Register the route in a statement of its own.', [
      mixed === undefined ? file.site(call) : mixed.file.site(mixed.route.call),
    ]);
  }

  const folder = old?.package ?? item.package;
  const around = neighbours(
    folder,
    groups.map((group) => group.file),
    context,
  );
  const inLane = new Set([
    ...context.inventory.legacyLane.map((key) => key.slice(0, key.lastIndexOf('#'))),
    ...item.files,
    ...registered.map((entry) => entry.file.path),
  ]);
  const shims = [...new Set(groups.flatMap((group) => shimPath(group.file, context) ?? []))];
  const dead = new DeadCode(
    around.filter((other) => inLane.has(other.path) && !shims.includes(other.path)),
    context,
    around,
    new Set([lane.declaration, ...namesIn(call, file)]),
  );
  for (const entry of registered) dead.remove(entry.file, statementOf(entry.route.call) ?? entry.route.call);
  for (const group of away) dead.remove(group.file, statementOf(group.entry) ?? group.entry);
  dead.replace(file, first);
  dead.keep(statementOf(lane.entry) ?? lane.entry);
  dead.settle();
  const leaks = dead.leaks();
  if (leaks.length > 0)
    return refuse('the sessions are used for something else than serving requests', 'Decide what becomes of these uses first, then retire the lane.', leaks);

  const replaced = [entryEdit(lane), routeEdit(lane, first, main)];
  const { changes, removedFiles } = dead.changes();
  const own = changes.flatMap((change) => (change.kind === 'edit' && change.file === file.path ? change.edits : []));
  const shimsGone = shims.filter((shim) => !isUsedElsewhere(shim, groups, around, context));
  const gone = [...removedFiles, ...shimsGone, ...deadEventStores(around, dead, context)];
  const removals = gone.filter((path) => !removedFiles.includes(path)).map((path): FileChange => ({ kind: 'remove', file: path }));
  return {
    outcome: 'rewrite',
    changes: [{ kind: 'edit', file: file.path, edits: [...replaced, ...own] }, ...changes.filter((change) => change.file !== file.path), ...removals],
    needs: needsOf(lane, context, folder),
    todo: [],
    notes: [
      `${old?.path ?? 'The endpoint'} serves the modern revision only: clients of 2025-11-25 and earlier get an error that names the versions.`,
      'GET and DELETE are answered 405.',
      ...gone.map((path) => `${path} was only used by the legacy lane and is removed.`),
      ...shims.filter((shim) => !shimsGone.includes(shim)).map((shim) => `${shim} stays: another entry uses it.`),
    ],
  };
}

/** `const mcp = toNodeHandler(createMcpHandler(factory, { legacy: 'reject' }))` in place of the entry and the comments that mark the lane. */
function entryEdit({ file, entry, call }: Wrapped): TextEdit {
  const statement = statementOf(entry) ?? entry;
  const marks = (ts.getLeadingCommentRanges(file.text, statement.pos) ?? []).filter(
    ({ pos, end }) => file.text.slice(pos, end).includes('MCP 2026-07-28 is answered here') || LANE_MARK.test(file.text.slice(pos, end)),
  );
  const { quote } = file;
  const factory = file.textOf(call.arguments[0] as ts.Expression);
  const origins = originsOf(call, file);
  const lines = [
    ...(origins === undefined ? [] : [`const ${freeName('webPages', file)} = originValidation(${origins});`]),
    `const ${entry.name.text} = toNodeHandler(createMcpHandler(${factory}, { legacy: ${quote}reject${quote} }));`,
  ];
  return { start: marks[0]?.pos ?? statement.getStart(file.tree), end: statement.end, text: linesAt(lines, indentOf(statement, file), file) };
}

/** `app.all('/mcp', …, (req, res) => void mcp(req, res, req.body));` in place of the first route. */
function routeEdit({ file, entry, call }: Wrapped, first: ts.Statement, main: Registration): TextEdit {
  const path = main.pathNode === undefined ? `${file.quote}/${file.quote}` : file.textOf(main.pathNode);
  const before = [...(originsOf(call, file) === undefined ? [] : [freeName('webPages', file)]), ...main.middleware.map(({ node }) => file.textOf(node))]
    .map((text) => `${text}, `)
    .join('');
  return {
    start: first.getStart(file.tree),
    end: first.end,
    text: `${receiverText(main, file)}.all(${path}, ${before}(req, res) => void ${entry.name.text}(req, res, req.body));`,
  };
}

const originsOf = (call: ts.CallExpression, file: TypeScriptFile): string | undefined => {
  const value = readOptions(call.arguments[1], file).values.get('allowedOrigins');
  return value === undefined ? undefined : file.textOf(value);
};

function needsOf({ file, call }: Wrapped, context: RewriteContext, folder: string): readonly Need[] {
  const origins = originsOf(call, file) !== undefined;
  const from = (module: string, name: string): Need => ({ kind: 'import', file: file.path, module, name });
  return [
    from('@modelcontextprotocol/node', 'toNodeHandler'),
    from('@modelcontextprotocol/server', 'createMcpHandler'),
    ...(origins ? [from('@modelcontextprotocol/express', 'originValidation')] : []),
    ...sdkDependencies(context, folder, ['@modelcontextprotocol/server', '@modelcontextprotocol/node', ...(origins ? ['@modelcontextprotocol/express'] : [])]),
  ];
}

/** Declarations that the factory of the entry names. */
function namesIn(call: ts.CallExpression, file: TypeScriptFile): readonly Declaration[] {
  const found: Declaration[] = [];
  eachNode(call, (node) => {
    const declaration = ts.isIdentifier(node) ? declarationOf(node, file) : undefined;
    if (declaration !== undefined) found.push(declaration);
  });
  return found;
}

function shimPath(file: TypeScriptFile, context: RewriteContext): string | undefined {
  const request = moduleRequests(file).find(({ specifier }) => specifier.startsWith('.') && SHIM_FILE.test(specifier));
  return request === undefined ? undefined : resolveSpecifier(file.path, request.specifier, (path) => context.exists(path));
}

/** A file outside of the lane imports the shim, or makes another entry by it. */
function isUsedElsewhere(shim: string, lane: readonly Wrapped[], files: readonly TypeScriptFile[], context: RewriteContext): boolean {
  const has = (path: string): boolean => context.exists(path);
  const own = new Set(lane.map(({ call }) => call));
  return files.some((file) => {
    if (file.path === shim || !moduleRequests(file).some(({ specifier }) => specifier.startsWith('.') && resolveSpecifier(file.path, specifier, has) === shim))
      return false;
    if (!lane.some((group) => group.file.path === file.path)) return true;
    let others = false;
    eachNode(file.tree, (node) => {
      if (ts.isCallExpression(node) && isShimEntry(node, file) && !own.has(node)) others = true;
    });
    return others;
  });
}

/** Event stores that this tool wrote and that nothing outside of the removed code uses. */
function deadEventStores(files: readonly TypeScriptFile[], dead: DeadCode, context: RewriteContext): readonly string[] {
  const alive = new Map<string, boolean>();
  for (const file of files) {
    for (const { specifier, local } of importBindings(file)) {
      if (!specifier.startsWith('.') || !specifier.includes(EVENT_STORE.stem)) continue;
      const path = resolveSpecifier(file.path, specifier, (other) => context.exists(other));
      const declaration = file.bindings.root.values.get(local) ?? file.bindings.root.types.get(local);
      if (path === undefined) continue;
      const used = declaration === undefined || referencesOf(declaration, file).some((use) => !dead.isRemoved(file, use));
      alive.set(path, (alive.get(path) ?? false) || used);
    }
  }
  return [...alive].flatMap(([path, used]) => (used || !(context.text(path) ?? '').includes('written by unsession') ? [] : [path]));
}
