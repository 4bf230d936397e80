import type { Span, TextEdit } from '../../../src/core/index.js';
import { type PyNode, type PythonFile } from '../../../src/languages/python/index.js';

/** Edits of one file that never claim a text twice. */
export class Edits {
  readonly #changes: TextEdit[] = [];
  readonly #inserts = new Map<number, string[]>();

  constructor(readonly file: PythonFile) {}

  /** Replaces a range. A range that another edit has claimed is left to that one: `false`. */
  replace(span: Span, text: string): boolean {
    if (span.start === span.end) {
      this.insert(span.start, text);
      return true;
    }
    if (this.isTaken(span)) return false;
    if (this.file.textOf(span) !== text) this.#changes.push({ start: span.start, end: span.end, text });
    return true;
  }

  remove(span: Span): boolean {
    return this.replace(span, '');
  }

  /** Inserts a text; several at one place stand in the order in which they were asked for, each once. */
  insert(offset: number, text: string): void {
    const known = this.#inserts.get(offset);
    if (!known) this.#inserts.set(offset, [text]);
    else if (!known.includes(text)) known.push(text);
  }

  isTaken(span: Span): boolean {
    return this.#changes.some((other) => span.start < other.end && other.start < span.end);
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0 && this.#inserts.size === 0;
  }

  /** The text of a node after the edits inside of it: for text that moves to another place. */
  textAfter(span: Span): string {
    const inner = this.list().filter(
      (edit) => edit.start >= span.start && edit.end <= span.end && (edit.start > span.start || edit.end < span.end || edit.start !== edit.end),
    );
    let text = '';
    let at = span.start;
    for (const edit of inner) {
      text += this.file.text.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + this.file.text.slice(at, span.end);
  }

  /** All of them, in order. An insertion inside of a removed range goes with it. */
  list(): readonly TextEdit[] {
    const inserts = [...this.#inserts].filter(([offset]) => !this.#changes.some((edit) => edit.start < offset && offset < edit.end));
    const merged: TextEdit[] = [...this.#changes];
    for (const [offset, texts] of inserts) {
      const text = texts.join('');
      const at = merged.findIndex((edit) => edit.start === offset);
      const neighbour = merged[at];
      if (neighbour) merged[at] = { ...neighbour, text: text + neighbour.text };
      else merged.push({ start: offset, end: offset, text });
    }
    return merged.sort((a, b) => a.start - b.start || a.end - b.end);
  }

  /**
   * Takes arguments out of a call with their commas. Comments between them stay.
   * @param list the `argument_list`
   */
  removeArguments(list: PyNode, gone: readonly PyNode[]): void {
    const all = list.children;
    for (let i = 0; i < all.length; i++) {
      const first = all[i];
      if (!first || !gone.includes(first)) continue;
      let j = i;
      while (j + 1 < all.length && gone.includes(all[j + 1] as PyNode)) j++;
      const last = all[j] as PyNode;
      const next = all[j + 1];
      const before = all[i - 1];
      if (next) this.#cut(first.start, next.start);
      else if (before && !this.file.comments.some(({ start }) => start > before.end && start < first.start)) this.#cut(before.end, last.end);
      // A comment stands between: the comma before it stays, and ends the list.
      else if (before) this.#cutLast(first.start, this.#afterComma(last.end, list.end - 1));
      else this.#cut(first.start, this.#afterComma(last.end, list.end - 1));
      i = j;
    }
  }

  /** Cuts what stands at the end of a list, with its line when it has one of its own. */
  #cutLast(start: number, end: number): void {
    const { text } = this.file;
    const indent = /\r?\n[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
    this.#cut(/^\r?\n/.test(text.slice(end)) ? start - indent : start, end);
  }

  #afterComma(offset: number, end: number): number {
    const match = /^\s*,[ \t]*/.exec(this.file.text.slice(offset, end));
    return offset + (match?.[0].length ?? 0);
  }

  /** Removes a range, but not the comments in it. */
  #cut(start: number, end: number): void {
    let at = start;
    for (const comment of this.file.comments) {
      if (comment.start < start || comment.start >= end) continue;
      const kept = /^[^\S\n]*\r?\n?[^\S\n]*/.exec(this.file.text.slice(comment.end))?.[0].length ?? 0;
      if (comment.start > at) this.remove({ start: at, end: comment.start });
      at = Math.min(end, comment.end + kept);
    }
    if (end > at) this.remove({ start: at, end });
  }
}

/** Offset of the start of a line. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') at--;
  return at;
}

/** Indentation of the line of an offset. */
export const indentAt = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';

/** Offset after the line break of the line that an offset is in. */
export function lineEnd(text: string, offset: number): number {
  const match = /\r\n|\n|\r/.exec(text.slice(offset));
  return match ? offset + match.index + match[0].length : text.length;
}
