import type { CheckResult, VerifyReport } from '../../core/index.js';
import { xml } from '../text/xml.js';

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** Checks as test cases, for the report of a build server. A warning passes, with its reason in the output; what was not judged is skipped. */
export function junitVerify(report: VerifyReport): string {
  const { results } = report;
  const failures = results.filter((result) => result.verdict === 'fail').length;
  const skipped = results.filter((result) => result.verdict !== 'fail' && result.verdict !== 'pass' && result.verdict !== 'warn').length;
  const errors = report.inconclusive === undefined ? 0 : 1;
  const counts = `tests="${String(results.length + errors)}" failures="${String(failures)}" errors="${String(errors)}" skipped="${String(skipped)}" time="${seconds(report.milliseconds)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="unsession verify" ${counts}>`,
    `  <testsuite name="${xml(report.target.address)}" timestamp="${xml(report.startedAt)}" ${counts}>`,
    ...results.map(testCase),
    ...(report.inconclusive === undefined
      ? []
      : [`    <testcase classname="unsession" name="the server can be judged"><error message="${xml(report.inconclusive)}"/></testcase>`]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(result: CheckResult): string {
  const head = `    <testcase classname="${xml(`${result.era}.${result.level}`)}" name="${xml(`${result.id} ${result.title}`)}" time="${seconds(result.milliseconds)}"`;
  const reason = xml(result.reason);
  switch (result.verdict) {
    case 'pass':
      return `${head}/>`;
    case 'fail':
      return `${head}><failure message="${reason}">${xml([...result.deviations, `spec: ${result.spec}`].join('\n'))}</failure></testcase>`;
    case 'warn':
      return `${head}><system-out>${reason}</system-out></testcase>`;
    case 'not-applicable':
    case 'not-tested':
    case 'inconclusive':
      return `${head}><skipped message="${xml(`${result.verdict}: ${result.reason}`)}"/></testcase>`;
  }
}
