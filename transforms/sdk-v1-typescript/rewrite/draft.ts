import { type TextEdit, applyEdits } from '../../../src/core/index.js';
import { type TypeScriptFile, parse } from '../../../src/languages/typescript/index.js';

/** A stretch of the current text: taken over from the original, or written by us. */
type Piece = { readonly kind: 'kept'; readonly start: number; readonly end: number } | { readonly kind: 'written'; readonly text: string };

const lengthOf = (piece: Piece): number => (piece.kind === 'kept' ? piece.end - piece.start : piece.text.length);

function cut(piece: Piece, from: number, to: number): Piece | undefined {
  if (from >= to) return undefined;
  return piece.kind === 'kept' ? { kind: 'kept', start: piece.start + from, end: piece.start + to } : { kind: 'written', text: piece.text.slice(from, to) };
}

/** Pieces of the half-open range `[from, to)` of the current text. */
function slice(pieces: readonly Piece[], from: number, to: number): Piece[] {
  const result: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const length = lengthOf(piece);
    const part = cut(piece, Math.max(0, from - at), Math.min(length, to - at));
    if (part) result.push(part);
    at += length;
    if (at >= to) break;
  }
  return result;
}

/** A rewrite left a text that does not parse: the item must not be applied. */
export class BrokenDraftError extends Error {
  constructor(
    readonly path: string,
    readonly stage: string,
    readonly line: number,
    reason: string,
  ) {
    super(`${path}:${String(line)} does not parse after ${stage}: ${reason}`);
    this.name = 'BrokenDraftError';
  }
}

/**
 * A file between two states. Stages edit the text that the stage before them left; the sum is again a list of edits of
 * the original, so that bytes which no stage touched are the original bytes.
 */
export class Draft {
  #pieces: readonly Piece[];
  #file: TypeScriptFile;

  constructor(readonly original: TypeScriptFile) {
    this.#file = original;
    this.#pieces = [{ kind: 'kept', start: 0, end: original.text.length }];
  }

  /** The file as it is now. */
  get file(): TypeScriptFile {
    return this.#file;
  }

  get path(): string {
    return this.original.path;
  }

  /**
   * Applies edits that are stated against `file.text`.
   * @throws BrokenDraftError when the result does not parse
   */
  apply(edits: readonly TextEdit[], stage: string): void {
    const ordered = dropNoise(edits, this.#file.text).sort((a, b) => a.start - b.start || a.end - b.end);
    if (ordered.length === 0) return;
    const text = applyEdits(this.#file.text, ordered);
    const pieces: Piece[] = [];
    let at = 0;
    for (const edit of ordered) {
      pieces.push(...slice(this.#pieces, at, edit.start));
      if (edit.text !== '') pieces.push({ kind: 'written', text: edit.text });
      at = edit.end;
    }
    pieces.push(...slice(this.#pieces, at, this.#file.text.length));
    const { file, problem } = parse(this.path, text);
    if (!file) throw new BrokenDraftError(this.path, stage, problem.line ?? 1, problem.reason);
    this.#pieces = pieces;
    this.#file = file;
  }

  /** Offset in the original text of an offset in `file.text`; for text that we wrote, the next original one. */
  toOriginal(offset: number): number {
    let at = 0;
    for (const piece of this.#pieces) {
      const length = lengthOf(piece);
      if (piece.kind === 'kept' && offset < at + length) return piece.start + Math.max(0, offset - at);
      at += length;
    }
    return this.original.text.length;
  }

  /** Offset in `file.text` of an offset in the original text; for text that is gone, the next one that is left. */
  toCurrent(original: number): number {
    let at = 0;
    for (const piece of this.#pieces) {
      if (piece.kind === 'kept' && original < piece.end) return at + Math.max(0, original - piece.start);
      at += lengthOf(piece);
    }
    return at;
  }

  /** The sum of all stages as edits of the original text. */
  edits(): readonly TextEdit[] {
    const edits: TextEdit[] = [];
    let at = 0;
    let text = '';
    const flush = (until: number): void => {
      if (until > at || text !== '') edits.push({ start: at, end: until, text });
      text = '';
    };
    for (const piece of this.#pieces) {
      if (piece.kind === 'written') text += piece.text;
      else {
        flush(piece.start);
        at = piece.end;
      }
    }
    flush(this.original.text.length);
    return dropNoise(edits, this.original.text);
  }
}

/** Edits that change nothing would claim text which others may need. */
const dropNoise = (edits: readonly TextEdit[], text: string): TextEdit[] => edits.filter((edit) => text.slice(edit.start, edit.end) !== edit.text);
