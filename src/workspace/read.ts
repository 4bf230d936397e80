import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { sep } from 'node:path';
import { dominantEol, type NotAnalysed } from '../core/index.js';
import { decodeAs, declaredEncoding } from './encoding.js';
import type { TextFile } from './types.js';

/** Files above this many bytes are not parsed; a candidate above it is reported. */
export const MAX_TEXT_BYTES = 2 * 1024 * 1024;

/** Files above this many bytes are not even searched for literals. */
export const MAX_READ_BYTES = 64 * 1024 * 1024;

export interface ReadOptions {
  /** Cap of `decodeText` in bytes; default `MAX_TEXT_BYTES`. */
  readonly maxBytes?: number;
}

/** Tells a notice from what was asked for. */
export const isNotAnalysed = (value: object): value is NotAnalysed => 'why' in value && 'reason' in value;

const problem = (file: string, why: NotAnalysed['why'], reason: string): NotAnalysed => ({ file, why, reason });

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

const sameState = (a: Stats, b: Stats): boolean => a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;

/** What the operating system said, without the absolute path that Node repeats in it. */
function explain(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  const known: Readonly<Record<string, string>> = {
    EACCES: 'no permission to read it; check its mode and owner',
    EPERM: 'no permission to read it; check its mode and owner',
    ENOENT: 'it does not exist (any longer)',
    EISDIR: 'it is a folder',
    ELOOP: 'it is a loop of symbolic links',
    EMFILE: 'too many open files; raise the limit and run again',
  };
  return known[code] ?? `the system answered ${code}`;
}

/**
 * A buffer that many files are read into, one after the other: a repository of ten thousand files would otherwise leave its whole
 * size behind as garbage outside of the heap, where the collector does not see it grow.
 */
export class ReadBuffer {
  bytes = Buffer.allocUnsafeSlow(256 * 1024);

  /** At least this many bytes; what was read before is gone. */
  of(size: number): Buffer {
    if (size > this.bytes.length) this.bytes = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.bytes.length));
    return this.bytes;
  }
}

/** Fills a buffer from a file; the number of bytes, which is less than `size` when the file has shrunk, and `size + 1` when it has grown. */
function fill(descriptor: number, bytes: Buffer, size: number): number {
  let done = 0;
  while (done <= size) {
    const count = readSync(descriptor, bytes, done, size + 1 - done, done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** All bytes of an open file between two looks at its state; `undefined` when they differ. */
function readWhole(descriptor: number, path: string, into: ReadBuffer | undefined): Buffer | NotAnalysed | undefined {
  const before = fstatSync(descriptor);
  if (!before.isFile()) return problem(path, 'unreadable', 'it is not a regular file');
  if (before.size > MAX_READ_BYTES)
    return problem(
      path,
      'too-large',
      `${megabytes(before.size)}; files above ${megabytes(MAX_READ_BYTES)} are not read. Exclude it with --exclude if it holds no code.`,
    );
  const bytes = into?.of(before.size + 1) ?? Buffer.allocUnsafe(before.size + 1);
  const length = fill(descriptor, bytes, before.size);
  return sameState(before, fstatSync(descriptor)) && length === before.size ? bytes.subarray(0, length) : undefined;
}

/** All bytes of a file that fits into the buffer: one read gives them as one state. `undefined` when it does not fit, or has another size. */
function readSmall(descriptor: number, into: ReadBuffer): Buffer | undefined {
  const length = readSync(descriptor, into.bytes, 0, into.bytes.length, 0);
  if (length === into.bytes.length) return undefined;
  return fstatSync(descriptor).size === length ? into.bytes.subarray(0, length) : undefined;
}

/**
 * Bytes of a file, read as one state: a file that changes while it is read is read once more, then reported.
 * Never throws; what went wrong is in the notice.
 * @param into the bytes are valid until the next file is read into it; without it they are the caller's
 */
export function readBytes(root: string, path: string, into?: ReadBuffer): Buffer | NotAnalysed {
  for (let attempt = 0; attempt < 2; attempt++) {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(`${root}${sep}${path}`, 'r');
      const bytes = (into && readSmall(descriptor, into)) ?? readWhole(descriptor, path, into);
      if (bytes) return bytes;
    } catch (error) {
      return problem(path, 'unreadable', explain(error));
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }
  return problem(path, 'changed', 'it was written to while it was read. Run again when nothing writes to it.');
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Line of the first byte that is not UTF-8, by halving the range that decodes. */
function badLine(bytes: Uint8Array): number {
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(10, start); ; end = bytes.indexOf(10, start)) {
    const stop = end === -1 ? bytes.length : end;
    try {
      strictUtf8.decode(bytes.subarray(start, stop));
    } catch {
      return line;
    }
    if (end === -1) return line;
    line++;
    start = end + 1;
  }
}

/**
 * Text of a file from its bytes. UTF-8 is taken strictly, and so is the encoding that a Python file declares: a file in another one
 * would come back damaged from a rewrite.
 * @returns a notice for other encodings, binary content and files above the cap
 */
export function decodeText(path: string, bytes: Uint8Array, options: ReadOptions = {}): TextFile | NotAnalysed {
  const cap = options.maxBytes ?? MAX_TEXT_BYTES;
  if (bytes.length > cap)
    return problem(path, 'too-large', `${megabytes(bytes.length)}; files above ${megabytes(cap)} are not parsed. Exclude it with --exclude, or split it.`);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return problem(path, 'encoding', 'it is UTF-16. Convert it to UTF-8 and run again.');
  if (bytes.includes(0)) return problem(path, 'binary', 'it holds NUL bytes, so it is not source text');
  const declared = declaredEncoding(path, bytes);
  if (declared) {
    const text = declared.label === undefined ? undefined : decodeAs(declared.label, bytes);
    if (text === undefined || declared.label === undefined)
      return problem(
        path,
        'encoding',
        `it declares the encoding ${declared.spelled}, ${declared.label === undefined ? 'which is not known here' : 'and its bytes are not in it'}. Convert the file to UTF-8 and run again.`,
      );
    return { path, text, bom: false, eol: dominantEol(text), encoding: declared.label };
  }
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    const line = badLine(bytes);
    return { file: path, why: 'encoding', reason: `line ${String(line)} is not UTF-8. Convert the file to UTF-8 and run again.`, line };
  }
  const bom = text.charCodeAt(0) === 0xfeff;
  if (bom) text = text.slice(1);
  return { path, text, bom, eol: dominantEol(text) };
}

/** `readBytes` and `decodeText` in one. */
export function readText(root: string, path: string, options: ReadOptions = {}): TextFile | NotAnalysed {
  const bytes = readBytes(root, path);
  return isNotAnalysed(bytes) ? bytes : decodeText(path, bytes, options);
}
