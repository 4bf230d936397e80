import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, type FileChange, type NotAnalysed } from '../core/index.js';
import { editsBetween } from './diff.js';
import { isNotAnalysed, readText, type ReadOptions } from './read.js';
import type { TextFile, TextSource } from './types.js';

/** The files on disk, each read once. */
export class DiskSource implements TextSource {
  readonly #files = new Map<string, TextFile | NotAnalysed | undefined>();

  constructor(
    readonly root: string,
    readonly options: ReadOptions = {},
  ) {}

  text(path: string): string | undefined {
    const file = this.#read(path);
    return file && !isNotAnalysed(file) ? file.text : undefined;
  }

  bom(path: string): boolean {
    const file = this.#read(path);
    return file !== undefined && !isNotAnalysed(file) && file.bom;
  }

  encoding(path: string): string | undefined {
    const file = this.#read(path);
    return file !== undefined && !isNotAnalysed(file) ? file.encoding : undefined;
  }

  exists(path: string): boolean {
    return this.#files.get(path) !== undefined || isFile(join(this.root, path));
  }

  /** Why a file that exists has no text. */
  problem(path: string): NotAnalysed | undefined {
    const file = this.#read(path);
    return file && isNotAnalysed(file) ? file : undefined;
  }

  /** Hands in a text that the scan has already read and decoded. */
  remember(file: TextFile): void {
    this.#files.set(file.path, file);
  }

  #read(path: string): TextFile | NotAnalysed | undefined {
    if (!this.#files.has(path)) this.#files.set(path, isFile(join(this.root, path)) ? readText(this.root, path, this.options) : undefined);
    return this.#files.get(path);
  }
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Texts from a literal, for pure callers. */
export function memorySource(files: Readonly<Record<string, string>>): TextSource {
  const texts = new Map(Object.entries(files));
  return {
    text: (path) => texts.get(path)?.replace(/^\uFEFF/, ''),
    exists: (path) => texts.has(path),
    bom: (path) => texts.get(path)?.startsWith('\uFEFF') ?? false,
    encoding: () => undefined,
  };
}

/** A change that does not fit the state it is applied to: a fault of the caller. */
export class ChangeError extends Error {
  constructor(
    readonly file: string,
    why: string,
  ) {
    super(`${file}: ${why}`);
    this.name = 'ChangeError';
  }
}

/** Changes on top of a source that stays as it is. An overlay may be the base of another one. */
export class Overlay implements TextSource {
  /** `null` marks a removed file. */
  readonly #texts = new Map<string, string | null>();

  constructor(readonly base: TextSource) {}

  text(path: string): string | undefined {
    const own = this.#texts.get(path);
    if (own === null) return undefined;
    return own ?? this.base.text(path);
  }

  exists(path: string): boolean {
    const own = this.#texts.get(path);
    return own === undefined ? this.base.exists(path) : own !== null;
  }

  bom(path: string): boolean {
    return this.base.bom(path);
  }

  encoding(path: string): string | undefined {
    return this.base.encoding(path);
  }

  /**
   * Applies all changes or none.
   * @throws ChangeError for an edit of a missing file or a creation over an existing one
   * @throws OverlapError, RangeError from the edits themselves
   */
  apply(changes: readonly FileChange[]): void {
    const next = new Map<string, string | null>();
    const current = (path: string): string | undefined => {
      const own = next.get(path);
      return own === undefined ? this.text(path) : (own ?? undefined);
    };
    for (const change of changes) {
      const before = current(change.file);
      if (change.kind === 'create') {
        if (next.has(change.file) ? next.get(change.file) !== null : this.exists(change.file))
          throw new ChangeError(change.file, 'cannot be created, it exists');
        next.set(change.file, change.text);
      } else if (before === undefined) {
        throw new ChangeError(change.file, `cannot be ${change.kind === 'edit' ? 'edited' : 'removed'}, it does not exist or is not text`);
      } else next.set(change.file, change.kind === 'remove' ? null : applyEdits(before, change.edits));
    }
    for (const [path, text] of next) this.#texts.set(path, text);
  }

  /** Paths whose state differs from the base, sorted. */
  paths(): readonly string[] {
    return [...this.#texts.keys()].filter((path) => this.text(path) !== this.base.text(path)).sort();
  }

  /** The difference to the base, as few and small edits as a line diff finds. */
  changed(): readonly FileChange[] {
    return this.paths().map((file): FileChange => {
      const before = this.base.text(file);
      const after = this.text(file);
      if (after === undefined) return { kind: 'remove', file };
      return before === undefined ? { kind: 'create', file, text: after } : { kind: 'edit', file, edits: editsBetween(before, after) };
    });
  }

  /** A copy that can be changed without touching this one. */
  fork(): Overlay {
    const copy = new Overlay(this.base);
    for (const [path, text] of this.#texts) copy.#texts.set(path, text);
    return copy;
  }
}
