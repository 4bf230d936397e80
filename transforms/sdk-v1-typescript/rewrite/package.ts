import { posix } from 'node:path';
import { type FileChange, type Need, type Reason, type Rewrite, type RewriteContext, siteOf } from '../../../src/core/index.js';
import { type TypeScriptFile, enclosingFunction } from '../../../src/languages/typescript/index.js';
import { type ProjectType, v1Module } from '../../_mcp/sdk-table.js';
import { markerEdits } from '../../_mcp/typescript/markers.js';
import { findContexts } from '../contexts.js';
import { namedModules } from '../requests.js';
import { authHome, mixesAuthErrors } from './auth.js';
import { repairContexts } from './context.js';
import { removedNote } from './constructors.js';
import { BrokenDraftError, Draft } from './draft.js';
import { checkExports, migrateFile } from './file.js';
import { handedOut } from './handed-out.js';
import { inspect } from './inspect.js';
import { CONCERN, markerText } from './markers.js';
import { isPublished, manifestOf, packageNeeds } from './needs.js';
import { concernsSdk } from './oracle.js';
import { registrationsOf } from '../registrations.js';
import { repairLogging, repairRequestReads } from './request.js';
import { untypedNote } from './results.js';
import { Migration } from './run.js';
import { STUB_STEP, stubbedMethods } from './stubs.js';
import { tableNote } from './tables.js';

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
    run.applyAll(repairContexts(findContexts(run.files()), run.files()), 'the request context');
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
  if (run.removed.length > 0) run.notes.add(removedNote(run.removed));
  if (run.tables.length > 0) run.notes.add(tableNote(run.tables));
  markStubs(run);
  if (run.untyped.length > 0) run.notes.add(untypedNote(run.untyped));
  for (const draft of run.drafts.values()) checkExports(run, draft);
  const needs = [...byFolder].flatMap(([folder, drafts]) => packageNeeds(run, folder, drafts));
  if (run.obstacles.length > 0) return { outcome: 'refuse', reason: reasonOf(run) };
  return result(run, needs);
}

/** Where the tests of a file stand, by the names that test runners look for. */
const testsOf = (path: string): readonly string[] =>
  ['.test', '.spec'].flatMap((suffix) => {
    const { dir, name, ext } = posix.parse(path);
    return [posix.join(dir, `${name}${suffix}${ext}`), posix.join(dir, '__tests__', `${name}${suffix}${ext}`)];
  });

/** Tests look at the methods of a stub in files that need not name the SDK: those that import what was rewritten, or stand beside it, are looked at too. */
function markStubs(run: Migration): void {
  const rewritten = [...run.drafts.values()].filter(({ original }) => registrationsOf(original).some(({ form }) => form === 'variadic'));
  for (const path of new Set(rewritten.flatMap((draft) => [...run.context.importersOf(draft.path), ...testsOf(draft.path)]))) {
    const file = run.drafts.has(path) || !run.context.exists(path) ? undefined : run.context.file('typescript', path);
    if (file) run.drafts.set(path, new Draft(file));
  }
  for (const draft of run.drafts.values()) {
    // One marker for each test, not for each line of it.
    const first = new Map(
      stubbedMethods(draft.original)
        .toReversed()
        .map((node) => [enclosingFunction(node), node] as const),
    );
    for (const node of first.values())
      run.kept.push({ path: draft.path, original: node.getStart(draft.original.tree), kind: 'variadic-registration', text: STUB_STEP });
  }
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
