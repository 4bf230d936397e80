import type { TextEdit } from '../../../core/index.js';
import type { TypeScriptFile } from '../file.js';
import { afterTrailingComments, removalOf } from '../imports/lines.js';
import type { Hunk } from './hunks.js';
import type { Run } from './insertion.js';
import { Writer } from './insertion.js';
import type { Token } from './tokens.js';
import { blanksOf, commentsBetween, hasLineEnd, lastIndent, lineEndsOf } from './trivia.js';

/** The two texts of a diff with their tokens. */
export interface Context {
  readonly old: TypeScriptFile;
  readonly next: TypeScriptFile;
  readonly oldTokens: readonly Token[];
  readonly newTokens: readonly Token[];
}

/** Deletes tokens and the blanks that only they needed; comments inside of the range stay. */
function deletion(context: Context, hunk: Hunk): readonly TextEdit[] {
  const { text } = context.old;
  const segments = segmentsOf(context, hunk);
  return segments.map((segment) => {
    const removal = removalOf(text, segment);
    // Two blank lines would meet where one statement stood between them.
    const meets =
      segments.length === 1 && hunk.to < context.oldTokens.length && /(?:\r\n\r\n|\n\n|\r\r)$/.test(text.slice(Math.max(0, removal.start - 4), removal.start));
    const extra = meets ? (/^(?:\r\n|\n|\r)/.exec(text.slice(removal.end, removal.end + 2))?.[0].length ?? 0) : 0;
    return { start: removal.start, end: removal.end + extra, text: '' };
  });
}

/** The deleted range, cut at the comments inside, which stay. */
export function segmentsOf({ old, oldTokens }: Context, hunk: Hunk): readonly { readonly start: number; readonly end: number }[] {
  const segments: { start: number; end: number }[] = [];
  for (let index = hunk.from; index < hunk.to; index++) {
    const token = oldTokens[index];
    if (!token) continue;
    const last = segments.at(-1);
    if (last && commentsBetween(old.text, last.end, token.start).length === 0) last.end = token.end;
    else segments.push({ start: token.start, end: token.end });
  }
  return segments;
}

function insertion(context: Context, hunk: Hunk, writer: Writer): readonly TextEdit[] {
  const { old, next, oldTokens, newTokens } = context;
  const start = oldTokens[hunk.from - 1]?.end ?? 0;
  const following = oldTokens[hunk.from];
  const end = following?.start ?? old.text.length;
  const oldGap = old.text.slice(start, end);
  const left = writer.left;
  const right = blanksOf(next.text, newTokens[hunk.newTo - 1]?.end ?? 0, newTokens[hunk.newTo]?.start ?? next.text.length);
  const text = writer.text();
  if (hunk.from === 0) {
    // Behind shebang and header comments, in front of the first token and its own.
    return [{ start: end, end, text: text + (hasLineEnd(right) ? lineEndsOf(right, old.eol) + lastIndent(oldGap) : right) }];
  }
  if (!following) {
    const at = hasLineEnd(left) ? afterTrailingComments(old.text, start) : start;
    return [{ start: at, end: at, text: writer.blanks(left) + text }];
  }
  // `{}` and `{ }`: the layout of the new text.
  if (oldGap.length <= 1 && !hasLineEnd(oldGap)) return [{ start, end, text: writer.blanks(left) + text + writer.blanks(right) }];
  if (!hasLineEnd(left)) return [{ start, end: start, text: writer.blanks(left) + text }];
  // `export` or `await` in front of what follows.
  if (!hasLineEnd(right)) return [{ start: end, end, text: text + right }];
  // A new line goes behind the comments that end the line of the token in front.
  const at = afterTrailingComments(old.text, start);
  return [{ start: at, end: at, text: writer.blanks(left) + text }];
}

function replacement(context: Context, hunk: Hunk, writer: Writer): readonly TextEdit[] {
  const { old, next, oldTokens, newTokens } = context;
  const [first, ...rest] = segmentsOf(context, hunk);
  if (!first) return [];
  const left = (oldTokens[hunk.from - 1]?.end ?? 0) === first.start ? writer.blanks(writer.left) : '';
  const right =
    (oldTokens[hunk.to]?.start ?? old.text.length) === oldTokens[hunk.to - 1]?.end && hunk.newTo < newTokens.length
      ? writer.blanks(blanksOf(next.text, newTokens[hunk.newTo - 1]?.end ?? 0, newTokens[hunk.newTo]?.start ?? 0))
      : '';
  return [
    { ...first, text: left + writer.text() + (rest.length === 0 ? right : '') },
    ...rest.map((segment) => ({ ...removalOf(old.text, segment), text: '' })),
  ];
}

/** Tokens in front of a hunk that both texts have, the nearest first. */
function* keptBefore({ oldTokens, newTokens }: Context, hunks: readonly Hunk[], index: number): Iterator<{ readonly old: Token; readonly new: Token }> {
  for (let at = index; at >= 0; at--) {
    const hunk = hunks[at];
    if (!hunk) return;
    const previous = hunks[at - 1];
    for (let back = 1; hunk.from - back >= (previous?.to ?? 0); back++) {
      const old = oldTokens[hunk.from - back];
      const next = newTokens[hunk.newFrom - back];
      if (old && next) yield { old, new: next };
    }
  }
}

/** Follows the result while it comes to be, to know the indentation of its current line. */
class Line {
  #text = '';
  #at = 0;

  constructor(readonly source: string) {}

  copyTo(offset: number): void {
    this.#push(this.source.slice(this.#at, offset));
    this.#at = Math.max(this.#at, offset);
  }

  apply(edit: TextEdit): void {
    this.copyTo(edit.start);
    this.#push(edit.text);
    this.#at = edit.end;
  }

  get indent(): string {
    return /^[ \t]*/.exec(this.#text)?.[0] ?? '';
  }

  #push(text: string): void {
    const tail = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
    this.#text = tail.length === text.length ? this.#text + text : tail;
  }
}

/** Edits that touch the changed tokens only and leave comments where they are. `adapt` may replace the edits of a hunk. */
export function carefulEdits(
  context: Context,
  hunks: readonly Hunk[],
  adapt?: (hunk: Hunk, edits: readonly TextEdit[]) => readonly TextEdit[],
): readonly TextEdit[] {
  const line = new Line(context.old.text);
  return hunks.flatMap((hunk, index) => {
    line.copyTo(context.oldTokens[hunk.from - 1]?.end ?? 0);
    const planned = editsOf(context, hunk, { indent: line.indent, kept: { [Symbol.iterator]: () => keptBefore(context, hunks, index) } });
    const edits = adapt ? adapt(hunk, planned) : planned;
    for (const edit of edits) line.apply(edit);
    return edits;
  });
}

function editsOf(context: Context, hunk: Hunk, place: Pick<Run, 'indent' | 'kept'>): readonly TextEdit[] {
  if (hunk.newFrom === hunk.newTo) return deletion(context, hunk);
  const { newTokens } = context;
  const run: Run = { tokens: newTokens.slice(hunk.newFrom, hunk.newTo), previous: newTokens[hunk.newFrom - 1], indent: place.indent, kept: place.kept };
  const writer = new Writer(context.old, context.next, run);
  return hunk.from === hunk.to ? insertion(context, hunk, writer) : replacement(context, hunk, writer);
}
