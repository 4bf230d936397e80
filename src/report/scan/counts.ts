import { isFault, isForeign, sawNothing, severityOf, type Finding, type ScanResult, type Severity, type Suppression } from '../../core/index.js';
import { count } from '../text/layout.js';

/** Severities, the worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note', 'info'];

/** Findings the worst first, within a severity as the scan lists them. */
export const worstFirst = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((a, b) => SEVERITIES.indexOf(severityOf(a)) - SEVERITIES.indexOf(severityOf(b)));

/** The judgement in one sentence. Never says clean about what was not read. */
export function verdict(result: ScanResult): string {
  const faults = result.notAnalysed.filter(isFault).length;
  const unread = faults === 0 ? '' : ` ${count(faults, 'file')} could not be analysed, so this is not the whole picture.`;
  if (result.stats.read === 0) return 'Nothing could be read.';
  if (result.findings.length > 0) {
    const open = result.plan.items.filter((item) => item.remedy !== 'none').length;
    return `${count(result.findings.length, 'finding')} in ${count(open, 'open work item')}.${unread}`;
  }
  if (faults > 0) return `Nothing was found in what could be analysed.${unread}`;
  return nothingLeft(result);
}

/** Where each milestone stands, in words; nothing is known where nothing was read. */
export const standings = (result: ScanResult): readonly string[] =>
  (['sdk', 'entry'] as const).map(
    (name) => `${name} ${sawNothing(result) ? 'not known' : result.milestone[name] === 'none' ? 'not needed' : result.milestone[name]}`,
  );

/** What an empty list of findings means when everything was read: that there is none, or that all are left out. */
export function nothingLeft(result: ScanResult): string {
  const known = result.baseline?.known ?? 0;
  const unchanged = result.unchanged ?? 0;
  const comments = (result.suppressions ?? []).filter(({ state }) => state === 'used').length;
  const reasons = [
    ...(known > 0 ? [`${count(known, 'known finding')} left out by the baseline`] : []),
    ...(unchanged > 0 ? [`${count(unchanged, 'finding')} in files that did not change`] : []),
    ...(comments > 0 ? [`${count(comments, 'comment')} that silence what was found`] : []),
  ];
  if (reasons.length > 0) return `Nothing new: ${reasons.join(', ')}.`;
  const unread = result.notAnalysed.filter(isForeign);
  const [first] = unread;
  if (first !== undefined)
    return `Nothing was found in what is read here; ${count(unread.length, 'program file')} in another language ${unread.length === 1 ? 'is' : 'are'} not: ${first.file}${unread.length === 1 ? '' : ' and others'}.`;
  return result.stats.candidates === 0
    ? 'No MCP code: no file names the protocol, its headers or its SDK.'
    : 'Nothing to migrate: the MCP code here depends on no session.';
}

/** Suppressions that somebody must look at: without effect, or with nothing left to silence. */
export const idleSuppressions = (result: ScanResult): readonly Suppression[] => (result.suppressions ?? []).filter(({ state }) => state !== 'used');

/** What is wrong with a suppression, as a sentence about it. */
export const IDLE: Readonly<Record<Exclude<Suppression['state'], 'used'>, string>> = {
  stale: 'silences nothing any longer',
  unreasoned: 'has no effect: it gives no reason',
  unknown: 'has no effect: there is no such rule',
};
