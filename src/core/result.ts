import { z } from 'zod';
import { FileChange } from './edit.js';
import { Finding, Milestone, Suppression } from './finding.js';
import { Inventory } from './inventory.js';
import { isFault, NotAnalysed, ScanStats } from './notice.js';
import { Plan, Reason, Refusal } from './plan.js';

/** Where the pages of the specification begin: `spec` of a rule is relative to it. */
export const SPEC_ROOT = 'https://modelcontextprotocol.io/specification/2026-07-28/';

/** Version of all JSON that the tool prints; raised when a field changes its meaning or goes. */
export const SCHEMA_VERSION = '1';

export const Tool = z.object({ name: z.literal('unsession'), version: z.string() });
export const Target = z.object({
  root: z.string(),
  /** Path of the root below the top of its git repository, with a slash at its end; absent at the top and outside of git. */
  prefix: z.string().optional(),
  commit: z.string().optional(),
  dirty: z.boolean().optional(),
});

/** A rule as printed in reports, so that a reader of JSON alone understands a finding. */
export const RuleText = z.object({
  id: z.string(),
  concern: z.string(),
  title: z.string(),
  what: z.string(),
  why: z.string(),
  next: z.string(),
  spec: z.array(z.string()).readonly(),
});

/** What a scan says about one change of the revision: looked for, without a place here, or not to be told from code. */
export const Coverage = z
  .object({
    change: z.string(),
    title: z.string(),
    spec: z.string(),
    state: z.enum(['checked', 'not-applicable', 'not-static']),
    /** Findings of the rules that look for it, tests included. */
    findings: z.int().nonnegative(),
    rules: z.array(z.string()).readonly(),
    /** Why it does not apply, or what tells it instead of a scan. */
    reason: z.string().optional(),
  })
  .readonly();
export type Coverage = z.infer<typeof Coverage>;

/** Where a repository or package stands. `done` means that nothing of the milestone is left to do. */
export const MilestoneState = z.object({ sdk: z.enum(['none', 'ahead', 'done']), entry: z.enum(['none', 'ahead', 'done']) });

/** A command to run next, in the dialect of the repository's package manager. */
export const NextStep = z.object({ command: z.string(), why: z.string() });

/** Everything that `scan` knows. The source of all other formats. */
export const ScanResult = z
  .object({
    schemaVersion: z.literal(SCHEMA_VERSION),
    tool: Tool,
    target: Target,
    stats: ScanStats,
    milestone: MilestoneState,
    rules: z.array(RuleText).readonly(),
    findings: z.array(Finding).readonly(),
    /** Findings in tests, listed apart unless `--include-tests`. */
    inTests: z.int(),
    /** Inline suppressions of analysed files, with their effect. */
    suppressions: z.array(Suppression).readonly().optional(),
    inventory: Inventory,
    plan: Plan,
    /** Set when known findings are left out: how many, which of them are in a file with another name now, and which are no longer there. Paths are from the top of the repository. */
    baseline: z
      .object({
        known: z.int(),
        moved: z.array(z.object({ id: z.string(), from: z.string(), to: z.string() })).readonly(),
        gone: z.array(z.object({ fingerprint: z.string(), id: z.string(), file: z.string(), test: z.boolean().optional() })).readonly(),
      })
      .optional(),
    /** Findings that are left out because no file of theirs differs from the commit of `--changed-since`. */
    unchanged: z.int().optional(),
    /** One line for each change of the revision: what this result does and does not speak about. */
    coverage: z.array(Coverage).readonly().optional(),
    notAnalysed: z.array(NotAnalysed).readonly(),
    refusals: z.array(Refusal).readonly(),
    next: z.array(NextStep).readonly(),
  })
  .readonly();
export type ScanResult = z.infer<typeof ScanResult>;
export type RuleText = z.infer<typeof RuleText>;
export type NextStep = z.infer<typeof NextStep>;

/** Proofs that a rewritten file passed. `types` only runs on request. */
export const Proof = z.object({ file: z.string(), parses: z.boolean(), names: z.boolean(), untouched: z.boolean(), types: z.boolean().optional() });

/** What the compiler says of a migration, with `--typecheck`. Lines are those of the text after it. */
export const TypeReport = z
  .object({
    /** Errors that the code before had not, in any file of the projects that the changed files belong to. */
    errors: z.array(z.object({ file: z.string(), line: z.int().positive(), code: z.int(), message: z.string(), marked: z.boolean() })).readonly(),
    /** Changed files that were not checked, with the reason. `missing` names packages that must be installed for it. */
    left: z.array(z.object({ file: z.string(), why: z.string(), missing: z.array(z.string()).readonly() })).readonly(),
  })
  .readonly();
export type TypeReport = z.infer<typeof TypeReport>;

/** Is a check of types that was asked for not passed: a new error that nobody is told to look at, or packages that it needs and that are not there? */
export const typesFail = (types: TypeReport | undefined): boolean =>
  types !== undefined && (types.errors.some((error) => !error.marked) || types.left.some((entry) => entry.missing.length > 0));

/** What became of one work item in `migrate`. */
export const ItemOutcome = z.object({
  item: z.string(),
  title: z.string(),
  milestone: Milestone,
  outcome: z.enum(['applied', 'scaffolded', 'refused', 'manual', 'deferred', 'failed']),
  reason: Reason.optional(),
  todo: z.array(z.string()).readonly(),
  notes: z.array(z.string()).readonly(),
  files: z.array(z.string()).readonly(),
});

/** One separately applicable patch: all changes of one milestone, against the state that the patch before it leaves. */
export const Patch = z.object({
  milestone: Milestone,
  changes: z.array(FileChange).readonly(),
  /** Unified diff with `a/` and `b/`, as `git apply` takes it. */
  diff: z.string(),
  /** Stretches of `diff` that show files in another encoding than UTF-8: `git apply` needs them in the bytes of their file. Offsets are UTF-16. */
  encoded: z
    .array(z.object({ file: z.string(), encoding: z.string(), start: z.number(), end: z.number() }))
    .readonly()
    .optional(),
  items: z.array(z.string()).readonly(),
});

export const MigrateResult = z
  .object({
    schemaVersion: z.literal(SCHEMA_VERSION),
    tool: Tool,
    target: Target,
    stats: ScanStats,
    before: ScanResult,
    outcomes: z.array(ItemOutcome).readonly(),
    patches: z.array(Patch).readonly(),
    proofs: z.array(Proof).readonly(),
    types: TypeReport.optional(),
    idempotent: z.boolean(),
    written: z.boolean(),
    notAnalysed: z.array(NotAnalysed).readonly(),
    refusals: z.array(Refusal).readonly(),
    next: z.array(NextStep).readonly(),
  })
  .readonly();
export type MigrateResult = z.infer<typeof MigrateResult>;
export type ItemOutcome = Readonly<z.infer<typeof ItemOutcome>>;
export type Patch = Readonly<z.infer<typeof Patch>>;
export type Proof = Readonly<z.infer<typeof Proof>>;

/** Was there nothing to read, or could none of what mattered be read? Then no verdict about the code exists. */
export function sawNothing(result: Pick<ScanResult, 'stats' | 'findings' | 'notAnalysed' | 'inventory'>): boolean {
  const { stats, inventory } = result;
  if (stats.discovered === 0 || stats.read === 0) return true;
  if (result.findings.length > 0) return false;
  // Documents may have been read, and the programs are in a language that is not.
  const unseen =
    inventory.endpoints.length + inventory.servers.length + inventory.clients.length === 0 && inventory.packages.every(({ sdk }) => sdk.length === 0);
  if (unseen && result.notAnalysed.some(({ why }) => why === 'language')) return true;
  return stats.walks === 0 && stats.candidates > 0 && result.notAnalysed.some(isFault);
}
