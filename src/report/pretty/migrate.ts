import { typesFail, visible, visibleLines, type ItemOutcome, type MigrateResult, type Milestone } from '../../core/index.js';
import { count, hang } from '../text/layout.js';
import { paintFor, type Paint, type PrettyOptions } from './options.js';
import { nextLines, notAnalysedLines, place, proofLine, refusalLines } from './parts.js';
import { typeLines } from './types.js';

const WIRE: Readonly<Record<Milestone, string>> = { sdk: 'the wire stays', entry: 'the wire changes' };
const ORDER: readonly ItemOutcome['outcome'][] = ['applied', 'scaffolded', 'manual', 'refused', 'deferred', 'failed'];

/** What `migrate` did or would do: the patches, what became of each item, the proofs, and what comes next. Ends with a newline. */
export function prettyMigrate(result: MigrateResult, options: PrettyOptions): string {
  const paint = paintFor(options);
  const changed = result.patches.some((patch) => patch.changes.length > 0);
  const blocks: (readonly string[])[] = [headLines(result, options, paint)];
  for (const patch of result.patches) {
    if (patch.changes.length === 0) continue;
    const title = paint.bold(
      `Milestone ${patch.milestone} (${WIRE[patch.milestone]}): ${count(patch.items.length, 'item')}, ${count(new Set(patch.changes.map((change) => change.file)).size, 'file')}`,
    );
    // What is on disk already is named; git shows it better than a second copy.
    const body =
      result.written && !options.verbose ? patch.changes.map((change) => `  ${change.kind.padEnd(6)}  ${visible(change.file)}`) : diffLines(patch.diff, paint);
    blocks.push([title, ...body]);
  }
  blocks.push(outcomeLines(result, options, paint));
  if (changed) blocks.push([proofLine(result.proofs, result.idempotent), ...typeLines(result.types, options, paint)]);
  blocks.push(
    notAnalysedLines(result.notAnalysed, options, paint, 5),
    refusalLines(result.refusals, options, paint),
    nextLines(result.next, { ...options, verbose: true }, paint),
  );
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function headLines(result: MigrateResult, options: PrettyOptions, paint: Paint): readonly string[] {
  const files = new Set(result.patches.flatMap((patch) => patch.changes.map((change) => change.file))).size;
  const title = `${paint.bold(`unsession ${visible(result.tool.version)}`)}  ${visible(result.target.root)}`;
  if (result.written) return [title, paint.green(`${count(files, 'file')} written; "unsession undo" takes it back`)];
  if (files === 0) return [title, 'Nothing would change.'];
  if (typesFail(result.types))
    return [title, ...hang('', paint.red(`Nothing was written: ${count(files, 'file')} would change, and types are not proved.`), options.width)];
  return [title, ...hang('', `Dry run: ${count(files, 'file')} would change, nothing was written. --write applies it.`, options.width)];
}

/** A diff in colours, with what a terminal would obey made visible. */
function diffLines(diff: string, paint: Paint): readonly string[] {
  return visibleLines(diff)
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      if (/^(diff --git|---|\+\+\+|new file|deleted file) /.test(line)) return paint.bold(line);
      if (line.startsWith('@@')) return paint.cyan(line);
      if (line.startsWith('+')) return paint.green(line);
      return line.startsWith('-') ? paint.red(line) : line;
    });
}

function outcomeLines(result: MigrateResult, options: PrettyOptions, paint: Paint): readonly string[] {
  if (result.outcomes.length === 0) return [];
  const sorted = [...result.outcomes].sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));
  const totals = ORDER.map((outcome) => [sorted.filter((entry) => entry.outcome === outcome).length, outcome] as const).filter(([number]) => number > 0);
  return [
    paint.bold(`Work items: ${totals.map(([number, outcome]) => `${String(number)} ${outcome}`).join(', ')}`),
    ...sorted.flatMap((entry) => outcomeBlock(entry, options, paint)),
  ];
}

function outcomeBlock(entry: ItemOutcome, options: PrettyOptions, paint: Paint): readonly string[] {
  const { width } = options;
  const word = entry.outcome.padEnd(10);
  const color = entry.outcome === 'applied' ? paint.green : entry.outcome === 'refused' || entry.outcome === 'failed' ? paint.red : paint.yellow;
  return [
    `  ${color(word)} ${visible(entry.item)}  ${visible(entry.title)}`,
    ...(entry.reason
      ? [
          ...hang('      why: ', visible(entry.reason.why), width),
          ...(entry.reason.next === '' ? [] : hang('      next: ', visible(entry.reason.next), width)),
          ...entry.reason.sites
            .slice(0, options.verbose ? Infinity : 3)
            .map((site) => `      at ${place(site)}${site.label === undefined ? '' : `: ${visible(site.label)}`}`),
        ]
      : []),
    ...entry.todo.flatMap((step) => hang('      by hand: ', visible(step), width)),
    ...entry.notes.flatMap((note) => hang('      note: ', visible(note), width)),
  ];
}
