import { ts } from 'ts-morph';
import type { TextEdit } from '../../../core/index.js';
import { indentAt } from '../imports/lines.js';
import { childrenOf } from '../walk.js';
import type { Context } from './edits.js';
import { carefulEdits, segmentsOf } from './edits.js';
import type { Hunk } from './hunks.js';
import { commentsBetween } from './trivia.js';

/** Start of the innermost statement around an offset. */
function statementStart({ old }: Context, offset: number): number {
  let start = old.tree.statements[0]?.getStart(old.tree) ?? 0;
  let node: ts.Node | undefined = old.tree;
  while (node) {
    if (ts.isStatement(node) && !ts.isBlock(node)) start = node.getStart(old.tree);
    node = childrenOf(node).find((child) => child.getStart(old.tree) <= offset && offset < child.end);
  }
  return start;
}

/**
 * The edits with one range for each hunk. Its comments go above the statement: left in place, the line end behind one would
 * part tokens that must share a line (`return`, `as`, `=>`).
 */
export function liftedEdits(context: Context, hunks: readonly Hunk[]): readonly TextEdit[] {
  const { text, eol } = context.old;
  const lifted = new Map<number, string>();
  const edits = carefulEdits(context, hunks, (hunk, hunkEdits) => {
    const segments = segmentsOf(context, hunk);
    const start = segments[0]?.start;
    const end = segments.at(-1)?.end;
    if (segments.length < 2 || start === undefined || end === undefined) return hunkEdits;
    const at = statementStart(context, start);
    const comments = commentsIn(context, hunk.from, hunk.to).map((comment) => text.slice(comment.start, comment.end) + eol + indentAt(text, at));
    lifted.set(at, (lifted.get(at) ?? '') + comments.join(''));
    return [{ start, end, text: hunk.newFrom === hunk.newTo ? '' : (hunkEdits[0]?.text ?? '') }];
  });
  return [
    ...edits.map((edit) => {
      const comments = lifted.get(edit.start);
      if (comments === undefined) return edit;
      lifted.delete(edit.start);
      return { ...edit, text: comments + edit.text };
    }),
    ...[...lifted].map(([at, comments]) => ({ start: at, end: at, text: comments })),
  ];
}

/** Comments between the tokens `[from, to)` of the old text. */
function commentsIn({ old, oldTokens }: Context, from: number, to: number): readonly { readonly start: number; readonly end: number }[] {
  const inner = oldTokens.slice(from, to);
  return inner.slice(1).flatMap((token, index) => commentsBetween(old.text, inner[index]?.end ?? token.start, token.start));
}

/** The edits in one piece: everything from the first to the last difference as the new text has it, its comments above the statement. */
export function wholeRange(context: Context, hunks: readonly Hunk[]): readonly TextEdit[] {
  const { old, next, oldTokens, newTokens } = context;
  const first = hunks[0];
  const last = hunks.at(-1);
  if (!first || !last) return [];
  const start = oldTokens[first.from]?.start ?? old.text.length;
  const end = oldTokens[last.to]?.start ?? old.text.length;
  const text = next.text
    .slice(newTokens[first.newFrom]?.start ?? next.text.length, newTokens[last.newTo]?.start ?? next.text.length)
    .replace(/\r\n|\n|\r/g, old.eol);
  const at = statementStart(context, start);
  const lost = commentsIn(context, first.from, last.to + 1)
    .map((comment) => old.text.slice(comment.start, comment.end))
    .filter((comment) => !text.includes(comment));
  const comments = lost.map((comment) => comment + old.eol + indentAt(old.text, at)).join('');
  if (at === start || comments === '') return [{ start, end, text: comments + text }];
  return [
    { start: at, end: at, text: comments },
    { start, end, text },
  ];
}
