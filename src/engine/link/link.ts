import { factsOf, keyOf, type Fact, type Finding, type Inventory, type Milestone, type PackageEntry, type Role, type Site } from '../../core/index.js';
import { bySite, byText, siteKey, uniqueSites } from '../order.js';
import type { ScannedPackage } from '../scan/types.js';
import { linkEndpoints } from './endpoints.js';
import { buildGraph } from './graph.js';
import { legacyLane } from './lane.js';
import { groupRoutes } from './routes.js';
import { provedStates } from './states.js';

/** What `link` needs to know about files beside their facts. */
export interface LinkContext {
  readonly packages: readonly ScannedPackage[];
  readonly packageOf: (file: string) => string;
  readonly roleOf: (file: string) => Role;
}

/** The inventory, and questions about single places that later stages ask. */
export interface Links {
  readonly inventory: Inventory;
  inLegacyLane(site: Site): boolean;
  /** Ids of the endpoints whose handlers reach the function around a place, or whose own places it covers. */
  endpointsAt(site: Site): readonly string[];
}

/**
 * Joins facts of all files into what exists: packages, endpoints, servers outside endpoints, clients, stores, and the legacy lane.
 * Pure. Tests build servers too, but serve nobody: their facts are left out of everything but the SDK lines of packages.
 */
export function link(facts: readonly Fact[], context: LinkContext): Links {
  const inTests = (file: string): boolean => context.roleOf(file) === 'test';
  const served = provedStates(facts.filter((fact) => !inTests(fact.site.file)));
  const graph = buildGraph(served, inTests);
  const lane = legacyLane(served, graph, inTests);
  const { endpoints, reachedBy, owned } = linkEndpoints(served, groupRoutes(served, context.packageOf), graph, context.packageOf);

  const unreached = (fact: { readonly within?: { readonly file: string; readonly name: string } | undefined; readonly site: Site }): boolean =>
    !owned.has(siteKey(fact.site)) && !(fact.within && reachedBy.has(keyOf(fact.within)));
  const factories = factsOf(served, 'factory');
  const helpers = factsOf(served, 'application-session');
  const inventory: Inventory = {
    packages: context.packages.map((entry) => describePackage(entry, facts, context)),
    endpoints,
    servers: factsOf(served, 'server')
      .filter(unreached)
      .map((fact) => {
        const factory = factories.find((candidate) => fact.within && keyOf(candidate.symbol) === keyOf(fact.within))?.symbol;
        return { site: fact.site, className: fact.className, ...(factory ? { factory } : {}) };
      })
      .sort((a, b) => bySite(a.site, b.site)),
    clients: uniqueSites(factsOf(served, 'client').map((fact) => fact.site)),
    stores: factsOf(served, 'store')
      .map((fact) => ({ site: fact.site, symbol: fact.symbol, holds: fact.holds, form: fact.form }))
      .sort((a, b) => bySite(a.site, b.site)),
    ...(helpers.length === 0 ? {} : { applicationSessions: helpers.map(({ site, name }) => ({ site, name })).sort((a, b) => bySite(a.site, b.site)) }),
    legacyLane: [...lane.keys].sort(byText),
  };
  return {
    inventory,
    inLegacyLane: (site) => lane.has(site),
    endpointsAt(site) {
      const around = graph.functionAt(site);
      const reached = around === undefined ? undefined : reachedBy.get(around);
      if (reached && reached.length > 0) return reached;
      const covers = (place: Site): boolean =>
        place.file === site.file &&
        place.span.start < Math.max(site.span.end, site.span.start + 1) &&
        site.span.start < Math.max(place.span.end, place.span.start + 1);
      return endpoints
        .filter((endpoint) => [endpoint.routes, endpoint.transports, endpoint.push, endpoint.state].some((sites) => sites.some(covers)))
        .map((endpoint) => endpoint.id);
    },
  };
}

function describePackage(entry: ScannedPackage, facts: readonly Fact[], context: LinkContext): PackageEntry {
  const own = factsOf(facts, 'sdk-import').filter((fact) => context.packageOf(fact.site.file) === entry.folder);
  const shipped = own.filter((fact) => context.roleOf(fact.site.file) !== 'test' && fact.form !== 'string');
  return {
    folder: entry.folder,
    ...(entry.name === undefined ? {} : { name: entry.name }),
    ...(entry.manifest === undefined ? {} : { manifest: entry.manifest }),
    candidate: entry.candidate,
    sdk: [...new Set((shipped.length > 0 ? shipped : own).map((fact) => fact.sdk))].sort(),
    ahead: [],
    moduleType: entry.moduleType,
    ...(entry.dependencies === undefined ? {} : { dependencies: entry.dependencies }),
    ...(entry.importedBy === undefined ? {} : { importedBy: entry.importedBy }),
  };
}

/** Fills in which milestones are still ahead of each package: those that a finding outside the legacy lane asks for. */
export function withMilestones(inventory: Inventory, findings: readonly Finding[], packageOf: (file: string) => string): Inventory {
  const ahead = new Map<string, Set<Milestone>>();
  for (const finding of findings) {
    if (finding.lane === 'legacy' || finding.impact === 'none') continue;
    const folder = packageOf(finding.site.file);
    ahead.set(folder, (ahead.get(folder) ?? new Set<Milestone>()).add(finding.milestone));
  }
  return {
    ...inventory,
    packages: inventory.packages.map((entry) => ({
      ...entry,
      ahead: (['sdk', 'entry'] as const).filter((milestone) => ahead.get(entry.folder)?.has(milestone)),
    })),
  };
}
