import { isFault, riskOf, severityOf, visible, type Finding, type ScanResult, type Severity } from '../../core/index.js';
import { messagesOf } from '../pretty/items.js';
import { count, cut } from '../text/layout.js';
import { IDLE, idleSuppressions, verdict, worstFirst } from './counts.js';

/** What GitHub shows of one step: ten annotations of each kind. The rest of them it drops without a word. */
const SHOWN = 10;
/** Of one rule; more of the same teach nothing new and hide the others. */
const OF_A_RULE = 5;
/** Characters of a message. */
const LENGTH = 500;

type Command = 'error' | 'warning' | 'notice';
const COMMAND: Readonly<Record<Exclude<Severity, 'info'>, Command>> = { error: 'error', warning: 'warning', note: 'notice' };

/** Value after `::`; what it holds is never a command of its own. */
const data = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
/** Value of a property, which a comma or a colon would end. */
const property = (text: string): string => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

/** A workflow command of GitHub Actions: `::error file=…,line=…::message`. */
export function workflowCommand(command: Command, properties: Readonly<Record<string, string | number | undefined>>, message: string): string {
  const given = Object.entries(properties).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(visible(String(value)))}`]));
  return `::${command}${given.length === 0 ? '' : ` ${given.join(',')}`}::${data(visible(message))}`;
}

/**
 * Annotations for a pull request or a run of GitHub Actions: the worst findings, as many as GitHub shows, then one line for the log with what is
 * left out. Faults and stale suppressions come first. `info` is no annotation: there is nothing to do about it. Ends with a newline.
 * @param prefix path of the scanned folder below the top of the repository, with a slash at its end, or `''`
 */
export function githubScan(result: ScanResult, prefix: string): string {
  const room: Record<Command, number> = { error: SHOWN, warning: SHOWN, notice: SHOWN };
  const lines: string[] = [];
  const annotate = (command: Command, properties: Readonly<Record<string, string | number | undefined>>, message: string): boolean => {
    if (room[command] === 0) return false;
    room[command]--;
    lines.push(workflowCommand(command, properties, message));
    return true;
  };
  // One place stays for findings, whatever else went wrong.
  const faults = result.notAnalysed.filter(isFault);
  for (const notice of faults.slice(0, 3))
    annotate('error', { file: prefix + notice.file, line: notice.line, title: `not analysed (${notice.why})` }, cut(notice.reason, LENGTH));
  for (const refusal of result.refusals.filter(({ accepted }) => accepted === undefined).slice(0, 3)) {
    const [site] = refusal.reason.sites;
    annotate(
      'error',
      { file: site && prefix + site.file, line: site?.line, title: `refused: ${riskOf(refusal)}` },
      cut(`${refusal.reason.why} ${refusal.reason.next}`, LENGTH),
    );
  }
  for (const { site, rule, state } of idleSuppressions(result).slice(0, 3))
    if (state !== 'used')
      annotate('warning', { file: prefix + site.file, line: site.line, title: 'unsession-ignore' }, `The suppression of ${rule} ${IDLE[state]}.`);
  const ofRule = new Map<string, number>();
  let shown = 0;
  for (const finding of worstFirst(result.findings)) {
    const severity = severityOf(finding);
    const used = ofRule.get(finding.id) ?? 0;
    if (severity === 'info' || used === OF_A_RULE) continue;
    if (!annotate(COMMAND[severity], placeOf(finding, prefix), cut(messageOf(finding, result), LENGTH))) continue;
    ofRule.set(finding.id, used + 1);
    shown++;
  }
  const left = result.findings.length - shown;
  const rest = left === 0 ? '' : ` ${count(left, 'finding')} without an annotation; the job summary has all.`;
  return `${[...lines, `unsession: ${verdict(result)}${rest}`].join('\n')}\n`;
}

function messageOf(finding: Finding, result: ScanResult): string {
  const { what, next } = messagesOf(finding, result.rules);
  return next === '' ? what : `${what} ${next}`;
}

/** GitHub takes columns only within one line. */
const placeOf = ({ site, id }: Finding, prefix: string): Readonly<Record<string, string | number | undefined>> => ({
  file: prefix + site.file,
  line: site.line,
  endLine: site.endLine,
  col: site.line === site.endLine ? site.column : undefined,
  endColumn: site.line === site.endLine ? site.endColumn : undefined,
  title: id,
});
