import { type TypeScriptFile, moduleRequests } from '../../../src/languages/typescript/index.js';
import { sdkOf } from '../sdk-table.js';

/** How a file comes to speak MCP. */
export interface Dialect {
  /** It names a module of the SDK. */
  readonly sdk: boolean;
  /** It takes names that only the SDK has from another module: a re-export, a vendored copy, the SDK's own sources and tests. */
  readonly borrowed: boolean;
  /** It spells the protocol itself: header names, methods in JSON-RPC messages, revisions with `protocolVersion`. */
  readonly wire: boolean;
  /** Module of a server framework built on MCP that it imports. */
  readonly framework: string | undefined;
  /** It declares a transport class under the SDK's own name: an implementation or a vendored copy, nobody's application code. */
  readonly implementation: boolean;
  /** It reads the syntax of programs and takes nothing from the SDK: a scanner, a codemod, a lint rule. The methods and options that it names are those of the code it reads. */
  readonly scanner: boolean;
}

const cache = new WeakMap<TypeScriptFile, Dialect>();

/** Exported names of the SDK that no other library of this field uses for something else. */
const DISTINCTIVE =
  /^(?:(?:WebStandard|Node|Web)?StreamableHTTP(?:Server|Client)?Transport|SSE(?:Server|Client)Transport|Stdio(?:Server|Client)Transport|InMemoryTransport|InMemoryEventStore|EventStore|McpServer|McpAgent|McpError|ProtocolError|FastMCP|MCPServer|MCPClient|InMemoryTaskStore|createMcpHandler|isInitializeRequest|isJSONRPC\w+|JSONRPC(?:Message|Request|Notification|Response)(?:Schema)?|(?:CallTool|ListTools|ListResources|ReadResource|ListPrompts|GetPrompt|Initialize|Initialized|SetLevel|Subscribe|Unsubscribe|CreateMessage|Elicit|ListRoots|LoggingMessage|Complete)\w*Schema)$/;

/** Packages that wrap the protocol. `@scope/` entries match every package of the scope. */
const FRAMEWORKS =
  /^(?:fastmcp|@?fastmcp\/|mcp-framework|mcp-handler|@vercel\/mcp-adapter|agents\/mcp|xmcp|@rekog\/mcp-nest|mcp-use|mcp-lite|tmcp|@tmcp\/|elysia-mcp|@platformatic\/mcp|fastify-mcp|fastify-mcp-server|@hono\/mcp|mcp-proxy|@prefecthq\/fastmcp|@coremcp\/|(?:@[\w-]+\/)?(?:[\w]+-)*(?:fast)?mcp(?:-[\w]+)*(?:\/|$))/i;

/** Parsers of programming languages, and folders of a project that wrap one. */
const PARSERS =
  /^(?:ts-morph|typescript|(?:web-)?tree-sitter(?:-[\w-]+)?|@babel\/(?:parser|traverse|types)|acorn(?:-[\w-]+)?|recast|jscodeshift|ast-types|@swc\/core|oxc-parser|@typescript-eslint\/[\w-]+|eslint|@ast-grep\/\w+)$|^\.[./\w-]*\/languages\//;

const IMPLEMENTED =
  /\bclass (?:(?:WebStandard|Node)?StreamableHTTPServerTransport|SSEServerTransport|StreamableHTTPClientTransport|SSEClientTransport)\b|\bclass (?:Server|Client)\b[^{]*\bextends Protocol\b|\babstract class Protocol\b|\bclass Experimental\w+Tasks\b|\bexport const InitializeRequestSchema =/;

/** What a file says about itself; kept as long as the file lives. */
export function dialectOf(file: TypeScriptFile): Dialect {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const requests = moduleRequests(file);
  const imports = requests.some(({ specifier }) => sdkOf(specifier) !== undefined);
  const scanner = !imports && requests.some(({ specifier }) => PARSERS.test(specifier));
  const dialect: Dialect = {
    scanner,
    sdk: imports || (!scanner && /['"`]@modelcontextprotocol\//.test(file.text)),
    borrowed: !scanner && requests.some(({ names }) => names.some((name) => DISTINCTIVE.test(name))),
    wire: !scanner && spellsProtocol(file.text),
    framework: scanner ? undefined : requests.find(({ specifier }) => FRAMEWORKS.test(specifier))?.specifier,
    implementation: IMPLEMENTED.test(file.text) || (/(?:^|\/)server\/mcp\.[cm]?[jt]s$/.test(file.path) && /\bclass McpServer\b/.test(file.text)),
  };
  cache.set(file, dialect);
  return dialect;
}

/** Signs of MCP in code without the SDK. JSON-RPC alone is also spoken by editors, debuggers and agents. */
export const spellsProtocol = (text: string): boolean =>
  /mcp-session-id|mcp-protocol-version|['"`]notifications\/initialized['"`]|['"`]\/mcp['"`]/i.test(text) ||
  (/jsonrpc/i.test(text) && /https?:\/\/[^\s'"`]*\/mcp['"`]/.test(text)) ||
  (/jsonrpc|JSONRPC/.test(text) && /['"`](?:tools\/(?:call|list)|resources\/(?:list|read|templates\/list)|prompts\/(?:list|get))['"`]/.test(text)) ||
  (text.includes('protocolVersion') && /['"`](?:2024-11-05|2025-03-26|2025-06-18|2025-11-25)['"`]/.test(text));

/** True for code of an application, a test or a framework that speaks MCP; false for the SDK's own transports. */
export function speaksMcp(file: TypeScriptFile): boolean {
  const dialect = dialectOf(file);
  return !dialect.implementation && (dialect.sdk || dialect.borrowed || dialect.wire || dialect.framework !== undefined);
}
