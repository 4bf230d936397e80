import type { Check, Endpoint, Finding, LaneDecision, Phrase, RuleText, RunbookModel, ScanResult, Site, Stage, VerifyReport, WorkItem } from '../core/index.js';
import { fill } from '../core/index.js';
import { hintsOf } from './dates.js';
import { say, words } from './messages.js';

/** What a runbook is made from. Everything is data; nothing is read from disk or clock. */
export interface RunbookOptions {
  /** Day on which the legacy routes go, ISO; validated with `checkDates` before. */
  readonly sunset: string;
  readonly owner: string;
  /** Today, ISO. */
  readonly now: string;
  /** Result of `verify --format json`, for the evidence column. */
  readonly evidence?: VerifyReport;
  /** Reasons of `--accept-risk`, by refusal id. */
  readonly acceptedRisks?: Readonly<Record<string, string>>;
  /** Address of the server without path, for the commands; each command can be pointed elsewhere through its variable. */
  readonly address?: string;
  /** Command that starts the stdio server. */
  readonly command?: string;
  /** Command that brings the dependencies back to what the manifests say; none is printed where nothing is installed. */
  readonly install?: string;
}

/** The parts' common view of a scan. */
export interface Context {
  readonly scan: ScanResult;
  readonly checks: readonly Check[];
  readonly options: RunbookOptions;
  readonly kind: RunbookModel['kind'];
  /** Is the server reached over HTTP, here or from the repository that holds it? */
  readonly networked: boolean;
  /** What the SDK step does to the wire: `wire`: nothing; `eras`: every entry answers both eras from then on; `some`: only some do. */
  readonly sdkStep: 'wire' | 'eras' | 'some';
  /** Endpoints reached over HTTP. */
  readonly http: readonly Endpoint[];
  readonly stdio: readonly Endpoint[];
  readonly stages: readonly Stage[];
  /** Number of a stage in this rollout; the nearest earlier stage stands in for one that does not apply. */
  number(stage: Stage): number;
  /** Does anything still speak to clients of the old revisions? */
  readonly legacyExists: boolean;
  lane(endpoint: string): LaneDecision | undefined;
  item(finding: Finding): WorkItem | undefined;
  rule(id: string): RuleText | undefined;
  /** Findings outside tests. */
  readonly findings: readonly Finding[];
  readonly testFindings: readonly Finding[];
  /** Stage in which the entry point changes: `dual`, or the removal itself when no old client is served beside the new ones. */
  readonly entryStage: Stage;
  /** Does a work item change tests only? */
  inTests(item: WorkItem): boolean;
  stageOf(finding: Finding): Stage;
  stageOfItem(item: WorkItem): Stage;
}

export const ALL_STAGES: readonly Stage[] = ['observe', 'sdk', 'dual', 'default', 'warn', 'remove', 'clean'];

/** The message of a finding's rule, filled with its values. */
export function whatOf(context: Pick<Context, 'rule'>, finding: Finding): Phrase {
  const rule = context.rule(finding.id);
  return words(rule === undefined ? finding.id : fill(rule.what, finding.data));
}

/** What to do about a finding, from its rule. */
export function nextOf(context: Pick<Context, 'rule'>, finding: Finding): Phrase {
  const rule = context.rule(finding.id);
  return rule === undefined ? say('none.next') : words(fill(rule.next, finding.data));
}

/** The place of a finding and the places that belong to it. */
export const sitesOf = (findings: readonly Finding[]): readonly Site[] => findings.flatMap((finding) => [finding.site, ...finding.related]);

/** Findings with one rule and one group, in order of first appearance. */
export function grouped(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.id}\u0000${finding.group}`;
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

function kindOf(scan: ScanResult): RunbookModel['kind'] {
  const { endpoints, servers } = scan.inventory;
  if (endpoints.some((endpoint) => endpoint.transport !== 'stdio')) return 'http';
  if (endpoints.length > 0) return 'stdio';
  if (servers.length > 0 || scan.inventory.clients.length > 0) return 'library';
  return scan.findings.length > 0 ? 'elsewhere' : 'none';
}

const isNetworked = (kind: RunbookModel['kind']): boolean => kind === 'http' || kind === 'elsewhere';

/** Does anything still speak to clients of the old revisions? Where the server is elsewhere, what hangs on it tells. */
function hasLegacy(scan: ScanResult, kind: RunbookModel['kind']): boolean {
  if (kind === 'elsewhere') return scan.findings.some((finding) => finding.milestone === 'entry');
  return scan.inventory.endpoints.some((endpoint) => endpoint.era !== 'modern') || (kind === 'library' && scan.milestone.entry === 'ahead');
}

/** An SDK that serves both eras by itself lets modern clients in with its own step. HTTP+SSE has no modern form. */
function sdkStepOf({ inventory, milestone }: ScanResult): Context['sdkStep'] {
  const old = inventory.endpoints.filter((endpoint) => endpoint.era === 'legacy' && endpoint.transport !== 'sse' && endpoint.transport !== 'sse-post');
  const raised = old.filter((endpoint) => endpoint.bothEras === true).length;
  if (raised === 0 || milestone.sdk !== 'ahead') return 'wire';
  return raised === old.length && old.length === inventory.endpoints.filter((endpoint) => endpoint.era === 'legacy').length ? 'eras' : 'some';
}

/** What the stages of a rollout follow from. */
interface Grounds extends Pick<Context, 'scan' | 'kind' | 'legacyExists' | 'entryStage' | 'sdkStep'> {
  /** Stages that a finding or a work item asks for. */
  readonly staged: ReadonlySet<Stage>;
}

function stagesOf({ scan, kind, legacyExists, staged, entryStage, sdkStep }: Grounds): readonly Stage[] {
  const http = isNetworked(kind);
  const session = scan.plan.lanes.some((lane) => lane.choice === 'sessionful' || lane.choice === 'separate');
  const applies: Readonly<Record<Stage, boolean>> = {
    observe: http && legacyExists,
    sdk: scan.milestone.sdk === 'ahead' || scan.plan.items.some((item) => item.milestone === 'sdk'),
    dual:
      entryStage === 'dual' &&
      sdkStep !== 'eras' &&
      ((kind === 'elsewhere' && legacyExists) || scan.inventory.endpoints.some((endpoint) => endpoint.era === 'legacy') || scan.milestone.entry === 'ahead'),
    default: legacyExists,
    warn: http && legacyExists,
    remove: legacyExists,
    clean: staged.has('clean') || (http && session),
  };
  return ALL_STAGES.filter((stage) => applies[stage] || staged.has(stage));
}

/** Builds the common view. */
export function contextOf(scan: ScanResult, checks: readonly Check[], options: RunbookOptions): Context {
  const kind = kindOf(scan);
  const rules = new Map(scan.rules.map((rule) => [rule.id, rule]));
  const items = new Map(scan.plan.items.flatMap((item) => item.findings.map((print) => [print, item] as const)));
  const lanes = new Map(scan.plan.lanes.map((lane) => [lane.endpoint, lane]));
  const findings = scan.findings.filter((finding) => finding.role !== 'test');
  const legacyExists = hasLegacy(scan, kind);
  const byPrint = new Map(scan.findings.map((finding) => [finding.fingerprint, finding]));

  const decided = scan.inventory.endpoints.flatMap((endpoint) => (endpoint.era === 'modern' ? [] : (lanes.get(endpoint.id)?.choice ?? 'sessionful')));
  const entryStage: Stage = decided.length > 0 && decided.every((choice) => choice === 'none') ? 'remove' : 'dual';
  const stageOf = (finding: Finding): Stage => {
    const hint = hintsOf(finding).stage;
    if (hint !== undefined) return hint;
    if (finding.milestone === 'sdk') return 'sdk';
    if (finding.category === 'infra') return 'clean';
    if (['auth', 'policy', 'telemetry'].includes(finding.category)) return isNetworked(kind) ? 'observe' : entryStage;
    return finding.lane === 'legacy' ? 'remove' : entryStage;
  };
  const stageOfItem = (item: WorkItem): Stage => {
    if (item.milestone === 'sdk') return 'sdk';
    const first = item.findings.map((print) => byPrint.get(print)).find((finding) => finding !== undefined);
    if (first !== undefined) return stageOf(first);
    return item.lane === 'legacy' ? 'remove' : entryStage;
  };
  const sdkStep = sdkStepOf(scan);
  const staged = new Set<Stage>([
    ...findings.filter((finding) => finding.impact !== 'none' || hintsOf(finding).stage !== undefined).map(stageOf),
    ...scan.plan.items.map(stageOfItem),
  ]);
  const stages = kind === 'none' ? [] : stagesOf({ scan, kind, legacyExists, staged, entryStage, sdkStep });
  const number = (stage: Stage): number => {
    const wanted = ALL_STAGES.indexOf(stage);
    const before = stages.filter((candidate) => ALL_STAGES.indexOf(candidate) <= wanted).length;
    return Math.max(1, before);
  };
  return {
    scan,
    checks,
    options,
    kind,
    networked: isNetworked(kind),
    http: scan.inventory.endpoints.filter((endpoint) => endpoint.transport !== 'stdio'),
    stdio: scan.inventory.endpoints.filter((endpoint) => endpoint.transport === 'stdio'),
    stages,
    number,
    legacyExists,
    sdkStep,
    inTests: (item) => item.findings.length > 0 && item.findings.every((print) => byPrint.get(print)?.role === 'test'),
    lane: (endpoint) => lanes.get(endpoint),
    item: (finding) => items.get(finding.fingerprint),
    rule: (id) => rules.get(id),
    findings,
    testFindings: scan.findings.filter((finding) => finding.role === 'test'),
    entryStage,
    stageOf,
    stageOfItem,
  };
}
