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
import { type Registration, registrations } from '../../_hosts/express/index.js';
import { hasHandlers } from '../../_hosts/index.js';
import { isShimEntry, isShimWrap } from '../../_mcp/typescript/eras.js';
import { statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { EVENT_STORE, LANE_MARK, SHIM_FILE } from '../../_mcp/vocabulary.js';
import { retireHandlers } from '../handlers/index.js';
import { routesOf } from '../../_mcp/reach.js';
import { retireBeside, standsBeside } from '../separate/retire.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { DeadCode } from './dead-code.js';
import { indentOf, linesAt } from '../../_mcp/typescript/emit/edits.js';
import { neighbours } from './neighbours.js';
import { reasonAt } from './lane.js';
import { sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { onlyOurs, receiverText } from './routes.js';

/** A lane that this tool wrote: its routes, and the variable that holds the entry. */
interface Wrapped {
  readonly file: TypeScriptFile;
  readonly routes: readonly Registration[];
  readonly entry: ts.VariableDeclaration & { readonly name: ts.Identifier };
  readonly call: ts.CallExpression;
  readonly declaration: Declaration;
}

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
  const old = item.endpoint === undefined ? undefined : context.endpoint(item.endpoint);
  if (old !== undefined && standsBeside(old, context)) return retireBeside(old, context);
  const host = old?.host;
  if (host !== undefined && hasHandlers(host)) return retireHandlers(item, context);
  const lane = wrappedLane(item, context);
  if ('outcome' in lane) return lane;
  const { file, routes, call } = lane;
  const { endpoint: id } = item;
  const endpoint = id === undefined ? undefined : context.endpoint(id);
  const statements = routes.map((route) => statementOf(route.call));
  const [first] = statements;
  const main = routes.find(({ verb }) => verb === 'POST') ?? routes[0];
  const mixed = routes.find((route, index) => !onlyOurs(statements[index], routes, route));
  if (first === undefined || main === undefined || mixed !== undefined) {
    return refuse('the statement that registers a route does something else too', 'Register the route in a statement of its own.', [
      file.site((mixed ?? main ?? routes[0])?.call ?? call),
    ]);
  }

  const around = neighbours(endpoint?.package ?? item.package, [file], context);
  const inLane = new Set([...context.inventory.legacyLane.map((key) => key.slice(0, key.lastIndexOf('#'))), ...item.files, file.path]);
  const shim = shimPath(file, context);
  const dead = new DeadCode(
    around.filter((other) => inLane.has(other.path) && other.path !== shim),
    context,
    around,
    new Set([lane.declaration, ...namesIn(call, file)]),
  );
  for (const statement of statements) if (statement !== undefined) dead.remove(file, statement);
  dead.replace(file, first);
  dead.keep(statementOf(lane.entry) ?? lane.entry);
  dead.settle();
  const leaks = dead.leaks();
  if (leaks.length > 0)
    return refuse('the sessions are used for something else than serving requests', 'Decide what becomes of these uses first, then retire the lane.', leaks);

  const replaced = [entryEdit(lane), routeEdit(lane, first, main)];
  const { changes, removedFiles } = dead.changes();
  const own = changes.flatMap((change) => (change.kind === 'edit' && change.file === file.path ? change.edits : []));
  const shimGone = shim !== undefined && !isUsedElsewhere(shim, lane, around, context);
  const gone = [...removedFiles, ...(shimGone ? [shim] : []), ...deadEventStores(around, dead, context)];
  const removals = gone.filter((path) => !removedFiles.includes(path)).map((path): FileChange => ({ kind: 'remove', file: path }));
  return {
    outcome: 'rewrite',
    changes: [{ kind: 'edit', file: file.path, edits: [...replaced, ...own] }, ...changes.filter((change) => change.file !== file.path), ...removals],
    needs: needsOf(lane, context, endpoint?.package ?? item.package),
    todo: [],
    notes: [
      `${endpoint?.path ?? 'The endpoint'} serves the modern revision only: clients of 2025-11-25 and earlier get an error that names the versions.`,
      'GET and DELETE are answered 405.',
      ...gone.map((path) => `${path} was only used by the legacy lane and is removed.`),
      ...(shim !== undefined && !shimGone ? [`${shim} stays: another entry uses it.`] : []),
    ],
  };
}

function wrappedLane(item: WorkItem, context: RewriteContext): Wrapped | Extract<Rewrite, { outcome: 'refuse' }> {
  const endpoint = item.endpoint === undefined ? undefined : context.endpoint(item.endpoint);
  const own = 'Only lanes that this tool wrote are removed; take the other ones out by hand.';
  if (endpoint?.host !== 'express') return refuse('the routes of the lane are not known', own, item.sites.slice(0, 5));
  const facts = routesOf(endpoint, context.facts);
  const path = facts[0]?.site.file;
  const file = path === undefined ? undefined : context.file('typescript', path);
  if (file === undefined || facts.some(({ site }) => site.file !== path))
    return refuse('the routes of the lane are registered in several files', own, endpoint.routes);
  const all = registrations(file, (other) => context.exists(other));
  const found = facts.flatMap(({ site }) => all.find(({ call }) => call.getStart(file.tree) === site.span.start && call.end === site.span.end) ?? []);
  const routes = found.filter((route, index) => found.indexOf(route) === index);
  const wraps = routes.map(({ handler }) => (handler === undefined ? undefined : unwrap(handler.node)));
  const calls = wraps.filter((node): node is ts.CallExpression => node !== undefined && ts.isCallExpression(node) && isShimWrap(node, file));
  if (calls.length === 0 || calls.length !== routes.length)
    return refuse('not all routes of the lane are wrapped by the entry of this tool', own, endpoint.routes);
  const holders = new Set(calls.map((wrap) => declarationOf(unwrap(wrap.expression) as ts.Identifier, file)));
  const [declaration] = holders;
  const node = declaration?.node;
  if (
    holders.size !== 1 ||
    declaration === undefined ||
    node === undefined ||
    !ts.isVariableDeclaration(node) ||
    !ts.isIdentifier(node.name) ||
    node.initializer === undefined
  ) {
    return refuse('the routes of the lane have different entries', own, endpoint.routes);
  }
  const call = unwrap(node.initializer);
  return ts.isCallExpression(call) && call.arguments[0] !== undefined
    ? { file, routes, entry: node as Wrapped['entry'], call, declaration }
    : refuse('the entry takes no factory', own, endpoint.routes);
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

/** Another file imports the shim, or another entry of this one is made by it. */
function isUsedElsewhere(shim: string, lane: Wrapped, files: readonly TypeScriptFile[], context: RewriteContext): boolean {
  let entries = 0;
  eachNode(lane.file.tree, (node) => {
    if (ts.isCallExpression(node) && isShimEntry(node, lane.file)) entries++;
  });
  const has = (path: string): boolean => context.exists(path);
  const imported = files.some(
    (other) =>
      other.path !== lane.file.path &&
      other.path !== shim &&
      moduleRequests(other).some(({ specifier }) => specifier.startsWith('.') && resolveSpecifier(other.path, specifier, has) === shim),
  );
  return entries > 1 || imported;
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
