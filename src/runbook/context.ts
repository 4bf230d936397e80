import type {
  Check,
  Endpoint,
  Finding,
  LaneDecision,
  LaneMode,
  Phrase,
  RuleText,
  RunbookModel,
  ScanResult,
  Site,
  Stage,
  VerifyReport,
  WorkItem,
} from '../core/index.js';
import { fill, modernPathOf } from '../core/index.js';
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
  /** Install command of the repository's package manager. */
  readonly install?: string;
}

/** The parts' common view of a scan. */
export interface Context {
  readonly scan: ScanResult;
  readonly checks: readonly Check[];
  readonly options: RunbookOptions;
  readonly kind: RunbookModel['kind'];
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

/** Path shown for an endpoint: the literal, else the expression in braces, as in a URL template, else `?`. */
export function pathOf({ path, expression }: Endpoint): string {
  if (path !== undefined || expression === undefined) return path ?? '?';
  return expression.startsWith('…') ? expression : `{${expression}}`;
}

/** What tells an endpoint from another one of the same path: its package, else the file that routes it. `undefined` when its path is its own. */
export function apartBy(context: Pick<Context, 'http'>, endpoint: Endpoint): string | undefined {
  const twins = context.http.filter((other) => other.id !== endpoint.id && pathOf(other) === pathOf(endpoint));
  if (twins.length === 0) return undefined;
  const file = [...endpoint.routes, ...endpoint.transports][0]?.file;
  return twins.some((other) => other.package === endpoint.package) ? (file ?? endpoint.id) : endpoint.package;
}

/** Name of a store without the offset of the nameless function that holds it. */
export const storeName = (name: string): string => name.replace(/^@\d+\./, '');

/** Is it one of the two routes of HTTP+SSE? */
export const isSse = (endpoint: Endpoint): boolean => endpoint.transport === 'sse' || endpoint.transport === 'sse-post';

/** An address at which modern clients are served once both lanes answer. */
export interface ModernAddress {
  readonly endpoint: Endpoint;
  /** `undefined` when the code does not tell it. */
  readonly path: string | undefined;
  readonly lane: LaneMode;
  /** The old routes keep their URL beside it. */
  readonly beside: boolean;
}

/**
 * Where modern clients will be served: every Streamable HTTP endpoint, on a path of its own when its lane is separate, and one endpoint
 * beside each HTTP+SSE stream, unless the file that routes the stream routes a Streamable HTTP endpoint too.
 */
export function modernAddresses(context: Pick<Context, 'http' | 'lane'>): readonly ModernAddress[] {
  const files = (endpoint: Endpoint): readonly string[] => [...endpoint.routes, ...endpoint.transports].map((site) => site.file);
  const streamable = context.http.filter((endpoint) => !isSse(endpoint));
  const routed = new Set(streamable.flatMap(files));
  const literal = ({ path }: ModernAddress): boolean => path !== undefined && !/[:*]/.test(path);
  const addresses = context.http.flatMap((endpoint): readonly ModernAddress[] => {
    if (!isSse(endpoint)) {
      const lane = choiceOf(context, endpoint);
      const beside = lane === 'separate' && endpoint.era === 'legacy';
      const path = beside ? modernPathOf(endpoint) : endpoint.path;
      return [{ endpoint, path, lane, beside }];
    }
    if (endpoint.transport !== 'sse' || files(endpoint).some((file) => routed.has(file))) return [];
    return [{ endpoint, path: modernPathOf(endpoint), lane: 'stateless', beside: true }];
  });
  // The address that most lines are run against is one that needs no setting, if there is one.
  return [...addresses.filter(literal), ...addresses.filter((address) => !literal(address))];
}

/** The lane that will serve an endpoint's old clients; an endpoint that is dual already and has no decision keeps what it has. */
export function choiceOf(context: Pick<Context, 'lane'>, endpoint: Endpoint): LaneMode {
  const decided = context.lane(endpoint.id)?.choice;
  if (decided !== undefined) return decided;
  if (endpoint.era === 'modern') return 'none';
  return endpoint.sessions === 'none' ? 'stateless' : 'sessionful';
}

function kindOf(scan: ScanResult): RunbookModel['kind'] {
  const { endpoints, servers } = scan.inventory;
  if (endpoints.some((endpoint) => endpoint.transport !== 'stdio')) return 'http';
  if (endpoints.length > 0) return 'stdio';
  return servers.length > 0 || scan.inventory.clients.length > 0 ? 'library' : 'none';
}

function stagesOf(scan: ScanResult, kind: RunbookModel['kind'], legacyExists: boolean, staged: ReadonlySet<Stage>, entryStage: Stage): readonly Stage[] {
  const http = kind === 'http';
  const session = scan.plan.lanes.some((lane) => lane.choice === 'sessionful' || lane.choice === 'separate');
  const applies: Readonly<Record<Stage, boolean>> = {
    observe: http && legacyExists,
    sdk: scan.milestone.sdk === 'ahead' || scan.plan.items.some((item) => item.milestone === 'sdk'),
    dual: entryStage === 'dual' && (scan.inventory.endpoints.some((endpoint) => endpoint.era === 'legacy') || scan.milestone.entry === 'ahead'),
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
  const legacyExists = scan.inventory.endpoints.some((endpoint) => endpoint.era !== 'modern') || (kind === 'library' && scan.milestone.entry === 'ahead');
  const byPrint = new Map(scan.findings.map((finding) => [finding.fingerprint, finding]));

  const decided = scan.inventory.endpoints.flatMap((endpoint) => (endpoint.era === 'modern' ? [] : (lanes.get(endpoint.id)?.choice ?? 'sessionful')));
  const entryStage: Stage = decided.length > 0 && decided.every((choice) => choice === 'none') ? 'remove' : 'dual';
  const stageOf = (finding: Finding): Stage => {
    const hint = hintsOf(finding).stage;
    if (hint !== undefined) return hint;
    if (finding.milestone === 'sdk') return 'sdk';
    if (finding.category === 'infra') return 'clean';
    if (['auth', 'policy', 'telemetry'].includes(finding.category)) return kind === 'http' ? 'observe' : entryStage;
    return finding.lane === 'legacy' ? 'remove' : entryStage;
  };
  const stageOfItem = (item: WorkItem): Stage => {
    if (item.milestone === 'sdk') return 'sdk';
    const first = item.findings.map((print) => byPrint.get(print)).find((finding) => finding !== undefined);
    if (first !== undefined) return stageOf(first);
    return item.lane === 'legacy' ? 'remove' : entryStage;
  };
  const staged = new Set<Stage>([
    ...findings.filter((finding) => finding.impact !== 'none' || hintsOf(finding).stage !== undefined).map(stageOf),
    ...scan.plan.items.map(stageOfItem),
  ]);
  const stages = kind === 'none' ? [] : stagesOf(scan, kind, legacyExists, staged, entryStage);
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
    http: scan.inventory.endpoints.filter((endpoint) => endpoint.transport !== 'stdio'),
    stdio: scan.inventory.endpoints.filter((endpoint) => endpoint.transport === 'stdio'),
    stages,
    number,
    legacyExists,
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
