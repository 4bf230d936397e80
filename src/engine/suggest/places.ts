import { within, type ChangedFile, type Finding, type LineRange, type Touched } from '../../core/index.js';
import type { DiffFile, DiffHunk, TextSource } from '../../workspace/index.js';

/** Lines around a change that a forge shows, whatever the diff at hand shows. */
const CONTEXT = 3;

/**
 * Lines and characters of one file's diff up to which a forge shows it. GitHub loads no single file beyond 20,000 lines or 500 KB ("Limits for viewing
 * content and diffs in a repository"), and takes no comment where it shows nothing.
 */
const MAX_SHOWN = { lines: 20_000, characters: 500_000 };

/** How the lines of the repository end, when the checkout writes them differently: `core.autocrlf` is about to convert. */
export type LineEnds = 'as-on-disk' | 'lf' | 'crlf';

/** A changed file, with what it takes to write a suggestion for it. */
export interface Place {
  readonly changed: ChangedFile;
  readonly lineEnds: LineEnds;
}

/**
 * What comments can be attached to, by path relative to the root.
 * @param prefix path of the root below the top of the repository; files outside of it are left out
 */
export function placesOf(diff: readonly DiffFile[], prefix: string, disk: TextSource): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const { path, state, hunks } of diff) {
    if (!path.startsWith(prefix)) continue;
    const file = path.slice(prefix.length);
    const shown = tooLarge(hunks) ? [] : hunks.map(shownIn);
    const lines = new Map(hunks.flatMap(newLines));
    const text = state === 'removed' || lines.size === 0 ? undefined : disk.text(file);
    const lineEnds = text === undefined ? undefined : agreement(text.split('\n'), lines);
    const changed = { file, state, hunks: shown.flatMap((part) => part.hunks), added: shown.flatMap((part) => part.added), fits: lineEnds !== undefined };
    places.set(file, { changed, lineEnds: lineEnds ?? 'as-on-disk' });
  }
  return places;
}

function tooLarge(hunks: readonly DiffHunk[]): boolean {
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const characters = hunks.reduce((sum, hunk) => hunk.lines.reduce((length, line) => length + line.length + 1, sum), 0);
  return lines > MAX_SHOWN.lines || characters > MAX_SHOWN.characters;
}

/** Lines of the new side of a hunk, by number. */
function newLines(hunk: DiffHunk): readonly (readonly [number, string])[] {
  return hunk.lines.filter((line) => !line.startsWith('-')).map((line, index) => [hunk.newStart + index, line.slice(1)]);
}

/** Do the lines of the diff stand where the checkout has them? Then how they end. */
function agreement(disk: readonly string[], lines: ReadonlyMap<number, string>): LineEnds | undefined {
  let ends: LineEnds | undefined;
  for (const [number, line] of lines) {
    const own = disk[number - 1];
    const theirs = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (own === undefined || bare(own) !== bare(theirs)) return undefined;
    // The last line of a file has no end, so it tells nothing.
    if (number === disk.length) continue;
    const here: LineEnds = own === theirs ? 'as-on-disk' : own.endsWith('\r') ? 'lf' : 'crlf';
    if (ends !== undefined && ends !== here) return undefined;
    ends = here;
  }
  return ends ?? 'as-on-disk';
}

const bare = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Lines as the repository has them. */
export function inRepository(lines: readonly string[], ends: LineEnds): readonly string[] {
  if (ends === 'as-on-disk') return lines;
  return lines.map((line) => (ends === 'lf' ? bare(line) : `${bare(line)}\r`));
}

/** Lines of the new side that a forge shows for a hunk, which may be cut in two when the diff shows more context than a forge does. */
function shownIn(hunk: DiffHunk): { readonly hunks: readonly LineRange[]; readonly added: readonly LineRange[] } {
  const changes = hunk.lines.flatMap((line, index) => (line.startsWith('+') || line.startsWith('-') ? [index] : []));
  const groups: { from: number; to: number }[] = [];
  for (const index of changes) {
    const last = groups.at(-1);
    if (last && index - last.to - 1 <= 2 * CONTEXT) last.to = index;
    else groups.push({ from: index, to: index });
  }
  const numbers = lineNumbers(hunk);
  const range = (from: number, to: number): readonly LineRange[] => {
    const within = numbers.slice(Math.max(0, from), to + 1).filter((number) => number !== undefined);
    const [start] = within;
    const end = within.at(-1);
    return start === undefined || end === undefined ? [] : [{ start, end }];
  };
  return {
    hunks: groups.flatMap(({ from, to }) => range(from - CONTEXT, to + CONTEXT)),
    added: runs(changes.flatMap((index) => (hunk.lines[index]?.startsWith('+') ? [numbers[index] ?? 0] : []))),
  };
}

/** Number in the new text of each line of a hunk; `undefined` for a removed line. */
function lineNumbers(hunk: DiffHunk): readonly (number | undefined)[] {
  let next = hunk.newStart;
  return hunk.lines.map((line) => (line.startsWith('-') ? undefined : next++));
}

/** Runs of consecutive numbers. */
function runs(numbers: readonly number[]): readonly LineRange[] {
  const ranges: { start: number; end: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.end === number - 1) last.end = number;
    else ranges.push({ start: number, end: number });
  }
  return ranges;
}

/** Findings whose first line a forge shows, in their order. */
export function touchedBy(findings: readonly Finding[], places: ReadonlyMap<string, Place>, disk: TextSource): readonly Touched[] {
  return findings.flatMap((finding): readonly Touched[] => {
    const changed = places.get(finding.site.file)?.changed;
    if (!changed?.fits) return [];
    const line = lineAt(disk.text(finding.site.file) ?? '', finding.site.span.start);
    const here = { start: line, end: line };
    return within(changed.hunks, here) ? [{ finding: finding.fingerprint, line, added: within(changed.added, here) }] : [];
  });
}

/** Line of an offset, as git counts: a lone `\r` ends no line. */
function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
