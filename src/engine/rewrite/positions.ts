import { lineStarts, siteOf, type FileChange, type Site, type TextEdit } from '../../core/index.js';

/** Remembers how the text of each file moved, round by round, so that reports cite the lines that people have on disk. */
export class PositionMap {
  readonly #rounds = new Map<string, (readonly TextEdit[])[]>();
  readonly #created = new Set<string>();

  /** Notes the changes of a round; they are stated against the text that the round before left. */
  add(changes: readonly FileChange[]): void {
    for (const change of changes) {
      if (change.kind === 'create') this.#created.add(change.file);
      if (change.kind !== 'edit' || this.#created.has(change.file)) continue;
      const rounds = this.#rounds.get(change.file) ?? [];
      rounds.push([...change.edits].sort((a, b) => a.start - b.start));
      this.#rounds.set(change.file, rounds);
    }
  }

  /** Offset in the text on disk; a place in inserted text maps to where it was inserted. */
  original(file: string, offset: number): number {
    return [...(this.#rounds.get(file) ?? [])].reverse().reduce((at, edits) => before(at, edits), offset);
  }

  /** The site on disk. Sites of files that are not on disk stay as they are. */
  originalSite(site: Site, textOnDisk: string | undefined): Site {
    if (textOnDisk === undefined || !this.#rounds.has(site.file)) return site;
    const start = this.original(site.file, site.span.start);
    const end = Math.max(start, this.original(site.file, site.span.end));
    return siteOf(site.file, lineStarts(textOnDisk), { start, end }, site.label);
  }
}

function before(offset: number, edits: readonly TextEdit[]): number {
  let shift = 0;
  for (const edit of edits) {
    const start = edit.start + shift;
    if (offset < start) break;
    if (offset < start + edit.text.length) return Math.min(edit.start + (offset - start), edit.end);
    shift += edit.text.length - (edit.end - edit.start);
  }
  return offset - shift;
}
