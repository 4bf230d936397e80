import { z } from 'zod';
import { SymbolRef } from './fact.js';
import { Milestone } from './finding.js';
import { Site } from './span.js';

/** A package of the repository: the nearest manifest above its files. */
export const PackageEntry = z.object({
  /** Folder relative to the root, `.` for the root. */
  folder: z.string(),
  name: z.string().optional(),
  manifest: z.string().optional(),
  /** Does it hold a strong literal, so that weak ones count? */
  candidate: z.boolean(),
  /** Major lines of the SDK that its code uses. */
  sdk: z.array(z.int()).readonly(),
  /** Milestones that are still ahead; empty when it is migrated or has no MCP code. */
  ahead: z.array(Milestone).readonly(),
  moduleType: z.enum(['module', 'commonjs']),
  /** Names that its `package.json` depends on, in any section; absent without such a manifest. */
  dependencies: z.array(z.string()).readonly().optional(),
  /** Who can import it, by the entries and the `private` of its `package.json`; absent without such a manifest. */
  importedBy: z.enum(['anybody', 'repository', 'nobody', 'unknown']).optional(),
});

/** One HTTP path (or stdio entry) that MCP clients use, joined over all routes and files. */
export const Endpoint = z.object({
  id: z.string(),
  package: z.string(),
  transport: z.enum(['streamable-http', 'sse', 'sse-post', 'stdio', 'unknown']),
  host: z.string(),
  path: z.string().optional(),
  /** Source text of the path when it is no literal: `options.ssePath`. */
  expression: z.string().optional(),
  /** Upper-case verbs as served today. */
  methods: z.array(z.string()).readonly(),
  routes: z.array(Site).readonly(),
  handlers: z.array(SymbolRef).readonly(),
  transports: z.array(Site).readonly(),
  factory: SymbolRef.optional(),
  stores: z.array(SymbolRef).readonly(),
  sessions: z.enum(['minted', 'none', 'unknown']),
  jsonResponse: z.enum(['on', 'off', 'unknown']),
  eventStore: z.boolean(),
  hooks: z.array(z.string()).readonly(),
  parser: z.enum(['before', 'none', 'unknown']),
  exposure: z.enum(['loopback', 'public', 'unknown']),
  authentication: z.array(Site).readonly(),
  originPolicy: z.array(Site).readonly(),
  /** `legacy`: 2025 only; `dual`: both eras; `modern`: 2026-07-28 only. */
  era: z.enum(['legacy', 'dual', 'modern']),
  /** The SDK serves both eras here by itself, from its second major line on: the SDK step alone lets modern clients in. */
  bothEras: z.boolean().optional(),
  push: z.array(Site).readonly(),
  state: z.array(Site).readonly(),
});
export type Endpoint = Readonly<z.infer<typeof Endpoint>>;

/** What exists in the repository; a pure function of the facts. */
export const Inventory = z.object({
  packages: z.array(PackageEntry).readonly(),
  endpoints: z.array(Endpoint).readonly(),
  /** Servers and factories outside any endpoint (libraries, tests). */
  servers: z.array(z.object({ site: Site, className: z.string(), factory: SymbolRef.optional() })).readonly(),
  clients: z.array(Site).readonly(),
  stores: z.array(z.object({ site: Site, symbol: SymbolRef, holds: z.string(), form: z.string() })).readonly(),
  /** Classes of the application that are named after MCP sessions and have nothing to do with those of the protocol: they stay. */
  applicationSessions: z
    .array(z.object({ site: Site, name: z.string() }))
    .readonly()
    .optional(),
  /** Keys (`file#name`) of functions that only the legacy side of a dual-era entry reaches. */
  legacyLane: z.array(z.string()).readonly(),
});
export type Inventory = Readonly<z.infer<typeof Inventory>>;
export type PackageEntry = Readonly<z.infer<typeof PackageEntry>>;

/**
 * The path of the modern endpoint that stands beside an old one which keeps its own: `/mcp/v2` beside `/mcp`, `/api/mcp` beside the stream
 * `/api/sse`, whose clients know no other. `undefined` when the old path is not known.
 */
export function modernPathOf({ transport, path }: Pick<Endpoint, 'transport' | 'path'>): string | undefined {
  if (path === undefined) return undefined;
  if (transport === 'sse' || transport === 'sse-post') return /\/sse\/?$/.test(path) ? path.replace(/\/sse\/?$/, '/mcp') : '/mcp';
  if (path.includes('{')) return undefined;
  const base = path.replace(/\/$/, '');
  return base.endsWith('/v2') ? `${base}/modern` : `${base}/v2`;
}

/** The modern endpoint that stands beside an old one of the same package on a path of its own: their lanes are separate. */
export function separateSibling(endpoint: Endpoint, endpoints: readonly Endpoint[]): Endpoint | undefined {
  const path = endpoint.era === 'legacy' && endpoint.transport !== 'stdio' ? modernPathOf(endpoint) : undefined;
  return path === undefined ? undefined : endpoints.find((other) => other.package === endpoint.package && other.path === path && other.era !== 'legacy');
}
