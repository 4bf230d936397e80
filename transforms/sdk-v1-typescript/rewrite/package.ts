import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { type FileChange, type Need, type Reason, type Rewrite, type RewriteContext, siteOf } from '../../../src/core/index.js';
import { type TypeScriptFile, importBindings, rebindImports } from '../../../src/languages/typescript/index.js';
import { type ProjectType, isExported, isListed, sdkOf, v1Module } from '../../_mcp/sdk-table.js';
import { findContexts } from '../contexts.js';
import { someNode } from '../nodes.js';
import { registrationsOf } from '../registrations.js';
import { namedModules, v1Requests } from '../requests.js';
import { authHome, expressRoute, mixesAuthErrors, repairAuthErrors } from './auth.js';
import { planRebinding } from './bindings.js';
import { repairContexts } from './context.js';
import { BrokenDraftError, Draft } from './draft.js';
import { markErrorConstruction, repairRawCodes } from './errors.js';
import { eventStoreNeeds } from './event-store.js';
import { repairCompletions } from './completions.js';
import { repairDynamic } from './dynamic.js';
import { handedOut } from './handed-out.js';
import { inspect } from './inspect.js';
import { joinConfigs, repairRegistrations } from './handlers.js';
import { repairHttpStatus } from './http-status.js';
import { manifestNeeds } from './manifest.js';
import { markerEdits } from '../../_mcp/typescript/markers.js';
import { CONCERN, markerText } from './markers.js';
import { repairMocks } from './mocks.js';
import { consultCodemod, concernsSdk } from './oracle.js';
import { remarksToTodos } from './remarks.js';
import { repairLogging, repairRequestReads } from './request.js';
import { repairResults, untypedNote } from './results.js';
import { repairSpecifiers } from './specifiers.js';
import { zodKin, zodRange } from '../zod-line.js';
import { Migration } from './run.js';
import { judgeZod } from './zod-range.js';
import { keepZod3 } from './zod3.js';

/** Wire changes that SDK v2 brings by itself, measured between 1.32 and 2.4 with one server on both. */
const WIRE_NOTES: readonly string[] = [
  '`tools/list`: input schemas name JSON Schema 2020-12 instead of draft-07, and `execution.taskSupport` is gone.',
  'A call of an unknown tool is answered with the JSON-RPC error -32602 instead of a result with `isError`.',
  'Error texts lose the prefix `MCP error -32602: `, and the text of failed argument validation has another form.',
];

/** What a package is for, by the halves of either SDK line that it names; the answer is the same before and after. */
const projectTypeOf = (files: readonly TypeScriptFile[]): ProjectType => {
  const modules = files.flatMap((file) => namedModules(file).map(({ specifier }) => v1Module(specifier) ?? specifier));
  const client = modules.some((module) => /^@modelcontextprotocol\/(sdk\/client|client)(\/|$)/.test(module));
  const server = modules.some((module) => /^@modelcontextprotocol\/(sdk\/server|server|node|express|hono|fastify|server-legacy)(\/|$)/.test(module));
  return client && server ? 'both' : client ? 'client' : 'server';
};

function migrateFile(run: Migration, draft: Draft, project: ProjectType, home: ReturnType<typeof authHome>): void {
  const answer = consultCodemod(draft.file, project);
  const variadic = new Set(
    registrationsOf(draft.file)
      .filter(({ form }) => form === 'variadic')
      .map(({ call }) => call.getStart(draft.file.tree)),
  );
  draft.apply(answer.edits, 'the official codemod');
  draft.apply(
    joinConfigs(draft.file, (call) => variadic.has(draft.toOriginal(call.getStart(draft.file.tree)))),
    'the official codemod',
  );
  run.note(draft, remarksToTodos(draft.file, answer));
  const plan = planRebinding(draft.file, answer, project, home === 'express' ? expressRoute : () => undefined);
  run.note(draft, plan.todos);
  run.refuse(draft, plan.obstacles);
  if (plan.eventStores.length > 0) run.eventStores.set(draft.path, { file: draft.original, bindings: plan.eventStores });
  draft.apply([...plan.edits, ...rebindImports(draft.file, { remove: plan.remove, add: plan.add })], 'the import editor');
  if (home === 'express') {
    const auth = repairAuthErrors(draft.file);
    draft.apply([...auth.edits, ...rebindImports(draft.file, { remove: auth.remove, add: auth.add })], 'the auth errors');
  }
  for (const repair of [() => repairSpecifiers(draft.file, project, answer.bindings), () => repairMocks(draft.file, project)]) {
    const { edits, todos, obstacles } = repair();
    run.note(draft, todos);
    run.refuse(draft, obstacles);
    draft.apply(edits, 'the module paths');
  }
  const handlers = repairRegistrations(draft.file);
  run.note(draft, handlers.todos);
  draft.apply(handlers.edits, 'the handler registrations');
  const dynamic = repairDynamic(draft.file);
  run.refuse(draft, dynamic.obstacles);
  draft.apply([...dynamic.edits, ...rebindImports(draft.file, { remove: [], add: dynamic.add })], 'the handler registrations');
  const completions = repairCompletions(draft.file);
  run.refuse(draft, completions.obstacles);
  draft.apply(completions.edits, 'the capabilities');
  const results = repairResults(draft.file, run.files());
  run.untyped.push(
    ...results.open.map((node) => siteOf(draft.path, draft.original.starts, { start: draft.toOriginal(node.getStart(draft.file.tree)), end: 0 })),
  );
  draft.apply([...results.edits, ...rebindImports(draft.file, { remove: [], add: results.add })], 'the results of handlers');
  const codes = repairRawCodes(draft.file);
  run.note(draft, codes.todos);
  draft.apply([...codes.edits, ...rebindImports(draft.file, { remove: [], add: codes.add })], 'the error codes');
  draft.apply(repairHttpStatus(draft.file, draft.original), 'the HTTP status');
  run.note(draft, markErrorConstruction(draft.file));
  dropUnused(draft);
}

/** Imports of SDK names that the repairs left without a use, e.g. `ProtocolError` behind a guard that is `SdkError` now. */
function dropUnused(draft: Draft): void {
  const before = new Set(
    importBindings(draft.original)
      .filter((binding) => isUsed(draft.original, binding.local))
      .map((binding) => binding.name),
  );
  const unused = importBindings(draft.file).filter(
    (binding) =>
      sdkOf(binding.specifier) === 2 &&
      binding.name !== '*' &&
      !isUsed(draft.file, binding.local) &&
      (before.has(binding.name) || binding.name === 'ProtocolError'),
  );
  if (unused.length > 0) draft.apply(rebindImports(draft.file, { remove: unused, add: [] }), 'the import editor');
}

function isUsed(file: TypeScriptFile, local: string): boolean {
  return someNode(file.tree, (node) => ts.isIdentifier(node) && node.text === local, ts.isImportDeclaration);
}

/** Proof at the end: no import names something that its v2 package does not export. */
function checkExports(run: Migration, draft: Draft): void {
  for (const binding of importBindings(draft.file)) {
    if (binding.name === '*' || binding.name === 'default' || sdkOf(binding.specifier) !== 2) continue;
    if (isListed(binding.specifier) && isExported(binding.specifier, binding.name)) continue;
    if (!isListed(binding.specifier) && importBindings(draft.original).some((other) => other.specifier === binding.specifier)) continue;
    run.obstacles.push({
      path: draft.path,
      original: 0,
      why: `\`${binding.specifier}\` does not export \`${binding.name}\`.`,
      next: 'Please report this with the import line; until then migrate this import by hand.',
    });
  }
}

const manifestOf = (folder: string): string => (folder === '.' ? 'package.json' : posix.join(folder, 'package.json'));

function packageNeeds(run: Migration, folder: string, drafts: readonly Draft[]): readonly Need[] {
  const manifest = manifestOf(folder);
  const content = run.context.manifest(manifest);
  const files = drafts.map((draft) => draft.file);
  const range = zodRange(folder, run.context.facts);
  const zod = judgeZod(range, zodKin(folder, run.context.inventory, run.context.facts), files);
  // zod stays on 3: its schemas are handed over with a conversion of their own, so that `tools/list` answers as before.
  const kept = zod.todos.length > 0 && zod.stays3 === true ? keepZod3(files, manifest, range, run.context) : undefined;
  for (const draft of drafts) {
    const own = kept?.obstacles.filter(({ file }) => file === draft.file) ?? [];
    run.refuse(draft, own);
    if (kept === undefined)
      run.note(
        draft,
        zod.todos.filter(({ file }) => file === draft.file),
      );
    else draft.apply(kept.edits.get(draft.path) ?? [], 'the schemas');
  }
  if (kept !== undefined && kept.edits.size > 0)
    run.notes.add(
      `zod stays as it is, because ${zod.reason ?? 'not every use of it is proved to mean the same in zod 4'}; its schemas are converted for the SDK as SDK v1 did it.`,
    );
  if (zod.note !== undefined) run.notes.add(zod.note);
  if (isPublished(content) && drafts.some((draft) => exportsSdk(draft.original))) {
    run.notes.add(
      `\`${nameOf(content, folder)}\` exports SDK objects to its consumers: release this as a major version, and consider the v2 package as a peer dependency.`,
    );
  }
  const stores = eventStoreNeeds(
    drafts.flatMap((draft) => run.eventStores.get(draft.path) ?? []),
    run.context,
  );
  if (stores.length > 0) run.notes.add('`InMemoryEventStore` was an example of SDK v1 and is now a file of the project; only the legacy lane needs it.');
  if (!run.context.exists(manifest)) return [...stores, ...(kept?.needs ?? [])];
  return [...stores, ...(kept?.needs ?? []), ...manifestNeeds(manifest, content, files, zod.raise)];
}

const nameOf = (manifest: Readonly<Record<string, unknown>> | undefined, folder: string): string =>
  typeof manifest?.['name'] === 'string' ? manifest['name'] : folder;

/** Others can import it: an entry that is no command, and not kept private. */
const isPublished = (manifest: Readonly<Record<string, unknown>> | undefined): boolean =>
  manifest !== undefined && manifest['private'] !== true && ['exports', 'main', 'module', 'types'].some((key) => key in manifest);

/** The file re-exports SDK names. */
function exportsSdk(file: TypeScriptFile): boolean {
  if (v1Requests(file).some(({ form }) => form === 'reexport')) return true;
  const locals = new Set(importBindings(file).flatMap((binding) => (sdkOf(binding.specifier) === 1 ? [binding.local] : [])));
  return file.tree.statements.some(
    (statement) =>
      ts.isExportDeclaration(statement) &&
      !statement.moduleSpecifier &&
      statement.exportClause !== undefined &&
      ts.isNamedExports(statement.exportClause) &&
      statement.exportClause.elements.some((element) => locals.has((element.propertyName ?? element.name).text)),
  );
}

function reasonOf(run: Migration): Reason {
  const [first] = run.obstacles;
  const sites = run.obstacles.map(({ path, original, why }) => {
    const draft = run.drafts.get(path);
    const end = Math.min(original + 1, draft?.original.text.length ?? original);
    return siteOf(path, draft?.original.starts ?? [0], { start: original, end }, why);
  });
  const more = run.obstacles.length > 1 ? ` ${String(run.obstacles.length - 1)} more such place${run.obstacles.length > 2 ? 's' : ''}.` : '';
  return { why: `${first?.why ?? ''}${more}`, next: first?.next ?? '', sites };
}

/** Migrates a set of packages from SDK v1 to v2 as a whole, or says why not. */
export function migratePackages(context: RewriteContext, folders: readonly string[]): Rewrite {
  const run = new Migration(context);
  const byFolder = new Map<string, Draft[]>();
  for (const folder of folders) {
    const drafts = context.filesOf(folder).flatMap((path) => {
      const file = context.file('typescript', path);
      return file ? [new Draft(file)] : [];
    });
    byFolder.set(folder, drafts);
    for (const draft of drafts) run.drafts.set(draft.path, draft);
  }
  // What is refused whatever the codemod says is looked for first: asking it about a package takes a quarter of a second a file.
  for (const [folder, drafts] of byFolder) {
    const manifest = run.context.manifest(manifestOf(folder));
    if (isPublished(manifest)) for (const draft of drafts) run.refuse(draft, handedOut(draft.original));
    for (const draft of drafts) inspect(run, draft, manifest);
  }
  try {
    const tests = new Set(context.findings.flatMap(({ role, site }) => (role === 'test' ? [site.file] : [])));
    // Tests are most of the text; where the code itself is refused nobody is asked about them.
    for (const turn of [false, true]) {
      if (run.obstacles.length > 0) return { outcome: 'refuse', reason: reasonOf(run) };
      for (const drafts of byFolder.values()) {
        const files = drafts.map((draft) => draft.original);
        const project = projectTypeOf(files);
        const home = mixesAuthErrors(files) ? 'express' : authHome(files);
        if (home === 'legacy')
          run.notes.add('The OAuth server code moves to the frozen package `@modelcontextprotocol/server-legacy`; it gets no new features.');
        for (const draft of drafts) if (tests.has(draft.path) === turn && concernsSdk(draft.file)) migrateFile(run, draft, project, home);
      }
    }
    run.applyAll(repairContexts(findContexts(run.files())), 'the request context');
    run.applyAll(repairRequestReads(findContexts(run.files())), 'the request headers');
    run.applyAll(repairLogging(findContexts(run.files())), 'the log notifications');
  } catch (error) {
    if (!(error instanceof BrokenDraftError)) throw error;
    const draft = run.drafts.get(error.path);
    return {
      outcome: 'refuse',
      reason: {
        why: error.message,
        next: 'Nothing was changed. Please report this file.',
        sites: draft ? [siteOf(draft.path, draft.original.starts, { start: 0, end: 0 })] : [],
      },
    };
  }
  if (run.untyped.length > 0) run.notes.add(untypedNote(run.untyped));
  for (const draft of run.drafts.values()) checkExports(run, draft);
  const needs = [...byFolder].flatMap(([folder, drafts]) => packageNeeds(run, folder, drafts));
  if (run.obstacles.length > 0) return { outcome: 'refuse', reason: reasonOf(run) };
  return result(run, needs);
}

function result(run: Migration, needs: readonly Need[]): Rewrite {
  const changes: FileChange[] = [];
  for (const draft of run.drafts.values()) {
    const placed = run.kept.filter(({ path }) => path === draft.path).map(({ original, kind, text }) => ({ offset: draft.toCurrent(original), kind, text }));
    draft.apply(markerEdits(draft.file, CONCERN, placed), 'the markers');
    const edits = draft.edits();
    if (edits.length > 0) changes.push({ kind: 'edit', file: draft.path, edits });
  }
  const todo = [...new Set(run.kept.map((kept) => `${kept.path}: ${markerText(kept)}`))];
  const notes = changes.length > 0 ? [...WIRE_NOTES, ...run.notes] : [...run.notes];
  return {
    outcome: todo.length > 0 ? 'scaffold' : 'rewrite',
    changes,
    needs: changes.length > 0 || needs.some((need) => need.kind === 'dependency' && need.remove) ? needs : [],
    todo,
    notes,
  };
}
