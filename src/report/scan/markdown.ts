import {
  isFault,
  isForeign,
  markdownCell as cell,
  markdownCode as code,
  markdownHtml,
  markdownProse as prose,
  markdownText as text,
  riskOf,
  severityOf,
  type Finding,
  type ScanResult,
  type Site,
} from '../../core/index.js';
import { bySeverity, loose, messagesOf, nextOf, viewItems, type ItemView } from '../pretty/items.js';
import { count, cut } from '../text/layout.js';
import { IDLE, idleSuppressions, standings, verdict, worstFirst } from './counts.js';

/** What GitHub takes as the summary of one step is 1 MiB; below it, so that other lines of the step fit too. In bytes. */
const ROOM = 900_000;
/** Characters of one sentence in a table. */
const CELL = 400;
/** Rows of one table of findings. */
const ROWS = 200;

/**
 * The result as a Markdown report: for a job summary, an issue, a pull request. Work items first, then every finding with its place; what does not
 * fit is counted. Nothing of the repository can become markup, a mention or a link. Ends with a newline.
 */
export function markdownScan(result: ScanResult): string {
  const views = viewItems(result).filter((view) => view.findings.length > 0);
  const blocks = [
    head(result),
    refusals(result),
    ...itemBlocks(views, result),
    looseBlock(result),
    goneBlock(result),
    suppressionBlock(result),
    unreadBlock(result),
    nextBlock(result),
  ].filter((block) => block !== '');
  return within(blocks);
}

/** Blocks as long as they fit; the last ones, short as they are, are worth more than the details before them. */
function within(blocks: readonly string[]): string {
  const kept: string[] = [];
  let size = 0;
  let left = 0;
  for (const block of blocks) {
    const bytes = Buffer.byteLength(block) + 2;
    if (size + bytes > ROOM) left++;
    else {
      kept.push(block);
      size += bytes;
    }
  }
  if (left > 0) kept.push(`${count(left, 'part')} of this report did not fit; \`unsession scan --format json\` has all.`);
  return `${kept.join('\n\n')}\n`;
}

const place = (site: Site): string => code(`${site.file}:${String(site.line)}`);

function head(result: ScanResult): string {
  const counts = bySeverity(result.findings)
    .filter(([number]) => number > 0)
    .map(([number, severity]) => count(number, severity));
  return [
    '## Migration to the stateless revision',
    '',
    `${counts.length === 0 ? '' : `**${counts.join(', ')}.** `}${text(verdict(result))} Milestones: ${standings(result).join(', ')}.`,
    '',
    `${count(result.stats.discovered, 'file')}${result.target.commit === undefined ? '' : ` at ${code(result.target.commit.slice(0, 9))}`}, unsession ${text(result.tool.version)}.`,
  ].join('\n');
}

function refusals({ refusals: list }: ScanResult): string {
  if (list.length === 0) return '';
  return [
    '### Refused',
    '',
    ...list.map(
      ({ title, reason, accepted, ...refusal }) =>
        `- **${text(riskOf({ title, reason, ...refusal }))}**: ${prose(title)}. ${prose(reason.why)} ${accepted === undefined ? prose(reason.next) : `Accepted: ${text(accepted)}`}${reason.sites.length === 0 ? '' : ` (${reason.sites.slice(0, 5).map(place).join(', ')})`}`,
    ),
  ].join('\n');
}

function itemBlocks(views: readonly ItemView[], result: ScanResult): readonly string[] {
  if (views.length === 0) return [];
  const table = [
    '### Work items',
    '',
    '| severity | work item | cure | places | next |',
    '| --- | --- | --- | --- | --- |',
    ...views.map((view) =>
      row(
        view.severity,
        `${prose(cut(view.item.title, CELL))} ${code(view.item.id)}`,
        view.item.remedy,
        placesOf(view.findings),
        prose(cut(nextOf(view, result, ''), CELL)),
      ),
    ),
  ].join('\n');
  return [table, ...views.map((view) => details(`${view.severity}: ${cut(view.item.title, CELL)}`, view.findings, result))];
}

/** A row of a table, of finished cells. */
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

function placesOf(findings: readonly Finding[]): string {
  const sites = [...new Map(findings.map(({ site }) => [`${site.file}:${String(site.line)}`, site])).values()];
  return `${sites.slice(0, 2).map(place).join(', ')}${sites.length > 2 ? ` and ${String(sites.length - 2)} more` : ''}`;
}

/** Findings behind a fold, so that the table stays readable. */
function details(title: string, findings: readonly Finding[], result: ScanResult): string {
  return [
    `<details><summary>${markdownHtml(title)} (${count(findings.length, 'finding')})</summary>`,
    '',
    '| severity | place | what | why |',
    '| --- | --- | --- | --- |',
    ...worstFirst(findings)
      .slice(0, ROWS)
      .map((finding) => {
        const { what, why } = messagesOf(finding, result.rules);
        return row(severityOf(finding), place(finding.site), `${prose(cut(what, CELL))} ${code(finding.id)}`, prose(cut(why, CELL)));
      }),
    ...(findings.length > ROWS ? [`| | | ${count(findings.length - ROWS, 'more finding')} | |`] : []),
    '',
    '</details>',
  ].join('\n');
}

function looseBlock(result: ScanResult): string {
  const findings = loose(result);
  return findings.length === 0 ? '' : details('Nothing to do about', findings, result);
}

/** What the baseline holds and the code no longer does: one that goes while another comes must be seen. */
function goneBlock({ baseline }: ScanResult): string {
  if (!baseline || (baseline.known === 0 && baseline.gone.length === 0)) return '';
  const gone = baseline.gone.slice(0, ROWS).map((entry) => `- gone: ${code(entry.id)} in ${code(entry.file)}`);
  const more = baseline.gone.length > ROWS ? [`- ${count(baseline.gone.length - ROWS, 'more entry', 'more entries')}`] : [];
  return ['### Baseline', '', `${count(baseline.known, 'known finding')} left out.`, ...(gone.length > 0 ? ['', ...gone, ...more] : [])].join('\n');
}

function suppressionBlock(result: ScanResult): string {
  const idle = idleSuppressions(result);
  if (idle.length === 0) return '';
  return [
    '### Suppressions to look at',
    '',
    ...idle.flatMap(({ site, rule, state }) => (state === 'used' ? [] : [`- ${place(site)}: ${code(rule)} ${IDLE[state]}`])),
  ].join('\n');
}

function unreadBlock({ notAnalysed }: ScanResult): string {
  const faults = notAnalysed.filter(isFault);
  const foreign = notAnalysed.filter(isForeign);
  const policy = notAnalysed.length - faults.length - foreign.length;
  if (notAnalysed.length === 0) return '';
  return [
    '### Not analysed',
    '',
    ...faults
      .slice(0, 100)
      .map(
        (notice) =>
          `- ${code(notice.line === undefined ? notice.file : `${notice.file}:${String(notice.line)}`)} (${notice.why}): ${text(cut(notice.reason, CELL))}`,
      ),
    ...(faults.length > 100 ? [`- ${count(faults.length - 100, 'more file')}`] : []),
    ...(foreign.length > 0
      ? [
          `- ${count(foreign.length, 'program file')} in a language that is not read: ${foreign
            .slice(0, 20)
            .map(({ file }) => code(file))
            .join(', ')}${foreign.length > 20 ? ' and more' : ''}`,
        ]
      : []),
    ...(policy > 0 ? [`- ${count(policy, 'path')} left out by policy: generated, vendored, minified, of another repository`] : []),
  ].join('\n');
}

function nextBlock({ next }: ScanResult): string {
  if (next.length === 0) return '';
  return ['### Next', '', ...next.map((step) => `- ${code(step.command)}: ${prose(step.why)}`)].join('\n');
}
