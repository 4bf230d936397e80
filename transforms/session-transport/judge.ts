import { type Endpoint, type Fact, type Finding, type Inventory, contains, factsOf, keyOf } from '../../src/core/index.js';
import { hasModernSibling, servesBothEras } from '../_mcp/settle.js';
import { dispatches, endpointOf } from '../_mcp/reach.js';

/** Joins the findings of one lane, and drops routes that turn out to serve something else. Pure. */
export function judge(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  const kind = finding.id.slice(finding.id.indexOf('/') + 1);
  if (kind === 'sessionless-lane') return finding.role === 'source' ? finding : undefined;
  if (kind === 'session-route' && finding.data['branch'] !== true) {
    const route = factsOf(facts, 'route').find(
      (fact) =>
        fact.site.file === finding.site.file &&
        fact.site.span.start === finding.site.span.start &&
        contains(fact.site.span, finding.site.span) &&
        isSame(fact.site.span, finding),
    );
    if (route === undefined || !dispatches(route, facts)) return undefined;
  }
  if (kind === 'session-map' && isUnused(finding, facts)) return undefined;
  if (kind === 'session-header-kept') return { ...finding, group: `client ${finding.site.file}` };
  if (finding.role === 'test') return { ...finding, group: `test ${finding.site.file}` };
  const endpoint = endpointOf(finding, inventory, facts);
  if (endpoint === undefined)
    return kind !== 'initialize-gated-auth' && servesBothEras(finding.site.file, inventory) ? { ...finding, lane: 'legacy', impact: 'none' } : finding;
  const judged = { ...finding, group: laneOf(endpoint, inventory).id };
  // Behind an entry that serves both eras, what is left of sessions serves the legacy lane, wherever it is declared.
  if ((endpoint.era === 'dual' || hasModernSibling(endpoint, inventory)) && kind !== 'initialize-gated-auth')
    return { ...judged, lane: 'legacy', impact: 'none' };
  return judged;
}

/** The route that messages are posted to and the stream that answers them are one lane of HTTP+SSE. */
function laneOf(endpoint: Endpoint, inventory: Inventory): Endpoint {
  if (endpoint.transport !== 'sse-post') return endpoint;
  const stores = new Set(endpoint.stores.map(keyOf));
  const files = new Set(endpoint.routes.map((site) => site.file));
  const streams = inventory.endpoints.filter((other) => other.transport === 'sse' && other.package === endpoint.package);
  return (
    streams.find((other) => other.stores.some((store) => stores.has(keyOf(store)))) ??
    streams.find((other) => other.routes.some((site) => files.has(site.file))) ??
    endpoint
  );
}

/** A map that is declared and that nobody reads or writes, here or in another file: dead code holds no session. */
function isUnused(finding: Finding, facts: readonly Fact[]): boolean {
  const symbol = finding.data['symbol'];
  if (finding.data['uses'] !== 0 || typeof symbol !== 'string') return false;
  return (
    !factsOf(facts, 'store').some((fact) => keyOf(fact.symbol) === symbol && fact.site.file !== finding.site.file) &&
    !factsOf(facts, 'call').some((fact) => keyOf(fact.to) === symbol)
  );
}

const isSame = (span: { readonly start: number; readonly end: number }, finding: Finding): boolean =>
  finding.data['route'] === `${String(span.start)}:${String(span.end)}`;
