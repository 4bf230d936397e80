import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { Need } from '../../../src/core/index.js';
import { type TypeScriptFile, importBindings } from '../../../src/languages/typescript/index.js';
import { sdkOf } from '../../_mcp/sdk-table.js';
import { v1Requests } from '../requests.js';
import { zodKin, zodRange } from '../zod-line.js';
import type { Draft } from './draft.js';
import { eventStoreNeeds } from './event-store.js';
import { manifestNeeds } from './manifest.js';
import type { Migration } from './run.js';
import { judgeZod } from './zod-range.js';
import { keepZod3 } from './zod3.js';

/** The manifest of a package, by its folder. */
export const manifestOf = (folder: string): string => (folder === '.' ? 'package.json' : posix.join(folder, 'package.json'));

/** What a package needs when its files have moved: the SDK, zod or a conversion of its schemas, an event store. Says what consumers have to know. */
export function packageNeeds(run: Migration, folder: string, drafts: readonly Draft[]): readonly Need[] {
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
export const isPublished = (manifest: Readonly<Record<string, unknown>> | undefined): boolean =>
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
