import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { clock, say } from './console.js';
import { bin, ROOT, run } from './process.js';

/** Projects of vitest.config.ts, fastest first. */
export const SUITES = ['unit', 'concerns', 'live'];

/** Runs one suite, with more options of vitest, and counts its tests. A file that cannot be loaded, and a suite that ran nothing, count as a failure. */
export async function runSuite(name, options = []) {
  const seconds = clock();
  const report = `${ROOT}.cache/results/${name}.json`;
  mkdirSync(`${ROOT}.cache/results`, { recursive: true });
  rmSync(report, { force: true });
  const [node, ...args] = bin('vitest/vitest.mjs');
  say(`run  ${name}`);
  const { code, output } = await run(node, [
    ...args,
    'run',
    '--project',
    name,
    ...options,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  say(`\n${name}\n${output.trimEnd()}`);
  const counts = existsSync(report) ? count(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 0, skipped: 0 };
  if (counts.failed === 0 && (code !== 0 || counts.passed === 0)) counts.failed = 1;
  return { name, ...counts, seconds: seconds() };
}

/** Sums a vitest JSON report. */
function count(report) {
  const unloadable = report.testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloadable, skipped: report.numPendingTests + report.numTodoTests };
}
