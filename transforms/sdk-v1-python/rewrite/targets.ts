import { goneNames } from './gone.js';

/** Where a name of SDK 1.x is in SDK 2.x. */
export type Target =
  /** The same thing, from this dotted path on. */
  | { readonly kind: 'moved'; readonly path: string }
  /** No import of the SDK at all: an expression that means the same. `{}` in it stands for the names of `from`, in their order. */
  | { readonly kind: 'text'; readonly text: string; readonly from?: readonly (readonly [module: string, name: string])[] }
  /** It has no counterpart, or not one that fits everywhere. */
  | { readonly kind: 'gone'; readonly next: string };

/** Modules that have another name; everything below them follows. */
const MODULES: readonly (readonly [string, string])[] = [
  ['mcp.server.fastmcp', 'mcp.server.mcpserver'],
  ['mcp.shared.version', 'mcp.types.version'],
];

const PUBLIC = 'mcp.server.mcpserver';

/** Renamed names, and names that SDK 1.x offered by accident in a module that did not define them. Source: both SDKs, 1.28.1 and 2.3.0. */
const NAMES: Readonly<Record<string, string>> = {
  'mcp.McpError': 'mcp.MCPError',
  'mcp.shared.exceptions.McpError': 'mcp.shared.exceptions.MCPError',
  'mcp.client.session_group.McpError': 'mcp.shared.exceptions.MCPError',
  'mcp.server.lowlevel.server.McpError': 'mcp.shared.exceptions.MCPError',
  'mcp.server.validation.McpError': 'mcp.shared.exceptions.MCPError',
  'mcp.server.FastMCP': `${PUBLIC}.MCPServer`,
  'mcp.server.fastmcp.FastMCP': `${PUBLIC}.MCPServer`,
  'mcp.server.fastmcp.server.FastMCP': `${PUBLIC}.MCPServer`,
  'mcp.cli.cli.FastMCP': `${PUBLIC}.MCPServer`,
  'mcp.shared.memory.FastMCP': `${PUBLIC}.MCPServer`,
  'mcp.server.fastmcp.server.Context': `${PUBLIC}.Context`,
  'mcp.server.fastmcp.exceptions.FastMCPError': `${PUBLIC}.exceptions.MCPServerError`,
  'mcp.server.fastmcp.server.StreamableHTTPASGIApp': 'mcp.server.streamable_http_manager.StreamableHTTPASGIApp',
  'mcp.server.fastmcp.server.ServerSession': 'mcp.server.session.ServerSession',
  'mcp.server.fastmcp.server.elicit_with_validation': 'mcp.server.elicitation.elicit_with_validation',
  'mcp.server.fastmcp.server.ElicitSchemaModelT': 'mcp.server.elicitation.ElicitSchemaModelT',
  'mcp.server.fastmcp.server.LifespanContextT': 'mcp.server.context.LifespanContextT',
  'mcp.server.fastmcp.server.RequestT': 'mcp.server.context.RequestT',
  'mcp.server.fastmcp.tools.base._is_async_callable': 'mcp.shared._callable_inspection.is_async_callable',
  'mcp.server.fastmcp.tools.tool_manager.LifespanContextT': 'mcp.server.context.LifespanContextT',
  'mcp.server.fastmcp.tools.tool_manager.RequestT': 'mcp.server.context.RequestT',
  'mcp.server.fastmcp.tools.base.UrlElicitationRequiredError': 'mcp.shared.exceptions.UrlElicitationRequiredError',
  'mcp.server.lowlevel.server.ReadResourceContents': 'mcp.server.lowlevel.helper_types.ReadResourceContents',
  'mcp.server.lowlevel.server.RequestT': 'mcp.server.context.RequestT',
  'mcp.server.lowlevel.server.ServerMessageMetadata': 'mcp.shared.message.ServerMessageMetadata',
  'mcp.server.lowlevel.server.ServerSession': 'mcp.server.session.ServerSession',
  'mcp.server.lowlevel.server.UrlElicitationRequiredError': 'mcp.shared.exceptions.UrlElicitationRequiredError',
  'mcp.server.lowlevel.server.validate_and_warn_tool_name': 'mcp.shared.tool_name_validation.validate_and_warn_tool_name',
  'mcp.server.session.InitializationOptions': 'mcp.server.models.InitializationOptions',
  'mcp.server.session.SessionMessage': 'mcp.shared.message.SessionMessage',
  'mcp.server.streamable_http_manager.MCPServer': 'mcp.server.lowlevel.Server',
  'mcp.server.validation.ErrorData': 'mcp.types.ErrorData',
  'mcp.client.auth.extensions.client_credentials.OAuthTokenError': 'mcp.client.auth.exceptions.OAuthTokenError',
  'mcp.client.auth.oauth2.MCP_PROTOCOL_VERSION': 'mcp.shared.inbound.MCP_PROTOCOL_VERSION_HEADER',
  'mcp.client.auth.utils.MCP_PROTOCOL_VERSION': 'mcp.shared.inbound.MCP_PROTOCOL_VERSION_HEADER',
  'mcp.client.streamable_http.MCP_PROTOCOL_VERSION': 'mcp.shared.inbound.MCP_PROTOCOL_VERSION_HEADER',
  'mcp.client.streamable_http.InitializeResult': 'mcp.types.InitializeResult',
  'mcp.client.streamable_http.McpHttpClientFactory': 'mcp.shared._httpx_utils.McpHttpClientFactory',
  'mcp.client.streamable_http.streamablehttp_client': 'mcp.client.streamable_http.streamable_http_client',
  'mcp.client.stdio.FallbackProcess': 'mcp.os.win32.utilities.FallbackProcess',
  'mcp.shared.context.LifespanContextT': 'mcp.server.context.LifespanContextT',
  'mcp.shared.context.RequestParams': 'mcp.types.RequestParams',
  'mcp.shared.context.RequestT': 'mcp.server.context.RequestT',
  'mcp.shared.memory.ClientSession': 'mcp.client.session.ClientSession',
  'mcp.shared.memory.ElicitationFnT': 'mcp.client.session.ElicitationFnT',
  'mcp.shared.memory.ListRootsFnT': 'mcp.client.session.ListRootsFnT',
  'mcp.shared.memory.LoggingFnT': 'mcp.client.session.LoggingFnT',
  'mcp.shared.memory.MessageHandlerFnT': 'mcp.client.session.MessageHandlerFnT',
  'mcp.shared.memory.SamplingFnT': 'mcp.client.session.SamplingFnT',
  'mcp.shared.memory.Server': 'mcp.server.lowlevel.Server',
  'mcp.shared.session.ProgressFnT': 'mcp.shared.dispatcher.ProgressFnT',
  'mcp.shared.session.RequestId': 'mcp.types.RequestId',
  'mcp.types.Content': 'mcp.types.ContentBlock',
  'mcp.types.ResourceReference': 'mcp.types.ResourceTemplateReference',
  'mcp.types.AnyUrl': 'pydantic.AnyUrl',
  'mcp.types.FileUrl': 'pydantic.FileUrl',
  'mcp.types.UrlConstraints': 'pydantic.UrlConstraints',
  'mcp.types.BaseModel': 'pydantic.BaseModel',
  'mcp.types.ConfigDict': 'pydantic.ConfigDict',
  'mcp.types.Field': 'pydantic.Field',
  'mcp.types.RootModel': 'pydantic.RootModel',
  'mcp.types.Annotated': 'typing.Annotated',
  'mcp.types.Any': 'typing.Any',
  'mcp.types.Callable': 'collections.abc.Callable',
  'mcp.types.Final': 'typing.Final',
  'mcp.types.Generic': 'typing.Generic',
  'mcp.types.Literal': 'typing.Literal',
  'mcp.types.TypeAlias': 'typing.TypeAlias',
  'mcp.types.TypeVar': 'typing.TypeVar',
  'mcp.types.ClientNotificationType': 'mcp.types.ClientNotification',
  'mcp.types.ClientRequestType': 'mcp.types.ClientRequest',
  'mcp.types.ClientResultType': 'mcp.types.ClientResult',
  'mcp.types.ServerNotificationType': 'mcp.types.ServerNotification',
  'mcp.types.ServerRequestType': 'mcp.types.ServerRequest',
  'mcp.types.ServerResultType': 'mcp.types.ServerResult',
};

/** Aliases of types that SDK 2.x spells out. */
const ALIASES: Readonly<Record<string, Target>> = {
  'mcp.types.AnyFunction': {
    kind: 'text',
    text: '{}[..., {}]',
    from: [
      ['collections.abc', 'Callable'],
      ['typing', 'Any'],
    ],
  },
  'mcp.client.streamable_http.GetSessionIdCallback': { kind: 'text', text: '{}[[], str | None]', from: [['collections.abc', 'Callable']] },
  'mcp.types.TaskExecutionMode': { kind: 'text', text: '{}["forbidden", "optional", "required"]', from: [['typing', 'Literal']] },
};

const TEXTS: Readonly<Record<string, string>> = {
  'mcp.types.Cursor': 'str',
  'mcp.types.TASK_FORBIDDEN': '"forbidden"',
  'mcp.types.TASK_OPTIONAL': '"optional"',
  'mcp.types.TASK_REQUIRED': '"required"',
  'mcp.types.TASK_STATUS_WORKING': '"working"',
  'mcp.types.TASK_STATUS_INPUT_REQUIRED': '"input_required"',
  'mcp.types.TASK_STATUS_COMPLETED': '"completed"',
  'mcp.types.TASK_STATUS_FAILED': '"failed"',
  'mcp.types.TASK_STATUS_CANCELLED': '"cancelled"',
  'mcp.client.streamable_http.CONTENT_TYPE': '"content-type"',
  'mcp.client.streamable_http.ACCEPT': '"accept"',
  'mcp.client.streamable_http.JSON': '"application/json"',
  'mcp.client.streamable_http.SSE': '"text/event-stream"',
};

/** Names that other parts of the rewriter give a form of its own: they are no plain renames. */
const SHAPED: ReadonlySet<string> = new Set([
  'mcp.shared.memory.create_connected_server_and_client_session',
  'mcp.shared.context.RequestContext',
  'mcp.client.session.RequestContext',
  'mcp.server.lowlevel.server.RequestContext',
  'mcp.server.fastmcp.server.RequestContext',
  'mcp.server.lowlevel.server.request_ctx',
  'mcp.shared.session.RequestResponder',
]);

/** `create_connected_server_and_client_session`, `RequestContext` and their like: known, and handled where they are used. */
export const isShaped = (path: string): boolean => SHAPED.has(path);

const below = (path: string, module: string): boolean => path === module || path.startsWith(`${module}.`);

/** Where a dotted path of SDK 1.x is in SDK 2.x; `undefined` when it is where it was, or when it is no path of the SDK. */
export function targetOf(path: string): Target | undefined {
  if (!below(path, 'mcp') || SHAPED.has(path)) return undefined;
  // A member of a class follows its class: `mcp.server.fastmcp.FastMCP.run`.
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = NAMES[path.slice(0, end)];
    if (name !== undefined) return { kind: 'moved', path: name + path.slice(end) };
  }
  const alias = ALIASES[path];
  if (alias) return alias;
  const text = TEXTS[path];
  if (text !== undefined) return { kind: 'text', text };
  const gone = goneNames(path);
  if (gone !== undefined) return { kind: 'gone', next: gone };
  for (const [from, to] of MODULES) if (below(path, from)) return { kind: 'moved', path: to + path.slice(from.length) };
  return undefined;
}

/** A module of SDK 2.x that SDK 1.x does not have: an import of it beside one of SDK 1.x is the other arm of code for both. */
export const isSecondLine = (path: string): boolean =>
  below(path, 'mcp.server.mcpserver') ||
  below(path, 'mcp_types') ||
  /^mcp(?:\.shared\.exceptions)?\.MCPError$/.test(path) ||
  path === 'mcp.client.Client' ||
  path === 'mcp.Client';

/** Modules of SDK 1.x whose strings are worth a look: `importlib.import_module("mcp.…")`, `mock.patch("mcp.…")`. */
export const isSdkPath = (path: string): boolean => below(path, 'mcp');
