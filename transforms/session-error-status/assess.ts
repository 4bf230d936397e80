import type { Assessment, Concern, WorkItem } from '../../src/core/index.js';
import { hasModernSibling } from '../_mcp/settle.js';

/** With lanes apart, the old handlers stay byte for byte: also their answers. */
export function assess(item: WorkItem, { inventory, lanes }: Assessment): ReturnType<NonNullable<Concern['assess']>> {
  const http = inventory.endpoints.filter(({ transport }) => transport !== 'stdio');
  const own = http.filter(({ routes, transports, handlers }) => [...routes, ...transports, ...handlers].some(({ file }) => item.files.includes(file)));
  const apart = own.filter(
    (endpoint) => hasModernSibling(endpoint, inventory) || lanes.some(({ endpoint: id, choice }) => id === endpoint.id && choice === 'separate'),
  );
  const modern = own.filter(({ era }) => era === 'modern');
  if (apart.length > 0 && apart.length + modern.length >= own.length)
    return { remedy: 'none', reason: 'The old routes stay as they are beside the modern endpoint, their answers too.' };
  return { remedy: 'automatic', reason: 'The rewrite proves its precondition at each place.' };
}
