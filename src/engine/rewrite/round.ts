import { OverlapError, type Proof, type RewriteContext, type WorkItem } from '../../core/index.js';
import { ChangeError, type Overlay } from '../../workspace/index.js';
import { concernsOf, type Knowledge } from '../knowledge.js';
import { prove } from '../prove.js';
import { compose, type Composed, type ComposeTools } from './compose.js';
import { NeedConflict } from './needs.js';
import { byTurn, collide, fault, propose, type Answer, type Proposal } from './proposal.js';

/** What one round made of the items that it was given. */
export interface RoundResult {
  /** Answers that are no proposal, by item id. */
  readonly answers: readonly { readonly item: WorkItem; readonly answer: Exclude<Answer, { kind: 'proposal' }> }[];
  readonly accepted: readonly Proposal[];
  /** Proposals that wait for the next round: they overlap an accepted one, or hold only without it. */
  readonly deferred: readonly Proposal[];
  /** State with all accepted proposals, proved. `undefined` when none was accepted. */
  readonly composed: Composed | undefined;
  readonly proofs: readonly Proof[];
}

/**
 * Asks the rewriters of all items on one state, takes what fits together in turn order, and proves it. When the proof of the whole
 * fails, each proposal is tried alone: those that fail are rejected, the first one that holds is taken, the others wait.
 */
export async function runRound(
  items: readonly WorkItem[],
  base: Overlay,
  context: RewriteContext,
  knowledge: Knowledge,
  tools: ComposeTools,
  approve?: (proposal: Proposal) => boolean | Promise<boolean>,
): Promise<RoundResult> {
  const concerns = concernsOf(knowledge);
  const answers: { item: WorkItem; answer: Exclude<Answer, { kind: 'proposal' }> }[] = [];
  const proposals: Proposal[] = [];
  for (const item of items) {
    const concern = concerns.get(item.concern);
    if (!concern) continue;
    const answer = propose(item, concern, context);
    if (answer.kind === 'proposal') proposals.push(answer.proposal);
    else answers.push({ item, answer });
  }

  const chosen: Proposal[] = [];
  const deferred: Proposal[] = [];
  for (const proposal of proposals.sort(byTurn)) {
    if (approve && !(await approve(proposal))) continue;
    if (chosen.some((other) => collide(other, proposal))) deferred.push(proposal);
    else chosen.push(proposal);
  }
  if (chosen.length === 0) return { answers, accepted: [], deferred, composed: undefined, proofs: [] };

  const whole = await attempt(base, chosen, tools);
  if (whole.problem === undefined) return { answers, accepted: chosen, deferred, composed: whole.composed, proofs: whole.proofs };

  let taken: { readonly proposal: Proposal; readonly outcome: Attempt } | undefined;
  for (const proposal of chosen) {
    const alone = await attempt(base, [proposal], tools);
    if (alone.problem !== undefined) answers.push({ item: proposal.item, answer: { kind: 'failed', reason: fault(proposal.item, alone.problem) } });
    else if (taken) deferred.push(proposal);
    else taken = { proposal, outcome: alone };
  }
  return { answers, accepted: taken ? [taken.proposal] : [], deferred, composed: taken?.outcome.composed, proofs: taken?.outcome.proofs ?? [] };
}

interface Attempt {
  readonly composed: Composed | undefined;
  readonly proofs: readonly Proof[];
  readonly problem: string | undefined;
}

/** Composes and proves; what cannot be composed is a problem of the proposals, not of the run. */
async function attempt(base: Overlay, proposals: readonly Proposal[], tools: ComposeTools): Promise<Attempt> {
  try {
    const composed = await compose(base, proposals, tools);
    return { composed, ...(await prove(base, composed)) };
  } catch (error) {
    if (!(error instanceof NeedConflict || error instanceof ChangeError || error instanceof OverlapError || error instanceof RangeError)) throw error;
    return { composed: undefined, proofs: [], problem: error.message };
  }
}
