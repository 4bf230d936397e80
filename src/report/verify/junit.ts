import type { CheckResult, VerifyReport } from '../../core/index.js';

/** Text for an XML attribute or element. Characters that XML 1.0 forbids are written as `\uXXXX`; the rest of Unicode stays. */
const xml = (text: string): string =>
  text
    .replace(
      // eslint-disable-next-line no-control-regex -- XML 1.0 forbids them even as references
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replace(/[&<>"'\r\n\t]/g, (character) => `&#${String(character.charCodeAt(0))};`);

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
