import type { FileChange, WorkItem } from '../../core/index.js';
import { rewriteAll, type Start } from '../migrate.js';

/** Why items cannot be taken over as they are: sentences, and whether a migration rewrites them at all. */
export interface Obstacle {
  readonly why: string;
  readonly blocked: boolean;
}

/** What rewriting some items alone would do, or what stands in the way. */
export type Trial =
  | Obstacle
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
  if (order) return { why: order.reason.why, blocked: true };
  for (const item of items) {
    const outcome = migrated.outcomes.find((entry) => entry.item === item.id);
    const { why = 'It is not rewritten on its own.', next = '' } = outcome?.reason ?? {};
    if (outcome?.outcome !== 'applied') return { why: [why, next].filter((part) => part !== '').join(' '), blocked: true };
    const [step] = outcome.todo;
    if (step !== undefined) return { why: `It leaves a step for a person: ${step}`, blocked: false };
  }
  if (!migrated.idempotent) return { why: 'A second run would change its result again.', blocked: true };
  return {
    changes: migrated.total.changed(),
    text: (file) => migrated.total.text(file),
    notes: [...new Set(migrated.outcomes.flatMap((entry) => entry.notes))],
  };
}
