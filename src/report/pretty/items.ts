import { fill, severityOf, type Finding, type Remedy, type RuleText, type ScanResult, type Severity, type WorkItem } from '../../core/index.js';

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2, info: 3 };
const REMEDY_RANK: Readonly<Record<Remedy, number>> = { automatic: 0, guided: 1, manual: 2, refused: 3, none: 4 };

/** A work item with what a reader wants to know about it. */
export interface ItemView {
  readonly item: WorkItem;
  readonly findings: readonly Finding[];
  readonly severity: Severity;
}

/** Work items joined with their findings, the worst first; items whose findings are not listed (tests) come last. */
export function viewItems(result: ScanResult): readonly ItemView[] {
  const byFingerprint = new Map<string, Finding[]>();
  for (const finding of result.findings) {
    const list = byFingerprint.get(finding.fingerprint);
    if (list) list.push(finding);
    else byFingerprint.set(finding.fingerprint, [finding]);
  }
  return result.plan.items
    .map((item): ItemView => {
      const findings = [...new Set(item.findings)].flatMap((fingerprint) => byFingerprint.get(fingerprint) ?? []);
      return { item, findings, severity: worst(findings) };
    })
    .sort((a, b) => RANK[a.severity] - RANK[b.severity] || REMEDY_RANK[a.item.remedy] - REMEDY_RANK[b.item.remedy] || (a.item.id < b.item.id ? -1 : 1));
}

/** Findings that belong to no work item: there is nothing to do about them. */
export function loose(result: ScanResult): readonly Finding[] {
  const taken = new Set(result.plan.items.flatMap((item) => item.findings));
  return result.findings.filter((finding) => !taken.has(finding.fingerprint));
}

export const worst = (findings: readonly Finding[]): Severity => findings.map(severityOf).reduce<Severity>((a, b) => (RANK[a] <= RANK[b] ? a : b), 'info');

/** Number of findings by severity, the worst first. */
export function bySeverity(findings: readonly Finding[]): readonly (readonly [number, Severity])[] {
  const counts: Record<Severity, number> = { error: 0, warning: 0, note: 0, info: 0 };
  for (const finding of findings) counts[severityOf(finding)]++;
  return [
    [counts.error, 'error'],
    [counts.warning, 'warning'],
    [counts.note, 'note'],
    [counts.info, 'info'],
  ];
}

/** Messages of a finding: the texts of its rule with its own values filled in. */
export function messagesOf(finding: Finding, rules: readonly RuleText[]): { readonly what: string; readonly why: string; readonly next: string } {
  const rule = rules.find((candidate) => candidate.id === finding.id);
  if (!rule) return { what: finding.id, why: '', next: '' };
  return { what: fill(rule.what, finding.data), why: fill(rule.why, finding.data), next: fill(rule.next, finding.data) };
}

/** What to do next about an item, in one sentence or as a command. `target` is the path for the command, with a space in front. */
export function nextOf(view: ItemView, result: Pick<ScanResult, 'rules' | 'milestone'>, target: string): string {
  const { item } = view;
  // The entry milestone is refused on code that still runs on SDK v1.
  const first = result.milestone.sdk === 'ahead' && item.milestone === 'entry' ? 'after milestone sdk, ' : '';
  const command = `${first}unsession migrate --item ${item.id}${target}`;
  const finding = view.findings[0];
  switch (item.remedy) {
    case 'automatic':
      return command;
    case 'guided':
      return item.todo.length === 0 ? command : `${command}, then ${String(item.todo.length)} ${item.todo.length === 1 ? 'step' : 'steps'} by hand`;
    case 'manual':
      return item.todo[0] ?? (finding ? messagesOf(finding, result.rules).next : item.reason);
    case 'refused':
    case 'none':
      return item.reason;
  }
}
