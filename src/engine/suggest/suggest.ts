import { severityOf, type FileChange, type Held, type Replacement, type SuggestResult, type Touched, type WorkItem } from '../../core/index.js';
import { unifiedDiff, type DiffFile } from '../../workspace/index.js';
import { concernsOf, type DormantKnowledge, type Knowledge, type ScanOptions } from '../knowledge.js';
import type { Start } from '../migrate.js';
import { byText } from '../order.js';
import { begin } from '../pipeline.js';
import { commandOf, heading } from '../results.js';
import type { RenderShim } from '../rewrite/compose.js';
import { inRepository, placesOf, touchedBy, type Place } from './places.js';
import { applyReplacements, replacementOf, type Lines } from './replacement.js';
import { tryItems, type Obstacle, type Trial } from './trial.js';

export interface SuggestOptions extends ScanOptions {
  /** What the pull request changes; paths from the top of the repository. */
  readonly diff: readonly DiffFile[];
  /** Commit that it starts from. */
  readonly base?: string;
  readonly renderShim: RenderShim;
}

/** Automatic items that are tried for a suggestion; the rest get a comment. A pull request never shows so many. */
const MAX_TRIALS = 40;

/** Items that are accepted together, with what they do to one file, on disk lines. */
interface Draft extends Lines {
  readonly file: string;
  readonly items: readonly WorkItem[];
  readonly notes: readonly string[];
}

interface Known {
  readonly start: Start;
  readonly places: ReadonlyMap<string, Place>;
  /** Why an item is no suggestion, by id. */
  readonly held: Map<string, Obstacle>;
}

/**
 * What a pull request could take over: each automatic work item that it shows is rewritten alone, and becomes a suggestion when
 * all that it does is one contiguous change inside one hunk. Nobody can accept half of an item.
 * @throws as `scanRepository`
 */
export async function suggestRepository(root: string, knowledge: Knowledge | DormantKnowledge, options: SuggestOptions): Promise<SuggestResult> {
  const start = await begin(root, knowledge, { ...options, includeTests: true, safety: 'safe' });
  const { disk, discovery, before } = start;
  const prefix = discovery.git?.prefix ?? '';
  const places = placesOf(options.diff, prefix, disk);
  const touched = touchedBy(before.findings, places, disk);
  const known: Known = { start, places, held: new Map() };
  const drafts = await provedTogether(await withoutOverlaps(await single(candidates(known, touched), known), known), known);
  const replacements = drafts.map((draft) => replacementIn(draft, places));
  return {
    ...heading(discovery, options),
    ...(options.base === undefined ? {} : { base: options.base }),
    prefix,
    command: await commandOf(discovery),
    changed: [...places.values()].map(({ changed }) => changed),
    touched,
    replacements,
    held: [...known.held].map(([item, obstacle]): Held => ({ item, ...obstacle })).sort((a, b) => byText(a.item, b.item)),
    rewritable: before.plan.items.filter((item) => concernsOf(start.knowledge).get(item.concern)?.rewrite !== undefined).map((item) => item.id),
    patch: patchOf(drafts, known, prefix),
    before,
  };
}

/** Automatic items that the pull request shows, the worst first. */
function candidates({ start, places, held }: Known, touched: readonly Touched[]): readonly WorkItem[] {
  const shown = new Set(touched.map((entry) => entry.finding));
  const severity = new Map(start.before.findings.map((finding) => [finding.fingerprint, RANK[severityOf(finding)]]));
  const rank = (item: WorkItem): number => Math.min(...item.findings.map((fingerprint) => severity.get(fingerprint) ?? RANK.info));
  const items = start.before.plan.items
    .filter((item) => item.remedy === 'automatic' && item.findings.some((fingerprint) => shown.has(fingerprint)))
    .sort((a, b) => rank(a) - rank(b) || byText(a.id, b.id));
  return items.filter((item, index) => {
    const outside = item.files.find((file) => places.get(file)?.changed.fits !== true);
    if (outside !== undefined) held.set(item.id, whole(`It also changes \`${outside}\`, which this pull request does not touch.`));
    else if (index >= MAX_TRIALS) held.set(item.id, whole('More items than can be tried at once come before it.'));
    return outside === undefined && index < MAX_TRIALS;
  });
}

const RANK = { error: 0, warning: 1, note: 2, info: 3 } as const;

/** Each item alone, when it is one change inside one hunk. */
async function single(items: readonly WorkItem[], known: Known): Promise<readonly Draft[]> {
  const drafts: Draft[] = [];
  for (const item of items) {
    const draft = draftOf([item], await tryItems(known.start, [item]), known);
    if ('why' in draft) known.held.set(item.id, draft);
    else drafts.push(draft);
  }
  return drafts;
}

/** One change for these items, or why there is none. */
function draftOf(items: readonly WorkItem[], trial: Trial, { start, places }: Known): Draft | Obstacle {
  if ('why' in trial) return trial;
  const [change, ...others] = trial.changes;
  if (change === undefined) return { why: 'Its rewrite changes nothing here.', blocked: true };
  if (others.length > 0) return whole(`It changes ${String(trial.changes.length)} files (${listed(trial.changes)}), and makes sense as a whole only.`);
  if (change.kind !== 'edit') return whole(`It ${change.kind === 'create' ? 'creates' : 'removes'} \`${change.file}\`, which a suggestion cannot.`);
  const place = places.get(change.file);
  if (!place) return whole(`It changes \`${change.file}\`, which this pull request does not touch.`);
  const lines = replacementOf(place, start.disk.text(change.file) ?? '', trial.text(change.file) ?? '', {
    bom: start.disk.bom(change.file),
    encoding: start.disk.encoding(change.file),
  });
  return typeof lines === 'string' ? whole(lines) : { ...lines, file: change.file, items, notes: trial.notes };
}

/** It is rewritten, but what it changes is no suggestion. */
const whole = (why: string): Obstacle => ({ why, blocked: false });

const listed = (changes: readonly FileChange[]): string => {
  const names = changes.slice(0, 3).map((change) => `\`${change.file}\``);
  return changes.length > names.length ? `${names.join(', ')}, …` : names.join(', ');
};

/** Items whose lines overlap are offered as one, or the later one waits until the first is in. */
async function withoutOverlaps(drafts: readonly Draft[], known: Known): Promise<readonly Draft[]> {
  const kept: Draft[] = [];
  for (let draft of drafts) {
    for (let other = kept.find((one) => overlap(one, draft)); other; other = kept.find((one) => overlap(one, draft))) {
      const items = [...other.items, ...draft.items];
      const joined = draftOf(items, await tryItems(known.start, items), known);
      kept.splice(kept.indexOf(other), 1);
      if ('why' in joined) {
        for (const item of draft.items)
          known.held.set(item.id, whole(`It changes the same lines as \`${other.items[0]?.id ?? ''}\`: run again when that is in.`));
        draft = other;
      } else draft = joined;
    }
    kept.push(draft);
  }
  return kept;
}

const overlap = (a: Draft, b: Draft): boolean => a.file === b.file && a.lines.start <= b.lines.end && b.lines.start <= a.lines.end;

/** All together must be what the tool does for these items at once; what does not fit waits. */
async function provedTogether(drafts: readonly Draft[], known: Known): Promise<readonly Draft[]> {
  let kept = [...drafts];
  while (kept.length > 1) {
    const trial = await tryItems(
      known.start,
      kept.flatMap((draft) => draft.items),
    );
    const wrong = 'why' in trial ? kept.at(-1) : kept.findLast((draft) => trial.text(draft.file) !== applied(draft.file, kept, known));
    const stray = !('why' in trial) && trial.changes.some((change) => !kept.some((draft) => draft.file === change.file));
    const out = wrong ?? (stray ? kept.at(-1) : undefined);
    if (!out) return kept;
    kept = kept.filter((draft) => draft !== out);
    for (const item of out.items) known.held.set(item.id, whole('Its change depends on other suggestions here: run again when they are in.'));
  }
  return kept;
}

const applied = (file: string, drafts: readonly Draft[], { start }: Known): string =>
  applyReplacements(
    start.disk.text(file) ?? '',
    drafts.filter((draft) => draft.file === file),
  );

function replacementIn({ file, items, lines, before, after, neighbours, notes }: Draft, places: ReadonlyMap<string, Place>): Replacement {
  const ends = places.get(file)?.lineEnds ?? 'as-on-disk';
  return { items: items.map((item) => item.id), file, lines, before: inRepository(before, ends), after: inRepository(after, ends), neighbours, notes };
}

function patchOf(drafts: readonly Draft[], known: Known, prefix: string): string {
  const { disk } = known.start;
  const changes = [...new Set(drafts.map((draft) => draft.file))].map((file): FileChange => {
    const text = disk.text(file) ?? '';
    return { kind: 'edit', file, edits: [{ start: 0, end: text.length, text: applied(file, drafts, known) }] };
  });
  return unifiedDiff(changes, disk, { prefix });
}
