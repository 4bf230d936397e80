import type { Assessment, Finding, Remedy, WorkItem } from '../../src/core/index.js';
import { STUCK } from './handover.js';
import { MANIFEST } from './judge.js';
import { ownerOf } from './owner.js';
import { isOnZod4, zodKin } from './zod-line.js';

/** Kinds that leave a marker, because the cure is a choice. */
const MARKED: ReadonlySet<string> = new Set(['unmapped-import', 'deep-import', 'resolved-path', 'type-shim', 'forwarded-context']);

/** What the item comes to, as far as findings tell; the rewrite proves the rest or refuses. */
export function assess(item: WorkItem, known: Assessment): { readonly remedy: Remedy; readonly reason: string } {
  const own = known.findings.filter((finding) => item.findings.includes(finding.fingerprint));
  const kinds = new Set(own.map((finding) => finding.id.slice(finding.id.indexOf('/') + 1)));
  if (own.every((finding) => finding.impact === 'none')) return { remedy: 'none', reason: 'Nothing has to change; it is listed for the record.' };
  if ([...kinds].every((kind) => MANIFEST.has(kind)))
    return {
      remedy: 'manual',
      reason: 'Only a manifest names SDK v1: no code that was read imports it. Remove it, or replace it by the v2 packages that are meant.',
    };
  const wrapped = own.find((finding) => finding.id.endsWith('/wrapped-sdk'));
  if (wrapped)
    return {
      remedy: 'guided',
      reason: `\`${String(wrapped.data['wrapper'])}\` decides the SDK line; the rewrite is done when the declared version of it is on SDK v2, else it is refused.`,
    };
  const removed = own.find((finding) => finding.id.endsWith('/removed-symbol') && finding.data['name'] !== 'WebSocketClientTransport');
  if (removed)
    return {
      remedy: 'refused',
      reason: `\`${String(removed.data['name'])}\` has no counterpart in SDK v2 (${removed.site.file}:${String(removed.site.line)}); the package moves as a whole or not at all.`,
    };
  const stuck = stuckOn3(own, known);
  if (stuck) return { remedy: 'refused', reason: `${STUCK} (${stuck})` };
  if (kinds.has('zod-range'))
    return {
      remedy: 'automatic',
      reason:
        'Each use has a counterpart in SDK v2; zod keeps its major version, because a use of it is not proved to mean the same in zod 4, and its schemas are handed over with a conversion.',
    };
  const marked = [
    ...new Set(own.filter((finding) => finding.data['name'] !== 'InMemoryEventStore').map((finding) => finding.id.slice(finding.id.indexOf('/') + 1))),
  ].filter((kind) => MARKED.has(kind));
  if (marked.length > 0) return { remedy: 'guided', reason: `Everything is rewritten; markers stay at what needs a choice: ${marked.join(', ')}.` };
  return { remedy: 'automatic', reason: 'Each use has a counterpart in SDK v2.' };
}

/** Place of a schema that cannot be handed over, in a package whose zod stays on 3. The rewrite proves the same from the texts. */
function stuckOn3(own: readonly Finding[], { inventory, facts }: Assessment): string | undefined {
  const unproved = new Set(own.filter((finding) => finding.id.endsWith('/zod-range')).map(({ site }) => ownerOf(site.file, inventory)));
  const stuck = own.find(({ data, site }) => {
    if (typeof data['stuck'] !== 'number') return false;
    const folder = ownerOf(site.file, inventory);
    return !isOnZod4(folder, facts) && (unproved.has(folder) || zodKin(folder, inventory, facts).length > 0);
  });
  return stuck && `${stuck.site.file}:${String(stuck.data['stuck'])}`;
}
