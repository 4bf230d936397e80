import { ts } from 'ts-morph';
import type { Span } from '../../../core/index.js';

export const isLineEnd = (character: string | undefined): boolean => character === '\n' || character === '\r';
export const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** Offset behind the line end that begins at `offset`. */
export const afterLineEnd = (text: string, offset: number): number =>
  text.startsWith('\r\n', offset) ? offset + 2 : isLineEnd(text[offset]) ? offset + 1 : offset;

export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (isBlank(text[at])) at++;
  return at;
}

export function backOverBlanks(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && isBlank(text[at - 1])) at--;
  return at;
}

/** Only blanks stand before the offset on its line. */
export const beginsLine = (text: string, offset: number): boolean => {
  const at = backOverBlanks(text, offset);
  return at === 0 || isLineEnd(text[at - 1]) || text[at - 1] === '\uFEFF';
};

/** Only blanks stand behind the offset on its line. */
export const endsLine = (text: string, offset: number): boolean => {
  const at = skipBlanks(text, offset);
  return at === text.length || isLineEnd(text[at]);
};

/** The blanks at the beginning of the line of an offset. */
export function indentAt(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && !isLineEnd(text[start - 1])) start--;
  return text.slice(start, skipBlanks(text, start));
}

/** Offset behind the comments that follow on the same line. */
export function afterTrailingComments(text: string, offset: number): number {
  return ts.getTrailingCommentRanges(text, offset)?.at(-1)?.end ?? offset;
}

/**
 * The range to delete so that `span` goes without a trace: its whole lines when nothing else is on them, else the blanks that
 * separated it from its neighbour.
 */
export function removalOf(text: string, span: Span): Span {
  if (beginsLine(text, span.start) && endsLine(text, span.end))
    return { start: backOverBlanks(text, span.start), end: afterLineEnd(text, skipBlanks(text, span.end)) };
  if (endsLine(text, span.end)) return { start: backOverBlanks(text, span.start), end: span.end };
  return { start: span.start, end: skipBlanks(text, span.end) };
}
