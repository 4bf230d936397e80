import { z } from 'zod';
import { Severity } from './finding.js';
import { SCHEMA_VERSION, ScanResult, Tool } from './result.js';

/**
 * What became of one repository of a fleet: its scan, or why there is none. `target.root` of the scan is the name of the repository, so that the
 * entry is the same on every machine.
 */
export const FleetEntry = z
  .object({
    schemaVersion: z.literal(SCHEMA_VERSION),
    kind: z.literal('fleet-entry'),
    /** As the list of checkouts names it. */
    repository: z.string(),
    /** Hash of what the result depends on: version, options, commit or files. A run that is resumed keeps an entry whose key still holds. */
    key: z.string(),
    /** Install command of the repository's package manager. */
    install: z.string().optional(),
    result: ScanResult.optional(),
    failure: z.string().optional(),
  })
  .readonly();
export type FleetEntry = z.infer<typeof FleetEntry>;

/** One repository of a merged report. */
export const FleetRepository = z
  .object({ repository: z.string(), install: z.string().optional(), result: ScanResult.optional(), failure: z.string().optional() })
  .readonly();
export type FleetRepository = z.infer<typeof FleetRepository>;

/** Numbers over a fleet; repositories without a result count as failed and nowhere else. */
export const FleetSummary = z
  .object({
    repositories: z.int(),
    failed: z.int(),
    /** With a file that should have been analysed and could not be. */
    incomplete: z.int(),
    clean: z.int(),
    findings: z.record(Severity, z.int()).readonly(),
    items: z.object({ automatic: z.int(), guided: z.int(), manual: z.int(), refused: z.int() }).readonly(),
    /** Minutes by hand. */
    effort: z.number(),
    /** Repositories that still have the milestone ahead. */
    ahead: z.object({ sdk: z.int(), entry: z.int() }).readonly(),
    rules: z.array(z.object({ id: z.string(), findings: z.int(), repositories: z.int() }).readonly()).readonly(),
  })
  .readonly();
export type FleetSummary = z.infer<typeof FleetSummary>;

/** One report over many repositories, sorted by name: the same whatever the order and the number of runs that made it. */
export const FleetReport = z
  .object({
    schemaVersion: z.literal(SCHEMA_VERSION),
    kind: z.literal('fleet-report'),
    tool: Tool,
    summary: FleetSummary,
    repositories: z.array(FleetRepository).readonly(),
  })
  .readonly();
export type FleetReport = z.infer<typeof FleetReport>;
