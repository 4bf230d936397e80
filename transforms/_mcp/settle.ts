import { type Endpoint, type Finding, type Inventory, separateSibling } from '../../src/core/index.js';

/** Folder of the package that owns a file: the longest one above it. */
function packageOf(file: string, inventory: Inventory): string {
  const folders = inventory.packages.map(({ folder }) => folder).filter((folder) => folder === '.' || file.startsWith(`${folder}/`));
  return folders.sort((a, b) => b.length - a.length)[0] ?? '.';
}

/** True when every endpoint of the package serves the modern revision already: what is left of sessions serves the legacy lane. */
export function servesBothEras(file: string, inventory: Inventory): boolean {
  const folder = packageOf(file, inventory);
  const own = inventory.endpoints.filter((endpoint) => endpoint.package === folder);
  return own.length > 0 && own.every((endpoint) => endpoint.era !== 'legacy' || hasModernSibling(endpoint, inventory));
}

/**
 * An old URL beside an endpoint that serves modern clients: nothing is left to add, the old URL is the legacy lane. Streams of HTTP+SSE
 * have one beside them when any endpoint of their package is modern; other endpoints when one stands on the path that this tool gives it.
 */
export const hasModernSibling = (endpoint: Endpoint, inventory: Inventory): boolean =>
  separateSibling(endpoint, inventory.endpoints) !== undefined ||
  ((endpoint.transport === 'sse' || endpoint.transport === 'sse-post') &&
    inventory.endpoints.some((other) => other.package === endpoint.package && other.transport === 'streamable-http' && other.era !== 'legacy'));

/**
 * What most concerns say about a finding in its surroundings: tests make an item of their own, because they are changed with the
 * code that they test, and behind an entry that serves both eras the rest belongs to the legacy lane.
 */
export function settle(finding: Finding, inventory: Inventory): Finding {
  const group = finding.role === 'test' ? `tests: ${finding.group}` : finding.group;
  if (finding.impact !== 'none' && servesBothEras(finding.site.file, inventory)) return { ...finding, group, lane: 'legacy', impact: 'none' };
  return group === finding.group ? finding : { ...finding, group };
}
