import { z } from 'zod';
import * as core from '../../core/index.js';

/** What the tool prints as JSON, and the file that describes it. */
const PUBLISHED = {
  'scan-result': core.ScanResult,
  'migrate-result': core.MigrateResult,
  'suggest-result': core.SuggestResult,
  'verify-report': core.VerifyReport,
  'fleet-report': core.FleetReport,
} as const;

/** Shared parts get their names in the code as names in `$defs`, so that a schema reads like the vocabulary. */
function namedParts(): ReturnType<typeof z.registry<{ id: string }>> {
  const registry = z.registry<{ id: string }>();
  for (const [name, value] of Object.entries(core)) if (value instanceof z.ZodType) registry.add(value, { id: name });
  return registry;
}

/** One JSON Schema (2020-12) for each published result. `$id` carries the schema version. */
export function renderSchemas(): readonly { readonly path: string; readonly text: string }[] {
  const metadata = namedParts();
  return Object.entries(PUBLISHED).map(([name, schema]) => {
    const { $schema, ...body } = z.toJSONSchema(schema, { metadata, target: 'draft-2020-12', io: 'output' });
    const { id: _id, ...rest } = body;
    const document = { $schema, $id: `urn:unsession:schema:${name}:${core.SCHEMA_VERSION}`, title: `unsession ${name.replace('-', ' ')}`, ...rest };
    return { path: `src/core/schemas/${name}.json`, text: `${JSON.stringify(document, null, 2)}\n` };
  });
}
