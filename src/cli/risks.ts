import { riskOf, type ScanResult } from '../core/index.js';
import type { DormantKnowledge, Knowledge } from '../engine/index.js';
import { visible } from '../report/index.js';
import { UsageProblem } from './errors.js';
import { nearest } from './nearest.js';

/**
 * `--accept-risk` takes the id of a rule, alone or with `:` and what it refuses.
 * @param rules asked for the ids only when a risk is given: to know them loads all knowledge
 * @throws UsageProblem for a rule that does not exist
 */
export async function checkRiskNames(given: Readonly<Record<string, string>> | undefined, knowledge: Knowledge | DormantKnowledge): Promise<void> {
  const risks = Object.keys(given ?? {});
  if (risks.length === 0) return;
  const { rules } = 'wake' in knowledge ? await knowledge.wake() : knowledge;
  const known = [...rules.map(({ id }) => id), MILESTONE_ORDER];
  for (const risk of risks) {
    const [id = ''] = risk.split(':');
    if (known.includes(id)) continue;
    const close = nearest(id, known);
    throw new UsageProblem(
      `--accept-risk: there is no rule ${visible(id)}; ${close === undefined ? `rules are ${known.join(', ')}` : `did you mean ${close}?`}`,
    );
  }
}

/** Refusal of the engine itself. */
const MILESTONE_ORDER = 'milestone-order';

/** Acceptances that fit no refusal: of what is mended, or misspelt. */
export const idleAcceptances = ({ refusals }: ScanResult, given: Readonly<Record<string, string>>): readonly string[] => {
  const names = new Set(refusals.flatMap((refusal) => [refusal.id, riskOf(refusal)]));
  return Object.keys(given).filter((risk) => !names.has(risk) && !risk.startsWith(MILESTONE_ORDER));
};
