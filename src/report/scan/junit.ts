import {
  isFault,
  reaches,
  riskOf,
  sawNothing,
  severityOf,
  visible,
  type Finding,
  type NotAnalysed,
  type Refusal,
  type ScanResult,
  type Severity,
} from '../../core/index.js';
import { messagesOf } from '../pretty/items.js';
import { xml } from '../text/xml.js';

/**
 * Findings as test cases, for the report of a build server. At or above the threshold a finding fails, below it passes with its message as output;
 * a file that could not be analysed is an error, so that unread code never looks green. Ends with a newline.
 */
export function junitScan(result: ScanResult, threshold: Severity | 'never'): string {
  const faults = result.notAnalysed.filter(isFault);
  const refused = result.refusals.filter(({ accepted }) => accepted === undefined);
  const failing = result.findings.filter((finding) => reaches(severityOf(finding), threshold)).length;
  const nothing = sawNothing(result) && faults.length === 0;
  const cases = [
    ...result.findings.map((finding) => findingCase(finding, result, threshold)),
    ...refused.map(refusalCase),
    ...faults.map(faultCase),
    ...(nothing
      ? ['    <testcase classname="unsession" name="the repository can be read"><error message="nothing that matters could be read"/></testcase>']
      : []),
  ];
  // A suite without a case counts as broken on several build servers.
  if (cases.length === 0) cases.push('    <testcase classname="unsession" name="nothing depends on a session"/>');
  const counts = `tests="${String(cases.length)}" failures="${String(failing + refused.length)}" errors="${String(faults.length + Number(nothing))}" skipped="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="unsession scan" ${counts}>`,
    `  <testsuite name="unsession" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function findingCase(finding: Finding, result: ScanResult, threshold: Severity | 'never'): string {
  const { what, why, next } = messagesOf(finding, result.rules);
  const severity = severityOf(finding);
  const at = `${finding.site.file}:${String(finding.site.line)}`;
  const head = `    <testcase classname="${attribute(finding.id.replace('/', '.'))}" name="${attribute(`${at}:${String(finding.site.column)}`)}" file="${attribute(finding.site.file)}" line="${String(finding.site.line)}"`;
  const text = [why, ...finding.evidence, next === '' ? '' : `Next: ${next}`].filter((line) => line !== '').map(visible);
  return reaches(severity, threshold)
    ? `${head}><failure type="${severity}" message="${attribute(what)}">${xml([at, ...text].join('\n'))}</failure></testcase>`
    : `${head}><system-out>${xml([`${severity}: ${visible(what)}`, ...text].join('\n'))}</system-out></testcase>`;
}

const refusalCase = ({ title, reason, ...refusal }: Refusal): string =>
  `    <testcase classname="unsession.refused" name="${attribute(riskOf({ title, reason, ...refusal }))}"><failure type="refused" message="${attribute(title)}">${xml([reason.why, `Next: ${reason.next}`, ...reason.sites.map((site) => `${site.file}:${String(site.line)}`)].map(visible).join('\n'))}</failure></testcase>`;

const faultCase = (notice: NotAnalysed): string =>
  `    <testcase classname="unsession.not-analysed" name="${attribute(notice.file)}"><error type="${notice.why}" message="${attribute(notice.reason)}"/></testcase>`;

const attribute = (text: string): string => xml(visible(text));
