import type { Need } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { SDK_V1, packageOf, sdkOf, versionOf } from '../../_mcp/sdk-table.js';
import { namedModules } from '../requests.js';

/**
 * What `@modelcontextprotocol/sdk` 1.x brings along: code that imports one of these without declaring it worked as long as the SDK was
 * installed. Source: its manifest, version 1.32.
 */
const BROUGHT_ALONG: Readonly<Record<string, string>> = {
  '@hono/node-server': '^1.19.9',
  ajv: '^8.17.1',
  'ajv-formats': '^3.0.1',
  'content-type': '^1.0.5',
  cors: '^2.8.5',
  'cross-spawn': '^7.0.5',
  eventsource: '^3.0.2',
  'eventsource-parser': '^3.0.0',
  express: '^5.2.1',
  'express-rate-limit': '^8.2.1',
  hono: '^4.11.4',
  jose: '^6.1.3',
  'pkce-challenge': '^5.0.0',
  'raw-body': '^3.0.0',
  'zod-to-json-schema': '^3.25.1',
};

/** Peers of v2 packages that the package must declare itself. Source: their manifests. */
const PEERS: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/node': ['@modelcontextprotocol/server'],
  '@modelcontextprotocol/express': ['@modelcontextprotocol/server'],
};

/** Lowest zod whose schemas convert to JSON Schema by the standard that SDK v2 asks for. */
export const ZOD_RANGE = '^4.2.0';

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/** The declared range of a dependency, in whichever section. */
export function declaredRange(manifest: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  for (const section of SECTIONS) {
    const entries = manifest?.[section];
    if (typeof entries !== 'object' || entries === null) continue;
    const range = (entries as Record<string, unknown>)[name];
    if (typeof range === 'string') return range;
  }
  return undefined;
}

/** All names that a manifest declares. */
export function declaredNames(manifest: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  return SECTIONS.flatMap((section) => {
    const entries = manifest?.[section];
    return typeof entries === 'object' && entries !== null ? Object.keys(entries) : [];
  });
}

/** Bare packages that files name in any form. */
export function packagesNamed(files: readonly TypeScriptFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of files) {
    for (const { specifier } of namedModules(file))
      if (!specifier.startsWith('.') && !specifier.startsWith('/') && !specifier.startsWith('node:')) names.add(packageOf(specifier));
  }
  return names;
}

/**
 * Needs of a manifest after its code has moved: the v2 packages that are named, in the ranges that the table was generated from; v1 goes unless
 * something still names it; what v1 brought along is declared; Node 20.
 */
export function manifestNeeds(
  manifest: string,
  content: Readonly<Record<string, unknown>> | undefined,
  files: readonly TypeScriptFile[],
  raiseZod: boolean,
): readonly Need[] {
  const named = packagesNamed(files);
  const wanted = new Set<string>();
  for (const name of named) {
    if (sdkOf(name) !== 2) continue;
    wanted.add(name);
    for (const peer of PEERS[name] ?? []) wanted.add(peer);
  }
  const declared = new Set(declaredNames(content));
  const needs: Need[] = [...wanted].sort().map((name) => ({ kind: 'dependency', manifest, name, range: `^${versionOf(name) ?? '2.0.0'}` }));
  if (!named.has(SDK_V1)) {
    if (declared.has(SDK_V1)) {
      needs.push({ kind: 'dependency', manifest, name: SDK_V1, remove: true });
      for (const [name, range] of Object.entries(BROUGHT_ALONG))
        if (named.has(name) && !declared.has(name)) needs.push({ kind: 'dependency', manifest, name, range });
    }
  }
  if (raiseZod) needs.push({ kind: 'dependency', manifest, name: 'zod', range: ZOD_RANGE });
  if (wanted.size > 0) needs.push({ kind: 'engine', manifest, name: 'node', range: '>=20' });
  return needs;
}
