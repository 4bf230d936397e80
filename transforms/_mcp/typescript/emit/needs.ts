import { type Need, type RewriteContext } from '../../../../src/core/index.js';
import { versionOf } from '../../sdk-table.js';

/** The SDK packages that emitted code imports, as dependencies of the package that owns the file. */
export function sdkDependencies(context: RewriteContext, folder: string, names: readonly string[]): readonly Need[] {
  const manifest = context.inventory.packages.find((entry) => entry.folder === folder)?.manifest;
  if (manifest === undefined) return [];
  return [
    ...names.map((name): Need => ({ kind: 'dependency', manifest, name, range: `^${versionOf(name) ?? '2.0.0'}` })),
    { kind: 'engine', manifest, name: 'node', range: '>=20' },
  ];
}

/** `legacy lane, remove after …`: the words that mark the lane and find it again. */
export const removalDate = (context: RewriteContext): string => context.options.sunset ?? 'date not set';
