/** Decorators of the low-level server that take a handler. Source: `mcp/server/lowlevel/server.py`, mcp 1.28.1. */
export const LOW_LEVEL_DECORATORS: ReadonlySet<string> = new Set([
  'list_tools',
  'call_tool',
  'list_prompts',
  'get_prompt',
  'list_resources',
  'list_resource_templates',
  'read_resource',
  'set_logging_level',
  'subscribe_resource',
  'unsubscribe_resource',
  'completion',
  'progress_notification',
]);
