const SESSIONS =
  'Sessions no longer derive from `BaseSession`, and handlers receive no requests: use `IncomingMessage` of `mcp.client`, or a middleware of the server.';
const TASKS = 'Experimental tasks are gone: return a handle from one tool and its state from another, or use the tasks extension.';
const ERAS = 'Say which eras are meant: `HANDSHAKE_PROTOCOL_VERSIONS` or `SUPPORTED_PROTOCOL_VERSIONS` of `mcp.types.version`.';
const PROVIDERS = 'Choose the provider of the flow: `ClientCredentialsOAuthProvider`, `PrivateKeyJWTOAuthProvider`, or your own.';
const REQUEST_TYPES = 'The type machinery of requests is gone; name the request classes that are meant.';
const FORMS = 'Use `render_elicitation_schema` of `mcp.server.elicitation`: it checks the fields of a form and gives its schema.';
const INNER = 'This was an inner part of SDK 1.x, and SDK 2.x has none like it: keep a copy of what it did, or do without.';

/** Modules and names without a counterpart, the more exact path first, and what to do instead. Source: the names of both SDKs, 1.30.0 and 2.3.0, listed by import. */
const GONE: readonly (readonly [string, string])[] = [
  ['mcp.shared.progress', '`mcp.shared.progress` is gone: call `ctx.report_progress` with the running total, it takes no steps.'],
  ['mcp.shared.response_router', 'The response router is gone; there is no message to route between sessions.'],
  ['mcp.shared.experimental', TASKS],
  ['mcp.server.experimental', TASKS],
  ['mcp.client.experimental', TASKS],
  ['mcp.server.lowlevel.experimental', TASKS],
  ['mcp.server.lowlevel.func_inspection', 'Handlers take `(ctx, params)` now; nothing inspects them.'],
  ['mcp.client.websocket', 'The WebSocket transport is gone: serve and connect over Streamable HTTP.'],
  ['mcp.server.websocket', 'The WebSocket transport is gone: serve and connect over Streamable HTTP.'],
  [
    'mcp.server.fastmcp.exceptions.ValidationError',
    'This exception has no successor: catch `pydantic.ValidationError`, `ToolError` or `ResourceError`, whichever is meant.',
  ],
  ['mcp.server.session.InitializationState', 'The handshake has no state to ask for; use a middleware of the server.'],
  ['mcp.client.auth.extensions.client_credentials.RFC7523OAuthClientProvider', PROVIDERS],
  ['mcp.client.auth.extensions.client_credentials.JWTParameters', PROVIDERS],
  ['mcp.os.win32.utilities.terminate_windows_process', 'Use `terminate_windows_process_tree`; the single-process form is gone.'],
  ['mcp.client.session.SUPPORTED_PROTOCOL_VERSIONS', ERAS],
  ['mcp.server.session.SUPPORTED_PROTOCOL_VERSIONS', ERAS],
  ['mcp.server.streamable_http.SUPPORTED_PROTOCOL_VERSIONS', ERAS],
  ['mcp.types.MethodT', REQUEST_TYPES],
  ['mcp.types.RequestParamsT', REQUEST_TYPES],
  ['mcp.types.NotificationParamsT', REQUEST_TYPES],
  ['mcp.types.RequestParams.Meta', 'The class is gone: `_meta` is a dictionary, typed `RequestParamsMeta`, with the key `progress_token`.'],
  ['mcp.types.NotificationParams.Meta', 'The class is gone: `_meta` of a notification is a dictionary.'],
  ['mcp.shared.session', SESSIONS],
  ['mcp.client.session.BaseSession', SESSIONS],
  ['mcp.server.session.BaseSession', SESSIONS],
  ['mcp.shared.context.BaseSession', SESSIONS],
  ['mcp.server.session.RequestResponder', SESSIONS],
  ['mcp.server.lowlevel.server.RequestResponder', SESSIONS],
  ['mcp.shared.context.SessionT', 'The context of a request names no session any more: `ServerRequestContext[L, R]` has two parameters.'],
  ['mcp.server.session.ServerSessionT', 'The context of a request names no session any more: `Context[L, R]` has two parameters.'],
  ['mcp.server.fastmcp.server.ServerSessionT', 'The context of a request names no session any more: `Context[L, R]` has two parameters.'],
  ['mcp.client.session.ExperimentalClientFeatures', TASKS],
  ['mcp.client.session.ExperimentalTaskHandlers', TASKS],
  ['mcp.server.session.ExperimentalServerSessionFeatures', TASKS],
  ['mcp.server.session.RELATED_TASK_METADATA_KEY', TASKS],
  ['mcp.server.session.check_tasks_capability', TASKS],
  ['mcp.server.lowlevel.server.Experimental', TASKS],
  ['mcp.server.lowlevel.server.ExperimentalHandlers', TASKS],
  ['mcp.server.lowlevel.server.create_call_wrapper', 'Handlers take `(ctx, params)` now; nothing inspects them.'],
  ['mcp.server.elicitation._validate_elicitation_schema', FORMS],
  ['mcp.server.elicitation._is_primitive_field', FORMS],
  ['mcp.server.elicitation._is_string_sequence', FORMS],
  ['mcp.server.elicitation._ELICITATION_PRIMITIVE_TYPES', FORMS],
  ['mcp.server.fastmcp.server._elicit_url', 'Use `elicit_url` of the context or of `mcp.server.elicitation`.'],
  ['mcp.server.fastmcp.utilities.func_metadata._create_dict_model', INNER],
  ['mcp.server.fastmcp.utilities.func_metadata._create_model_from_typeddict', INNER],
  ['mcp.server.fastmcp.utilities.func_metadata._try_create_model_and_schema', INNER],
  ['mcp.server.auth.handlers.authorize.AnyUrlModel', INNER],
  ['mcp.client.streamable_http._raise_for_unfollowed_redirect', INNER],
];

/** Steps of the low-level server that code reaches into: another one per message in SDK 2.x. */
const STEPS =
  /^mcp\.server\.(?:lowlevel\.)?(?:server\.)?Server\.(?:_handle_message|_handle_request|_handle_notification|_get_cached_tool_definition|_make_error_result)$/;

/** What to do instead of a name of SDK 1.x that has no counterpart. */
export const goneNames = (path: string): string | undefined =>
  GONE.find(([gone]) => path === gone || path.startsWith(`${gone}.`))?.[1] ??
  (STEPS.test(path) ? 'The server handles messages in other steps: add a middleware to it instead of replacing one.' : undefined);
