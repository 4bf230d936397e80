import { SCHEMA_VERSION, type Inventory, type NextStep, type RuleText, type ScanResult, type Finding, type MigrateResult } from '../core/index.js';
import { packageManager, type Discovery } from '../workspace/index.js';
import { coverageOf } from './coverage.js';
import type { Knowledge, ScanOptions } from './knowledge.js';
import { milestoneState } from './milestones.js';
import { byText } from './order.js';
import type { Scanned } from './scan/types.js';
import type { WorkCounter } from './stats.js';
import type { Understanding } from './understand.js';

/** What both results begin with. */
export function heading(discovery: Discovery, options: ScanOptions): Pick<ScanResult, 'schemaVersion' | 'tool' | 'target'> {
  const { git, root } = discovery;
  return {
    schemaVersion: SCHEMA_VERSION,
    tool: { name: 'unsession', version: options.version ?? '0.0.0' },
    target: {
      root,
      ...(git === undefined || git.prefix === '' ? {} : { prefix: git.prefix }),
      ...(git?.commit === undefined ? {} : { commit: git.commit }),
      ...(git ? { dirty: git.dirty } : {}),
    },
  };
}

/** The result of a scan, from what was scanned and what it means. */
export async function scanResult(
  discovery: Discovery,
  scanned: Scanned,
  known: Understanding,
  work: WorkCounter,
  knowledge: Knowledge,
  options: ScanOptions,
): Promise<ScanResult> {
  return {
    ...heading(discovery, options),
    stats: work.snapshot(),
    milestone: milestoneState(known.inventory),
    rules: ruleTexts(known.findings, knowledge),
    findings: known.findings,
    inTests: known.inTests,
    suppressions: known.suppressions,
    inventory: known.inventory,
    plan: known.plan,
    ...(knowledge.changes === undefined ? {} : { coverage: coverageOf(knowledge.changes, known.all, known.inventory) }),
    notAnalysed: scanned.notAnalysed,
    refusals: known.plan.refusals,
    next: await stepsAfterScan(discovery, known),
  };
}

/** Texts of the rules that have a finding, by id. */
function ruleTexts(findings: readonly Finding[], knowledge: Knowledge): readonly RuleText[] {
  const used = new Set(findings.map((finding) => finding.id as string));
  return knowledge.concerns
    .flatMap((concern) =>
      Object.entries(concern.kinds).flatMap(([kind, text]) =>
        used.has(`${concern.id}/${kind}`)
          ? [{ id: `${concern.id}/${kind}`, concern: concern.id, title: concern.title, what: text.what, why: text.why, next: text.next, spec: concern.spec }]
          : [],
      ),
    )
    .sort((a, b) => byText(a.id, b.id));
}

/** The tool is run as people without an installation run it, in the dialect of their package manager. */
async function commands(discovery: Discovery) {
  const manager = await packageManager(discovery.root);
  const runner: Readonly<Record<string, string>> = { pnpm: 'pnpm dlx', bun: 'bunx', yarn: manager.agent === 'yarn@berry' ? 'yarn dlx' : 'npx' };
  return { manager, unsession: (rest: string) => `${runner[manager.name] ?? 'npx'} unsession ${rest}` };
}

/** How this tool is run in a repository, without arguments. */
export const commandOf = async (discovery: Discovery): Promise<string> => (await commands(discovery)).unsession('').trim();

async function stepsAfterScan(discovery: Discovery, known: Understanding): Promise<readonly NextStep[]> {
  const open = known.plan.items.filter((item) => item.remedy !== 'none');
  if (open.length === 0) return [];
  const { unsession } = await commands(discovery);
  const automatic = open.some((item) => item.remedy === 'automatic' || item.remedy === 'guided');
  const milestone = open.some((item) => item.milestone === 'sdk') ? 'sdk' : 'entry';
  return [
    ...(automatic
      ? [{ command: unsession(`migrate --milestone ${milestone}`), why: 'shows the changes of the next milestone as a diff; --write applies them' }]
      : []),
    { command: unsession('runbook --sunset <YYYY-MM-DD> --owner <name>'), why: 'writes the plan that reviewers and on-call engineers approve' },
  ];
}

/** How the running result is checked: over the transports that the repository serves, or from the other side where it only calls. */
function proofs({ endpoints, servers, clients }: Inventory): readonly NextStep[] {
  const stdio = endpoints.some((endpoint) => endpoint.transport === 'stdio');
  const http = endpoints.some((endpoint) => endpoint.transport !== 'stdio');
  const calls = !stdio && !http && servers.length === 0 && clients.length > 0;
  return [
    ...(stdio ? [{ command: 'verify --stdio -- <command>', why: 'starts the server and sends it the conformance checks' }] : []),
    ...(http || (!stdio && !calls) ? [{ command: 'verify <url>', why: 'sends the conformance checks to the running server' }] : []),
    ...(calls ? [{ command: 'verify --client -- <command> {url}', why: 'starts the client against a server of each era' }] : []),
  ];
}

/** What to run after a migration, written or not. */
export async function stepsAfterMigrate(
  discovery: Discovery,
  result: Pick<MigrateResult, 'patches' | 'written' | 'outcomes'> & Pick<ScanResult, 'inventory'>,
  scripts: ReadonlySet<string>,
): Promise<readonly NextStep[]> {
  const { manager, unsession } = await commands(discovery);
  const files = result.patches.flatMap((patch) => patch.changes.map((change) => change.file));
  if (files.length === 0) return [];
  const installs = files.some((file) => file === 'package.json' || file.endsWith('/package.json'));
  const open = result.outcomes.some((outcome) => outcome.todo.length > 0 || outcome.outcome === 'scaffolded');
  return [
    ...(result.written ? [] : [{ command: unsession('migrate --write'), why: 'applies these changes; `unsession undo` takes them back' }]),
    ...(installs ? [{ command: manager.install, why: `brings ${manager.lockFile ?? 'the lock file'} up to date with the changed manifests` }] : []),
    ...['typecheck', 'build', 'test']
      .filter((script) => scripts.has(script))
      .map((script) => ({ command: manager.run(script), why: 'checks the changed code with the tools of the repository' })),
    ...(open ? [{ command: unsession('scan'), why: 'lists what is left for people; the places are marked TODO(unsession)' }] : []),
    ...proofs(result.inventory).map(({ command, why }) => ({ command: unsession(command), why })),
  ];
}
