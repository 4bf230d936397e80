import { isFault, isForeign, visible, type Finding, type ScanResult } from '../../core/index.js';
import { count, cut, hang, listCounts } from '../text/layout.js';
import { bySeverity, nextOf, viewItems, type ItemView } from './items.js';
import { paintFor, targetWord, type Paint, type PrettyOptions } from './options.js';
import { nextLines, notAnalysedLines, place, places, refusalLines, severityWord } from './parts.js';
import { IDLE, idleSuppressions, nothingLeft, standings } from '../scan/counts.js';
import { scanDetails } from './scan-details.js';

/** Lines of the first screen. */
const SCREEN = 25;

/** The result of a scan for people: one screen, or everything with `verbose`. Ends with a newline. */
export function prettyScan(result: ScanResult, options: PrettyOptions): string {
  const paint = paintFor(options);
  const head = [...headLines(result, paint, options), ...laneLines(result, options, paint)];
  const tail = tailLines(result, options, paint);
  if (options.verbose) return join([head, scanDetails(result, options, paint), tail]);
  const views = viewItems(result).filter((view) => view.findings.length > 0);
  const room = SCREEN - head.length - tail.length - 2;
  return join([head, itemLines(views, result, room, options, paint), tail]);
}

/** Blocks separated by one empty line; empty blocks vanish. */
const join = (blocks: readonly (readonly string[])[]): string =>
  `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;

function headLines(result: ScanResult, paint: Paint, options: PrettyOptions): readonly string[] {
  const { root, commit, dirty } = result.target;
  const state = commit === undefined ? '' : ` at ${visible(commit.slice(0, 9))}${dirty ? ' with uncommitted changes' : ''}`;
  const version = `unsession ${visible(result.tool.version)}`;
  const where = cut(`${visible(root)}${state}`, options.width - version.length - 2);
  const packages = result.inventory.packages.filter((entry) => entry.candidate).length;
  const endpoints = result.inventory.endpoints.length;
  const scope = [
    count(result.stats.discovered, 'file'),
    ...(packages > 0 ? [count(packages, 'MCP package')] : []),
    ...(endpoints > 0 ? [count(endpoints, 'endpoint')] : []),
  ];
  return [`${paint.bold(version)}  ${where}`, cut(`milestones: ${standings(result).join(', ')}; ${scope.join(', ')}`, options.width)];
}

/** The legacy lane of each endpoint and why, endpoints with the same answer together; two answers on the first screen. */
function laneLines(result: ScanResult, options: PrettyOptions, paint: Paint): readonly string[] {
  const endpointsOf = new Map<string, string[]>();
  for (const lane of result.plan.lanes) {
    const endpoint = result.inventory.endpoints.find((candidate) => candidate.id === lane.endpoint);
    const unnamed = endpoint === undefined || endpoint.transport === 'unknown' ? 'an endpoint' : `the ${endpoint.transport} endpoint`;
    const answer = `${lane.choice}${lane.asked === 'auto' ? '' : ' (as asked)'}; ${visible(lane.reason)}`;
    endpointsOf.set(answer, [...(endpointsOf.get(answer) ?? []), visible(endpoint?.path ?? unnamed)]);
  }
  const answers = [...endpointsOf];
  const shown = options.verbose ? answers : answers.slice(0, 2);
  const lines = shown.flatMap(([answer, names]) => {
    const text = `legacy lane of ${namesOf(names)}: ${answer}`;
    if (options.verbose) return hang('', text, options.width);
    // One answer has room for a second line.
    const [first = '', ...rest] = hang('', text, options.width);
    return answers.length > 1 ? [cut(text, options.width)] : rest.length === 0 ? [first] : [first, cut(rest.join(' '), options.width)];
  });
  const left = answers.slice(shown.length).reduce((sum, [, names]) => sum + names.length, 0);
  if (left > 0) {
    const more = ` (+${count(left, 'endpoint')})`;
    lines[lines.length - 1] = `${cut(lines.at(-1) ?? '', options.width - more.length)}${more}`;
  }
  return lines.map((line) => paint.dim(line));
}

/** `/mcp, an endpoint (3 times)` */
function namesOf(names: readonly string[]): string {
  return [...new Set(names)]
    .map((name) => {
      const times = names.filter((other) => other === name).length;
      return times === 1 ? name : `${name} (${String(times)} times)`;
    })
    .join(', ');
}

function itemLines(views: readonly ItemView[], result: ScanResult, room: number, options: PrettyOptions, paint: Paint): readonly string[] {
  if (views.length === 0) return [nothingLine(result)];
  // Three lines for an item when they all fit, or when enough of them do; two lines otherwise.
  const tall = views.length * 3 <= room || Math.floor((room - 1) / 3) >= 4;
  const height = tall ? 3 : 2;
  const fits = views.length * height <= room ? views.length : Math.max(1, Math.floor((room - 1) / height));
  const lines = views.slice(0, fits).flatMap((view) => itemBlock(view, result, tall, options, paint));
  const rest = views.slice(fits);
  if (rest.length > 0)
    lines.push(
      cut(
        `and ${count(rest.length, 'more work item')} (${listCounts(bySeverity(rest.flatMap((view) => view.findings)))}); --verbose lists them`,
        options.width,
      ),
    );
  return lines;
}

function itemBlock(view: ItemView, result: ScanResult, tall: boolean, options: PrettyOptions, paint: Paint): readonly string[] {
  const { item } = view;
  const next = visible(nextOf(view, result, targetWord(options)));
  const remedy = item.remedy === 'none' ? 'nothing to do' : item.remedy;
  const id = visible(item.id);
  const indent = ' '.repeat(8);
  const titleRoom = options.width - 8 - remedy.length - 2;
  const head = `${severityWord(view.severity, paint)} ${paint.bold(cut(visible(item.title), titleRoom).padEnd(titleRoom))}  ${remedy}`;
  const sites = view.findings.map((finding) => finding.site);
  // The id is what commands take, so it is whole; on two lines there is no room for a next step that can be read.
  const second = `${indent}${id}  ${paint.dim(places(sites, options.width - 10 - id.length))}`;
  return tall ? [head, second, `${indent}next: ${cut(next, options.width - 14)}`] : [head, second];
}

/** What an empty list means: it is never read as clean when something could not be read. */
function nothingLine(result: ScanResult): string {
  if (result.notAnalysed.some(isFault)) return 'Nothing was found in what could be analysed.';
  return nothingLeft(result);
}

function tailLines(result: ScanResult, options: PrettyOptions, paint: Paint): readonly string[] {
  const lines: string[] = [];
  const items = viewItems(result).filter((view) => view.findings.length > 0);
  if (result.findings.length > 0)
    // What a narrow screen cuts off is what the items above say too.
    lines.push(
      cut(
        `${count(result.findings.length, 'finding')} in ${count(items.length, 'work item')}${effort(result)}; ${listCounts(bySeverity(result.findings))}${testsNote(result)}`,
        options.width,
      ),
    );
  else if (result.inTests > 0) lines.push(`${count(result.inTests, 'finding')} in tests; --include-tests lists them`);
  lines.push(...notAnalysedLines(result.notAnalysed, options, paint, 1), ...idleLine(result, options));
  const shown = new Set([...new Set(result.refusals.map(({ id }) => id))].slice(0, options.verbose ? Infinity : 2));
  const refusals = result.refusals.filter(({ id }) => shown.has(id));
  lines.push(...refusalLines(refusals, options, paint));
  if (result.refusals.length > refusals.length) lines.push(`${String(result.refusals.length - refusals.length)} more refused; --verbose lists them`);
  const next = nextLines(result.next, options, paint, options.verbose ? Infinity : 2);
  if (next.length > 0) lines.push(...(lines.length > 0 ? [''] : []), ...next);
  if (!options.verbose && (result.findings.length > 0 || result.notAnalysed.length > 0)) {
    const policy = result.notAnalysed.filter((notice) => !isFault(notice) && !isForeign(notice)).length;
    const left = policy === 0 ? '' : ` and the ${String(policy)} left out`;
    lines.push(paint.dim(cut(`--verbose shows all places${left}; "explain RULE" says more`, options.width)));
  }
  return lines;
}

/** Suppressions that nobody needs any longer, or that do nothing: one line. */
function idleLine(result: ScanResult, options: PrettyOptions): readonly string[] {
  const idle = idleSuppressions(result);
  const [first] = idle;
  if (!first || first.state === 'used') return [];
  const text = `${place(first.site)}: suppression ${IDLE[first.state]}`;
  const more = idle.length > 1 ? ` (${String(idle.length - 1)} more)` : '';
  return [`${cut(text, options.width - more.length)}${more}`];
}

const testsNote = (result: ScanResult): string => (result.inTests > 0 && !result.findings.some(inTest) ? `; ${String(result.inTests)} more in tests` : '');
const inTest = (finding: Finding): boolean => finding.role === 'test';

/** Hours by hand, as a reader would say them. */
function effort(result: ScanResult): string {
  const minutes = result.plan.effort;
  if (minutes <= 0) return '';
  return minutes < 90 ? `, about ${String(Math.max(5, Math.round(minutes / 5) * 5))} min by hand` : `, about ${String(Math.round(minutes / 60))} h by hand`;
}
