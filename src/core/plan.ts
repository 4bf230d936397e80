import { z } from 'zod';
import { CheckId } from './check.js';
import { LaneMode } from './check-step.js';
import { Category, Lane, MessageData, Milestone } from './finding.js';
import { Site } from './span.js';

/** How a work item is carried out. Decided by the planner from proved preconditions, never a property of a kind. */
export const Remedy = z.enum(['automatic', 'guided', 'manual', 'refused', 'none']);
export type Remedy = z.infer<typeof Remedy>;

/** What the user asks for with `--legacy`; `auto` is resolved per endpoint. */
export const LegacyChoice = z.enum(['auto', 'stateless', 'sessionful', 'separate', 'none']);
export type LegacyChoice = z.infer<typeof LegacyChoice>;

/** Why something is not done, and where. */
export const Reason = z.object({ why: z.string(), next: z.string(), sites: z.array(Site).readonly() }).readonly();
export type Reason = z.infer<typeof Reason>;

/** Findings that have one cure: they apply whole or not at all. */
export const WorkItem = z
  .object({
    /** Short and stable: concern, package and group, hashed; what `--item` takes. */
    id: z.string(),
    concern: z.string(),
    title: z.string(),
    group: z.string(),
    package: z.string(),
    milestone: Milestone,
    category: Category,
    lane: Lane,
    /** Fingerprints of its findings. */
    findings: z.array(z.string()).readonly(),
    files: z.array(z.string()).readonly(),
    sites: z.array(Site).readonly(),
    endpoint: z.string().optional(),
    remedy: Remedy,
    reason: z.string(),
    /** Steps that stay for a person: the text of each marker or manual step. */
    todo: z.array(z.string()).readonly(),
    /** Minutes by hand, from the concern's effort. */
    effort: z.number().nonnegative(),
    closes: z.array(CheckId).readonly(),
    data: MessageData,
  })
  .readonly();
export type WorkItem = z.infer<typeof WorkItem>;

/** The legacy lane chosen for an endpoint, with the proof or the obstacle. */
export const LaneDecision = z
  .object({ endpoint: z.string(), choice: LaneMode, asked: LegacyChoice, reason: z.string(), evidence: z.array(Site).readonly() })
  .readonly();
export type LaneDecision = z.infer<typeof LaneDecision>;

export const Phase = z
  .object({
    id: z.string(),
    title: z.string(),
    milestone: Milestone.optional(),
    items: z.array(z.string()).readonly(),
    entry: z.array(z.string()).readonly(),
    exit: z.array(z.string()).readonly(),
    reversible: z.boolean(),
    /** Why it cannot be undone, when it cannot. */
    oneWay: z.array(z.string()).readonly(),
    rollback: z.string(),
  })
  .readonly();
export type Phase = z.infer<typeof Phase>;

/**
 * A plan that would pretend: exit code 1 unless the risk is accepted with a reason. `subject` is what is refused, when a rule can refuse
 * several things: the id of an endpoint, or a file.
 */
export const Refusal = z
  .object({ id: z.string(), title: z.string(), subject: z.string().optional(), reason: Reason, accepted: z.string().optional() })
  .readonly();
export type Refusal = z.infer<typeof Refusal>;

/** What `--accept-risk` takes for one refusal alone: `public-exposure:/mcp`. The id alone accepts all refusals of the rule. */
export const riskOf = ({ id, subject }: Refusal): string => (subject === undefined ? id : `${id}:${subject}`);

/** The reason with which a refusal was accepted: the one for it alone goes before the one for its rule. */
export const acceptanceOf = (refusal: Refusal, reasons: Readonly<Record<string, string>>): string | undefined =>
  reasons[riskOf(refusal)] ?? reasons[refusal.id] ?? refusal.accepted;

export const Plan = z
  .object({
    items: z.array(WorkItem).readonly(),
    lanes: z.array(LaneDecision).readonly(),
    phases: z.array(Phase).readonly(),
    /** Id of the last reversible phase. */
    rollbackBoundary: z.string(),
    refusals: z.array(Refusal).readonly(),
    checks: z.array(CheckId).readonly(),
    effort: z.number(),
    sunset: z.string().optional(),
    owner: z.string().optional(),
  })
  .readonly();
export type Plan = z.infer<typeof Plan>;
