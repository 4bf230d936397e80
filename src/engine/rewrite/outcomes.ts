import type { ItemOutcome, Reason, WorkItem } from '../../core/index.js';
import { uniqueTexts } from '../order.js';

/** How much an outcome says: a later, weaker one does not replace an earlier, stronger one. */
const WEIGHT: Readonly<Record<ItemOutcome['outcome'], number>> = { deferred: 0, manual: 1, refused: 2, failed: 3, applied: 4, scaffolded: 5 };

/** What became of every item, over all rounds. */
export class Outcomes {
  readonly #byId = new Map<string, ItemOutcome>();

  get(id: string): ItemOutcome | undefined {
    return this.#byId.get(id);
  }

  /** Records an outcome; texts of earlier rounds are kept. */
  set(
    item: WorkItem,
    outcome: ItemOutcome['outcome'],
    details: { readonly reason?: Reason; readonly todo?: readonly string[]; readonly notes?: readonly string[]; readonly files?: readonly string[] } = {},
  ): void {
    const known = this.#byId.get(item.id);
    const done = known && WEIGHT[known.outcome] >= WEIGHT.applied;
    // Applied, and something is left that it does not do: the rest is a note, not another outcome.
    const rest = done && WEIGHT[outcome] < WEIGHT.applied && details.reason ? [`Left as it is: ${details.reason.why}`] : [];
    const next = known && WEIGHT[known.outcome] > WEIGHT[outcome] ? known.outcome : outcome;
    const reason = next === outcome ? details.reason : known?.reason;
    this.#byId.set(item.id, {
      item: item.id,
      title: item.title,
      milestone: item.milestone,
      outcome: next,
      ...(reason === undefined || next === 'applied' || next === 'scaffolded' ? {} : { reason }),
      todo: [...new Set([...(known?.todo ?? []), ...(details.todo ?? [])])],
      notes: [...new Set([...(known?.notes ?? []), ...(details.notes ?? []), ...rest])],
      files: uniqueTexts([...(known?.files ?? []), ...(details.files ?? [])]),
    });
  }

  /** Forgets everything about an item, before it is decided anew. */
  drop(id: string): void {
    this.#byId.delete(id);
  }

  all(): readonly ItemOutcome[] {
    return [...this.#byId.values()];
  }
}
