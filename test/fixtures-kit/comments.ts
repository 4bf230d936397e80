import { ts } from 'ts-morph';
import { isSource } from './tree.js';
import type { Tree } from './tree.js';

/** Texts of all comments of a source text, in order, each with runs of white space collapsed. */
export function commentsOf(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = new Map<number, string>();
  const collect = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end } of ranges ?? []) found.set(pos, text.slice(pos, end).replaceAll(/\s+/g, ' '));
  };
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return;
    if (node.getChildCount(file) === 0) {
      collect(ts.getLeadingCommentRanges(text, node.pos));
      collect(ts.getTrailingCommentRanges(text, node.end));
    }
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return [...found].sort(([a], [b]) => a - b).map(([, comment]) => comment);
}

/** Comments of one tree that the other one has not, or has less often. */
export function lostComments(before: Tree, after: Tree): readonly string[] {
  const left = new Map<string, number>();
  for (const [path, text] of after) if (isSource(path)) for (const comment of commentsOf(path, text)) left.set(comment, (left.get(comment) ?? 0) + 1);
  const lost: string[] = [];
  for (const [path, text] of before) {
    if (!isSource(path)) continue;
    for (const comment of commentsOf(path, text)) {
      const count = left.get(comment) ?? 0;
      if (count === 0) lost.push(comment);
      else left.set(comment, count - 1);
    }
  }
  return lost;
}
