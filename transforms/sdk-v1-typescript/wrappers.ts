import { type ModuleRequest, type TypeScriptFile, importBindings } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { packageOf } from '../_mcp/sdk-table.js';
import { namedModules } from './requests.js';

/** A package that speaks MCP itself and takes SDK objects from its users. */
interface Wrapper {
  readonly product: string;
  /** First version whose manifest depends on SDK v2; absent while the newest one is on v1. */
  readonly v2From?: string;
  /** Day on which the manifest of its newest version was looked at. */
  readonly checked: string;
}

/** Wrappers by package name. Source: the manifests in the npm registry. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  '@hono/mcp': { product: 'Hono MCP', checked: '2026-11-30' },
  '@rekog/mcp-nest': { product: 'MCP-Nest', v2From: '2.0.0', checked: '2026-11-30' },
  '@vercel/mcp-adapter': { product: 'Vercel MCP adapter', checked: '2026-11-30' },
  agents: { product: 'Cloudflare Agents', v2From: '0.32.0', checked: '2026-11-30' },
  fastmcp: { product: 'FastMCP for TypeScript', checked: '2026-11-30' },
  'mcp-framework': { product: 'MCP Framework', checked: '2026-11-30' },
  'mcp-handler': { product: 'Vercel MCP handler', v2From: '2.0.0', checked: '2026-11-30' },
  xmcp: { product: 'xmcp', v2From: '1.0.0', checked: '2026-11-30' },
};

const OBJECTS: ReadonlySet<string> = new Set([
  'McpServer',
  'Server',
  'Client',
  'NodeStreamableHTTPServerTransport',
  'WebStandardStreamableHTTPServerTransport',
  'SSEServerTransport',
  'StdioServerTransport',
  'StreamableHTTPClientTransport',
]);

/** The wrapper that a file gives SDK v1 objects to: it imports both. */
export function wrapperOf(file: TypeScriptFile): (Wrapper & { readonly request: ModuleRequest }) | undefined {
  const request = namedModules(file).find(({ specifier, typeOnly }) => !typeOnly && Object.hasOwn(WRAPPERS, packageOf(specifier)));
  const wrapper = request && WRAPPERS[packageOf(request.specifier)];
  if (!request || !wrapper) return undefined;
  const gives = importBindings(file).some((binding) => {
    const symbol = canonical({ module: binding.specifier, name: binding.name });
    return symbol?.sdk === 1 && !binding.typeOnly && OBJECTS.has(symbol.name);
  });
  return gives ? { ...wrapper, request } : undefined;
}

/** `major.minor.patch` as numbers. */
const parts = (version: string): readonly number[] => ((/\d+(?:\.\d+){0,2}/.exec(version) ?? [])[0] ?? '').split('.').map(Number);

/** True when a declared range starts at a version of the wrapper that is on SDK v2. */
export function wrapperOnV2(wrapper: Wrapper, range: string | undefined): boolean {
  if (wrapper.v2From === undefined || range === undefined) return false;
  const from = parts(wrapper.v2From);
  const declared = parts(range);
  for (let index = 0; index < 3; index++) {
    const difference = (declared[index] ?? 0) - (from[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return declared.length > 0;
}
