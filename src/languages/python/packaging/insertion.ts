import type { TextEdit } from '../../../core/index.js';

const isBreak = (char: string | undefined): boolean => char === '\n' || char === '\r';

/** The line break that follows an offset, as the file writes it; a line feed at the end of a file without one. */
function breakAfter(text: string, offset: number): string {
  const found = /\r\n|\n|\r/.exec(text.slice(offset)) ?? /\r\n|\n|\r/.exec(text);
  return found?.[0] ?? '\n';
}

/** Indentation of the line of an offset. */
function indentOf(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && !isBreak(text[start - 1])) start--;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}

/**
 * Edits that put a literal after an element of a bracketed, comma-separated list whose comments begin with `#`. A comment behind the element
 * stays with it: the new element gets a line of its own when the old one has one.
 */
export function insertAfterElement(text: string, element: { readonly start: number; readonly end: number }, literal: string): readonly TextEdit[] {
  let at = element.end;
  while (text[at] === ' ' || text[at] === '\t') at++;
  const comma = text[at] === ',';
  if (comma) at++;
  while (text[at] === ' ' || text[at] === '\t') at++;
  if (text[at] === '#') while (at < text.length && !isBreak(text[at])) at++;
  if (!isBreak(text[at])) return [{ start: element.end, end: element.end, text: `, ${literal}` }];
  const line = `${breakAfter(text, at)}${indentOf(text, element.start)}${literal}`;
  if (comma) return [{ start: at, end: at, text: `${line},` }];
  // Without a comma the last element stays the last one: the comma goes where it belongs, in front of the comment.
  return [
    { start: element.end, end: element.end, text: ',' },
    { start: at, end: at, text: line },
  ];
}

/** Edits that put a line after the one of an offset, with the same indentation. */
export function insertLine(text: string, offset: number, content: string): readonly TextEdit[] {
  let at = offset;
  while (at < text.length && !isBreak(text[at])) at++;
  return [{ start: at, end: at, text: `${breakAfter(text, at)}${indentOf(text, offset)}${content}` }];
}
