import { type Fact, type Finding, type Inventory, contains, factsOf } from '../../src/core/index.js';
import { dispatches, endpointOf } from './reach.js';

/** Joins the findings of one lane, and drops routes that turn out to serve something else. Pure. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  const kind = finding.id.slice(finding.id.indexOf('/') + 1);
  if (kind === 'session-route' && finding.data['branch'] !== true) {
    const route = factsOf(facts, 'route').find((fact) => fact.site.file === finding.site.file && fact.site.span.start === finding.site.span.start && contains(fact.site.span, finding.site.span) && isSame(fact.site.span, finding));
    if (route === undefined || !dispatches(route, facts)) return undefined;
  }
  if (kind === 'session-header-kept') return { ...finding, group: `client ${finding.site.file}` };
  if (finding.role === 'test') return { ...finding, group: `test ${finding.site.file}` };
  const endpoint = endpointOf(finding, inventory, facts);
  if (endpoint === undefined) return finding;
  const judged = { ...finding, group: endpoint.id };
  // Behind an entry that serves both eras, what is left of sessions serves the legacy lane, wherever it is declared.
  if (endpoint.era === 'dual' && kind !== 'initialize-gated-auth') return { ...judged, lane: 'legacy', impact: 'none' };
  return judged;
}

const isSame = (span: { readonly start: number; readonly end: number }, finding: Finding): boolean => finding.data['route'] === `${String(span.start)}:${String(span.end)}`;
