import { z } from 'zod';
import { ScanResult, SCHEMA_VERSION, Target, Tool } from './result.js';

/** Lines of a file, 1-based, both ends included. Lines end at `\n` only, as git and forges count them. */
export const LineRange = z.object({ start: z.int().positive(), end: z.int().positive() }).readonly();
export type LineRange = z.infer<typeof LineRange>;

/** True when one of the ranges holds all lines of another one. */
export const within = (ranges: readonly LineRange[], { start, end }: LineRange): boolean => ranges.some((range) => range.start <= start && end <= range.end);

/** A file of a pull request, as far as comments can be placed in it. */
export const ChangedFile = z
  .object({
    /** Relative to the root of the scan. */
    file: z.string(),
    state: z.enum(['added', 'changed', 'renamed', 'removed']),
    /** Lines of the new text that the pull request shows: changed ones and three around them. A comment elsewhere is refused by the forge. */
    hunks: z.array(LineRange).readonly(),
    /** Lines that the pull request adds. */
    added: z.array(LineRange).readonly(),
    /** False when the lines of the diff are not those of the checkout: nothing can be placed then. */
    fits: z.boolean(),
  })
  .readonly();
export type ChangedFile = z.infer<typeof ChangedFile>;

/** A finding whose place the pull request shows. */
export const Touched = z
  .object({
    /** Fingerprint of the finding. */
    finding: z.string(),
    /** Line of its first character, as forges count lines. */
    line: z.int().positive(),
    /** The pull request added this line; otherwise it only shows it. */
    added: z.boolean(),
  })
  .readonly();
export type Touched = z.infer<typeof Touched>;

/** Whole work items as one contiguous replacement inside one hunk: accepted with one click, or not at all. */
export const Replacement = z
  .object({
    /** Ids of the work items that it completes; several when their edits overlap. */
    items: z.array(z.string()).readonly(),
    file: z.string(),
    lines: LineRange,
    /** The lines that are replaced, and those that take their place, each with the `\r` of its end if it has one. */
    before: z.array(z.string()).readonly(),
    /** Empty when the lines go. */
    after: z.array(z.string()).readonly(),
    /** The lines beside the replaced ones, when there are any. */
    neighbours: z.object({ before: z.string().optional(), after: z.string().optional() }).readonly(),
    /** What a reviewer should know beside the change. */
    notes: z.array(z.string()).readonly(),
  })
  .readonly();
export type Replacement = z.infer<typeof Replacement>;

/** An automatic work item of the pull request that cannot be one suggestion, and why. `blocked`: `migrate` does not rewrite it either, yet. */
export const Held = z.object({ item: z.string(), why: z.string(), blocked: z.boolean() }).readonly();
export type Held = z.infer<typeof Held>;

/** Everything that `suggest` knows about a pull request. The source of its other formats. */
export const SuggestResult = z
  .object({
    schemaVersion: z.literal(SCHEMA_VERSION),
    tool: Tool,
    target: Target,
    /** Hash of the commit that the pull request starts from; absent when the diff was handed in. */
    base: z.string().optional(),
    /** Path of the root below the top of the repository, with a slash at its end; empty for the top. */
    prefix: z.string(),
    /** How this tool is run in the repository, e.g. `npx unsession`. */
    command: z.string(),
    changed: z.array(ChangedFile).readonly(),
    touched: z.array(Touched).readonly(),
    replacements: z.array(Replacement).readonly(),
    held: z.array(Held).readonly(),
    /** Work items whose concern can rewrite at all: for these `migrate --item` shows something. */
    rewritable: z.array(z.string()).readonly(),
    /** All replacements as one patch for `git apply`. */
    patch: z.string(),
    before: ScanResult,
  })
  .readonly();
export type SuggestResult = z.infer<typeof SuggestResult>;
