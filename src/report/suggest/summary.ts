import {
  isFault,
  markdownCell as cell,
  markdownCode as code,
  markdownProse as prose,
  severityOf,
  type Finding,
  type NotAnalysed,
  type SuggestResult,
} from '../../core/index.js';
import { bySeverity, loose, type ItemView } from '../pretty/items.js';
import { count, listCounts } from '../text/layout.js';
import { SUMMARY_MARK } from './marks.js';
import { proseOf } from './prose.js';
import type { Review, Silence } from './review.js';
import { placeOf, ruleOf } from './words.js';

/** A comment in the diff that the forge did not take, and what it said. */
export interface NotPosted {
  readonly path: string;
  readonly line: number;
  readonly why: string;
}

/** Characters of the lists; GitHub refuses bodies above 65,536. */
const MAX_LIST = 45_000;

/** Rows of the table that is read without unfolding anything. */
const MAX_ROWS = 15;

/**
 * The one comment that gives the overview and is updated from run to run; `undefined` when the pull request changes nothing of what was found.
 * @param notPosted what the forge refused in this run
 */
export function summaryBody(review: Review, result: SuggestResult, notPosted: readonly NotPosted[] = []): string | undefined {
  return review.concerns
    ? join([...head(review, result), ...refused(notPosted), ...here(review, result), ...faults(result), ...rest(review, result), foot(result)])
    : undefined;
}

/** What the summary of an earlier run becomes when nothing of it is left. */
export const settledBody = (result: SuggestResult): string =>
  join([SUMMARY_MARK, 'Nothing in this pull request depends on an MCP session any longer.', foot(result)]);

const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

function head(review: Review, result: SuggestResult): readonly string[] {
  const suggestions = review.remarks.filter((remark) => remark.replacement).length;
  const comments = review.remarks.length - suggestions;
  const said = [...(suggestions > 0 ? [count(suggestions, 'suggestion')] : []), ...(comments > 0 ? [count(comments, 'comment')] : [])].join(' and ');
  const shown = new Set(result.touched.map((entry) => entry.finding));
  const own = result.before.findings.filter((finding) => shown.has(finding.fingerprint));
  if (own.length === 0) return [SUMMARY_MARK, silence(result)];
  const severities = listCounts(bySeverity(own));
  const lines = `The lines of this pull request hold ${count(own.length, 'finding')} about MCP revision 2026-07-28, which has no sessions (${severities}; an error breaks there, a warning works worse).`;
  return [SUMMARY_MARK, said === '' ? lines : `${lines} In the diff: ${said}.`];
}

/** What no finding in the lines of the pull request means: never that unread code is clean. */
function silence(result: SuggestResult): string {
  if (faultsIn(result).length > 0) return 'Nothing was found in the lines of this pull request that could be read.';
  return 'The lines of this pull request are fine for MCP revision 2026-07-28; other lines of the same files are not.';
}

function refused(notPosted: readonly NotPosted[]): readonly string[] {
  if (notPosted.length === 0) return [];
  const lines = notPosted.map(({ path, line, why }) => `- ${code(`${path}:${String(line)}`)}: ${prose(why)}`);
  return [`**Not posted** (${count(notPosted.length, 'comment')} refused by the forge):\n\n${lines.join('\n')}`];
}

/** One row for each work item that the pull request shows. */
function here(review: Review, result: SuggestResult): readonly string[] {
  const shown = new Set(result.touched.map((entry) => entry.finding));
  const rows = [
    ...review.remarks.flatMap((remark) =>
      remark.views.map((view) =>
        row(view, view.findings.includes(remark.finding) ? remark.finding : worstOf(view, shown), result, remark.replacement ? 'suggestion' : 'comment'),
      ),
    ),
    ...review.silent.filter(({ why }) => why !== 'not-shown').map(({ view, why }) => row(view, worstOf(view, shown), result, SILENT[why])),
  ];
  if (rows.length === 0) return [];
  const left = rows.length - MAX_ROWS;
  const more = left > 0 ? `\n\nAnd ${count(left, 'more work item')}; ${code(`${result.command} scan`)} lists all.` : '';
  return [`| | what | where | in the diff |\n| --- | --- | --- | --- |\n${rows.slice(0, MAX_ROWS).join('\n')}${more}`];
}

const SILENT: Readonly<Record<Silence, string>> = { limit: 'no: enough comments', tests: 'no: tests', minor: 'no: minor', 'not-shown': '' };

/** The worst finding of an item that the pull request shows, else its worst one. */
function worstOf(view: ItemView, shown: ReadonlySet<string>): Finding | undefined {
  return [...view.findings].sort((a, b) => Number(shown.has(b.fingerprint)) - Number(shown.has(a.fingerprint)) || RANK[severityOf(a)] - RANK[severityOf(b)])[0];
}

function row(view: ItemView, finding: Finding | undefined, result: SuggestResult, said: string): string {
  const others = view.findings.length - 1;
  const place = finding ? code(placeOf(finding.site)) : '';
  return `| ${finding ? severityOf(finding) : view.severity} | ${cell(whatOf(view, finding, result))} | ${cell(place)}${others > 0 ? ` +${String(others)}` : ''} | ${said} |`;
}

/** One sentence about an item: that of its finding. */
const whatOf = (view: ItemView, finding: Finding | undefined, result: SuggestResult): string =>
  finding ? proseOf(ruleOf(finding, result.before.rules), finding.data).what : prose(view.item.title);

const RANK = { error: 0, warning: 1, note: 2, info: 3 } as const;

function faultsIn(result: SuggestResult): readonly NotAnalysed[] {
  const files = new Set(result.changed.map((file) => file.file));
  return result.before.notAnalysed.filter((notice) => isFault(notice) && files.has(notice.file));
}

/** Files of the pull request that could not be read: an empty list must not be taken for a clean one. */
function faults(result: SuggestResult): readonly string[] {
  const lines = faultsIn(result).map(
    (notice) => `- ${code(notice.line === undefined ? notice.file : `${notice.file}:${String(notice.line)}`)}: ${prose(notice.reason)}`,
  );
  const strange = result.changed.filter((file) => !file.fits && file.hunks.length > 0 && file.state !== 'removed' && heldFor(file.file, result));
  return [
    lines.length === 0 ? '' : `**Not analysed**, so this is not the whole picture:\n\n${lines.join('\n')}`,
    strange.length === 0 ? '' : `The diff does not fit the checkout for ${strange.map((file) => code(file.file)).join(', ')}: no comments there.`,
  ];
}

const heldFor = (file: string, result: SuggestResult): boolean => result.before.findings.some((finding) => finding.site.file === file);

/** Everything else of the repository, folded: together with the comments it is complete. */
function rest(review: Review, result: SuggestResult): readonly string[] {
  const views = review.silent.filter(({ why }) => why === 'not-shown').map(({ view }) => view);
  const shown = new Set(result.touched.map((entry) => entry.finding));
  const single = loose(result.before).filter((finding) => !shown.has(finding.fingerprint));
  const findings = views.flatMap((view) => view.findings);
  if (findings.length + single.length === 0) return [];
  const lines: string[] = [];
  let room = MAX_LIST;
  for (const view of views) {
    const line = `- ${view.severity}: ${whatOf(view, worstOf(view, shown), result)} ${places(view)} (${code(view.item.id)})`;
    room -= line.length;
    if (room < 0) break;
    lines.push(line);
  }
  const left = views.length - lines.length;
  if (left > 0) lines.push(`- ${count(left, 'more work item')}: ${code(`${result.command} scan --verbose`)}`);
  if (single.length > 0 && room > 0)
    lines.push(`- for the record: ${[...new Set(single.map((finding) => code(placeOf(finding.site))))].slice(0, 50).join(', ')}`);
  const title = `Elsewhere in the repository, not part of this pull request: ${count(findings.length, 'finding')} in ${count(views.length, 'work item')}`;
  return [`<details><summary>${title}</summary>\n\n${lines.join('\n')}\n\n</details>`];
}

/** Places by file: `file:line`, then the other lines of the file as numbers. */
function places(view: ItemView): string {
  const files = new Map<string, Set<number>>();
  for (const { site } of view.findings) files.set(site.file, (files.get(site.file) ?? new Set<number>()).add(site.line));
  return [...files]
    .map(([file, found]) => {
      const [first = 1, ...others] = [...found].sort((a, b) => a - b);
      return [code(`${file}:${String(first)}`), ...others.map(String)].join(', ');
    })
    .join('; ');
}

function foot(result: SuggestResult): string {
  const commit = result.target.commit === undefined ? '' : ` at ${result.target.commit.slice(0, 9)}`;
  return `<sub>unsession ${result.tool.version}${commit}; this comment is updated, not repeated · ${code(`${result.command} runbook --sunset <YYYY-MM-DD> --owner <name>`)} writes the migration plan</sub>`;
}
