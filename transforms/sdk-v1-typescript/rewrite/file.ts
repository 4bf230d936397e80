import { ts } from 'ts-morph';
import { type Site, siteOf } from '../../../src/core/index.js';
import { type TypeScriptFile, importBindings, rebindImports } from '../../../src/languages/typescript/index.js';
import { type ProjectType, isExported, isListed, sdkOf } from '../../_mcp/sdk-table.js';
import { someNode } from '../nodes.js';
import { registrationsOf } from '../registrations.js';
import { type authHome, expressRoute, repairAuthErrors } from './auth.js';
import { narrowerPlaces } from '../narrower.js';
import { planRebinding } from './bindings.js';
import { repairCompletions } from './completions.js';
import { repairConstructors } from './constructors.js';
import type { Draft } from './draft.js';
import { repairDynamic } from './dynamic.js';
import { markErrorConstruction, repairRawCodes } from './errors.js';
import { joinConfigs, repairRegistrations } from './handlers.js';
import { repairHttpStatus } from './http-status.js';
import { repairMocks } from './mocks.js';
import { consultCodemod } from './oracle.js';
import { remarksToTodos } from './remarks.js';
import { repairResults } from './results.js';
import type { Migration } from './run.js';
import { repairSpecifiers } from './specifiers.js';
import { repairTables } from './tables.js';

/** Everything that one file tells by itself: the official codemod, what it leaves, and the imports at the end. */
export function migrateFile(run: Migration, draft: Draft, project: ProjectType, home: ReturnType<typeof authHome>): void {
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
  run.note(draft, dynamic.todos);
  draft.apply([...dynamic.edits, ...rebindImports(draft.file, { remove: [], add: dynamic.add })], 'the handler registrations');
  const tables = repairTables(draft.file, run.readable());
  run.tables.push(...tables.open.map((node) => originalSite(draft, node)));
  draft.apply([...tables.edits, ...rebindImports(draft.file, { remove: [], add: tables.add })], 'the handlers of tables');
  const completions = repairCompletions(draft.file);
  run.refuse(draft, completions.obstacles);
  draft.apply(completions.edits, 'the capabilities');
  const narrower = narrowerPlaces(draft.file, run.readable());
  run.note(
    draft,
    narrower.map(({ node, advice }) => ({ file: draft.file, node, kind: 'narrower-type', text: `${advice.charAt(0).toLowerCase()}${advice.slice(1)}.` })),
  );
  const results = repairResults(draft.file, run.readable());
  const marked = new Set(narrower.map(({ node }) => node));
  run.untyped.push(...results.open.filter((node) => !marked.has(node)).map((node) => originalSite(draft, node)));
  draft.apply([...results.edits, ...rebindImports(draft.file, { remove: [], add: results.add })], 'the results of handlers');
  const constructors = repairConstructors(draft.file);
  run.removed.push(...constructors.removed.map(({ node, what }) => ({ ...originalSite(draft, node), what })));
  draft.apply(constructors.edits, 'the constructors');
  const codes = repairRawCodes(draft.file);
  run.note(draft, codes.todos);
  draft.apply([...codes.edits, ...rebindImports(draft.file, { remove: [], add: codes.add })], 'the error codes');
  draft.apply(repairHttpStatus(draft.file, draft.original), 'the HTTP status');
  run.note(draft, markErrorConstruction(draft.file));
  dropUnused(draft);
}

/** Where a node of the draft stood at first. */
const originalSite = (draft: Draft, node: ts.Node): Site =>
  siteOf(draft.path, draft.original.starts, { start: draft.toOriginal(node.getStart(draft.file.tree)), end: 0 });

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
export function checkExports(run: Migration, draft: Draft): void {
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
