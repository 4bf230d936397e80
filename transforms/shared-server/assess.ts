import type { Assessment, Concern, WorkItem } from '../../src/core/index.js';

/** A factory that exists is called; one that does not exist has to be written by a person, who knows what the server shares. */
export function assess(item: WorkItem, known: Assessment): ReturnType<NonNullable<Concern['assess']>> {
  const fingerprints = new Set(item.findings);
  const findings = known.findings.filter(({ fingerprint }) => fingerprints.has(fingerprint));
  if (findings.every(({ data }) => typeof data['call'] === 'string')) return { remedy: 'automatic', reason: 'A factory without parameters exists.' };
  const advice = findings.map(({ data }) => String(data['advice']))[0] ?? '';
  return { remedy: 'manual', reason: 'No factory exists yet; the transport can only be migrated after it.', todo: [advice] };
}
