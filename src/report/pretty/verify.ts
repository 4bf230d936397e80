import { visible, type CheckResult, type Exchange, type OfficialRun, type Verdict, type VerifyReport } from '../../core/index.js';
import { hang, hangWire } from '../text/layout.js';
import { nextSteps } from '../verify/next.js';
import { paintFor, type Paint, type PrettyOptions } from './options.js';

const ORDER: readonly Verdict[] = ['fail', 'warn', 'inconclusive', 'not-tested', 'pass', 'not-applicable'];
const WORD: Readonly<Record<Verdict, string>> = {
  fail: 'FAIL',
  warn: 'warn',
  inconclusive: 'unclear',
  'not-tested': 'not tested',
  pass: 'pass',
  'not-applicable': 'n/a',
};
/** Deviations and characters of a body that are shown without `verbose`. */
const DEVIATIONS = 4;
const BODY = 320;
const INDENT = '           ';

/** A live verification for people: what failed and why first, then the counts and what to do next; every check with `verbose`. Ends with a newline. */
export function prettyVerify(report: VerifyReport, options: PrettyOptions): string {
  const paint = paintFor(options);
  const { target, peer, conclusion } = report;
  const named = peer.name === undefined ? '' : `, ${visible(peer.name)} ${visible(peer.version ?? '')}`.trimEnd();
  const lines = [
    `${paint.bold(`unsession ${visible(report.tool.version)}`)}  ${visible(target.address)} (${target.transport}${named})${target.replica === undefined ? '' : `, replica ${visible(target.replica)}`}`,
    ...hang('', visible(conclusion.sentence), options.width),
    ...conclusion.missing.flatMap((step, index) => hang(`  ${String(index + 1)}. `, visible(step), options.width)),
    `${target.transport === 'http' && report.eras.modern ? `Legacy lane expected: ${report.laneMode}; ` : ''}${(report.milliseconds / 1000).toFixed(1)} s`,
    '',
  ];
  if (report.inconclusive !== undefined && !conclusion.sentence.includes(report.inconclusive))
    lines.push(...hang(paint.red('Nothing could be tested: '), visible(report.inconclusive), options.width), '');
  const shown = [...report.results]
    .sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
    .filter(
      (result) =>
        options.verbose || result.verdict === 'fail' || result.verdict === 'warn' || (result.verdict === 'inconclusive' && report.inconclusive === undefined),
    );
  for (const result of shown.filter((entry) => options.verbose || entry.verdict !== 'inconclusive')) lines.push(...resultLines(result, options, paint));
  if (!options.verbose) lines.push(...unclearLines(shown, options, paint));
  if (shown.length > 0) lines.push('');
  lines.push(counts(report.results));
  if (report.official) lines.push(...officialLines(report.official, options, paint));
  if (report.comparison) {
    lines.push(
      `Against the earlier report: ${String(report.comparison.fixed.length)} fixed, ${String(report.comparison.regressed.length)} regressed${report.comparison.regressed.length === 0 ? '' : ` (${report.comparison.regressed.join(' ')})`}`,
    );
  }
  lines.push('', 'Next:', ...nextSteps(report).flatMap((step) => hang('  - ', visible(step), options.width)));
  if (!options.verbose && report.results.length > shown.length)
    lines.push(paint.dim('--verbose shows every check and every warning with what was sent and answered'));
  return `${lines.join('\n')}\n`;
}

const counts = (results: readonly { readonly verdict: Verdict }[]): string =>
  ORDER.map((verdict) => `${String(results.filter((result) => result.verdict === verdict).length)} ${WORD[verdict].toLowerCase()}`).join(', ');

const colorOf = (verdict: Verdict, paint: Paint): ((text: string) => string) => {
  if (verdict === 'fail') return paint.red;
  return verdict === 'pass' ? paint.green : verdict === 'warn' ? paint.yellow : paint.dim;
};

function resultLines(result: CheckResult, options: PrettyOptions, paint: Paint): readonly string[] {
  const bad = result.verdict === 'fail' || result.verdict === 'warn';
  const [first = ''] = result.deviations;
  const told = result.deviations.filter((deviation) => deviation !== result.reason);
  const deviations = options.verbose ? told : told.slice(0, result.verdict === 'fail' ? DEVIATIONS : 1);
  const more = told.length - deviations.length;
  const exchange = result.exchanges[result.deviating ?? -1] ?? result.exchanges.at(-1);
  return [
    `${colorOf(result.verdict, paint)(WORD[result.verdict].padEnd(10))} ${result.id}  ${visible(result.title)} (${result.level}, ${result.era})`,
    // The reason ends with the first deviation, which the list below has.
    ...hang(INDENT, visible(bad && first !== '' ? result.reason.replace(` ${first}.`, '') : result.reason), options.width),
    ...deviations.flatMap((deviation) => hang(`${INDENT}- `, visible(deviation), options.width)),
    ...(more > 0 ? [`${INDENT}  and ${String(more)} more`] : []),
    ...(result.verdict === 'fail' || options.verbose ? [`${INDENT}spec: ${visible(result.spec)}`] : []),
    ...(options.verbose ? result.exchanges : result.verdict === 'fail' && exchange ? [exchange] : []).flatMap((entry) => exchangeLines(entry, options)),
  ];
}

/** Checks without a verdict, one entry for each reason: often it is the same for all of them. */
function unclearLines(shown: readonly CheckResult[], options: PrettyOptions, paint: Paint): readonly string[] {
  const byReason = new Map<string, CheckResult[]>();
  for (const result of shown.filter((entry) => entry.verdict === 'inconclusive')) byReason.set(result.reason, [...(byReason.get(result.reason) ?? []), result]);
  return [...byReason].flatMap(([reason, results]) => {
    const [first] = results;
    if (first && results.length === 1) return resultLines(first, options, paint);
    return [
      `${colorOf('inconclusive', paint)(WORD.inconclusive.padEnd(10))} ${String(results.length)} checks, from ${first?.id ?? ''} on`,
      ...hang(INDENT, visible(reason), options.width),
    ];
  });
}

function exchangeLines(exchange: Exchange, options: PrettyOptions): readonly string[] {
  const { request, answer } = exchange;
  const cut = (text: string): string => visible(options.verbose || text.length <= BODY ? text : `${text.slice(0, BODY)}…`);
  const body = request.body === undefined || request.body === '' ? '' : ` ${cut(request.body)}`;
  const status = answer
    ? `${answer.status === undefined ? '' : `${String(answer.status)} `}${cut(answer.body)}`
    : `no answer: ${visible(exchange.problem ?? 'unknown')}`;
  return [
    ...hangWire(`${INDENT}> `, `${visible(request.verb)} ${visible(request.url)}${body}`, options.width),
    // What a client under test sent has no answer here.
    ...(answer || exchange.problem !== undefined ? hangWire(`${INDENT}< `, status.trimEnd(), options.width) : []),
  ];
}

/** The rows of the official suite that did not pass, and what it could not look at. */
function officialLines(official: OfficialRun, options: PrettyOptions, paint: Paint): readonly string[] {
  const bad = official.rows.filter((row) => options.verbose || row.verdict === 'fail' || row.verdict === 'warn' || row.verdict === 'inconclusive');
  return [
    '',
    `${paint.bold('Official suite')} ${official.package}@${official.version}, ${official.revisions.length === 0 ? 'not run' : `requirements of ${official.revisions.join(' and ')}`}`,
    ...bad.flatMap((row) => [
      ...hang(
        `${colorOf(row.verdict, paint)(WORD[row.verdict].padEnd(10))} `,
        visible(`${row.scenario} ${row.revision}  ${row.title}${row.scored ? '' : ' (not scored)'}`),
        options.width,
      ),
      ...hang(INDENT, visible(row.reason), options.width),
    ]),
    ...(official.rows.length > 0 ? [counts(official.rows)] : []),
    ...(official.notCovered.length > 0 ? ['Not covered by it:'] : []),
    ...official.notCovered.flatMap((gap) => hang('  - ', visible(gap), options.width)),
  ];
}
