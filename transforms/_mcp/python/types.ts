import { typesOf, type PyNode, type PyType, type PythonFile, type TypeFacts } from '../../../src/languages/python/index.js';
import { canonicalPath, isClassPath } from './paths.js';

const T = 'mcp.types.';

/** Members of SDK classes: fields, and what calling a method gives. Names of `mcp.types` are written without the module. */
const MEMBERS: Readonly<Record<string, string>> = {
  'ListToolsResult.tools': 'list[Tool]',
  'ListPromptsResult.prompts': 'list[Prompt]',
  'ListResourcesResult.resources': 'list[Resource]',
  'ListResourceTemplatesResult.resourceTemplates': 'list[ResourceTemplate]',
  'ListResourceTemplatesResult.resource_templates': 'list[ResourceTemplate]',
  'ListRootsResult.roots': 'list[Root]',
  'ReadResourceResult.contents': 'list[ResourceContents]',
  'CallToolResult.content': 'list[ContentBlock]',
  'GetPromptResult.messages': 'list[PromptMessage]',
  'PromptMessage.content': 'ContentBlock',
  'CreateMessageResult.content': 'ContentBlock',
  'CreateMessageRequestParams.messages': 'list[SamplingMessage]',
  'CreateMessageRequestParams.modelPreferences': 'ModelPreferences',
  'CreateMessageRequestParams.tools': 'list[Tool]',
  'SamplingMessage.content': 'ContentBlock',
  'EmbeddedResource.resource': 'ResourceContents',
  'ContentBlock.resource': 'ResourceContents',
  'Prompt.arguments': 'list[PromptArgument]',
  'Tool.annotations': 'ToolAnnotations',
  'Tool.execution': 'ToolExecution',
  'Tool.icons': 'list[Icon]',
  'InitializeResult.serverInfo': 'Implementation',
  'InitializeResult.server_info': 'Implementation',
  'InitializeResult.capabilities': 'ServerCapabilities',
  'InitializeRequestParams.clientInfo': 'Implementation',
  'InitializeRequestParams.client_info': 'Implementation',
  'InitializeRequestParams.capabilities': 'ClientCapabilities',
  'ServerCapabilities.tools': 'ToolsCapability',
  'ServerCapabilities.resources': 'ResourcesCapability',
  'ServerCapabilities.prompts': 'PromptsCapability',
  'ClientCapabilities.roots': 'RootsCapability',
  'CallToolRequest.params': 'CallToolRequestParams',
  'ReadResourceRequest.params': 'ReadResourceRequestParams',
  'GetPromptRequest.params': 'GetPromptRequestParams',
  'InitializeRequest.params': 'InitializeRequestParams',
  'CreateMessageRequest.params': 'CreateMessageRequestParams',
  'ElicitRequest.params': 'ElicitRequestParams',
  'ProgressNotification.params': 'ProgressNotificationParams',
  'CallToolRequestParams.meta': 'RequestParamsMeta',
  'RequestParams.meta': 'RequestParamsMeta',
  'mcp.shared.context.RequestContext.meta': 'RequestParamsMeta',
  'mcp.shared.context.RequestContext.session': 'mcp.server.session.ServerSession',
  'mcp.server.session.ServerSession.client_params': 'InitializeRequestParams',
  'mcp.server.fastmcp.Context.session': 'mcp.server.session.ServerSession',
  'mcp.server.fastmcp.Context.request_context': 'mcp.shared.context.RequestContext',
  'mcp.server.fastmcp.Context.fastmcp': 'mcp.server.fastmcp.FastMCP',
  'mcp.server.mcpserver.Context.session': 'mcp.server.session.ServerSession',
  'mcp.server.mcpserver.Context.request_context': 'mcp.shared.context.RequestContext',
  'fastmcp.Context.session': 'mcp.server.session.ServerSession',
  'fastmcp.Context.request_context': 'mcp.shared.context.RequestContext',
  'fastmcp.Context.fastmcp': 'fastmcp.FastMCP',
  'mcp.server.fastmcp.FastMCP.settings': 'mcp.server.fastmcp.Settings',
  'mcp.server.fastmcp.FastMCP._mcp_server': 'mcp.server.Server',
  'mcp.server.mcpserver.MCPServer._lowlevel_server': 'mcp.server.Server',
  'mcp.server.fastmcp.FastMCP.session_manager': 'mcp.server.streamable_http_manager.StreamableHTTPSessionManager',
  'mcp.server.mcpserver.MCPServer.session_manager': 'mcp.server.streamable_http_manager.StreamableHTTPSessionManager',
  'mcp.server.Server.request_context': 'mcp.shared.context.RequestContext',
  'mcp.shared.exceptions.McpError.error': 'ErrorData',
  'mcp.shared.exceptions.MCPError.error': 'ErrorData',
  'fastmcp.Client.session': 'mcp.ClientSession',
  'fastmcp.Client.initialize_result': 'InitializeResult',
  'mcp.client.session_group.ClientSessionGroup.tools': 'dict[str, Tool]',
  'mcp.client.session_group.ClientSessionGroup.resources': 'dict[str, Resource]',
  'mcp.client.session_group.ClientSessionGroup.prompts': 'dict[str, Prompt]',
};

const SESSION: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  list_tools: 'ListToolsResult',
  call_tool: 'CallToolResult',
  list_resources: 'ListResourcesResult',
  list_resource_templates: 'ListResourceTemplatesResult',
  read_resource: 'ReadResourceResult',
  list_prompts: 'ListPromptsResult',
  get_prompt: 'GetPromptResult',
  get_server_capabilities: 'ServerCapabilities',
};

const RETURNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['mcp.ClientSession', 'mcp.client.Client', 'mcp.client.session_group.ClientSessionGroup'].flatMap((owner) =>
      Object.entries(SESSION).map(([name, type]) => [`${owner}.${name}`, type]),
    ),
  ),
  'mcp.server.session.ServerSession.create_message': 'CreateMessageResult',
  'mcp.server.session.ServerSession.list_roots': 'ListRootsResult',
  'mcp.server.session.ServerSession.elicit': 'ElicitResult',
  'mcp.client.session_group.ClientSessionGroup.connect_to_server': 'mcp.ClientSession',
  'mcp.server.fastmcp.FastMCP.list_tools': 'list[Tool]',
  'mcp.server.fastmcp.FastMCP.list_resources': 'list[Resource]',
  'mcp.server.fastmcp.FastMCP.list_prompts': 'list[Prompt]',
  'mcp.server.fastmcp.FastMCP.get_context': 'mcp.server.fastmcp.Context',
  'mcp.server.mcpserver.MCPServer.list_tools': 'list[Tool]',
  'fastmcp.Client.list_tools': 'list[Tool]',
  'fastmcp.Client.list_resources': 'list[Resource]',
  'fastmcp.Client.list_resource_templates': 'list[ResourceTemplate]',
  'fastmcp.Client.list_prompts': 'list[Prompt]',
  'fastmcp.Client.read_resource': 'list[ResourceContents]',
  'fastmcp.Client.get_prompt': 'GetPromptResult',
  'fastmcp.Client.list_tools_mcp': 'ListToolsResult',
  'fastmcp.Client.call_tool_mcp': 'CallToolResult',
  'fastmcp.Client.list_resources_mcp': 'ListResourcesResult',
  'fastmcp.Client.read_resource_mcp': 'ReadResourceResult',
  'fastmcp.Client.list_prompts_mcp': 'ListPromptsResult',
  'fastmcp.Client.get_prompt_mcp': 'GetPromptResult',
  'mcp.shared.memory.create_connected_server_and_client_session': 'enter[mcp.ClientSession]',
  'mcp.client.stdio.stdio_client': 'enter[tuple[mcp.Read, mcp.Write]]',
  'mcp.client.sse.sse_client': 'enter[tuple[mcp.Read, mcp.Write]]',
  'mcp.client.streamable_http.streamablehttp_client': 'enter[tuple[mcp.Read, mcp.Write, mcp.GetSessionId]]',
  'mcp.client.streamable_http.streamable_http_client': 'enter[tuple[mcp.Read, mcp.Write, mcp.GetSessionId]]',
  'mcp.server.stdio.stdio_server': 'enter[tuple[mcp.Read, mcp.Write]]',
  'mcp.server.lowlevel.server.request_ctx.get': 'mcp.shared.context.RequestContext',
};

const spelled = (text: string): string => text.replace(/(?<![\w.])([A-Z]\w*)/g, `${T}$1`);
const owned = (name: string): string => (/^[A-Z]/.test(name) ? T + name : name);
const members = new Map(Object.entries(MEMBERS).map(([name, type]) => [owned(name), spelled(type)]));
const results = new Map(Object.entries(RETURNS).map(([name, type]) => [owned(name), spelled(type)]));

/** Methods of models that give an object of the same class. */
function copied(path: string): string | undefined {
  const owner = /^(.*)\.(?:model_copy|copy|model_validate|model_validate_json|model_construct|parse_obj)$/.exec(path)?.[1];
  return owner !== undefined && isClassPath(owner) ? owner : undefined;
}

/** What the SDK's classes and functions give, for local flow. Source: signatures of SDK 1.28.1 and 2.3.0, and of `fastmcp` 3. */
export const sdkTypes: TypeFacts = {
  canonical: canonicalPath,
  returns: (path) => results.get(path) ?? (isClassPath(path) ? path : copied(path)),
  member: (owner, name) => members.get(`${owner}.${name}`),
};

/** Types of an expression, with the SDK's own types known. */
export const sdkTypesOf = (node: PyNode, file: PythonFile): readonly PyType[] => typesOf(node, file, sdkTypes);

/** True when one of the types of an expression is one of these canonical classes. */
export const isInstance = (node: PyNode, file: PythonFile, ...classes: readonly string[]): boolean =>
  sdkTypesOf(node, file).some(({ name }) => classes.includes(name));
