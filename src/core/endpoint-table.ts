import { z } from 'zod';
import { LaneMode } from './check-step.js';
import { Phrase, Stage } from './phrase.js';
import { LegacyChoice } from './plan.js';
import { Site } from './span.js';

/** What one request gets in one column of the endpoint table. */
export const Served = z
  .object({
    /** `200`, `405`, `400 or 404`; `?` when the code does not tell. */
    status: z.string(),
    media: z.enum(['json', 'sse', 'json-or-sse', 'none', 'unknown']),
    body: Phrase,
    by: Phrase,
  })
  .readonly();
export type Served = z.infer<typeof Served>;

export const EndpointRow = z
  .object({
    request: Phrase,
    method: z.string(),
    path: z.string(),
    era: z.enum(['modern', 'legacy', 'any']),
    cells: z.array(Served).readonly(),
    sites: z.array(Site).readonly(),
  })
  .readonly();
export type EndpointRow = z.infer<typeof EndpointRow>;

/** One endpoint: today, in each stage that changes it, and after the removal. `cells` of a row stand in the order of `columns`. */
export const EndpointTable = z
  .object({
    id: z.string(),
    package: z.string(),
    transport: z.string(),
    host: z.string(),
    path: z.string(),
    /** Package or file that tells it from another endpoint of the same path. */
    apart: z.string().optional(),
    columns: z.array(z.object({ title: Phrase, stages: z.array(Stage).readonly() }).readonly()).readonly(),
    rows: z.array(EndpointRow).readonly(),
    sites: z.array(Site).readonly(),
  })
  .readonly();
export type EndpointTable = z.infer<typeof EndpointTable>;

export const LaneEntry = z
  .object({
    endpoint: z.string(),
    path: z.string(),
    /** As of the endpoint table. */
    apart: z.string().optional(),
    choice: LaneMode,
    asked: LegacyChoice,
    reason: Phrase,
    evidence: z.array(Site).readonly(),
    rejected: z.array(z.object({ choice: LaneMode, why: Phrase }).readonly()).readonly(),
  })
  .readonly();
export type LaneEntry = z.infer<typeof LaneEntry>;
