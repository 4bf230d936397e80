import { z } from 'zod';

/** Half-open range `[start, end)` in UTF-16 code units of the original text: the offset every front end speaks. */
export const Span = z.object({ start: z.int().nonnegative(), end: z.int().nonnegative() }).readonly();
export type Span = z.infer<typeof Span>;

/** A place in a file of the repository. Paths are relative to the root with `/`; lines and columns are 1-based. */
export const Site = z
  .object({
    file: z.string(),
    span: Span,
    line: z.int().positive(),
    column: z.int().positive(),
    endLine: z.int().positive(),
    endColumn: z.int().positive(),
    label: z.string().optional(),
  })
  .readonly();
export type Site = z.infer<typeof Site>;

/** True when the two ranges share at least one code unit; two insertions at one offset share none. */
export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** True when `inner` lies within `outer`, ends included. */
export const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** Offsets at which the lines of a text begin; `\r\n`, `\n` and a lone `\r` each end a line. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 13 && text.charCodeAt(i + 1) === 10) i++;
    if (code === 10 || code === 13) starts.push(i + 1);
  }
  return starts;
}

/** 1-based line and column of an offset, by binary search over `lineStarts`. */
export function positionAt(starts: readonly number[], offset: number): { readonly line: number; readonly column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** Builds the `Site` of a range. `starts` are the `lineStarts` of the file's original text. */
export function siteOf(file: string, starts: readonly number[], span: Span, label?: string): Site {
  const from = positionAt(starts, span.start);
  const to = positionAt(starts, span.end);
  return {
    file,
    span: { start: span.start, end: span.end },
    line: from.line,
    column: from.column,
    endLine: to.line,
    endColumn: to.column,
    ...(label === undefined ? {} : { label }),
  };
}
