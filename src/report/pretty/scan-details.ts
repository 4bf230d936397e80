import { severityOf, visible, type Finding, type ScanResult } from '../../core/index.js';
import { IDLE } from '../scan/counts.js';
import { count, hang } from '../text/layout.js';
import { loose, messagesOf, nextOf, viewItems, type ItemView } from './items.js';
import { targetWord, type Paint, type PrettyOptions } from './options.js';
import { place, severityWord } from './parts.js';

const MILESTONES = [
  ['sdk', 'Milestone sdk: SDK v1 to v2, the wire stays'],
  ['entry', 'Milestone entry: entry point and lanes, the wire changes'],
] as const;

/** Everything that the first screen leaves out: each item with its findings, evidence, related places, steps and checks. */
export function scanDetails(result: ScanResult, options: PrettyOptions, paint: Paint): readonly string[] {
  const views = viewItems(result);
  const lines: string[] = [];
  for (const [milestone, title] of MILESTONES) {
    const own = views.filter((view) => view.item.milestone === milestone);
    if (own.length === 0) continue;
    lines.push(paint.bold(paint.underline(title)), '');
    for (const view of own) lines.push(...itemDetails(view, result, options, paint), '');
  }
  const rest = loose(result);
  if (rest.length > 0) {
    lines.push(paint.bold('Findings without a work item'), '');
    for (const finding of rest) lines.push(...findingDetails(finding, result, options, paint));
    lines.push('');
  }
  lines.push(...suppressionLines(result), ...coverageLines(result, options), ...helperLines(result, options), ...statLines(result));
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

function itemDetails(view: ItemView, result: ScanResult, options: PrettyOptions, paint: Paint): readonly string[] {
  const { item } = view;
  const { width } = options;
  const next = nextOf(view, result, targetWord(options));
  return [
    `${severityWord(view.severity, paint)} ${paint.bold(visible(item.id))}  ${visible(item.title)}`,
    ...hang('        ', `${item.remedy}: ${visible(item.reason)}`, width),
    ...hang('        next: ', visible(next), width),
    ...item.todo.flatMap((step) => hang('        by hand: ', visible(step), width)),
    `        concern ${visible(item.concern)}, package ${visible(item.package)}, ${item.category}, lane ${item.lane}${item.endpoint === undefined ? '' : `, endpoint ${visible(item.endpoint)}`}${item.effort > 0 ? `, ${String(Math.round(item.effort))} min by hand` : ''}`,
    ...(item.closes.length > 0 ? hang('        checks: ', item.closes.join(' '), width) : []),
    ...(view.findings.length === 0
      ? [`        ${count(item.findings.length, 'finding')} in tests; --include-tests lists them`, ...item.sites.map((site) => `          ${place(site)}`)]
      : []),
    ...view.findings.flatMap((finding) => findingDetails(finding, result, options, paint)),
  ];
}

function findingDetails(finding: Finding, result: ScanResult, options: PrettyOptions, paint: Paint): readonly string[] {
  const message = messagesOf(finding, result.rules);
  const { width } = options;
  const role = finding.role === 'source' ? '' : `, ${finding.role}`;
  return [
    `        ${paint.cyan(`${place(finding.site)}:${String(finding.site.column)}`)}  ${severityOf(finding)} ${visible(finding.id)} (${finding.certainty}${role})`,
    ...hang('            ', visible(message.what), width),
    ...(message.why === '' ? [] : hang('            why: ', visible(message.why), width)),
    ...(message.next === '' ? [] : hang('            next: ', visible(message.next), width)),
    ...finding.evidence.flatMap((line) => hang('            - ', visible(line), width)),
    ...finding.related.map((site) => `            see ${place(site)}${site.label === undefined ? '' : `: ${visible(site.label)}`}`),
  ];
}

const EFFECT = { used: 'silences a finding', ...IDLE } as const;

function suppressionLines(result: ScanResult): readonly string[] {
  const list = result.suppressions ?? [];
  if (list.length === 0) return [];
  return [
    'Suppressions',
    ...list.map(
      (entry) => `  ${place(entry.site)}  ${visible(entry.rule)} ${EFFECT[entry.state]}${entry.reason === undefined ? '' : ` (${visible(entry.reason)})`}`,
    ),
    '',
  ];
}

/** What the result does not speak about, by change of the revision. */
function coverageLines(result: ScanResult, options: PrettyOptions): readonly string[] {
  const list = result.coverage ?? [];
  if (list.length === 0) return [];
  const of = (state: (typeof list)[number]['state']) => list.filter((entry) => entry.state === state);
  const [checked, absent, dynamic] = [of('checked'), of('not-applicable'), of('not-static')];
  return [
    `Coverage: ${count(list.length, 'change')} of the revision, ${String(checked.length)} checked, ${String(absent.length)} not applicable, ${String(dynamic.length)} cannot be told from code`,
    ...checked.map((entry) => `  checked         ${visible(entry.title)}${entry.findings === 0 ? '' : ` (${count(entry.findings, 'finding')})`}`),
    ...absent.map((entry) => `  not applicable  ${visible(entry.title)}${entry.reason === undefined ? '' : `: ${visible(entry.reason)}`}`),
    ...dynamic.flatMap((entry) =>
      hang('  not from code   ', `${visible(entry.title)}${entry.reason === undefined ? '' : `: ${visible(entry.reason)}`}`, options.width),
    ),
    '',
  ];
}

/** What is named after sessions and was left alone, so that a reader sees that it was looked at. */
function helperLines({ inventory }: ScanResult, { width }: PrettyOptions): readonly string[] {
  const list = inventory.applicationSessions ?? [];
  if (list.length === 0) return [];
  return [
    ...hang(
      '',
      'Application helpers: they keep or check sessions of the application under keys of their own, not sessions of the protocol, and stay as they are',
      width,
    ),
    ...list.map(({ site, name }) => `  ${place(site)}  ${visible(name)}`),
    '',
  ];
}

function statLines(result: ScanResult): readonly string[] {
  const { stats } = result;
  return [
    `Work: ${count(stats.discovered, 'file')} listed, ${String(stats.skipped)} left out, ${String(stats.read)} read (${(stats.bytes / 1e6).toFixed(1)} MB), ${count(stats.candidates, 'candidate')}, ${String(stats.parsed)} parsed, ${count(stats.rounds, 'round')}`,
    '',
  ];
}
