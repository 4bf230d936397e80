import { type Need, type RewriteContext } from '../../../../src/core/index.js';
import { versionOf } from '../../sdk-table.js';
import { LANE } from '../../vocabulary.js';

/** The SDK packages that emitted code imports, as dependencies of the package that owns the file. */
export function sdkDependencies(context: RewriteContext, folder: string, names: readonly string[]): readonly Need[] {
  const manifest = context.inventory.packages.find((entry) => entry.folder === folder)?.manifest;
  if (manifest === undefined) return [];
  return [
    ...names.map((name): Need => ({ kind: 'dependency', manifest, name, range: `^${versionOf(name) ?? '2.0.0'}` })),
    { kind: 'engine', manifest, name: 'node', range: '>=20' },
  ];
}

/** The day on which the legacy lane goes; absent until the team has named it. */
export const removalDate = (context: RewriteContext): string | undefined => context.options.sunset;

/** The words that mark a lane and find it again: with the date once there is one. */
export const laneMark = (date: string | undefined): string => (date === undefined ? `${LANE} (date not set)` : `${LANE}, remove after ${date}`);
