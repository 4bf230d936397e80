import {
  isFault,
  markdownCell as cell,
  markdownCode as code,
  markdownText as text,
  visible,
  type FleetReport,
  type FleetRepository,
  type FleetSummary,
} from '../../core/index.js';
import { bySeverity } from '../pretty/items.js';
import { count, cut, listCounts } from '../text/layout.js';
import { isClean } from './merge.js';

/** Rules in the first table. */
const RULES = 20;
/** Lines of the first screen that name repositories. */
const SCREEN = 15;

/** What stands with a repository, in a few words. */
function stateOf({ result, failure }: FleetRepository): string {
  if (!result) return `not scanned: ${failure ?? 'no result'}`;
  const faults = result.notAnalysed.filter(isFault).length;
  const open = result.refusals.filter(({ accepted }) => accepted === undefined).length;
  const parts = [
    result.findings.length === 0 ? '' : listCounts(bySeverity(result.findings)),
    open === 0 ? '' : `${String(open)} refused`,
    faults === 0 ? '' : `${count(faults, 'file')} not analysed`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing to do' : parts.join(', ');
}

const severities = (summary: FleetSummary): string => {
  const { error, warning, note, info } = summary.findings;
  const counts = listCounts([
    [error, 'error'],
    [warning, 'warning'],
    [note, 'note'],
    [info, 'info'],
  ]);
  return counts === '' ? 'no finding' : counts;
};

const head = ({ summary }: FleetReport): readonly string[] => [
  `${count(summary.repositories, 'repository', 'repositories')}: ${String(summary.clean)} with nothing to do, ${String(summary.failed)} not scanned, ${String(summary.incomplete)} with files that could not be analysed.`,
  `${severities(summary)}. Work items: ${String(summary.items.automatic)} automatic, ${String(summary.items.guided)} guided, ${String(summary.items.manual)} manual, ${String(summary.items.refused)} refused; about ${String(Math.round(summary.effort / 60))} h by hand.`,
  `Milestone sdk is ahead in ${String(summary.ahead.sdk)}, entry in ${String(summary.ahead.entry)}.`,
];

/** Repositories the most work first; what could not be scanned before all. */
const worstFirst = (report: FleetReport): readonly FleetRepository[] =>
  [...report.repositories]
    .filter((entry) => !entry.result || !isClean(entry.result))
    .sort((a, b) => (b.result?.plan.effort ?? Infinity) - (a.result?.plan.effort ?? Infinity) || (a.repository < b.repository ? -1 : 1));

/** A fleet for people: one screen, or every repository with `verbose`. Ends with a newline. */
export function prettyFleet(report: FleetReport, options: { readonly verbose: boolean; readonly width: number }): string {
  const open = worstFirst(report);
  const shown = options.verbose ? open : open.slice(0, SCREEN);
  const column = Math.min(40, Math.max(0, ...shown.map(({ repository }) => visible(repository).length)));
  return [
    ...head(report),
    ...(shown.length > 0 ? [''] : []),
    ...shown.map((entry) => cut(`${visible(entry.repository).padEnd(column)}  ${visible(stateOf(entry))}`, options.width)),
    ...(open.length > shown.length ? [`and ${count(open.length - shown.length, 'more repository', 'more repositories')}; --verbose lists them`] : []),
    '',
  ].join('\n');
}

/** A fleet as a Markdown report. Ends with a newline. */
export function markdownFleet(report: FleetReport): string {
  const { rules } = report.summary;
  return [
    '## Migration of a fleet to the stateless revision',
    '',
    ...head(report).map(text),
    '',
    '### Repositories',
    '',
    '| repository | commit | sdk | entry | state | work items | minutes by hand |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...report.repositories.map((entry) => {
      const { result } = entry;
      const commit = result?.target.commit === undefined ? '' : code(result.target.commit.slice(0, 9));
      const items = result?.plan.items.filter((item) => item.remedy !== 'none').length ?? '';
      return `| ${cell(code(entry.repository))} | ${commit} | ${result?.milestone.sdk ?? ''} | ${result?.milestone.entry ?? ''} | ${text(stateOf(entry))} | ${String(items)} | ${result ? String(Math.round(result.plan.effort)) : ''} |`;
    }),
    ...(rules.length === 0
      ? []
      : [
          '',
          '### Rules',
          '',
          '| rule | repositories | findings |',
          '| --- | --- | --- |',
          ...rules.slice(0, RULES).map((rule) => `| ${cell(code(rule.id))} | ${String(rule.repositories)} | ${String(rule.findings)} |`),
        ]),
    '',
  ].join('\n');
}
