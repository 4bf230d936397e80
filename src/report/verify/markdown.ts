import type { VerifyReport } from '../../core/index.js';
import { markdownText as text } from '../text/markdown.js';

/** Evidence for an issue or a pull request: the judgement, and every check with its verdict and reason. */
export function markdownVerify(report: VerifyReport): string {
  const { summary, target, conclusion, comparison } = report;
  const counts = Object.entries(summary)
    .filter(([, number]) => number > 0)
    .map(([verdict, number]) => `${String(number)} ${verdict}`);
  const rows = report.results.map(
    (result) =>
      `| ${result.id} | ${result.verdict === 'fail' ? '**fail**' : result.verdict} | ${result.era} | ${result.level} | ${text(result.title)} | ${text(result.reason)} |`,
  );
  return [
    `## Conformance of ${text(target.address)}`,
    '',
    text(conclusion.sentence),
    '',
    ...(report.inconclusive === undefined ? [] : [`Nothing could be tested: ${text(report.inconclusive)}`, '']),
    ...conclusion.missing.map((step, index) => `${String(index + 1)}. ${text(step)}`),
    ...(conclusion.missing.length > 0 ? [''] : []),
    `${counts.join(', ')}. Legacy lane expected: ${report.laneMode}. Measured ${report.startedAt} with unsession ${text(report.tool.version)}.`,
    ...(comparison ? [`Against the earlier report: ${String(comparison.fixed.length)} fixed, ${String(comparison.regressed.length)} regressed.`] : []),
    '',
    '| check | verdict | era | level | what | reason |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
