import { markdownText as text, type OfficialRun, type Verdict, type VerifyReport } from '../../core/index.js';
import { nextSteps } from './next.js';

const verdictWord = (verdict: Verdict): string => (verdict === 'fail' ? '**fail**' : verdict);

/** Evidence for an issue or a pull request: the judgement, and every check with its verdict and reason. */
export function markdownVerify(report: VerifyReport): string {
  const { summary, target, conclusion, comparison } = report;
  const counts = Object.entries(summary)
    .filter(([, number]) => number > 0)
    .map(([verdict, number]) => `${String(number)} ${verdict}`);
  const rows = report.results.map(
    (result) => `| ${result.id} | ${verdictWord(result.verdict)} | ${result.era} | ${result.level} | ${text(result.title)} | ${text(result.reason)} |`,
  );
  return [
    `## Conformance of ${text(target.address)}`,
    '',
    text(conclusion.sentence),
    '',
    ...(report.inconclusive === undefined ? [] : [`Nothing could be tested: ${text(report.inconclusive)}`, '']),
    ...conclusion.missing.map((step, index) => `${String(index + 1)}. ${text(step)}`),
    ...(conclusion.missing.length > 0 ? [''] : []),
    `${counts.join(', ')}.${report.eras.modern ? ` Legacy lane expected: ${report.laneMode}.` : ''} Measured ${report.startedAt} with unsession ${text(report.tool.version)}.`,
    ...(comparison ? [`Against the earlier report: ${String(comparison.fixed.length)} fixed, ${String(comparison.regressed.length)} regressed.`] : []),
    '',
    '| check | verdict | era | level | what | reason |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    ...(report.official ? officialSection(report.official) : []),
    '### Next',
    '',
    ...nextSteps(report).map((step) => `- ${text(step)}`),
    '',
  ].join('\n');
}

/** The rows of the official suite that are about this server, and the gaps. */
function officialSection(official: OfficialRun): readonly string[] {
  const rows = official.rows.filter((row) => row.verdict !== 'not-applicable');
  return [
    `### Official suite ${text(official.package)} ${text(official.version)}`,
    '',
    ...(rows.length === 0 ? [] : ['| scenario, row | verdict | revision | scored | what | reason |', '| --- | --- | --- | --- | --- | --- |']),
    ...rows.map(
      (row) =>
        `| ${text(`${row.scenario} ${row.id}`)} | ${verdictWord(row.verdict)} | ${text(row.revision)} | ${row.scored ? 'yes' : 'no'} | ${text(row.title)} | ${text(row.reason)} |`,
    ),
    ...(rows.length === 0 ? [] : ['']),
    ...(official.notCovered.length === 0 ? [] : ['Not covered by it:', '', ...official.notCovered.map((gap) => `- ${text(gap)}`), '']),
  ];
}
