import { z } from 'zod';
import { Category, Milestone } from './finding.js';
import { Phrase, Stage } from './phrase.js';
import { Remedy } from './plan.js';
import { Site } from './span.js';

export const RolloutStage = z
  .object({
    number: z.int(),
    stage: Stage,
    title: Phrase,
    milestone: Milestone.optional(),
    owner: z.string(),
    items: z.array(z.object({ id: z.string(), title: z.string(), remedy: Remedy, minutes: z.number() }).readonly()).readonly(),
    /** Changes in the order in which they must land. */
    order: z
      .array(
        z
          .object({
            layer: z.enum(['metric', 'probe', 'gateway', 'code', 'tests', 'client', 'balancer', 'docs']),
            change: Phrase,
            /** Work item that makes the change, how it is carried out, and its minutes by hand; the minutes stand with its first change only. */
            item: z.string().optional(),
            remedy: Remedy.optional(),
            minutes: z.number().optional(),
            /** Why the tool does not do it, when it refused to. */
            reason: Phrase.optional(),
            sites: z.array(Site).readonly(),
          })
          .readonly(),
      )
      .readonly(),
    entry: z.array(Phrase).readonly(),
    exit: z.array(Phrase).readonly(),
    metric: Phrase,
    reversible: z.boolean(),
    oneWay: z.array(Phrase).readonly(),
    rollback: z.array(Phrase).readonly(),
    /** Commands that undo the stage, as they are typed. */
    commands: z.array(z.string()).readonly(),
  })
  .readonly();
export type RolloutStage = z.infer<typeof RolloutStage>;

export const InfraEntry = z
  .object({
    rule: z.string(),
    category: Category,
    what: Phrase,
    change: Phrase,
    stage: Stage,
    number: z.int(),
    rollback: Phrase,
    sites: z.array(Site).readonly(),
  })
  .readonly();
export type InfraEntry = z.infer<typeof InfraEntry>;
