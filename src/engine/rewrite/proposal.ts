import {
  applyEdits,
  conflicts,
  OverlapError,
  type Concern,
  type FileChange,
  type Need,
  type Reason,
  type RewriteContext,
  type TextEdit,
  type WorkItem,
} from '../../core/index.js';
import { byText, groupBy } from '../order.js';

/** What a rewriter proposes for an item, stated against the texts of the round. */
export interface Proposal {
  readonly item: WorkItem;
  readonly hub: boolean;
  readonly outcome: 'rewrite' | 'scaffold';
  /** At most one change per file. */
  readonly changes: readonly FileChange[];
  readonly needs: readonly Need[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
}

/** What came of asking a rewriter. */
export type Answer =
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  | { readonly kind: 'nothing'; readonly todo: readonly string[]; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: Reason }
  | { readonly kind: 'failed'; readonly reason: Reason };

/** A fault of a rewriter, as a reason that a user can act on. */
export const fault = (item: WorkItem, why: string): Reason => ({
  why,
  next: `Do this item by hand, and report the fault of "${item.concern}".`,
  sites: item.sites,
});

/** Asks the concern of an item. A rewriter that throws, overlaps its own edits or edits outside of a file loses the item, not the run. */
export function propose(item: WorkItem, concern: Concern, context: RewriteContext): Answer {
  const rewriter = context.options.retire === true ? concern.retire : concern.rewrite;
  if (!rewriter) return { kind: 'nothing', todo: item.todo, notes: [] };
  try {
    const rewrite = rewriter(item, context);
    if (rewrite.outcome === 'refuse') return { kind: 'refused', reason: rewrite.reason };
    const changes = onePerFile(rewrite.changes).filter((change) => hasEffect(change, context));
    const { needs, todo, notes, outcome } = rewrite;
    if (changes.length === 0 && needs.length === 0) return { kind: 'nothing', todo, notes };
    return { kind: 'proposal', proposal: { item, hub: concern.hub === true, outcome, changes, needs, todo, notes } };
  } catch (error) {
    return { kind: 'failed', reason: fault(item, `the rewriter failed: ${error instanceof Error ? error.message : String(error)}`) };
  }
}

/** @throws OverlapError when two edits of one item claim the same text */
function onePerFile(changes: readonly FileChange[]): readonly FileChange[] {
  return [...groupBy(changes, (change) => change.file)].map(([file, parts]): FileChange => {
    const [first] = parts;
    if (first && parts.length === 1 && first.kind !== 'edit') return first;
    const edits = parts.flatMap((part) => (part.kind === 'edit' ? part.edits : []));
    if (!parts.every((part) => part.kind === 'edit')) throw new TypeError(`${file} is both edited and created or removed`);
    return { kind: 'edit', file, edits: sortEdits(edits) };
  });
}

function sortEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  sorted.forEach((edit, index) => {
    const previous = sorted[index - 1];
    if (previous && conflicts(previous, edit)) throw new OverlapError(previous, edit);
  });
  return sorted;
}

/** An edit that leaves the text as it is, or the creation of a file that is there already, is no change. */
function hasEffect(change: FileChange, context: RewriteContext): boolean {
  if (change.kind === 'remove') return context.exists(change.file);
  const text = context.text(change.file);
  if (change.kind === 'create') return text !== change.text;
  if (text === undefined) throw new RangeError(`${change.file} does not exist, so it cannot be edited`);
  return applyEdits(text, change.edits) !== text;
}

/** Hubs first, then by concern, package, group and id: an order that does not depend on how items were listed. */
export const byTurn = (a: Proposal, b: Proposal): number =>
  (a.hub === b.hub ? 0 : a.hub ? -1 : 1) ||
  byText(a.item.concern, b.item.concern) ||
  byText(a.item.package, b.item.package) ||
  byText(a.item.group, b.item.group) ||
  byText(a.item.id, b.item.id);

/** True when both cannot be applied to one text: shared text, one file with two fates, one shim path with two contents. */
export function collide(a: Proposal, b: Proposal): boolean {
  const files = a.changes.some((one) =>
    b.changes.some((other) => {
      if (one.file !== other.file) return false;
      if (one.kind === 'edit' && other.kind === 'edit') return one.edits.some((edit) => other.edits.some((second) => conflicts(edit, second)));
      return !(one.kind === 'create' && other.kind === 'create' && one.text === other.text) && !(one.kind === 'remove' && other.kind === 'remove');
    }),
  );
  return (
    files ||
    a.needs.some(
      (one) =>
        one.kind === 'shim' &&
        b.needs.some(
          (other) => other.kind === 'shim' && other.path === one.path && (other.template !== one.template || canonical(other.model) !== canonical(one.model)),
        ),
    )
  );
}

/** JSON with sorted keys, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => byText(a, b))) : inner,
  );
}

/** Changes of several proposals that do not collide, at most one per file. */
export function mergeChanges(proposals: readonly Proposal[]): readonly FileChange[] {
  const all = proposals.flatMap((proposal) => proposal.changes);
  return [...groupBy(all, (change) => change.file)].map(([file, parts]): FileChange => {
    const [first] = parts;
    return first && first.kind !== 'edit' ? first : { kind: 'edit', file, edits: sortEdits(parts.flatMap((part) => (part.kind === 'edit' ? part.edits : []))) };
  });
}
