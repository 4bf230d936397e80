import type { Rewrite, RewriteContext } from '../../../src/core/index.js';
import type { Endpoint } from '../../../src/core/index.js';
import { askInHandlers } from './insert.js';
import { gatherHandlers } from './lane.js';
import { replaceInHandlers } from './replace.js';

export { retireHandlers } from './retire.js';

/** Rewrites an endpoint whose host calls functions of the repository, in the legacy lane that the plan chose for it. */
export function rewriteHandlers(endpoint: Endpoint, context: RewriteContext): Rewrite {
  const lane = context.lane(endpoint.id);
  const choice = lane?.choice ?? 'sessionful';
  const found = gatherHandlers(endpoint, context);
  if ('reason' in found) return { outcome: 'refuse', reason: found.reason };
  if (choice === 'none') return replaceInHandlers(found, context, 'modern');
  if (choice === 'sessionful') return askInHandlers(found, context);
  const replaced = replaceInHandlers(found, context, 'both');
  if (replaced.outcome !== 'refuse' || lane?.asked === 'stateless') return replaced;
  // The lane could be stateless; only the code around it cannot be proved to be removable. Keeping it is always right.
  const kept = askInHandlers(found, context);
  return kept.outcome === 'refuse' ? kept : { ...kept, notes: [`The old handlers are kept: ${replaced.reason.why}.`, ...kept.notes] };
}
