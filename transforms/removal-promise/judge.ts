import { factsOf, type Fact, type Finding, type Inventory } from '../../src/core/index.js';

/** In milliseconds. */
const DAY = 86_400_000;

/**
 * A planned day is too early when a header promises a later one. A document may end one route before another: only the last day that
 * it names ends them all. Pure.
 */
export function judge(finding: Finding, _inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  if (finding.id !== 'removal-promise/early-removal') return finding;
  const promises = factsOf(facts, 'promised-date');
  const day = String(finding.data['promised']);
  const last = promises
    .filter(({ medium, site }) => medium === 'document' && site.file === finding.site.file)
    .every((other) => other.day < day || (other.day === day && other.site.line <= finding.site.line));
  const headers = promises.filter(({ medium, day: promised }) => medium === 'header' && promised > day).sort((a, b) => (a.day < b.day ? 1 : -1));
  const [header] = headers;
  if (!last || header === undefined) return undefined;
  return {
    ...finding,
    related: headers.map(({ site, day: promised }) => ({ ...site, label: `answers promise ${promised}` })),
    evidence: [`the header \`Sunset\` names ${header.day}`],
    data: { promised: day, announced: header.day, days: Math.round((Date.parse(header.day) - Date.parse(day)) / DAY) },
  };
}
