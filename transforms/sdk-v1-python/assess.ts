import type { Assessment, Remedy, WorkItem } from '../../src/core/index.js';
import { leftText } from './rewrite/left.js';

/** Kinds that always leave a marker, beside those whose findings say so. */
const MARKED: ReadonlySet<string> = new Set(['removed-name', 'conflicting-pin']);

/** Kinds that only speak of packaging. */
const PACKAGING: ReadonlySet<string> = new Set(['requirement', 'pinned-source', 'version-skew', 'bot-group-major']);

/** What the item comes to, as far as findings tell; the rewrite proves the rest, and marks what it cannot prove. */
export function assess(item: WorkItem, known: Assessment): { readonly remedy: Remedy; readonly reason: string } {
  const own = known.findings.filter((finding) => item.findings.includes(finding.fingerprint));
  if (own.every((finding) => finding.impact === 'none')) return { remedy: 'none', reason: 'Nothing has to change; it is listed for the record.' };
  const kinds = new Set(own.map((finding) => finding.id.slice(finding.id.indexOf('/') + 1)));
  if (own.every((finding) => finding.impact === 'none' || finding.id === 'sdk-v1-python/version-skew'))
    return { remedy: 'manual', reason: 'The code is of another SDK line than the requirement says. Decide which of the two is meant, and state it.' };
  if ([...kinds].every((kind) => PACKAGING.has(kind)))
    return { remedy: 'manual', reason: 'Only packaging names SDK v1: no code that was read imports it. State the releases that are meant.' };
  const marked = [...kinds]
    .filter((kind) => MARKED.has(kind) || own.some((finding) => finding.id.endsWith(`/${kind}`) && leftText(finding) !== undefined))
    .sort();
  if (marked.length > 0) return { remedy: 'guided', reason: `Everything else is rewritten; markers stay at what needs a choice: ${marked.join(', ')}.` };
  const unproven = own.filter((finding) => finding.certainty !== 'certain' && finding.impact !== 'none').length;
  if (unproven > 0)
    return {
      remedy: 'guided',
      reason: `What is proved to be an object of the SDK is rewritten; at ${String(unproven)} ${unproven === 1 ? 'place' : 'places'} the type is not written down, and a marker stays where no evidence is found.`,
    };
  return { remedy: 'automatic', reason: 'Each use has a counterpart in SDK v2.' };
}
