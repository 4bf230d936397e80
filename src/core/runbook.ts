import { z } from 'zod';
import { CheckId } from './check.js';
import { EndpointTable, LaneEntry } from './endpoint-table.js';
import { Category, Lane, Milestone } from './finding.js';
import { Party, Phrase, Stage } from './phrase.js';
import { Remedy } from './plan.js';
import { InfraEntry, RolloutStage } from './rollout.js';
import { Site } from './span.js';

/** One row of "what is removed": the behaviour, what replaces it, and where the repository uses it. */
export const RemovedEntry = z.object({ was: Phrase, now: Phrase, sites: z.array(Site).readonly() }).readonly();
export type RemovedEntry = z.infer<typeof RemovedEntry>;

/** One session use. `plan` are the decisions that its cure needs, empty for what needs none. */
export const StateEntry = z
  .object({
    rule: z.string(),
    category: Category,
    lane: Lane,
    what: Phrase,
    evidence: z.array(z.string()).readonly(),
    cure: Phrase,
    plan: z.array(Phrase).readonly(),
    remedy: Remedy,
    item: z.string().optional(),
    sites: z.array(Site).readonly(),
  })
  .readonly();
export type StateEntry = z.infer<typeof StateEntry>;

/** One line of the executable checklist. */
export const ChecklistEntry = z
  .object({
    id: CheckId,
    title: z.string(),
    command: z.string(),
    expected: Phrase,
    era: z.enum(['modern', 'legacy', 'both']),
    level: z.string(),
    /** Findings and work items that a pass closes. */
    closes: z.array(z.string()).readonly(),
    evidence: z.enum(['pass', 'fail', 'warn', 'not-tested', 'not-applicable', 'inconclusive']),
    note: Phrase.optional(),
  })
  .readonly();
export type ChecklistEntry = z.infer<typeof ChecklistEntry>;

export const Decision = z
  .object({
    title: Phrase,
    decision: Phrase,
    reason: Phrase,
    rejected: z.array(z.object({ option: Phrase, why: Phrase }).readonly()).readonly(),
    sites: z.array(Site).readonly(),
  })
  .readonly();
export type Decision = z.infer<typeof Decision>;

export const OpenQuestion = z.object({ question: Phrase, who: Party, why: Phrase, before: Stage, number: z.int(), sites: z.array(Site).readonly() }).readonly();
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** A date that binds or concerns the removal, with its source. `conflict` when the removal date breaks it. */
export const DateEntry = z
  .object({
    date: z.string(),
    kind: z.enum(['promise', 'deprecation']),
    what: Phrase,
    source: z.string(),
    conflict: z.boolean(),
    sites: z.array(Site).readonly(),
  })
  .readonly();
export type DateEntry = z.infer<typeof DateEntry>;

export const Box = z.object({ id: z.string(), label: z.string(), kind: z.enum(['client', 'balancer', 'endpoint', 'lane', 'store']) }).readonly();
export const Arrow = z.object({ from: z.string(), to: z.string(), label: z.string() }).readonly();

/** Everything that the runbook, the ADR, the pull-request bodies and the one-page summary say, as plain data. */
export const RunbookModel = z
  .object({
    schemaVersion: z.literal('1'),
    tool: z.object({ name: z.string(), version: z.string() }).readonly(),
    repository: z.object({ name: z.string(), commit: z.string().optional(), dirty: z.boolean() }).readonly(),
    /** Day of writing, ISO. */
    written: z.iso.date(),
    owner: z.string(),
    sunset: z.iso.date(),
    /**
     * `http` also when stdio entries exist beside endpoints; `stdio` has none; `library` has servers or clients but no entry; `elsewhere` has
     * findings only: configuration, documents, tests or helpers of a server that lives in another repository; `none` has nothing.
     */
    kind: z.enum(['http', 'stdio', 'library', 'elsewhere', 'none']),
    /** Is the server reached over HTTP, here or from the repository that holds it? */
    networked: z.boolean(),
    /** What the SDK step does to the wire: nothing, opens the modern lane, or opens it for some entries. */
    sdkStep: z.enum(['wire', 'eras', 'some']),
    milestone: z.object({ sdk: z.enum(['none', 'ahead', 'done']), entry: z.enum(['none', 'ahead', 'done']) }).readonly(),
    effort: z.object({ total: z.number(), automatic: z.number(), people: z.number() }).readonly(),
    counts: z
      .object({
        packages: z.int(),
        endpoints: z.int(),
        findings: z.int(),
        items: z.int(),
        automatic: z.int(),
        guided: z.int(),
        manual: z.int(),
        refused: z.int(),
        /** Items that a reader should know of and nobody has to do. */
        none: z.int(),
      })
      .readonly(),
    legacyExists: z.boolean(),
    packages: z.array(z.object({ folder: z.string(), name: z.string(), sdk: z.string(), ahead: z.array(Milestone).readonly() }).readonly()).readonly(),
    parts: z.object({
      servers: z.array(z.object({ name: z.string(), sites: z.array(Site).readonly() }).readonly()).readonly(),
      stores: z.array(z.object({ name: z.string(), holds: z.string(), form: z.string(), sites: z.array(Site).readonly() }).readonly()).readonly(),
      clients: z.array(Site).readonly(),
      retired: z.array(z.string()).readonly(),
    }),
    endpoints: z.array(EndpointTable).readonly(),
    stdio: z.array(z.object({ package: z.string(), sites: z.array(Site).readonly() }).readonly()).readonly(),
    lanes: z.array(LaneEntry).readonly(),
    responses: z.array(z.object({ when: Phrase, status: z.string(), media: z.string(), body: Phrase, sites: z.array(Site).readonly() }).readonly()).readonly(),
    removed: z.array(RemovedEntry).readonly(),
    metadata: z.array(z.object({ field: z.string(), where: z.string(), rule: Phrase, otherwise: Phrase }).readonly()).readonly(),
    /** `undefined` when nothing in the repository notifies and no standing stream is served. */
    subscriptions: z
      .object({
        rules: z.array(Phrase).readonly(),
        sources: z.array(z.object({ what: Phrase, becomes: Phrase, sites: z.array(Site).readonly() }).readonly()).readonly(),
      })
      .optional(),
    state: z.array(StateEntry).readonly(),
    /** Classes that are named after sessions and stay: the application keeps them under keys of its own. */
    helpers: z
      .array(z.object({ name: z.string(), sites: z.array(Site).readonly() }).readonly())
      .readonly()
      .optional(),
    window: z.array(Phrase).readonly(),
    /** One exchange of each era and shape: what stands on the wire, where it enters the code, what is built there and what it keeps. */
    traces: z
      .array(
        z
          .object({
            era: z.enum(['modern', 'legacy']),
            title: Phrase,
            lines: z.array(z.string()).readonly(),
            enters: z.array(Site).readonly(),
            reaches: z.array(Site).readonly(),
            keeps: z.array(z.string()).readonly(),
          })
          .readonly(),
      )
      .readonly(),
    rollout: z.array(RolloutStage).readonly(),
    boundary: z
      .object({
        last: z.int(),
        title: Phrase,
        why: Phrase,
        oneWay: z.array(z.object({ number: z.int(), step: Phrase }).readonly()).readonly(),
        lost: z.array(Phrase).readonly(),
      })
      .readonly(),
    infra: z.array(InfraEntry).readonly(),
    /** Tests and documents that the change touches. */
    tests: z
      .array(
        z
          .object({
            rule: z.string(),
            what: Phrase,
            /** `kept`: as it is, with a modern twin; `twin`: kept until the removal, with a modern twin; `changed`: its expectation changes. */
            fate: z.enum(['kept', 'twin', 'changed']),
            sites: z.array(Site).readonly(),
          })
          .readonly(),
      )
      .readonly(),
    security: z
      .array(z.object({ topic: Phrase, state: z.enum(['found', 'missing', 'unknown', 'rule']), what: Phrase, sites: z.array(Site).readonly() }).readonly())
      .readonly(),
    variables: z.array(z.object({ name: z.string(), value: z.string(), what: Phrase }).readonly()).readonly(),
    checklist: z.array(ChecklistEntry).readonly(),
    evidence: z.object({ address: z.string(), startedAt: z.string(), inconclusive: z.string().optional() }).optional(),
    /** Completion criteria that no single check covers, each with its command. */
    completion: z.array(z.object({ criterion: Phrase, command: z.string() }).readonly()).readonly(),
    decisions: z.array(Decision).readonly(),
    refusals: z
      .array(
        z
          .object({ id: z.string(), title: z.string(), why: Phrase, next: Phrase.optional(), accepted: z.string().optional(), sites: z.array(Site).readonly() })
          .readonly(),
      )
      .readonly(),
    questions: z.array(OpenQuestion).readonly(),
    notAnalysed: z.array(z.object({ files: z.array(z.string()).readonly(), reason: z.string() }).readonly()).readonly(),
    dates: z.array(DateEntry).readonly(),
    gate: z.array(Phrase).readonly(),
    topology: z.object({ boxes: z.array(Box).readonly(), arrows: z.array(Arrow).readonly() }).readonly(),
  })
  .readonly();
export type RunbookModel = z.infer<typeof RunbookModel>;
