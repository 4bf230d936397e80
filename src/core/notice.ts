import { z } from 'zod';

/** A file that was not read or not understood. It is never counted as clean. */
export const NotAnalysed = z
  .object({
    file: z.string(),
    /**
     * `syntax`, `encoding`, `too-large`, `binary`, `unreadable`, `too-deep` are faults; `generated`, `vendored`, `minified`, `submodule`, `unsupported` and
     * `language` (a program in a language that is not read) are policy. */
    why: z.enum([
      'syntax',
      'encoding',
      'too-large',
      'binary',
      'unreadable',
      'too-deep',
      'changed',
      'internal',
      'generated',
      'vendored',
      'minified',
      'submodule',
      'unsupported',
      'language',
    ]),
    /** What exactly, and what to do. */
    reason: z.string(),
    line: z.int().positive().optional(),
  })
  .readonly();
export type NotAnalysed = z.infer<typeof NotAnalysed>;

const POLICY: ReadonlySet<NotAnalysed['why']> = new Set(['generated', 'vendored', 'minified', 'submodule', 'unsupported', 'language']);

/** True when the file should have been analysed and could not be: exit code 1 at least. */
export const isFault = (notice: NotAnalysed): boolean => !POLICY.has(notice.why);

/** True for a program in a language that no front end reads: no fault, and named all the same. */
export const isForeign = (notice: NotAnalysed): boolean => notice.why === 'language';

/** Work done, so that tests can assert work instead of seconds. */
export const ScanStats = z
  .object({
    discovered: z.int(),
    skipped: z.int(),
    read: z.int(),
    bytes: z.int(),
    candidates: z.int(),
    parsed: z.int(),
    walks: z.int(),
    programs: z.int(),
    rounds: z.int(),
  })
  .readonly();
export type ScanStats = z.infer<typeof ScanStats>;
