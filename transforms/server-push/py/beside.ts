import type { TextEdit } from '../../../src/core/index.js';
import { argumentsOf, calledName, statementOf, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';
import { receiverOf } from '../../_mcp/python/nodes.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import { sessionOwner, type UsedName } from './asks.js';
import { publicationOf } from './bus.js';

/** What tells the listeners of the modern era, by what tells the sessions of the old ones. Source: `Context` of SDK 2.3. */
const MODERN: Readonly<Record<string, { readonly method: string; readonly event: string }>> = {
  send_tool_list_changed: { method: 'notify_tools_changed', event: 'ToolsListChanged' },
  send_prompt_list_changed: { method: 'notify_prompts_changed', event: 'PromptsListChanged' },
  send_resource_list_changed: { method: 'notify_resources_changed', event: 'ResourcesListChanged' },
  send_resource_updated: { method: 'notify_resource_updated', event: 'ResourceUpdated' },
};
const CONTEXT = /^mcp\.server\.(?:fastmcp|mcpserver)\.Context$/;

/** Where a notification stands, and how far its modern counterpart is: written beside it, or writable. */
export interface Beside {
  readonly state: 'told' | 'writable';
  readonly edits: readonly TextEdit[];
  /** Names that the edits use. */
  readonly names: readonly UsedName[];
}

/**
 * The notification of the modern era beside `await ….send_…()`, for a statement of its own: through the context of the request where it is typed
 * as one of the SDK, else on the bus of the server. Both calls stay, because each era hears one of them.
 */
export function besideOf(call: PyNode, file: PythonFile): Beside | undefined {
  const method = calledName(call, file);
  const modern = method === undefined ? undefined : MODERN[method];
  if (modern === undefined) return undefined;
  const statement = statementOf(call);
  const siblings = statement.parent?.children ?? [];
  const at = siblings.indexOf(statement);
  const tells = new RegExp(String.raw`\.(?:${modern.method}|publish\(\s*(?:\w+\.)*${modern.event})\(`);
  if ([siblings[at - 1], siblings[at + 1]].some((other) => other !== undefined && tells.test(file.textOf(other))))
    return { state: 'told', edits: [], names: [] };
  if (statement.kind !== 'expression_statement' || statement.children[0]?.kind !== 'await' || statement.children[0].children[0] !== call) return undefined;
  const lineStart = file.text.lastIndexOf('\n', statement.start - 1) + 1;
  const indent = file.text.slice(lineStart, statement.start);
  const lineEnd = /[^\r\n]*/.exec(file.text.slice(statement.end))?.[0] ?? '';
  if (indent.trim() !== '' || /^\s*;/.test(lineEnd)) return undefined;
  const end = statement.end + lineEnd.length;
  const line = (text: string): TextEdit => ({ start: end, end, text: `${file.eol}${indent}${text}` });

  const context = sessionOwner(receiverOf(call), file);
  if (context && sdkTypesOf(context, file).some(({ name }) => CONTEXT.test(name))) {
    const args = argumentsOf(call, file).node;
    return { state: 'writable', edits: [line(`await ${file.textOf(context)}.${modern.method}${args ? file.textOf(args) : '()'}`)], names: [] };
  }
  const published = publicationOf(call, modern.event, file);
  return published && { state: 'writable', edits: [...published.edits, line(published.statement)], names: published.names };
}
