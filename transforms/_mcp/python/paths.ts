import { importedNames, originsOf, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';

/** Names that `mcp` itself re-exports from other modules than `mcp.types`. */
const TOP: Readonly<Record<string, string>> = {
  'mcp.stdio_client': 'mcp.client.stdio.stdio_client',
  'mcp.StdioServerParameters': 'mcp.client.stdio.StdioServerParameters',
  'mcp.McpError': 'mcp.shared.exceptions.McpError',
  'mcp.MCPError': 'mcp.shared.exceptions.MCPError',
  'mcp.UrlElicitationRequiredError': 'mcp.shared.exceptions.UrlElicitationRequiredError',
  'mcp.ClientSessionGroup': 'mcp.client.session_group.ClientSessionGroup',
  'mcp.ServerSession': 'mcp.server.session.ServerSession',
  'mcp.Client': 'mcp.client.Client',
};

/** Classes that several modules offer, by the last name, with the home that stands for them here. */
const HOMES: readonly (readonly [RegExp, string])[] = [
  [/^mcp\.(?:server\.)?(?:fastmcp\.)?(?:server\.)?FastMCP$|^mcp\.(?:shared\.memory|cli\.cli|server\.fastmcp\.server)\.FastMCP$/, 'mcp.server.fastmcp.FastMCP'],
  [/^mcp\.server\.fastmcp\.(?:\w+\.)*Context$/, 'mcp.server.fastmcp.Context'],
  [/^mcp\.server\.mcpserver\.(?:\w+\.)*MCPServer$|^mcp\.server\.MCPServer$|^mcp\.MCPServer$/, 'mcp.server.mcpserver.MCPServer'],
  [/^mcp\.server\.mcpserver\.(?:\w+\.)*Context$/, 'mcp.server.mcpserver.Context'],
  [/^mcp\.server\.(?:lowlevel\.)?(?:server\.)?Server$|^mcp\.shared\.memory\.Server$|^mcp\.server\.streamable_http_manager\.MCPServer$/, 'mcp.server.Server'],
  [/^mcp\.(?:client\.session\.|shared\.memory\.|client\.)?ClientSession$/, 'mcp.ClientSession'],
  [/^mcp\.(?:\w+\.)*ServerSession$/, 'mcp.server.session.ServerSession'],
  [/^mcp\.(?:\w+\.)*RequestContext$/, 'mcp.shared.context.RequestContext'],
  [/^mcp\.(?:\w+\.)*McpError$/, 'mcp.shared.exceptions.McpError'],
  [/^mcp\.client\.client\.Client$/, 'mcp.client.Client'],
  [/^fastmcp\.(?:\w+\.)*FastMCP$/, 'fastmcp.FastMCP'],
  [/^fastmcp\.(?:\w+\.)*Context$/, 'fastmcp.Context'],
  [/^fastmcp\.(?:\w+\.)*Client$/, 'fastmcp.Client'],
];

/** One spelling for a dotted path of the SDK; other paths come back as they are. */
export function canonicalPath(path: string): string {
  if (!/^(?:mcp|fastmcp|mcp_types)\./.test(path)) return path;
  const known = TOP[path] ?? HOMES.find(([pattern]) => pattern.test(path))?.[1];
  if (known !== undefined) return known;
  // `mcp.Tool`, `mcp_types.Tool`: what `mcp.types` defines.
  if (/^mcp\.[A-Z]\w*$/.test(path) || path.startsWith('mcp_types.')) return `mcp.types.${path.slice(path.indexOf('.') + 1)}`;
  return path;
}

/** A path of the SDK that ends in a class name. */
export const isClassPath = (path: string): boolean => /^(?:mcp|fastmcp)\.(?:\w+\.)*_?[A-Z]\w*$/.test(path);

/** True for `mcp` and everything below it. */
export const isSdkPath = (path: string): boolean => path === 'mcp' || path.startsWith('mcp.');

/** True for the standalone framework, which has classes of the same names. */
export const isFrameworkPath = (path: string): boolean => path === 'fastmcp' || path.startsWith('fastmcp.');

/** Canonical SDK paths that an expression may come from. */
export const sdkPaths = (node: PyNode, file: PythonFile): readonly string[] =>
  originsOf(node, file).flatMap(({ path }) => (isSdkPath(path) || path.startsWith('mcp_types.') ? [canonicalPath(path)] : []));

/** True when an expression is one of these canonical names. */
export const isSdkName = (node: PyNode | undefined, file: PythonFile, ...names: readonly string[]): boolean =>
  node !== undefined && sdkPaths(node, file).some((path) => names.includes(path));

/** How a file is related to the SDK. */
export interface Relation {
  /** It imports `mcp` or something below it. */
  readonly sdk: boolean;
  /** It imports the standalone `fastmcp`. */
  readonly framework: boolean;
  /** It imports another protocol with messages or fields of the same names. */
  readonly other: boolean;
}

const relations = new WeakMap<PythonFile, Relation>();
/** Products whose objects have attributes of these names; what answers with dictionaries is not among them. */
const OTHER = /^(?:acp|a2a|agent_client_protocol|lsprotocol|pygls)(?:\.|$)/;

/** What the imports of a file say; module names in strings that are loaded count. */
export function relationOf(file: PythonFile): Relation {
  let known = relations.get(file);
  if (!known) {
    const modules = importedNames(file).map(({ module }) => module);
    known = {
      sdk: modules.some(isSdkPath) || /['"]mcp\.(?:types|client|server|shared)\b[\w.]*['"]/.test(file.text),
      framework: modules.some(isFrameworkPath),
      other: modules.some((module) => OTHER.test(module)),
    };
    relations.set(file, known);
  }
  return known;
}
