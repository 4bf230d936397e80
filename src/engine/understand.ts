import type { Fact, Finding, Inventory, Plan, Suppression } from '../core/index.js';
import { judge } from './judge.js';
import { ruleFilter, type Knowledge, type ScanOptions } from './knowledge.js';
import { settleApps } from './link/apps.js';
import { link, withMilestones } from './link/link.js';
import { bySite } from './order.js';
import { plan } from './plan/plan.js';
import { packageFinder } from './scan/candidates.js';
import { suppress } from './scan/suppressions.js';
import type { Scanned } from './scan/types.js';

/** What a scan means: the middle of the journey, as one value. */
export interface Understanding {
  readonly facts: readonly Fact[];
  /** Judged, without suppressed ones and without rules that the user left out. */
  readonly findings: readonly Finding[];
  /** The same with those in tests, whatever the options list. */
  readonly all: readonly Finding[];
  /** Findings in tests that are not in the list. */
  readonly inTests: number;
  readonly suppressions: readonly Suppression[];
  readonly inventory: Inventory;
  readonly plan: Plan;
}

/**
 * Link, judge, plan. Pure: no file is read.
 * @throws UsageError for an unknown rule name, InternalFault when a piece of the knowledge throws
 */
export function understand(scanned: Scanned, knowledge: Knowledge, options: ScanOptions): Understanding {
  const wanted = ruleFilter(knowledge, options);
  const files = [...scanned.files.values()];
  const facts = settleApps(files.flatMap((file) => file.facts));
  const finder = packageFinder(scanned.packages.map((entry) => ({ ...entry, manifests: [] })));
  const packageOf = (path: string): string => finder(path).folder;

  const links = link(facts, { packages: scanned.packages, packageOf, roleOf: (path) => scanned.files.get(path)?.role ?? 'source' });
  const judged = judge(
    files.flatMap((file) => file.findings),
    links,
    facts,
    knowledge,
  );
  const { kept, suppressions } = suppress(
    judged,
    files.flatMap((file) => file.suppressions),
    knowledge,
  );
  const inventory = withMilestones(links.inventory, kept, packageOf);

  const selected = kept.filter((finding) => wanted(finding.id));
  const findings = options.includeTests === true ? selected : selected.filter((finding) => finding.role !== 'test');
  return {
    facts,
    findings,
    all: selected,
    inTests: selected.length - findings.length,
    suppressions: [...suppressions].sort((a, b) => bySite(a.site, b.site)),
    inventory,
    plan: plan({ findings, facts, links, inventory, knowledge, packageOf }, options),
  };
}
