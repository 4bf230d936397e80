import { isFault, type Milestone, type Proof, type Reason, type WorkItem } from '../../core/index.js';
import { loadLanguage } from '../../languages/index.js';
import type { Overlay } from '../../workspace/index.js';
import { InternalFault, type Knowledge, type ScanOptions } from '../knowledge.js';
import { packageFinder } from '../scan/candidates.js';
import type { Scanner } from '../scan/scan.js';
import type { Scanned } from '../scan/types.js';
import { understand, type Understanding } from '../understand.js';
import { stillNeeded, type ComposeTools, type RenderShim } from './compose.js';
import { createContext } from './context.js';
import type { NeedOf } from './needs.js';
import type { Outcomes } from './outcomes.js';
import type { PositionMap } from './positions.js';
import type { Proposal } from './proposal.js';
import { runRound } from './round.js';

/** An item that still yields changes after so many rounds does not converge. */
export const MAX_ROUNDS = 10;

/** Which items a migration may touch. */
export interface Selection {
  /** Ids; all when empty. */
  readonly items: readonly string[];
  /** `safe`: only automatic items whose rewrite is complete. */
  readonly safety: 'safe' | 'review';
  /** Items that were applied before and turned out not to be idempotent. */
  readonly banned: ReadonlySet<string>;
  readonly approve?: ((item: WorkItem, proposal: Proposal) => boolean | Promise<boolean>) | undefined;
}

/** The state of a migration between rounds. */
export interface Run {
  readonly scanner: Scanner;
  readonly knowledge: Knowledge;
  readonly options: ScanOptions;
  readonly renderShim: RenderShim;
  readonly selection: Selection;
  readonly outcomes: Outcomes;
  readonly positions: PositionMap;
  readonly proofs: Map<string, Proof>;
  scanned: Scanned;
  known: Understanding;
}

/** A dependency that an item wanted to remove, and that something still needs. */
interface Kept {
  readonly item: WorkItem;
  readonly need: NeedOf<'dependency'>;
  readonly by: string;
}

/**
 * Applies the items of one milestone to an overlay, round by round, until no item yields a change. Every round plans on the code that
 * the round before left.
 * @param blocked why items of a package have to wait; `undefined` when they need not
 * @throws InternalFault when an item yields changes in more than ten rounds
 */
export async function runMilestone(run: Run, overlay: Overlay, milestone: Milestone, blocked: (item: WorkItem) => Reason | undefined): Promise<void> {
  for (const { item, need, by } of await applyRounds(run, overlay, milestone, blocked))
    run.outcomes.set(item, 'applied', { notes: [`\`${need.name}\` stays in ${need.manifest}: ${by}.`] });
}

/** @returns what could not be removed in the end */
async function applyRounds(run: Run, overlay: Overlay, milestone: Milestone, blocked: (item: WorkItem) => Reason | undefined): Promise<readonly Kept[]> {
  const applied = new Map<string, number>();
  const approved = new Set<string>();
  let rounds = 0;
  let widest = 0;
  const closed = new Set<string>();
  let pending: readonly Kept[] = [];
  for (const id of new Set([...run.scanned.files.values()].map((file) => file.language))) await loadLanguage(id);

  for (;;) {
    // Items that wait for each other take a round each, so the limit grows with their number, not with their appetite.
    widest = Math.max(widest, run.known.plan.items.length);
    if (++rounds > MAX_ROUNDS + widest) throw new InternalFault(`the rewrite does not come to an end after ${rounds - 1} rounds; nothing was written`);
    const items = run.known.plan.items.filter((item) => item.milestone === milestone && chosen(run.selection, item.id) && !closed.has(item.id));
    const open = items.filter((item) => mayRewrite(run, item, blocked));
    const { approve } = run.selection;
    const judgeProposal = async (proposal: Proposal): Promise<boolean> => {
      const no =
        declined(proposal, run.selection) ??
        (approve && !approved.has(proposal.item.id) && !(await approve(proposal.item, proposal)) ? 'It was declined.' : undefined);
      if (no === undefined) {
        approved.add(proposal.item.id);
        return true;
      }
      closed.add(proposal.item.id);
      run.outcomes.set(proposal.item, 'deferred', {
        reason: { why: no, next: `Run \`unsession migrate --item ${proposal.item.id}\` when it is wanted.`, sites: proposal.item.sites },
        todo: proposal.todo,
        notes: proposal.notes,
      });
      return false;
    };
    const context = createContext(run.scanned, run.known, overlay, run.options);
    const round = await runRound(
      open,
      overlay,
      context,
      run.knowledge,
      tools(
        run,
        pending.map(({ need }) => need),
      ),
      judgeProposal,
    );
    for (const { item, answer } of round.answers) {
      if (answer.kind === 'failed') closed.add(item.id);
      record(run, item, answer);
    }
    for (const proposal of round.deferred) {
      run.outcomes.set(proposal.item, 'deferred', {
        reason: { why: 'Its edits overlap those of another item.', next: 'Run the migration again.', sites: proposal.item.sites },
      });
    }
    const { composed } = round;
    if (!composed) {
      // A rejected proposal may have stood in the way of one that waits.
      if (round.deferred.length > 0 && round.answers.some(({ answer }) => answer.kind === 'failed')) continue;
      return pending;
    }

    for (const proposal of round.accepted) {
      const { item, outcome, todo, notes } = proposal;
      const count = (applied.get(item.id) ?? 0) + 1;
      if (count > MAX_ROUNDS)
        throw new InternalFault(`the item ${item.id} (${item.files.join(', ')}) still yields changes after ${MAX_ROUNDS} rounds; nothing was written`);
      applied.set(item.id, count);
      // A scaffold leaves its finding in place for a person, so it would be proposed again.
      if (outcome === 'scaffold') closed.add(item.id);
      const unmet = composed.unmet.filter((entry) =>
        proposal.needs.some((need) => need.kind === entry.need.kind && 'name' in need && 'name' in entry.need && need.name === entry.need.name),
      );
      run.outcomes.set(item, outcome === 'scaffold' ? 'scaffolded' : 'applied', {
        todo: [...todo, ...unmet.map((entry) => entry.reason)],
        notes,
        files: [
          ...proposal.changes.map((change) => change.file),
          ...proposal.needs.map((need) => ('file' in need ? need.file : 'path' in need ? need.path : need.manifest)),
        ].filter((file) => composed.stage.paths().includes(file)),
      });
    }
    for (const proof of round.proofs) run.proofs.set(proof.file, proof);
    const changes = composed.stage.changed();
    run.positions.add(changes);
    overlay.apply(changes);
    const all = tools(run, []);
    const asked = round.accepted.flatMap(({ item, needs }) =>
      needs.flatMap((need) => (need.kind === 'dependency' && need.remove === true ? [{ item, need }] : [])),
    );
    pending = [...pending, ...asked].flatMap(({ item, need }) => {
      const by = stillNeeded(overlay, need, all);
      return by === undefined ? [] : [{ item, need, by }];
    });
    if (changes.length === 0) return pending;
    run.scanned = await run.scanner.rescan(
      overlay,
      changes.map((change) => change.file),
    );
    const planned = run.known.plan.items;
    run.known = understand(run.scanned, run.knowledge, run.options);
    // When lanes are retired, a lane that could not be taken out stays in its files: it is no finding of this plan, and not gone.
    const waiting = run.options.retire === true ? [] : planned.filter((item) => WITHOUT_CHANGE.has(run.outcomes.get(item.id)?.outcome ?? ''));
    for (const item of new Set([...round.deferred.map((proposal) => proposal.item), ...waiting]))
      if (isGone(item, run.known)) run.outcomes.set(item, 'applied', { notes: ['Nothing was left to do: its code went with that of another item.'] });
  }
}

/** Outcomes of items that were left for a person, who has nothing to do any more when their code is gone. */
const WITHOUT_CHANGE: ReadonlySet<string> = new Set(['manual', 'refused']);

/**
 * Has a change of another item taken the code of this one away, so that nothing of it is found any longer? Of transport code it is
 * enough that the rest serves the legacy lane; state, policy and the like have to be seen to for the modern lane too.
 */
const isGone = (item: WorkItem, known: Understanding): boolean =>
  !known.findings.some(
    (finding) =>
      finding.id.startsWith(`${item.concern}/`) && item.files.includes(finding.site.file) && !(item.category === 'transport' && finding.impact === 'none'),
  );

/**
 * Items that would still change something: what a second migration would do. Nothing is applied.
 * @returns ids of automatic items, and of scaffolds that are written again over themselves
 */
export async function wouldChange(run: Run, overlay: Overlay): Promise<readonly string[]> {
  const items = run.known.plan.items.filter(
    (item) =>
      chosen(run.selection, item.id) &&
      (item.remedy === 'automatic' || item.remedy === 'guided') &&
      ['applied', 'scaffolded'].includes(run.outcomes.get(item.id)?.outcome ?? ''),
  );
  const context = createContext(run.scanned, run.known, overlay, run.options);
  const round = await runRound(items, overlay, context, run.knowledge, tools(run, []), (proposal) => declined(proposal, run.selection) === undefined);
  const changes = round.composed?.stage.changed() ?? [];
  return changes.length === 0 && round.deferred.length === 0 ? [] : [...round.accepted, ...round.deferred].map((proposal) => proposal.item.id);
}

const chosen = (selection: Selection, id: string): boolean => (selection.items.length === 0 || selection.items.includes(id)) && !selection.banned.has(id);

/** Records the items that no rewriter is asked about; true for the others. */
function mayRewrite(run: Run, item: WorkItem, blocked: (item: WorkItem) => Reason | undefined): boolean {
  const reason: Reason = { why: item.reason, next: item.todo[0] ?? 'Do it by hand; `unsession explain` says how.', sites: item.sites };
  if (item.remedy === 'none') return false;
  if (item.remedy === 'manual' || item.remedy === 'refused') {
    run.outcomes.set(item, item.remedy, { reason, todo: item.todo });
    return false;
  }
  // A guided item without a rewriter waits for nobody: its steps are for a person, whatever SDK the package runs on.
  if (run.knowledge.concerns.find((concern) => concern.id === item.concern)?.rewrite === undefined) {
    run.outcomes.set(item, 'manual', { reason, todo: item.todo });
    return false;
  }
  const wait = blocked(item);
  if (wait) run.outcomes.set(item, 'deferred', { reason: wait });
  return wait === undefined;
}

function declined({ item, outcome }: Proposal, { safety }: Selection): string | undefined {
  if (safety === 'review') return undefined;
  return item.remedy === 'automatic' && outcome === 'rewrite' ? undefined : 'It needs a review (`--safety review`).';
}

function record(run: Run, item: WorkItem, answer: Awaited<ReturnType<typeof runRound>>['answers'][number]['answer']): void {
  if (answer.kind === 'nothing') {
    run.outcomes.set(item, 'manual', {
      reason: { why: 'The rewriter found nothing that it can change.', next: answer.todo[0] ?? 'Look at the places by hand.', sites: item.sites },
      todo: answer.todo,
      notes: answer.notes,
    });
  } else run.outcomes.set(item, answer.kind, { reason: answer.reason });
}

function tools(run: Run, pending: readonly NeedOf<'dependency'>[]): ComposeTools {
  const packageOf = packageFinder(run.scanner.discovery.packages);
  return {
    renderShim: run.renderShim,
    filesOf: (folder) => [...run.scanned.files.values()].filter((file) => file.package === folder).map((file) => file.path),
    hasGaps: (folder) => run.scanned.notAnalysed.some((notice) => isFault(notice) && packageOf(notice.file).folder === folder),
    pending,
  };
}
