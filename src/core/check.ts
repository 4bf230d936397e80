import { z } from 'zod';

/** Id of a conformance check, e.g. `CK-H01`. */
export const CheckId = z.string().regex(/^CK-[HSCL]\d{2}$/);
export type CheckId = z.infer<typeof CheckId>;

/** Level of the requirement in the specification; `local` is policy of this tool, `rfc` plain HTTP. */
export const CheckLevel = z.enum(['must', 'should', 'may', 'local', 'rfc']);
export type CheckLevel = z.infer<typeof CheckLevel>;

/** How the legacy lane is served; the expectation of some checks depends on it. */
export const LaneMode = z.enum(['stateless', 'sessionful', 'separate', 'none']);
export type LaneMode = z.infer<typeof LaneMode>;

/** When a check runs: by default, only on request, only with control over the server, or never (a person attests). */
export const CheckClass = z.enum(['quick', 'slow', 'needs-control', 'attest']);
export type CheckClass = z.infer<typeof CheckClass>;

/** What must exist before a check says anything; when it does not, the verdict is `not-applicable` or `not-tested`, never `pass`. */
export const Precondition = z.enum(['tools', 'resources', 'prompts', 'allowed-tool', 'header-tool', 'progress-tool', 'eliciting-tool', 'logging', 'subscriptions', 'sessions', 'replica', 'token', 'sse', 'legacy-lane', 'modern-only']);
export type Precondition = z.infer<typeof Precondition>;

/**
 * One HTTP or stdio message of a check. Strings may name variables in braces that the runner fills in:
 * `{tool}`, `{resource}`, `{prompt}`, `{session}`, `{origin}`, `{id}`.
 * `meta`: `full` adds the three required `_meta` keys, a record replaces them, `none` sends none.
 * `headers`: a `null` value removes one of the standard headers; an array sends the header several times.
 */
export const CheckRequest = z.object({
  verb: z.string().default('POST'),
  path: z.string().optional(),
  method: z.string().optional(),
  id: z.union([z.string(), z.int(), z.null()]).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  meta: z.union([z.literal('full'), z.literal('none'), z.record(z.string(), z.unknown())]).default('full'),
  headers: z.record(z.string(), z.union([z.string(), z.null(), z.array(z.string())])).optional(),
  /** Raw body instead of a built message. */
  body: z.string().optional(),
  /** Keep this name for the session id that the answer mints; later requests write `{session}`. */
  keepSession: z.boolean().optional(),
  /** Stop reading a stream after this many milliseconds; the verdict looks at what has arrived. */
  readFor: z.int().positive().optional(),
});
export type CheckRequest = z.infer<typeof CheckRequest>;

/** Where in the answer an assertion looks: status, a header, the content type, or a path into the last JSON-RPC message. */
export const Assertion = z.object({
  /** `status`, `type`, `header.<name>`, `body`, `result.…`, `error.…`, `id`, `events` (all SSE messages). */
  at: z.string(),
  is: z.unknown().optional(),
  oneOf: z.array(z.unknown()).optional(),
  absent: z.boolean().optional(),
  present: z.boolean().optional(),
  includes: z.unknown().optional(),
  matches: z.string().optional(),
  typeOf: z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array']).optional(),
  atLeast: z.number().optional(),
  below: z.number().optional(),
  /** A failed assertion of this level is a warning instead of a failure. */
  level: z.enum(['must', 'should']).default('must'),
  /** Only for these modes of the legacy lane. */
  lanes: z.array(LaneMode).readonly().optional(),
});
export type Assertion = z.infer<typeof Assertion>;

/** Alternatives: the step holds when all assertions of one of the lists hold. */
export const Expectation = z.array(z.array(Assertion).readonly()).readonly();
export type Expectation = z.infer<typeof Expectation>;

/** A named procedure of `src/verify/probes` for what data cannot say (races, closing streams, two replicas). */
export const CheckStep = z.union([
  z.object({ request: CheckRequest, expect: Expectation }),
  z.object({ probe: z.string(), with: z.record(z.string(), z.unknown()).optional() }),
]);
export type CheckStep = z.infer<typeof CheckStep>;

/** One executable check of the revision, as data. Source: Appendix B of the digest, by id. */
export const Check = z
  .object({
    id: CheckId,
    title: z.string(),
    level: CheckLevel,
    era: z.enum(['modern', 'legacy', 'both']),
    transport: z.enum(['http', 'stdio', 'sse', 'client']),
    class: CheckClass,
    /** Spec page and anchor, e.g. `basic/transports/streamable-http#sending-messages`. */
    spec: z.string(),
    /** Requirement ids of the digest, e.g. `HTTP-15`. */
    requirements: z.array(z.string()).readonly(),
    /** What a reader is told when it fails, in one sentence. */
    failure: z.string(),
    needs: z.array(Precondition).readonly(),
    /** Modes of the legacy lane in which it applies; all when absent. */
    lanes: z.array(LaneMode).readonly().optional(),
    steps: z.array(CheckStep).readonly(),
  })
  .readonly();
export type Check = z.infer<typeof Check>;

export const Verdict = z.enum(['pass', 'fail', 'warn', 'not-applicable', 'not-tested', 'inconclusive']);
export type Verdict = z.infer<typeof Verdict>;

/** What was sent and what came back, secrets redacted and texts cut. */
export const Exchange = z
  .object({
    request: z.object({ verb: z.string(), url: z.string(), headers: z.record(z.string(), z.string()), body: z.string().optional() }),
    answer: z.object({ status: z.int().optional(), headers: z.record(z.string(), z.string()), body: z.string() }).optional(),
    /** Set when no answer arrived: `refused`, `timeout`, `reset`, …, in words. */
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
    verdict: Verdict,
    /** One sentence: what was expected and what was seen, or why it was not tested. */
    reason: z.string(),
    spec: z.string(),
    exchanges: z.array(Exchange).readonly(),
  })
  .readonly();
export type CheckResult = z.infer<typeof CheckResult>;

/** The evidence file of `verify --format json`. */
export const VerifyReport = z
  .object({
    schemaVersion: z.literal('1'),
    tool: z.object({ name: z.string(), version: z.string() }),
    target: z.object({ transport: z.enum(['http', 'stdio', 'client']), address: z.string(), replica: z.string().optional() }),
    /** ISO 8601, UTC. */
    startedAt: z.string(),
    milliseconds: z.number(),
    laneMode: LaneMode,
    /** What the peer speaks, from its answers. */
    eras: z.object({ modern: z.boolean(), legacy: z.boolean() }),
    results: z.array(CheckResult).readonly(),
    summary: z.record(Verdict, z.int()),
    /** Set when nothing could be tested: launch failed, unreachable, auth wall. */
    inconclusive: z.string().optional(),
  })
  .readonly();
export type VerifyReport = z.infer<typeof VerifyReport>;
