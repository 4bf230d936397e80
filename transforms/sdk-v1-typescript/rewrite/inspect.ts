import { ts } from 'ts-morph';
import { packageOf, sdkOf } from '../../_mcp/sdk-table.js';
import { experimentalUses } from '../removed.js';
import { wrapperOf, wrapperOnV2 } from '../wrappers.js';
import { repairCompletions } from './completions.js';
import type { Draft } from './draft.js';
import { foreignServers } from './foreign-servers.js';
import { declaredRange } from './manifest.js';
import type { Migration } from './run.js';

/**
 * What decides about a file before anything is rewritten: objects of the SDK go into a package with an SDK of its own, a server would not start on v2;
 * and a declaration by hand that hides the real types is noted.
 */
export function inspect(run: Migration, draft: Draft, manifest: Readonly<Record<string, unknown>> | undefined): void {
  const file = draft.file;
  const wrapped = wrapperOf(file);
  if (wrapped && !wrapperOnV2(wrapped, declaredRange(manifest, packageOf(wrapped.request.specifier)))) {
    run.refuse(draft, [
      {
        file,
        node: wrapped.request.literal,
        why: `\`${wrapped.request.specifier}\` speaks the protocol here with an SDK copy of its own, and takes no objects of SDK v2.`,
        next:
          wrapped.v2From === undefined
            ? `Its newest version (looked at on ${wrapped.checked}) is on SDK v1: wait for it, or serve without it.`
            : `Raise \`${packageOf(wrapped.request.specifier)}\` to ${wrapped.v2From} or later first; then run the migration again.`,
      },
    ]);
  }
  const lost = experimentalUses(file).map((node) => ({
    file,
    node,
    why: `\`${file.textOf(node)}\` has no counterpart: SDK v2 has no experimental tasks.`,
    next: 'Remove this use first, then run the migration again.',
  }));
  run.refuse(draft, lost);
  run.refuse(draft, foreignServers(file, new Set(run.context.inventory.packages.flatMap(({ name }) => name ?? []))));
  run.refuse(draft, repairCompletions(file).obstacles);
  for (const statement of file.tree.statements) {
    if (ts.isModuleDeclaration(statement) && ts.isStringLiteral(statement.name) && sdkOf(statement.name.text) === 1) {
      run.note(draft, [{ file, node: statement, kind: 'type-shim', text: 'remove this declaration: with it the type check says nothing about the real SDK.' }]);
    }
  }
}
