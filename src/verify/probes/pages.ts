import type { Deviation } from '../evaluate/assert.js';
import { valueAt } from '../evaluate/path.js';
import type { Probe } from './index.js';

/** Pages that are followed at most. */
const LIMIT = 20;

/** Follows `nextCursor` by its presence: every page has hints, and all pages of one listing have the same `cacheScope`. */
export const pages: Probe = async ({ wire, with: { method } }) => {
  const deviations: Deviation[] = [];
  const first = await wire.exchange({ method: String(method) });
  const scope = valueAt(first, 'result.cacheScope');
  let cursor = valueAt(first, 'result.nextCursor');
  for (let page = 2; cursor !== undefined && page <= LIMIT; page++) {
    if (typeof cursor !== 'string')
      return { deviations: [{ level: 'must', text: `${String(method)}: nextCursor must be a string; saw ${JSON.stringify(cursor)}` }] };
    const answer = await wire.exchange({ method: String(method), params: { cursor } });
    const seen = valueAt(answer, 'result.cacheScope');
    if (seen !== scope)
      deviations.push({
        level: 'must',
        text: `${String(method)}: cacheScope must be the same on all pages; page 1 says ${JSON.stringify(scope)}, page ${String(page)} ${JSON.stringify(seen)}`,
      });
    if (typeof valueAt(answer, 'result.ttlMs') !== 'number') deviations.push({ level: 'must', text: `${String(method)}: page ${String(page)} has no ttlMs` });
    const next = valueAt(answer, 'result.nextCursor');
    if (next !== undefined && next === cursor)
      return { deviations: [...deviations, { level: 'must', text: `${String(method)}: page ${String(page)} names its own cursor as the next one` }] };
    cursor = next;
  }
  return { deviations };
};
