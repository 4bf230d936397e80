import type { Verdict, VerifyReport } from '../../core/index.js';
import { xml } from '../text/xml.js';

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** Checks as test cases, for the report of a build server, and the rows of the official suite as a second suite. A warning passes, with its reason in the output; what was not judged is skipped. */
export function junitVerify(report: VerifyReport): string {
  const checks: readonly Case[] = report.results.map((result) => ({
    classname: `${result.era}.${result.level}`,
    name: `${result.id} ${result.title}`,
    time: result.milliseconds,
    verdict: result.verdict,
    reason: result.reason,
    details: [...result.deviations, `spec: ${result.spec}`],
  }));
  const official: readonly Case[] = (report.official?.rows ?? []).map((row) => ({
    classname: `official.${row.revision}${row.scored ? '' : '.not-scored'}`,
    name: `${row.scenario} ${row.id} ${row.title}`,
    time: 0,
    verdict: row.verdict,
    reason: row.reason,
    details: [],
  }));
  const errors = report.inconclusive === undefined ? 0 : 1;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="unsession verify" ${counts([...checks, ...official], errors, report.milliseconds)}>`,
    `  <testsuite name="${xml(report.target.address)}" timestamp="${xml(report.startedAt)}" ${counts(checks, errors, report.milliseconds)}>`,
    ...checks.map(testCase),
    ...(report.inconclusive === undefined
      ? []
      : [`    <testcase classname="unsession" name="the server can be judged"><error message="${xml(report.inconclusive)}"/></testcase>`]),
    '  </testsuite>',
    ...(report.official
      ? [
          `  <testsuite name="${xml(`${report.official.package} ${report.official.version}`)}" timestamp="${xml(report.startedAt)}" ${counts(official, 0, 0)}>`,
          ...official.map(testCase),
          '  </testsuite>',
        ]
      : []),
    '</testsuites>',
    '',
  ].join('\n');
}

/** What a test case says, wherever it comes from. */
interface Case {
  readonly classname: string;
  readonly name: string;
  /** Milliseconds. */
  readonly time: number;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly details: readonly string[];
}

function counts(cases: readonly Case[], errors: number, milliseconds: number): string {
  const failures = cases.filter((entry) => entry.verdict === 'fail').length;
  const skipped = cases.filter((entry) => entry.verdict !== 'fail' && entry.verdict !== 'pass' && entry.verdict !== 'warn').length;
  return `tests="${String(cases.length + errors)}" failures="${String(failures)}" errors="${String(errors)}" skipped="${String(skipped)}" time="${seconds(milliseconds)}"`;
}

function testCase(entry: Case): string {
  const head = `    <testcase classname="${xml(entry.classname)}" name="${xml(entry.name)}" time="${seconds(entry.time)}"`;
  const reason = xml(entry.reason);
  switch (entry.verdict) {
    case 'pass':
      return `${head}/>`;
    case 'fail':
      return `${head}><failure message="${reason}">${xml(entry.details.join('\n'))}</failure></testcase>`;
    case 'warn':
      return `${head}><system-out>${reason}</system-out></testcase>`;
    case 'not-applicable':
    case 'not-tested':
    case 'inconclusive':
      return `${head}><skipped message="${xml(`${entry.verdict}: ${entry.reason}`)}"/></testcase>`;
  }
}
