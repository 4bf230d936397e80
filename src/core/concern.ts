import type { CheckId } from './check.js';
import type { Endpoint, Inventory } from './inventory.js';
import type { FileChange } from './edit.js';
import type { Fact } from './fact.js';
import type { Category, Certainty, Finding, Impact, Lane, MessageData, Milestone } from './finding.js';
import type { Need } from './need.js';
import type { LaneDecision, LegacyChoice, Reason, Refusal, Plan, Remedy, WorkItem } from './plan.js';
import type { Site, Span } from './span.js';

/**
 * Filled in by each front end through declaration merging:
 * `typescript: { file: TypeScriptFile; visitors: TypeScriptVisitors }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- front ends merge their members into it
export interface Languages {}
export type LanguageId = Extract<keyof Languages, string>;
export type FileOf<L extends LanguageId> = Languages[L] extends { file: infer F } ? F : never;
export type VisitorsOf<L extends LanguageId> = Languages[L] extends { visitors: infer V } ? V : never;

/** What a detector may say about a place. `what`, `why` and `next` come from the kind, filled with `data`. */
export interface FindingDetails {
  readonly certainty?: Certainty;
  readonly impact?: Impact;
  readonly category?: Category;
  readonly lane?: Lane;
  readonly related?: readonly Site[];
  readonly evidence?: readonly string[];
  /** Findings of one concern with one group become one work item; default: the file. `judge` may still change it. */
  readonly group?: string;
  readonly data?: MessageData;
}

/** What detectors speak into while the tree is walked. */
export interface Report<Kinds extends string> {
  /** Reports a place of the current file. */
  finding(kind: Kinds, at: Span, details?: FindingDetails): void;
  fact(fact: Fact): void;
  /** Says that what the file holds is not understood, and what to do: it is never counted as clean. */
  gap(reason: string): void;
  /** The site of a range of the current file. */
  site(at: Span, label?: string): Site;
}

/** The other files of the scan, as far as a detector may know them: paths only, so that a scan of one file is a pure function of it. */
export interface Surroundings {
  has(path: string): boolean;
  /** Folder of the package that owns the file, and the module type of that package. */
  readonly package: { readonly folder: string; readonly moduleType: 'module' | 'commonjs' };
}

/** Listens to the one walk over a file. `end` runs after the walk. */
export type Detector<L extends LanguageId, Kinds extends string> = (
  file: FileOf<L>,
  report: Report<Kinds>,
  around: Surroundings,
) => VisitorsOf<L> & { readonly end?: () => void };

/** What one kind of finding always says. Placeholders in braces are filled from the finding's data. */
export interface Kind {
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly impact: Impact;
  /** Overrides of the concern's defaults. */
  readonly category?: Category;
  readonly milestone?: Milestone;
}

/** What a rewriter may ask for; everything is seen through the overlay of the current round. */
export interface RewriteContext {
  readonly options: { readonly legacy: LegacyChoice; readonly sunset: string | undefined; readonly owner: string | undefined; readonly retire?: boolean };
  readonly inventory: Inventory;
  readonly facts: readonly Fact[];
  readonly findings: readonly Finding[];
  endpoint(id: string): Endpoint | undefined;
  lane(endpoint: string): LaneDecision | undefined;
  text(path: string): string | undefined;
  /** Paths of the files of a package that hold MCP code, tests included. */
  filesOf(folder: string): readonly string[];
  /** Paths of the analysed files that import a file, tests included. Who imports a file that holds MCP code is always among them. */
  importersOf(path: string): readonly string[];
  file<L extends LanguageId>(language: L, path: string): FileOf<L> | undefined;
  /** Parsed JSON of a package manifest. */
  manifest(path: string): Readonly<Record<string, unknown>> | undefined;
  exists(path: string): boolean;
}

/** A rewrite proves its precondition or does not happen. */
export type Rewrite =
  | {
      readonly outcome: 'rewrite';
      readonly changes: readonly FileChange[];
      readonly needs: readonly Need[];
      readonly todo: readonly string[];
      readonly notes: readonly string[];
    }
  | {
      readonly outcome: 'scaffold';
      readonly changes: readonly FileChange[];
      readonly needs: readonly Need[];
      readonly todo: readonly string[];
      readonly notes: readonly string[];
    }
  | { readonly outcome: 'refuse'; readonly reason: Reason };

/** What the planner knows when it decides the remedy of an item. */
export interface Assessment {
  readonly inventory: Inventory;
  readonly facts: readonly Fact[];
  readonly findings: readonly Finding[];
  readonly lanes: readonly LaneDecision[];
  readonly options: RewriteContext['options'];
}

/**
 * What makes a file worth a parse. `python` are those that mean something in Python and in the files around it only: a TypeScript file
 * that holds one of them (`ctx.`, `"content"`) is not looked at for its sake.
 */
export interface Literals {
  readonly strong: readonly string[];
  readonly weak: readonly string[];
  readonly python?: { readonly strong: readonly string[]; readonly weak: readonly string[] };
}

/** One migration concern: how to see it, change it, explain it. Its folder also proves it. */
export interface Concern<Kinds extends string = string> {
  readonly id: string;
  readonly title: string;
  /** Spec pages with anchors, e.g. `basic/transports/streamable-http#sending-messages`. */
  readonly spec: readonly string[];
  readonly category: Category;
  readonly milestone: Milestone;
  /** Minutes that a developer needs by hand for a work item: `base` plus `each` per place. */
  readonly effort: { readonly base: number; readonly each: number };
  readonly kinds: Readonly<Record<Kinds, Kind>>;
  /** Prefilter: a strong literal decides for its package, a weak one counts only in such a package. */
  readonly literals: Literals;
  readonly detect: { readonly [L in LanguageId]?: Detector<L, Kinds> };
  /**
   * Sees one finding of this concern with its neighbours: may change category, certainty, impact, lane, group and evidence,
   * or drop it (`undefined`). Pure.
   */
  readonly judge?: (finding: Finding, inventory: Inventory, facts: readonly Fact[]) => Finding | undefined;
  /** Decides the remedy of an item from facts alone. Without it: `manual` when there is no `rewrite`, else `automatic`. */
  readonly assess?: (
    item: WorkItem,
    known: Assessment,
  ) => { readonly remedy: Remedy; readonly reason: string; readonly todo?: readonly string[]; readonly data?: MessageData };
  readonly rewrite?: (item: WorkItem, context: RewriteContext) => Rewrite;
  /** Removes a legacy lane that this tool wrote; asked instead of `rewrite` when lanes are retired. Its items are made of findings of the legacy lane. */
  readonly retire?: (item: WorkItem, context: RewriteContext) => Rewrite;
  /** The hub of a round: its items go first, and items that overlap them wait for the next round. */
  readonly hub?: boolean;
  readonly closes?: readonly CheckId[];
}

/** One change of the revision, and what the knowledge can say about it. */
export interface RevisionChange {
  readonly id: string;
  readonly title: string;
  readonly spec: string;
  /** What must exist before the change matters. */
  readonly concerns: 'server' | 'client' | 'http' | 'stdio' | 'any';
  /** Rules that look for what it breaks: `concern` or `concern/kind`. Empty when no rule can. */
  readonly rules: readonly string[];
  /** Why a reading of the code says nothing about it, and what does: for changes without rules. */
  readonly instead?: string;
}

/** Keeps the kinds of a concern as literal types, so that a misspelt kind is a compile error. */
export const defineConcern = <const Kinds extends string>(concern: Concern<Kinds>): Concern<Kinds> => concern;

/** An adapter of one web framework: emits `route`, `listen` and `guard` facts, never findings. */
export interface Host {
  readonly id: string;
  readonly title: string;
  readonly literals: readonly string[];
  readonly detect: { readonly [L in LanguageId]?: Detector<L, never> };
}

/** Shared detectors of `_mcp`: emit facts that more than one concern reasons about. */
export interface FactSource {
  readonly id: string;
  readonly literals: Literals;
  readonly detect: { readonly [L in LanguageId]?: Detector<L, never> };
}

/** A hard reject or refusal over the finished plan. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  readonly spec: readonly string[];
  readonly evaluate: (inventory: Inventory, plan: Omit<Plan, 'refusals'>, findings: readonly Finding[], facts: readonly Fact[]) => readonly Refusal[];
}

/** Fills `{name}` placeholders of a message. Unknown names stay as they are, so that a test can see them. */
export const fill = (template: string, data: MessageData): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in data ? String(data[name]) : whole));
