import type { Finding, Inventory } from '../../src/core/index.js';

/** Sessions that a document speaks of are those of the protocol only where a server of the repository has some. Pure. */
export function judge(finding: Finding, inventory: Inventory): Finding | undefined {
  if (!finding.id.endsWith('/session-prose')) return finding;
  const kept = inventory.endpoints.some(({ transport, sessions, era }) => transport !== 'stdio' && era !== 'modern' && sessions !== 'none');
  return kept ? finding : undefined;
}
