import { diffLines, formatPatch, structuredPatch, type StructuredPatch } from 'diff';
import { applyEdits, type FileChange, type Patch, type TextEdit } from '../core/index.js';
import { encodeAs } from './encoding.js';
import type { TextSource } from './types.js';

/** Edits that turn `before` into `after`: the changed line runs of a line diff, each cut to what differs inside it. */
export function editsBetween(before: string, after: string): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let at = 0;
  let removed = '';
  let added = '';
  const flush = (): void => {
    if (removed !== added) edits.push(trim({ start: at, end: at + removed.length, text: added }, removed));
    at += removed.length;
    removed = '';
    added = '';
  };
  for (const part of diffLines(before, after)) {
    if (part.removed) removed += part.value;
    else if (part.added) added += part.value;
    else {
      flush();
      at += part.value.length;
    }
  }
  flush();
  return edits;
}

/** Cuts what the old and the new text of an edit share at both ends. */
function trim(edit: TextEdit, old: string): TextEdit {
  const shorter = Math.min(old.length, edit.text.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === edit.text.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < shorter - head && old.charCodeAt(old.length - 1 - tail) === edit.text.charCodeAt(edit.text.length - 1 - tail)) tail++;
  return { start: edit.start + head, end: edit.end - tail, text: edit.text.slice(head, edit.text.length - tail) };
}

export interface DiffOptions {
  /** Path of the root below the top of the work tree (`GitState.prefix`), so that `git apply` finds the files from anywhere in it. */
  readonly prefix?: string;
  /** Lines of context; default 3, as `git diff`. */
  readonly context?: number;
}

/**
 * Changes as a patch that `git apply` takes: created, removed and edited files, sorted by path. Line ends, byte order
 * marks and a missing newline at the end of a file are kept.
 * @throws RangeError when an edit does not fit its text
 */
export function unifiedDiff(changes: readonly FileChange[], before: TextSource, options: DiffOptions = {}): string {
  return encodedDiff(changes, before, options).diff;
}

/** `unifiedDiff`, with the stretches that stand for files in another encoding. The lines with the paths are not among them. */
export function encodedDiff(changes: readonly FileChange[], before: TextSource, options: DiffOptions = {}): Pick<Patch, 'diff' | 'encoded'> {
  let diff = '';
  const encoded: NonNullable<Patch['encoded']>[number][] = [];
  for (const change of [...changes].sort((a, b) => (a.file < b.file ? -1 : 1))) {
    const patch = patchOf(change, before, options);
    if (patch === undefined) continue;
    const text = formatPatch(patch);
    const encoding = before.encoding(change.file);
    if (encoding !== undefined) encoded.push({ file: change.file, encoding, start: diff.length + text.indexOf('\n@@') + 1, end: diff.length + text.length });
    diff += text;
  }
  return encoded.length === 0 ? { diff } : { diff, encoded };
}

/**
 * A diff in the bytes that `git apply` compares with: those of each file's encoding.
 * @throws RangeError when an encoding has no sign for a character of its file
 */
export function diffBytes({ diff, encoded = [] }: Pick<Patch, 'diff' | 'encoded'>): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { file, encoding, start, end } of encoded) {
    const bytes = encodeAs(encoding, diff.slice(start, end));
    if (bytes === undefined)
      throw new RangeError(`${file}: the patch has a character that ${encoding} does not have. Convert the file to UTF-8 and run again.`);
    parts.push(Buffer.from(diff.slice(at, start), 'utf8'), bytes);
    at = end;
  }
  parts.push(Buffer.from(diff.slice(at), 'utf8'));
  return Buffer.concat(parts);
}

function patchOf(change: FileChange, before: TextSource, options: DiffOptions): StructuredPatch | undefined {
  const mark = before.bom(change.file) ? '\uFEFF' : '';
  const text = before.text(change.file);
  if (text === undefined && change.kind !== 'create') throw new RangeError(`${change.file}: no text to ${change.kind}`);
  const old = change.kind === 'create' ? '' : mark + (text ?? '');
  const next = change.kind === 'create' ? change.text : change.kind === 'remove' ? '' : mark + applyEdits(text ?? '', change.edits);
  if (change.kind === 'edit' && old === next) return undefined;
  const path = (options.prefix ?? '') + change.file;
  const oldName = change.kind === 'create' ? '/dev/null' : `a/${path}`;
  const newName = change.kind === 'remove' ? '/dev/null' : `b/${path}`;
  const patch = structuredPatch(oldName, newName, old, next, undefined, undefined, { context: options.context ?? 3 });
  patch.isGit = true;
  patch.isCreate = change.kind === 'create';
  patch.isDelete = change.kind === 'remove';
  return patch;
}
