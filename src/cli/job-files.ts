import { appendFileSync } from 'node:fs';
import { severityOf, type ScanResult } from '../core/index.js';
import { markdownScan } from '../report/index.js';
import { UsageProblem, type ExitCode } from './errors.js';
import type { World } from './world.js';

/**
 * What a job of GitHub Actions leaves behind: the report as its summary and the counts as its outputs, each where the runner asks for it
 * (`GITHUB_STEP_SUMMARY`, `GITHUB_OUTPUT`); nothing where it does not ask.
 * @throws UsageProblem when a file that the runner names cannot be written
 */
export function writeJobFiles(result: ScanResult, code: ExitCode, world: World): void {
  append(world.env.GITHUB_STEP_SUMMARY, markdownScan(result));
  append(
    world.env.GITHUB_OUTPUT,
    Object.entries(outputsOf(result, code))
      .map(([name, value]) => `${name}=${String(value)}\n`)
      .join(''),
  );
}

/** Outputs of the action, by name; `action.yml` declares the same. */
export function outputsOf(result: ScanResult, code: ExitCode): Readonly<Record<string, number | string>> {
  const of = (severity: string): number => result.findings.filter((finding) => severityOf(finding) === severity).length;
  return {
    findings: result.findings.length,
    errors: of('error'),
    warnings: of('warning'),
    notes: of('note'),
    'work-items': result.plan.items.filter((item) => item.remedy !== 'none').length,
    automatic: result.plan.items.filter((item) => item.remedy === 'automatic').length,
    'milestone-sdk': result.milestone.sdk,
    'milestone-entry': result.milestone.entry,
    'exit-code': code,
  };
}

function append(file: string | undefined, text: string): void {
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, text);
  } catch (error) {
    throw new UsageProblem(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}); the runner names it for the result of this step`,
    );
  }
}
