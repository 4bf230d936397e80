import { fill, lineStarts } from '../../src/core/index.js';
import type { Finding, MigrateResult, ScanResult, Site } from '../../src/core/index.js';
import type { Tree } from './tree.js';

/**
 * The annotated-source snapshot of a story. For each finding: the line it is on, the place underlined, then what the tool says.
 * Below: what becomes of each work item, with its reason. Ids and hashes stay out, so that a shot changes only when the meaning does.
 */
export function renderShot(tree: Tree, scan: ScanResult, migrated: MigrateResult): string {
  const lines = [...tree].flatMap(([path, text]) => annotate(path, text, scan));
  return [...lines, ...items(scan), ...outcomes(migrated), ...notAnalysed(scan)].join('\n').trimEnd() + '\n';
}

const byPlace = (a: Finding, b: Finding): number => a.site.span.start - b.site.span.start || a.site.span.end - b.site.span.end || (a.id < b.id ? -1 : 1);

function annotate(path: string, text: string, scan: ScanResult): readonly string[] {
  const findings = scan.findings.filter((finding) => finding.site.file === path).sort(byPlace);
  if (findings.length === 0) return [];
  const starts = lineStarts(text);
  const shown = findings.flatMap((finding, index) => {
    const { site } = finding;
    const line = text.slice(starts[site.line - 1], starts[site.line]).replace(/[\r\n]+$/, '');
    const repeated = findings[index - 1]?.site.line === site.line;
    const margin = ' '.repeat(6);
    const rule = scan.rules.find(({ id }) => id === finding.id);
    const width = site.endLine === site.line ? Math.max(1, site.endColumn - site.column) : Math.max(1, line.length - site.column + 1);
    const underline =
      line.slice(0, site.column - 1).replaceAll(/[^\t]/g, ' ') + '~'.repeat(width) + (site.endLine === site.line ? '' : ` to line ${site.endLine}`);
    return [
      ...(repeated ? [] : ['', `${String(site.line).padStart(4)}  ${line}`]),
      margin + underline,
      `${margin}${finding.id}  ${[finding.certainty, finding.impact, finding.category, `${finding.lane} lane`, finding.milestone, finding.role].join(' · ')}`,
      `${margin}${fill(rule?.what ?? 'NO SUCH RULE', finding.data)}`,
      ...finding.related.map((related) => `${margin}  see ${place(related)}`),
      ...finding.evidence.map((reason) => `${margin}  because ${reason}`),
    ];
  });
  return [`== ${path}`, ...shown, ''];
}

const place = (site: Site): string => `${site.file}:${site.line}${site.label === undefined ? '' : ` ${site.label}`}`;

function items(scan: ScanResult): readonly string[] {
  const lines = scan.plan.items.map(({ remedy, concern, title, reason, todo, effort }) => [
    `${remedy.padEnd(10)}${concern}: ${title}`,
    `${' '.repeat(10)}${reason}`,
    ...todo.map((step) => `${' '.repeat(10)}to do: ${step}`),
    `${' '.repeat(10)}${effort} min by hand`,
  ]);
  const lanes = scan.plan.lanes.map(({ endpoint, choice, reason }) => [`lane      ${endpoint}: ${choice}`, `${' '.repeat(10)}${reason}`]);
  return lines.length + lanes.length === 0 ? [] : ['== plan', '', ...[...lines, ...lanes].flat(), ''];
}

function outcomes({ outcomes: all }: MigrateResult): readonly string[] {
  const lines = all.map(({ outcome, title, reason, todo, notes, files }) => [
    `${outcome.padEnd(10)}${title}${files.length === 0 ? '' : ` (${files.join(', ')})`}`,
    ...(reason
      ? [`${' '.repeat(10)}${reason.why}`, `${' '.repeat(10)}next: ${reason.next}`, ...reason.sites.map((site) => `${' '.repeat(10)}see ${place(site)}`)]
      : []),
    ...todo.map((step) => `${' '.repeat(10)}to do: ${step}`),
    ...notes.map((note) => `${' '.repeat(10)}note: ${note}`),
  ]);
  return lines.length === 0 ? [] : ['== migrate', '', ...lines.flat(), ''];
}

const notAnalysed = (scan: ScanResult): readonly string[] =>
  scan.notAnalysed.length === 0 ? [] : ['== not analysed', '', ...scan.notAnalysed.map(({ file, why, reason }) => `${why.padEnd(10)}${file}: ${reason}`)];
