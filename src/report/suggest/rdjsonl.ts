import { fill, safeJson, within, type LineRange, type Replacement, type Severity, type SuggestResult } from '../../core/index.js';
import { reviewOf, type Remark, type ReviewLimits } from './review.js';
import { commandFor, ruleOf } from './words.js';

/**
 * Reviewdog Diagnostic Format, one JSON object on a line (https://github.com/reviewdog/reviewdog/tree/master/proto/rdf): for GitLab, Gitea,
 * Bitbucket and Gerrit. Ranges of suggestions are whole lines: without columns, both ends included, without the last line end.
 */
export function rdjsonl(result: SuggestResult, limits?: ReviewLimits): string {
  return reviewOf(result, limits)
    .remarks.map((remark) => `${safeJson(diagnostic(remark, result), 0)}\n`)
    .join('');
}

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'ERROR', warning: 'WARNING', note: 'INFO', info: 'INFO' };

function diagnostic(remark: Remark, result: SuggestResult): object {
  const { finding, replacement, severity } = remark;
  const rule = ruleOf(finding, result.before.rules);
  const item = remark.views[0]?.item;
  const next =
    item && !replacement && item.remedy === 'automatic' ? `Run: ${commandFor(item, result)}` : rule && !replacement ? fill(rule.next, finding.data) : '';
  return {
    message: [rule ? fill(rule.what, finding.data) : finding.id, rule ? fill(rule.why, finding.data) : '', next].filter((part) => part !== '').join(' '),
    location: { path: result.prefix + remark.file, range: range(remark.lines) },
    severity: SEVERITY[severity],
    source: { name: 'unsession' },
    code: { value: finding.id },
    ...(replacement ? { suggestions: [suggestion(replacement, result)] } : {}),
  };
}

const range = ({ start, end }: LineRange): object => ({ start: { line: start }, end: { line: end } });

/**
 * Lines that go take a neighbour with them that is put back: a range of whole lines leaves its last line end, so an empty text would
 * leave an empty line.
 */
function suggestion({ file, lines, before, after, neighbours }: Replacement, result: SuggestResult): object {
  const hunks = result.changed.find((entry) => entry.file === file)?.hunks ?? [];
  const wider = [
    { lines: { start: lines.start - 1, end: lines.end }, kept: neighbours.before },
    { lines: { start: lines.start, end: lines.end + 1 }, kept: neighbours.after },
  ].find((candidate) => candidate.kept !== undefined && within(hunks, candidate.lines));
  if (after.length > 0 || wider?.kept === undefined) return { range: range(lines), text: text(after, before) };
  return { range: range(wider.lines), text: bare(wider.kept) };
}

/** Lines without the end of the last one. */
const text = (after: readonly string[], before: readonly string[]): string =>
  before.at(-1)?.endsWith('\r') === true ? bare(after.join('\n')) : after.join('\n');

const bare = (line: string): string => line.replace(/\r$/, '');
