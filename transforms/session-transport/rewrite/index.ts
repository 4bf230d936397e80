import type { Rewrite, RewriteContext, WorkItem } from '../../../src/core/index.js';
import { factsOf } from '../../../src/core/index.js';
import { hasHandlers } from '../../_hosts/index.js';
import { hasModernSibling } from '../../_mcp/settle.js';
import { rewriteHandlers } from '../handlers/index.js';
import { stateBySession } from '../../_mcp/reach.js';
import { addBeside } from '../separate/index.js';
import { gatherLane, reasonAt } from './lane.js';
import { sharedState, wrapLane } from './sessionful.js';
import { replaceLane } from './stateless.js';

/** Rewrites one endpoint to the modern entry, in the legacy lane that the plan chose for it. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const endpoint = item.endpoint === undefined ? undefined : context.endpoint(item.endpoint);
  const refuse = (why: string, next: string): Rewrite => ({ outcome: 'refuse', reason: reasonAt(why, next, item.sites.slice(0, 5)) });
  if (endpoint === undefined)
    return refuse('it is not known which route runs this code', 'Register the handler where the tool can follow it, or add the entry by hand.');
  if (endpoint.era !== 'legacy' || hasModernSibling(endpoint, context.inventory)) return { outcome: 'rewrite', changes: [], needs: [], todo: [], notes: [] };
  if (endpoint.host !== 'express' && !hasHandlers(endpoint.host))
    return refuse(
      `routes of "${endpoint.host}" are not rewritten yet`,
      'Add createMcpHandler in front of the handler by hand; the README of session-transport shows how.',
    );
  const old = factsOf(context.facts, 'sdk-import').find((fact) => fact.sdk === 1 && item.files.includes(fact.site.file) && fact.form !== 'string');
  if (old !== undefined)
    return { outcome: 'refuse', reason: reasonAt('this code still uses SDK v1', 'Run the SDK milestone first: --milestone sdk.', [old.site]) };
  const lane = context.lane(endpoint.id);
  const choice = lane?.choice ?? 'sessionful';
  const keyed = stateBySession(endpoint, context.facts);
  if (keyed[0] !== undefined)
    return { outcome: 'refuse', reason: reasonAt(sharedState(keyed[0]), 'See the item of session-state; then run this item again.', keyed) };
  if (choice === 'separate') return addBeside(endpoint, context);
  if (hasHandlers(endpoint.host)) return rewriteHandlers(endpoint, context);
  const found = gatherLane(endpoint, context);
  if ('reason' in found) return { outcome: 'refuse', reason: found.reason };
  if (choice === 'sessionful') return wrapLane(found, context);
  if (choice === 'none') return replaceLane(found, context, 'modern');
  const replaced = replaceLane(found, context);
  if (replaced.outcome !== 'refuse' || lane?.asked === 'stateless') return replaced;
  // The lane could be stateless; only the code around it cannot be proved to be removable. Keeping it is always right.
  const kept = wrapLane(found, context);
  if (kept.outcome === 'refuse') return kept;
  return { ...kept, notes: [`The old handlers are kept: ${replaced.reason.why}.`, ...kept.notes] };
}
