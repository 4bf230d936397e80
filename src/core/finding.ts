import { z } from 'zod';
import { Site } from './span.js';

/** What happens to a user when nothing is done: error, warning, note and info in every threshold. */
export const Impact = z.enum(['breaks', 'degrades', 'tidies', 'none']);
export type Impact = z.infer<typeof Impact>;

/** How sure the detector is that the place is what it says. `possible` lowers the severity by one step. */
export const Certainty = z.enum(['certain', 'likely', 'possible']);
export type Certainty = z.infer<typeof Certainty>;

export const Severity = z.enum(['error', 'warning', 'note', 'info']);
export type Severity = z.infer<typeof Severity>;

/** What a session use is for; the category decides the cure. */
export const Category = z.enum(['transport', 'state', 'resource', 'policy', 'auth', 'telemetry', 'lifecycle', 'push', 'sdk', 'infra', 'gateway', 'docs']);
export type Category = z.infer<typeof Category>;

export const Lane = z.enum(['modern', 'legacy', 'both']);
export type Lane = z.infer<typeof Lane>;

export const Role = z.enum(['source', 'test', 'example', 'docs', 'deploy']);
export type Role = z.infer<typeof Role>;

/** `sdk` is M1: SDK step, the wire stays. `entry` is M2: entry point and lanes, the wire changes. */
export const Milestone = z.enum(['sdk', 'entry']);
export type Milestone = z.infer<typeof Milestone>;

/** Values that the message templates of a kind may name in braces: `{variable}`. */
export const MessageData = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).readonly();
export type MessageData = z.infer<typeof MessageData>;

/** A session-bound place in somebody's code. Plain data: it crosses caches, processes and JSON unchanged. */
export const Finding = z
  .object({
    /** Rule id `concern/kind`. */
    id: z.templateLiteral([z.string(), '/', z.string()]),
    site: Site,
    related: z.array(Site).readonly(),
    certainty: Certainty,
    impact: Impact,
    category: Category,
    lane: Lane,
    role: Role,
    milestone: Milestone,
    /** Why the detector believes this: short sentences, in the order of the reasoning. */
    evidence: z.array(z.string()).readonly(),
    /** Findings with one group form one work item. Unique within a concern, e.g. the endpoint or the store they belong to. */
    group: z.string(),
    data: MessageData,
    /** Hash over rule, file, the normalised text of the place and its occurrence; survives line shifts. Filled in by the engine. */
    fingerprint: z.string(),
  })
  .readonly();
export type Finding = z.infer<typeof Finding>;

/**
 * A comment that silences a rule. `used`: it silenced something; `stale`: nothing to silence is left;
 * `unreasoned`: no reason is given, so it has no effect; `unknown`: no such rule.
 */
export const Suppression = z
  .object({ site: Site, rule: z.string(), reason: z.string().optional(), state: z.enum(['used', 'stale', 'unreasoned', 'unknown']) })
  .readonly();
export type Suppression = z.infer<typeof Suppression>;

const BY_IMPACT: Readonly<Record<Impact, Severity>> = { breaks: 'error', degrades: 'warning', tidies: 'note', none: 'info' };
const LOWER: Readonly<Record<Severity, Severity>> = { error: 'warning', warning: 'note', note: 'info', info: 'info' };
const RANK: Readonly<Record<Severity, number>> = { error: 3, warning: 2, note: 1, info: 0 };

/** Severity shown to people and compared with `--fail-on`. */
export function severityOf(finding: Pick<Finding, 'impact' | 'certainty'>): Severity {
  const severity = BY_IMPACT[finding.impact];
  return finding.certainty === 'possible' ? LOWER[severity] : severity;
}

/** True when `severity` is at or above `threshold`; nothing is at or above `never`. */
export const reaches = (severity: Severity, threshold: Severity | 'never'): boolean => threshold !== 'never' && RANK[severity] >= RANK[threshold];
