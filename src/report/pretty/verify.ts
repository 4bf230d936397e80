import type { CheckResult, Exchange, Verdict, VerifyReport } from '../../core/index.js';
import { visible } from '../text/escape.js';
import { hang } from '../text/layout.js';
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

/** A live verification for people: what failed and why first, then the counts; every check with `verbose`. Ends with a newline. */
export function prettyVerify(report: VerifyReport, options: PrettyOptions): string {
  const paint = paintFor(options);
  const { target, peer, conclusion } = report;
  const named = peer.name === undefined ? '' : `, ${visible(peer.name)} ${visible(peer.version ?? '')}`.trimEnd();
  const lines = [
    `${paint.bold(`unsession ${visible(report.tool.version)}`)}  ${visible(target.address)} (${target.transport}${named})${target.replica === undefined ? '' : `, replica ${visible(target.replica)}`}`,
    ...hang('', visible(conclusion.sentence), options.width),
    ...conclusion.missing.flatMap((step, index) => hang(`  ${String(index + 1)}. `, visible(step), options.width)),
    `Legacy lane expected: ${report.laneMode}; ${(report.milliseconds / 1000).toFixed(1)} s`,
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
  for (const result of shown) lines.push(...resultLines(result, options, paint));
  if (shown.length > 0) lines.push('');
  lines.push(
    ORDER.map((verdict) => `${String(report.results.filter((result) => result.verdict === verdict).length)} ${WORD[verdict].toLowerCase()}`).join(', '),
  );
  if (report.comparison) {
    lines.push(
      `Against the earlier report: ${String(report.comparison.fixed.length)} fixed, ${String(report.comparison.regressed.length)} regressed${report.comparison.regressed.length === 0 ? '' : ` (${report.comparison.regressed.join(' ')})`}`,
    );
  }
  if (!options.verbose && report.results.length > shown.length) lines.push(paint.dim('--verbose lists every check with what was sent and answered'));
  return `${lines.join('\n')}\n`;
}

function resultLines(result: CheckResult, options: PrettyOptions, paint: Paint): readonly string[] {
  const color = result.verdict === 'fail' ? paint.red : result.verdict === 'pass' ? paint.green : result.verdict === 'warn' ? paint.yellow : paint.dim;
  const bad = result.verdict === 'fail' || result.verdict === 'warn';
  return [
    `${color(WORD[result.verdict].padEnd(10))} ${result.id}  ${visible(result.title)} (${result.level}, ${result.era})`,
    ...hang('           ', visible(result.reason), options.width),
    ...result.deviations.filter((deviation) => deviation !== result.reason).flatMap((deviation) => hang('           - ', visible(deviation), options.width)),
    ...(bad || options.verbose ? [`           spec: ${visible(result.spec)}`] : []),
    ...(options.verbose ? result.exchanges : bad ? result.exchanges.slice(-1) : []).flatMap((exchange) => exchangeLines(exchange, options)),
  ];
}

function exchangeLines(exchange: Exchange, options: PrettyOptions): readonly string[] {
  const { request, answer } = exchange;
  const body = request.body === undefined || request.body === '' ? '' : ` ${visible(request.body)}`;
  const status = answer
    ? `${answer.status === undefined ? '' : `${String(answer.status)} `}${visible(answer.body)}`
    : `no answer: ${visible(exchange.problem ?? 'unknown')}`;
  return [...hang('           > ', `${visible(request.verb)} ${visible(request.url)}${body}`, options.width), ...hang('           < ', status, options.width)];
}
