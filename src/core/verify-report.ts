import { z } from 'zod';
import { CheckClass, CheckId, CheckLevel } from './check.js';
import { LaneMode } from './check-step.js';

/**
 * `inconclusive`: no verdict was possible (launch failed, unreachable, auth wall, time-out of a peer that is gone).
 * `not-tested`: something that the user can give is missing. `not-applicable`: the peer does not have the feature.
 */
export const Verdict = z.enum(['pass', 'fail', 'warn', 'not-applicable', 'not-tested', 'inconclusive']);
export type Verdict = z.infer<typeof Verdict>;

/** What was sent and what came back, secrets redacted and texts cut. */
export const Exchange = z
  .object({
    request: z.object({ verb: z.string(), url: z.string(), headers: z.record(z.string(), z.string()), body: z.string().optional() }),
    answer: z.object({ status: z.int().optional(), headers: z.record(z.string(), z.string()), body: z.string() }).optional(),
    /** Set when the answer is missing or incomplete: `refused`, `timeout`, `reset`, …, in words. */
    problem: z.string().optional(),
    milliseconds: z.number(),
  })
  .readonly();
export type Exchange = z.infer<typeof Exchange>;

export const CheckResult = z
  .object({
    id: CheckId,
    title: z.string(),
    level: CheckLevel,
    era: z.enum(['modern', 'legacy', 'both']),
    class: CheckClass,
    verdict: Verdict,
    /** One sentence: what was expected and what was seen, or why it was not tested. */
    reason: z.string(),
    /** All deviations, one sentence each; empty when the verdict is `pass`. */
    deviations: z.array(z.string()).readonly(),
    spec: z.string(),
    requirements: z.array(z.string()).readonly(),
    milliseconds: z.number(),
    exchanges: z.array(Exchange).readonly(),
    /** Index of the exchange that deviates first. */
    deviating: z.int().optional(),
  })
  .readonly();
export type CheckResult = z.infer<typeof CheckResult>;

/** What the peer said about itself before the checks ran. */
export const PeerSummary = z
  .object({
    name: z.string().optional(),
    version: z.string().optional(),
    /** From `server/discover` or an `UnsupportedProtocolVersion` error. */
    modernVersions: z.array(z.string()).readonly(),
    /** From `initialize`. */
    legacyVersion: z.string().optional(),
    capabilities: z.array(z.string()).readonly(),
    tools: z.array(z.string()).readonly(),
    resources: z.int(),
    prompts: z.int(),
  })
  .readonly();
export type PeerSummary = z.infer<typeof PeerSummary>;

/** The judgement in a sentence. `missing` are the steps to the modern revision, in order, when it is not served. */
export const Conclusion = z
  .object({
    speaks: z.enum(['modern', 'dual-era', 'legacy', 'legacy-sse', 'announced', 'other-revision', 'nothing', 'unknown', 'client']),
    sentence: z.string(),
    missing: z.array(z.string()).readonly(),
  })
  .readonly();
export type Conclusion = z.infer<typeof Conclusion>;

/** Checks whose verdict differs from an earlier report of the same kind of target. */
export const Comparison = z
  .object({ fixed: z.array(CheckId).readonly(), regressed: z.array(CheckId).readonly(), unchanged: z.array(CheckId).readonly() })
  .readonly();
export type Comparison = z.infer<typeof Comparison>;

/** One row of the official suite. `fail` counts only in a scenario that the suite scores for its revision; otherwise it is a warning. */
export const OfficialRow = z
  .object({
    scenario: z.string(),
    revision: z.string(),
    id: z.string(),
    title: z.string(),
    verdict: Verdict,
    reason: z.string(),
    /** Counts towards conformance to the revision, by the suite's own list. */
    scored: z.boolean(),
  })
  .readonly();
export type OfficialRow = z.infer<typeof OfficialRow>;

/** What the official suite said, without its exit code, and what it could not look at. */
export const OfficialRun = z
  .object({
    package: z.string(),
    version: z.string(),
    revisions: z.array(z.string()).readonly(),
    rows: z.array(OfficialRow).readonly(),
    /** One sentence for each gap. */
    notCovered: z.array(z.string()).readonly(),
  })
  .readonly();
export type OfficialRun = z.infer<typeof OfficialRun>;

/** The evidence file of `verify --format json`. */
export const VerifyReport = z
  .object({
    schemaVersion: z.literal('1'),
    tool: z.object({ name: z.string(), version: z.string() }),
    target: z.object({ transport: z.enum(['http', 'stdio', 'client']), address: z.string(), replica: z.string().optional(), legacy: z.string().optional() }),
    /** ISO 8601, UTC. */
    startedAt: z.string(),
    milliseconds: z.number(),
    laneMode: LaneMode,
    /** What the peer speaks, from its answers. */
    eras: z.object({ modern: z.boolean(), legacy: z.boolean() }),
    peer: PeerSummary,
    conclusion: Conclusion,
    results: z.array(CheckResult).readonly(),
    summary: z.record(Verdict, z.int()),
    comparison: Comparison.optional(),
    /** Rows of the official suite, when it was asked for. */
    official: OfficialRun.optional(),
    /** Set when nothing could be tested: launch failed, unreachable, auth wall. */
    inconclusive: z.string().optional(),
  })
  .readonly();
export type VerifyReport = z.infer<typeof VerifyReport>;
