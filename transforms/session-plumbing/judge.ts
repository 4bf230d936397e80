import { contains, factsOf, keyOf, type Fact, type Finding, type Inventory } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';

/** Routes that lead to an endpoint which is understood as a whole are reported there. Pure. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  const settled = settle(finding, inventory);
  if (finding.role === 'test' || !finding.id.endsWith('/stream-route')) return settled;
  const at = finding.site;
  const routes = factsOf(facts, 'route').filter(
    (fact) => fact.site.file === at.file && fact.site.span.start <= at.span.start && fact.site.span.end >= at.span.end,
  );
  const [route] = routes;
  // One registration for several verbs is reported nowhere else.
  if (route === undefined || routes.length > 1) return settled;
  const known = factsOf(facts, 'dispatch').some(
    (fact) =>
      (route.handler !== undefined && fact.within !== undefined && keyOf(fact.within) === keyOf(route.handler)) ||
      (fact.site.file === at.file && route.handlerSpan !== undefined && contains(route.handlerSpan, fact.site.span)),
  );
  return known ? undefined : settled;
}
