import { z } from 'zod';

/** A name to import into a file. The import editor of the file's language decides place and spelling (`import` or `require`). */
export const ImportNeed = z.object({
  kind: z.literal('import'),
  file: z.string(),
  /** Package specifier, or a path relative to the root (`src/mcp-dual-era.ts`) that the editor turns into a relative specifier. */
  module: z.string(),
  /** Exported name; `default` and `*` are allowed. */
  name: z.string(),
  as: z.string().optional(),
  typeOnly: z.boolean().optional(),
});
export type ImportNeed = Readonly<z.infer<typeof ImportNeed>>;

/** A dependency of the package that owns `manifest`. `remove: true` drops it when no specifier of the package needs it any longer. */
export const DependencyNeed = z.object({
  kind: z.literal('dependency'),
  manifest: z.string(),
  name: z.string(),
  range: z.string().optional(),
  remove: z.boolean().optional(),
});

/** A minimum of the runtime, e.g. `node` `>=20`; only ever raised. */
export const EngineNeed = z.object({ kind: z.literal('engine'), manifest: z.string(), name: z.string(), range: z.string() });

/** A file rendered from `templates/shims/<template>.hbs` into the user's repository. Two needs with one path must agree. */
export const ShimNeed = z.object({ kind: z.literal('shim'), template: z.string(), path: z.string(), model: z.record(z.string(), z.unknown()) });

/** What a rewrite needs beside its edits; merged, deduplicated and satisfied by the engine before `prove`. */
export const Need = z.discriminatedUnion('kind', [ImportNeed, DependencyNeed, EngineNeed, ShimNeed]);
export type Need = Readonly<z.infer<typeof Need>>;
