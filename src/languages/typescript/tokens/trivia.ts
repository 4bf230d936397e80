import { isLineEnd } from '../imports/lines.js';

/** One comment of a gap between two tokens, as offsets of the whole text. */
interface Comment {
  readonly start: number;
  readonly end: number;
}

/** Comments between two offsets that hold nothing but blanks and comments. A shebang counts as one. */
export function commentsBetween(text: string, from: number, to: number): readonly Comment[] {
  const comments: Comment[] = [];
  let at = from;
  while (at < to) {
    const isShebang = at === 0 && text.startsWith('#!');
    if (isShebang || text.startsWith('//', at)) {
      const start = at;
      while (at < to && !isLineEnd(text[at])) at++;
      comments.push({ start, end: at });
    } else if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      const end = close < 0 ? to : close + 2;
      comments.push({ start: at, end });
      at = end;
    } else at++;
  }
  return comments;
}

/** A gap without its comments. */
export function blanksOf(text: string, from: number, to: number): string {
  let blanks = '';
  let at = from;
  for (const comment of commentsBetween(text, from, to)) {
    blanks += text.slice(at, comment.start);
    at = comment.end;
  }
  return blanks + text.slice(at, to);
}

export const hasLineEnd = (text: string): boolean => /[\r\n]/.test(text);

/** Blanks behind the last line end of a gap: the indentation of what follows. */
export const lastIndent = (gap: string): string => /[^\r\n]*$/.exec(gap)?.[0] ?? '';

/** Line ends in a gap, each as `eol`. */
export const lineEndsOf = (gap: string, eol: string): string => eol.repeat(gap.match(/\r\n|\n|\r/g)?.length ?? 0);

/** A string literal in another quote, when that needs no escaping. */
export function requoted(literal: string, quote: "'" | '"'): string {
  const inner = literal.slice(1, -1);
  return /['"\\]/.test(inner) ? literal : quote + inner + quote;
}
