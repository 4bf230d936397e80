import { createHash } from 'node:crypto';
import { severityOf, type Finding, type Held, type LineRange, type Replacement, type Severity, type SuggestResult, type Touched } from '../../core/index.js';
import { viewItems, type ItemView } from '../pretty/items.js';

/** How much a review may say. */
export interface ReviewLimits {
  /** Comments in the diff led by one rule. */
  readonly perRule: number;
  /** Comments in the diff. */
  readonly total: number;
}

export const LIMITS: ReviewLimits = { perRule: 5, total: 25 };

/** One comment in the diff, before it has words. */
export interface Remark {
  /** Stable over runs: what is said about which code. */
  readonly key: string;
  /** Relative to the root. */
  readonly file: string;
  readonly lines: LineRange;
  readonly severity: Severity;
  /** The finding that leads it: the worst that the pull request shows. */
  readonly finding: Finding;
  /** Work items that it speaks of; the first one leads. */
  readonly views: readonly ItemView[];
  readonly replacement?: Replacement;
  /** Why an automatic item is not offered as a suggestion. */
  readonly held?: Held;
}

/** Why a work item has no comment in the diff: too many others, in tests or documents only, a note, or not in the diff at all. */
export type Silence = 'limit' | 'tests' | 'minor' | 'not-shown';

/** What is said where. */
export interface Review {
  readonly remarks: readonly Remark[];
  /** Work items without a comment, for the summary. */
  readonly silent: readonly { readonly view: ItemView; readonly why: Silence }[];
  /** False when nothing of it lies in a file that the pull request changes: then nothing is worth a comment. */
  readonly concerns: boolean;
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2, info: 3 };

/** Chooses few comments, the worst first: suggestions, and one comment for each other item that the pull request shows. */
export function reviewOf(result: SuggestResult, limits: ReviewLimits = LIMITS): Review {
  const views = viewItems(result.before).filter((view) => view.item.remedy !== 'none');
  const shown = new Map(result.touched.map((entry) => [entry.finding, entry]));
  const held = new Map(result.held.map((entry) => [entry.item, entry]));
  const offered = new Set(result.replacements.flatMap((replacement) => replacement.items));
  const wanted = [
    ...result.replacements.flatMap((replacement) => suggestion(replacement, views, shown)),
    ...views.flatMap((view) => (offered.has(view.item.id) ? [] : remark(view, shown, held.get(view.item.id)))),
  ].sort(byWeight);
  const remarks = limited(wanted, limits);

  const said = new Set(remarks.flatMap((entry) => entry.views.map((view) => view.item.id)));
  const cut = new Set(wanted.flatMap((entry) => entry.views.map((view) => view.item.id)));
  const silent = views
    .filter((view) => !said.has(view.item.id))
    .map((view) => ({ view, why: cut.has(view.item.id) ? ('limit' as const) : silence(view, shown) }));
  const files = new Set(result.changed.map((file) => file.file));
  const concerns =
    views.some((view) => view.findings.some((finding) => files.has(finding.site.file))) || result.before.notAnalysed.some((notice) => files.has(notice.file));
  return { remarks, silent, concerns };
}

const byWeight = (a: Remark, b: Remark): number =>
  RANK[a.severity] - RANK[b.severity] ||
  (a.replacement === undefined ? 1 : 0) - (b.replacement === undefined ? 1 : 0) ||
  (a.file === b.file ? a.lines.start - b.lines.start : a.file < b.file ? -1 : 1);

function limited(remarks: readonly Remark[], { perRule, total }: ReviewLimits): readonly Remark[] {
  const counts = new Map<string, number>();
  const kept = remarks.filter(({ finding }) => {
    const count = (counts.get(finding.id) ?? 0) + 1;
    counts.set(finding.id, count);
    return count <= perRule;
  });
  return kept.slice(0, total);
}

function suggestion(replacement: Replacement, views: readonly ItemView[], shown: ReadonlyMap<string, Touched>): readonly Remark[] {
  const own = replacement.items.flatMap((id) => views.find((view) => view.item.id === id) ?? []);
  const finding = lead(
    own.flatMap((view) => view.findings),
    shown,
  );
  if (!finding) return [];
  const { file, lines, before, after } = replacement;
  const key = hash(['suggestion', file, ...replacement.items, ...before, '', ...after]);
  return [{ key, file, lines, severity: severityOf(finding), finding, views: own, replacement }];
}

/** One comment for an item, at the worst place that the pull request shows. Notes, tests and documents are not worth one. */
function remark(view: ItemView, shown: ReadonlyMap<string, Touched>, held: Held | undefined): readonly Remark[] {
  const finding = lead(view.findings.filter(weighty), shown);
  const place = finding && shown.get(finding.fingerprint);
  if (!finding || !place) return [];
  // An item speaks once in a pull request, whichever of its places comes first after the next push.
  const key = hash(['comment', view.item.id]);
  const lines = { start: place.line, end: place.line };
  return [{ key, file: finding.site.file, lines, severity: severityOf(finding), finding, views: [view], ...(held === undefined ? {} : { held }) }];
}

function silence(view: ItemView, shown: ReadonlyMap<string, Touched>): Silence {
  const own = view.findings.filter((finding) => shown.has(finding.fingerprint));
  if (own.length === 0) return 'not-shown';
  return own.every((finding) => RANK[severityOf(finding)] > RANK.warning) ? 'minor' : 'tests';
}

const weighty = (finding: Finding): boolean =>
  RANK[severityOf(finding)] <= RANK.warning && finding.role !== 'test' && finding.role !== 'docs' && finding.category !== 'docs';

/** The worst finding that is shown; among equals one on an added line, then the first. */
function lead(findings: readonly Finding[], shown: ReadonlyMap<string, Touched>): Finding | undefined {
  const added = (finding: Finding): number => (shown.get(finding.fingerprint)?.added === true ? 0 : 1);
  return [...findings]
    .filter((finding) => shown.has(finding.fingerprint))
    .sort(
      (a, b) =>
        RANK[severityOf(a)] - RANK[severityOf(b)] ||
        added(a) - added(b) ||
        (a.site.file === b.site.file ? a.site.span.start - b.site.span.start : a.site.file < b.site.file ? -1 : 1),
    )[0];
}

const hash = (parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
