import {
  isFault,
  reaches,
  sawNothing,
  severityOf,
  typesFail,
  type MigrateResult,
  type NotAnalysed,
  type Refusal,
  type ScanResult,
  type Severity,
  type SuggestResult,
} from '../core/index.js';
import type { PostReport } from '../report/index.js';
import { EXIT, type ExitCode } from './errors.js';

export type Threshold = Exclude<Severity, 'info'> | 'never';

const open = (refusals: readonly Refusal[]): boolean => refusals.some((refusal) => refusal.accepted === undefined);
const faults = (notices: readonly NotAnalysed[]): boolean => notices.some(isFault);

/** Exit code of `scan`. Unread code is never 0, whatever the threshold. */
export function scanExit(result: ScanResult, threshold: Threshold): ExitCode {
  if (sawNothing(result)) return EXIT.fault;
  if (faults(result.notAnalysed) || open(result.refusals)) return EXIT.found;
  return result.findings.some((finding) => reaches(severityOf(finding), threshold)) ? EXIT.found : EXIT.ok;
}

/** What `migrate` was asked to do, as far as its exit code depends on it. */
export interface MigrateIntent {
  readonly check: boolean;
  /** Changes are written: an item that was refused then stays behind, and the run says so. */
  readonly write: boolean;
  /** Ids that the user named: for them a refusal is a failure. */
  readonly items: readonly string[];
}

/**
 * Exit code of `migrate`. A dry run is 0, with or without changes and refused items, unless `--check` asks; what was to be written
 * and was refused is 1.
 */
export function migrateExit(result: MigrateResult, intent: MigrateIntent): ExitCode {
  if (sawNothing({ ...result.before, notAnalysed: result.notAnalysed })) return EXIT.fault;
  const failed = result.outcomes.some(
    (entry) =>
      entry.outcome === 'failed' ||
      (intent.write && entry.outcome === 'refused') ||
      (intent.items.includes(entry.item) && (entry.outcome === 'refused' || entry.outcome === 'manual')),
  );
  const changes = result.patches.some((patch) => patch.changes.length > 0);
  if (failed || typesFail(result.types) || !result.idempotent || faults(result.notAnalysed) || open(result.refusals)) return EXIT.found;
  return intent.check && changes ? EXIT.found : EXIT.ok;
}

/** Exit code of `suggest`. Suggestions and comments are its result, not a verdict, unless `--fail-on` asks for one about the lines of the pull request. */
export function suggestExit(result: SuggestResult, threshold: Threshold, report?: PostReport): ExitCode {
  if (sawNothing(result.before)) return EXIT.fault;
  if (faults(result.before.notAnalysed)) return EXIT.found;
  if (report && (report.notPosted.length > 0 || report.problems.length > 0 || report.summary === 'failed')) return EXIT.found;
  const shown = new Set(result.touched.map((entry) => entry.finding));
  return result.before.findings.some((finding) => shown.has(finding.fingerprint) && reaches(severityOf(finding), threshold)) ? EXIT.found : EXIT.ok;
}
