import type { FileChange, WorkItem } from '../../core/index.js';
import { rewriteAll, type Start } from '../migrate.js';

/** What rewriting some items alone would do, or a sentence that says why it does nothing that can be taken over as it is. */
export type Trial =
  | string
  | {
      /** Against the disk. */
      readonly changes: readonly FileChange[];
      readonly text: (file: string) => string | undefined;
      readonly notes: readonly string[];
    };

/** Rewrites items alone, complete rewrites only, and goes back to the disk. Nothing is written. */
export async function tryItems(start: Start, items: readonly WorkItem[]): Promise<Trial> {
  const migrated = await rewriteAll({ ...start, options: { ...start.options, items: items.map((item) => item.id), safety: 'safe', write: false } });
  await start.scanner.rescan(start.disk, migrated.total.paths());
  const order = migrated.refusals.find((refusal) => refusal.id === 'milestone-order');
  if (order) return order.reason.why;
  for (const item of items) {
    const outcome = migrated.outcomes.find((entry) => entry.item === item.id);
    if (outcome?.outcome !== 'applied') return outcome?.reason?.why ?? 'It is not rewritten on its own.';
    const [step] = outcome.todo;
    if (step !== undefined) return `It leaves a step for a person: ${step}`;
  }
  if (!migrated.idempotent) return 'A second run would change its result again.';
  return {
    changes: migrated.total.changed(),
    text: (file) => migrated.total.text(file),
    notes: [...new Set(migrated.outcomes.flatMap((entry) => entry.notes))],
  };
}
