import { diffArrays } from 'diff';
import type { Token } from './tokens.js';

/** A place where the two token sequences differ: `[from, to)` of the old tokens become `[newFrom, newTo)` of the new ones. */
export interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** The differences of two token sequences, in order. Equal keys are equal tokens. */
export function hunksOf(old: readonly Token[], next: readonly Token[]): readonly Hunk[] {
  // The library does not cut common ends by itself; most files differ in few places.
  let head = 0;
  while (head < old.length && head < next.length && old[head]?.key === next[head]?.key) head++;
  let oldEnd = old.length;
  let newEnd = next.length;
  while (oldEnd > head && newEnd > head && old[oldEnd - 1]?.key === next[newEnd - 1]?.key) {
    oldEnd--;
    newEnd--;
  }
  const hunks: { from: number; to: number; newFrom: number; newTo: number }[] = [];
  let from = head;
  let newFrom = head;
  let open = false;
  for (const change of diffArrays(
    old.slice(head, oldEnd).map((token) => token.key),
    next.slice(head, newEnd).map((token) => token.key),
  )) {
    const count = change.value.length;
    if (!change.added && !change.removed) {
      from += count;
      newFrom += count;
      open = false;
      continue;
    }
    if (!open) hunks.push({ from, to: from, newFrom, newTo: newFrom });
    open = true;
    const hunk = hunks.at(-1);
    if (!hunk) continue;
    if (change.removed) {
      from += count;
      hunk.to = from;
    } else {
      newFrom += count;
      hunk.newTo = newFrom;
    }
  }
  return joined(hunks, next);
}

/**
 * Two insertions that are one: `if (a) {` in front of `res.status(` and the rest behind it read as one statement in front of
 * `res.status(`, when the tokens in between also end what is inserted. A hunk may slide over equal tokens without changing the result.
 */
function joined(hunks: readonly Hunk[], next: readonly Token[]): readonly Hunk[] {
  const result: Hunk[] = [];
  for (const hunk of hunks) {
    const previous = result.at(-1);
    const gap = previous ? hunk.from - previous.to : 0;
    const slides =
      previous !== undefined &&
      previous.from === previous.to &&
      hunk.from === hunk.to &&
      hunk.newTo - hunk.newFrom >= gap &&
      Array.from({ length: gap }, (_, index) => next[previous.newTo + index]?.key === next[hunk.newTo - gap + index]?.key).every(Boolean);
    if (previous && slides) result[result.length - 1] = { ...previous, newTo: hunk.newTo - gap };
    else result.push(hunk);
  }
  return result;
}
