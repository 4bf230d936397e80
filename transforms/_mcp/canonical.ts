import { isListed, isExported, sdkOf, targetOf, v1Exports, v1Module } from './sdk-table.js';

/** An SDK symbol under the one name that both major lines share. */
export interface CanonicalSymbol {
  /** Major line of the specifier that the code names. */
  readonly sdk: 1 | 2;
  /** The v2 spelling when v2 has the symbol, else the v1 spelling, e.g. `NodeStreamableHTTPServerTransport`, `ProtocolError`, `ErrorCode`. */
  readonly name: string;
}

/**
 * v1 modules of exports that v2 names differently although the name alone would not tell:
 * the type `ResourceTemplate` of `types.js` and the class of the same name in `server/mcp.js`.
 */
function canonicalOfV1(module: string, name: string): string {
  const target = targetOf(module, name, 'server');
  return target.status === 'moved' ? target.name : name;
}

/**
 * Resolves an import provenance to the canonical name of an SDK symbol, for both major lines and every spelling of the specifier
 * (`.js` or not, `dist/esm`, folder entries).
 * @returns `undefined` when the module is no SDK package, or is known not to export the name
 */
export function canonical(origin: { readonly module: string; readonly name: string } | undefined): CanonicalSymbol | undefined {
  if (origin === undefined) return undefined;
  const sdk = sdkOf(origin.module);
  if (sdk === undefined) return undefined;
  if (sdk === 1) return { sdk, name: v1Module(origin.module) === undefined ? origin.name : canonicalOfV1(origin.module, origin.name) };
  if (isListed(origin.module) && !isExported(origin.module, origin.name)) return undefined;
  return { sdk, name: origin.name };
}

const BY_V1_NAME: ReadonlyMap<string, string> = new Map(
  [...v1Exports()].filter(({ name, canonical: other }) => name !== other && name !== 'ResourceTemplate').map(({ name, canonical: other }) => [name, other]),
);

/** Canonical spelling of a bare SDK name, whichever line it comes from: `McpError` and `ProtocolError` both give `ProtocolError`. */
export const canonicalName = (name: string): string => BY_V1_NAME.get(name) ?? name;

/** True when the provenance is one of the SDK symbols; the names may be given in v1 or v2 spelling. */
export function isSdkSymbol(origin: { readonly module: string; readonly name: string } | undefined, ...names: readonly string[]): boolean {
  const symbol = canonical(origin);
  return symbol !== undefined && names.some((name) => canonicalName(name) === symbol.name || name === symbol.name);
}
