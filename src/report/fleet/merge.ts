import {
  isFault,
  SCHEMA_VERSION,
  severityOf,
  type FleetReport,
  type FleetRepository,
  type FleetSummary,
  type ScanResult,
  type Severity,
} from '../../core/index.js';

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The report over some repositories; their names differ. Order of the input does not matter. */
export function fleetReport(repositories: readonly FleetRepository[], version: string): FleetReport {
  const sorted = [...repositories].sort((a, b) => byText(a.repository, b.repository));
  return { schemaVersion: SCHEMA_VERSION, kind: 'fleet-report', tool: { name: 'unsession', version }, summary: summarise(sorted), repositories: sorted };
}

/** Is there nothing to do and nothing unread? */
export const isClean = (result: ScanResult): boolean =>
  result.plan.items.every((item) => item.remedy === 'none') &&
  result.refusals.every(({ accepted }) => accepted !== undefined) &&
  !result.notAnalysed.some(isFault);

function summarise(repositories: readonly FleetRepository[]): FleetSummary {
  const results = repositories.flatMap(({ result }) => (result ? [result] : []));
  const findings: Record<Severity, number> = { error: 0, warning: 0, note: 0, info: 0 };
  const rules = new Map<string, { findings: number; repositories: Set<string> }>();
  for (const { repository, result } of repositories) {
    for (const finding of result?.findings ?? []) {
      findings[severityOf(finding)]++;
      const rule = rules.get(finding.id) ?? { findings: 0, repositories: new Set<string>() };
      rule.findings++;
      rule.repositories.add(repository);
      rules.set(finding.id, rule);
    }
  }
  const items = results.flatMap((result) => result.plan.items);
  const remedy = (name: string): number => items.filter((item) => item.remedy === name).length;
  return {
    repositories: repositories.length,
    failed: repositories.length - results.length,
    incomplete: results.filter((result) => result.notAnalysed.some(isFault)).length,
    clean: results.filter(isClean).length,
    findings,
    items: { automatic: remedy('automatic'), guided: remedy('guided'), manual: remedy('manual'), refused: remedy('refused') },
    effort: results.reduce((sum, result) => sum + result.plan.effort, 0),
    ahead: {
      sdk: results.filter((result) => result.milestone.sdk === 'ahead').length,
      entry: results.filter((result) => result.milestone.entry === 'ahead').length,
    },
    rules: [...rules]
      .map(([id, rule]) => ({ id, findings: rule.findings, repositories: rule.repositories.size }))
      .sort((a, b) => b.repositories - a.repositories || b.findings - a.findings || byText(a.id, b.id)),
  };
}
