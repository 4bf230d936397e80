import { contains, factsOf, keyOf, type Fact, type Finding, type Inventory, type Refusal, type Rule, type Site, type SymbolRef } from '../../src/core/index.js';

/** What a finding says about itself when it is the violation: `data.reject` holds the id of the rule. */
export const reported = (findings: readonly Finding[], rule: string): readonly Site[] =>
  findings.filter((finding) => finding.data.reject === rule && finding.lane !== 'legacy' && finding.role !== 'test').map((finding) => finding.site);

/** Files of the endpoints that already serve the modern era. */
export function modernFiles(inventory: Inventory): ReadonlySet<string> {
  const modern = inventory.endpoints.filter((endpoint) => endpoint.era !== 'legacy');
  return new Set(modern.flatMap((endpoint) => [...endpoint.routes, ...endpoint.transports, ...endpoint.push, ...endpoint.state]).map((site) => site.file));
}

/**
 * Facts of endpoints that serve the modern era, without those of their legacy lane: in a function that only its legacy side calls, in a
 * branch of an era test, or at a place whose finding was judged to be of the legacy lane.
 */
export function modernOnly<F extends Fact & { readonly within?: SymbolRef | undefined }>(
  inventory: Inventory,
  picked: readonly F[],
  facts: readonly Fact[],
  findings: readonly Finding[],
): readonly F[] {
  const files = modernFiles(inventory);
  const branches = factsOf(facts, 'era').flatMap((era) => era.spans.map((span) => ({ file: era.site.file, span })));
  const judged = findings.filter((finding) => finding.lane === 'legacy').map((finding) => finding.site);
  const legacy = (fact: F): boolean =>
    (fact.within !== undefined && inventory.legacyLane.includes(keyOf(fact.within))) ||
    branches.some((branch) => branch.file === fact.site.file && contains(branch.span, fact.site.span)) ||
    judged.some((site) => site.file === fact.site.file && (contains(site.span, fact.site.span) || contains(fact.site.span, site.span)));
  return picked.filter((fact) => files.has(fact.site.file) && !legacy(fact));
}

/** Each place once, ordered by file and line. */
export function orderedSites(sites: readonly Site[]): readonly Site[] {
  const unique = new Map(sites.map((site) => [`${site.file}:${site.span.start}:${site.span.end}`, site]));
  return [...unique.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.span.start - b.span.start));
}

/** One refusal for one thing, with all its places. */
export const refusalOf = (rule: Pick<Rule, 'id' | 'title'>, subject: string, sites: readonly Site[], why: string, next: string): Refusal => ({
  id: rule.id,
  title: rule.title,
  subject,
  reason: { why, next, sites: orderedSites(sites) },
});

/** One refusal for each file that violates a rule: each can be accepted alone, as `rule:file`. */
export function refusal(rule: Pick<Rule, 'id' | 'title'>, sites: readonly Site[], why: string, next: string): readonly Refusal[] {
  const files = [...new Set(orderedSites(sites).map((site) => site.file))];
  return files.map((file) =>
    refusalOf(
      rule,
      file,
      sites.filter((site) => site.file === file),
      why,
      next,
    ),
  );
}
