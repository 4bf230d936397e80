import { within, type LineRange, type Replacement } from '../../core/index.js';
import type { Place } from './places.js';

/** Longest suggestion, in lines of either side. What is longer is no longer read before it is accepted. */
const MAX_LINES = 200;

/** Characters of a comment body that a suggestion may take; GitHub refuses bodies above 65,536. */
const MAX_CHARACTERS = 40_000;

export type Lines = Pick<Replacement, 'lines' | 'before' | 'after' | 'neighbours'>;

/** What the bytes of a file are besides its text, as `TextSource` tells it. */
interface OnDisk {
  readonly bom: boolean;
  readonly encoding: string | undefined;
}

/**
 * The change between two states of a file as one replacement of whole lines that a forge can apply. Lines are those on disk.
 * @returns a sentence that says why it cannot be one
 */
export function replacementOf(place: Place, before: string, after: string, { bom, encoding }: OnDisk): Lines | string {
  const { hunks, fits } = place.changed;
  if (!fits) return 'The diff does not fit this checkout.';
  const old = before.split('\n');
  const next = after.split('\n');
  if (after !== '' && before.endsWith('\n') !== after.endsWith('\n')) return 'It changes whether the file ends with a newline, which a suggestion cannot.';
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < next.length - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++;

  const range = anchored({ start: head + 1, end: old.length - tail }, hunks);
  if (typeof range === 'string') return range;
  const replaced = old.slice(range.start - 1, range.end);
  const offered = [...old.slice(range.start - 1, head), ...next.slice(head, next.length - tail), ...old.slice(old.length - tail, range.end)];
  if (replaced.length > MAX_LINES || offered.length > MAX_LINES || offered.join('\n').length > MAX_CHARACTERS)
    return `It replaces ${String(replaced.length)} lines by ${String(offered.length)}, too many for one suggestion.`;
  if (encoding !== undefined) return `The file is written in ${encoding}, which a suggestion would turn into UTF-8.`;
  if (bom && range.start === 1) return 'It changes the first line, whose byte order mark a suggestion would lose.';
  if (place.lineEnds !== 'as-on-disk' && range.end === old.length) return 'It changes the end of a file whose line ends the checkout has converted.';
  // A byte that Markdown takes for a line end, or drops, would not come back as it is.
  // eslint-disable-next-line no-control-regex -- NUL is what is looked for
  if (offered.some((line) => /\r(?!$)|\u0000/.test(line))) return 'Its lines hold a carriage return or a NUL that a comment cannot carry.';
  const [above, below] = [old[range.start - 2], range.end < old.length - (before.endsWith('\n') ? 1 : 0) ? old[range.end] : undefined];
  const neighbours = { ...(above === undefined ? {} : { before: above }), ...(below === undefined ? {} : { after: below }) };
  return { lines: range, before: replaced, after: offered, neighbours };
}

/** The changed lines, or the line beside an insertion, when one hunk shows them all. */
function anchored({ start, end }: LineRange, hunks: readonly LineRange[]): LineRange | string {
  if (end >= start) {
    if (within(hunks, { start, end })) return { start, end };
    const shown = hunks.filter((hunk) => hunk.start <= end && start <= hunk.end).length;
    return shown > 1
      ? `Its changes lie in ${String(shown)} parts of the diff, and make sense together only.`
      : `Its changes (lines ${String(start)} to ${String(end)}) go beyond what this pull request shows.`;
  }
  const beside = [start - 1, start].find((line) => within(hunks, { start: line, end: line }));
  return beside === undefined ? `It inserts lines at line ${String(start)}, which this pull request does not show.` : { start: beside, end: beside };
}

/** The text after replacements of one file, which must not overlap. */
export function applyReplacements(text: string, replacements: readonly Pick<Lines, 'lines' | 'after'>[]): string {
  const lines = text.split('\n');
  for (const { lines: range, after } of [...replacements].sort((a, b) => b.lines.start - a.lines.start))
    lines.splice(range.start - 1, range.end - range.start + 1, ...after);
  return lines.join('\n');
}
