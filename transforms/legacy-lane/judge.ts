import { type Fact, type FactOf, type Finding, type Inventory, type SymbolRef, contains, factsOf, keyOf } from '../../src/core/index.js';
import { dispatches, routeReach } from '../_mcp/reach.js';

/** Keeps an entry as the front of an unreached lane only where a route to it is asked before a route that keeps sessions. Pure. */
export function judge(finding: Finding, _inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  if (finding.id !== 'legacy-lane/unreached-lane') return finding;
  const entry = factsOf(facts, 'era').find((fact) => fact.site.file === finding.site.file && fact.site.span.start === finding.site.span.start);
  if (entry === undefined) return undefined;
  const front = factsOf(facts, 'route').find((route) => runs(route, entry, facts) && !decides(route, facts));
  const behind = front === undefined ? [] : factsOf(facts, 'route').filter((route) => isBehind(route, front) && dispatches(route, facts));
  const [first] = behind;
  if (front === undefined || first === undefined) return undefined;
  return {
    ...finding,
    data: { ...finding.data, line: first.site.line },
    related: [{ ...front.site, label: 'asked first' }, ...behind.map(({ site }) => ({ ...site, label: 'never asked by a client that opens a session' }))],
  };
}

/** Does a route run an entry: the variable that holds it, or the entry itself in its handler? */
function runs(route: FactOf<'route'>, entry: FactOf<'era'>, facts: readonly Fact[]): boolean {
  if (entry.symbol !== undefined && routeReach(route, facts).has(keyOf(entry.symbol))) return true;
  return route.site.file === entry.site.file && contains(route.site.span, entry.site.span);
}

/** Does a route look at the era of the request, or hand some requests to a transport itself? */
function decides(route: FactOf<'route'>, facts: readonly Fact[]): boolean {
  const reach = routeReach(route, facts);
  return (
    dispatches(route, facts) ||
    factsOf(facts, 'era').some(
      ({ what, site, within }) =>
        what !== 'entry' && ((within !== undefined && reach.has(keyOf(within))) || (site.file === route.site.file && contains(route.site.span, site.span))),
    )
  );
}

/** Is a route registered after another one that takes all of its requests? Told within one file, where the order of the text is that of the calls. */
function isBehind(route: FactOf<'route'>, front: FactOf<'route'>): boolean {
  return (
    route.site.file === front.site.file &&
    route.site.span.start > front.site.span.start &&
    route.host === front.host &&
    nameOf(route.app) === nameOf(front.app) &&
    pathOf(front) !== undefined &&
    pathOf(route) === pathOf(front) &&
    (front.method === 'ALL' || front.method === route.method)
  );
}

const nameOf = (app: SymbolRef | undefined): string | undefined => (app === undefined ? undefined : keyOf(app));

/** The path without a slash at its end, else the expression that stands for it. */
const pathOf = ({ path, expression }: FactOf<'route'>): string | undefined => path?.replace(/\/$/, '') ?? expression;
