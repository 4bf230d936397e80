import { z } from 'zod';
import { overlaps } from './span.js';

/** Replaces a range of the original text. An empty range inserts; an empty text deletes. */
export const TextEdit = z.object({ start: z.int().nonnegative(), end: z.int().nonnegative(), text: z.string() }).readonly();
export type TextEdit = z.infer<typeof TextEdit>;

/** One file's part of a change. `edit` ranges are stated against the text the item was planned on. Paths are relative to the root. */
export const FileChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('edit'), file: z.string(), edits: z.array(TextEdit).readonly() }),
  z.object({ kind: z.literal('create'), file: z.string(), text: z.string() }),
  z.object({ kind: z.literal('remove'), file: z.string() }),
]);
export type FileChange = Readonly<z.infer<typeof FileChange>>;

/** Two edits of one item claim the same text: a bug in the rewriter, so the whole item is rejected. */
export class OverlapError extends Error {
  constructor(
    readonly first: TextEdit,
    readonly second: TextEdit,
  ) {
    super(`edits overlap: [${first.start},${first.end}) and [${second.start},${second.end})`);
    this.name = 'OverlapError';
  }
}

/** True when two edits cannot both be applied: shared text, or two insertions at one offset (their order would be a guess). */
export function conflicts(a: TextEdit, b: TextEdit): boolean {
  if (a.start === b.start && a.end === b.end && a.start === a.end) return true;
  return overlaps(a, b);
}

/**
 * Applies edits that are all stated against `original`. The order of the list does not matter.
 * @throws OverlapError when two edits conflict
 * @throws RangeError when an edit lies outside the text
 */
export function applyEdits(original: string, edits: readonly TextEdit[]): string {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let output = '';
  let cursor = 0;
  let previous: TextEdit | undefined;
  for (const edit of ordered) {
    if (edit.start > edit.end || edit.end > original.length) throw new RangeError(`edit [${edit.start},${edit.end}) lies outside the text`);
    if (previous && conflicts(previous, edit)) throw new OverlapError(previous, edit);
    output += original.slice(cursor, edit.start) + edit.text;
    cursor = Math.max(cursor, edit.end);
    previous = edit;
  }
  return output + original.slice(cursor);
}
