import { acceptanceOf, riskOf, type Fact, type Finding, type Inventory, type Plan, type Refusal, type WorkItem } from '../../core/index.js';
import { InternalFault, type Knowledge, type ScanOptions } from '../knowledge.js';
import type { Links } from '../link/link.js';
import { byText, uniqueTexts } from '../order.js';
import { itemsOf } from './items.js';
import { decideLanes } from './lanes.js';
import { phasesOf, rollbackBoundary } from './phases.js';

/** Everything that a plan is made from. */
export interface Known {
  readonly findings: readonly Finding[];
  readonly facts: readonly Fact[];
  readonly links: Links;
  readonly inventory: Inventory;
  readonly knowledge: Knowledge;
  readonly packageOf: (file: string) => string;
}

/** Work items with their remedies, the lanes, the phases, and what the rules refuse. Pure. */
export function plan(known: Known, options: Pick<ScanOptions, 'legacy' | 'sunset' | 'owner' | 'acceptRisk' | 'retire'>): Plan {
  const { findings, facts, links, inventory, knowledge } = known;
  const choice = { legacy: options.legacy ?? 'auto', sunset: options.sunset, owner: options.owner, retire: options.retire === true } as const;
  const lanes = decideLanes(inventory.endpoints, facts, choice.legacy);
  const items = itemsOf(findings, links, knowledge, known.packageOf, { inventory, facts, lanes, options: choice });
  const phases = phasesOf({ items, lanes, inventory, sunset: options.sunset, owner: options.owner });
  const unchecked: Omit<Plan, 'refusals'> = {
    items,
    lanes,
    phases,
    rollbackBoundary: rollbackBoundary(phases),
    checks: uniqueTexts(items.flatMap((item) => item.closes)),
    effort: handWork(items),
    ...(options.sunset === undefined ? {} : { sunset: options.sunset }),
    ...(options.owner === undefined ? {} : { owner: options.owner }),
  };
  return { ...unchecked, refusals: refuse(known, unchecked, options.acceptRisk ?? {}) };
}

/** Minutes that are left for people: automatic items cost a review, which nobody can estimate from code. */
const handWork = (items: readonly WorkItem[]): number =>
  items.reduce((sum, item) => sum + (item.remedy === 'automatic' || item.remedy === 'none' ? 0 : item.effort), 0);

/** Refusals of all rules; one that the team accepts stays in the list, with the team's reason. */
function refuse(known: Known, unchecked: Omit<Plan, 'refusals'>, accepted: Readonly<Record<string, string>>): readonly Refusal[] {
  const refusals = known.knowledge.rules.flatMap((rule) => {
    try {
      return rule.evaluate(known.inventory, unchecked, known.findings, known.facts);
    } catch (error) {
      throw new InternalFault(`the rule "${rule.id}" failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return refusals
    .map((refusal) => {
      const reason = acceptanceOf(refusal, accepted);
      return reason === undefined ? refusal : { ...refusal, accepted: reason };
    })
    .sort((a, b) => byText(riskOf(a), riskOf(b)));
}
