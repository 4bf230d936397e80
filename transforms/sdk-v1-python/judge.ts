import type { Finding, Inventory } from '../../src/core/index.js';

/** Kinds that speak of objects whose origin a single file cannot always show. */
const HANDED: ReadonlySet<string> = new Set(['camel-read', 'camel-default', 'camel-write', 'camel-keyword', 'union-wrapper', 'sync-handler', 'private-member']);

/** Drops what only matters beside the SDK: fields of objects in packages that do not use it. */
export function judge(finding: Finding, inventory: Inventory): Finding | undefined {
  const kind = finding.id.slice(finding.id.indexOf('/') + 1);
  if (finding.certainty === 'certain' || !HANDED.has(kind)) return finding;
  return inventory.packages.some(({ sdk }) => sdk.length > 0) ? finding : undefined;
}
