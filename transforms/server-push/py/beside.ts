import type { TextEdit } from '../../../src/core/index.js';
import { argumentsOf, calledName, statementOf, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';
import { receiverOf } from '../../_mcp/python/nodes.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';

/** What tells the listeners of the modern era, by what tells the sessions of the old ones. Source: `Context` of SDK 2.3. */
const MODERN: Readonly<Record<string, string>> = {
  send_tool_list_changed: 'notify_tools_changed',
  send_prompt_list_changed: 'notify_prompts_changed',
  send_resource_list_changed: 'notify_resources_changed',
  send_resource_updated: 'notify_resource_updated',
};
const CONTEXT = /^mcp\.server\.(?:fastmcp|mcpserver)\.Context$/;

/** Where a notification stands, and how far its modern counterpart is: written beside it, or writable. */
export interface Beside {
  readonly state: 'told' | 'writable';
  readonly edit: TextEdit | undefined;
}

/**
 * The notification of the modern era beside `await ctx.session.send_…()`. Writable only for a statement of its own whose context is
 * typed as one of the SDK; both calls stay, because each era hears one of them.
 */
export function besideOf(call: PyNode, file: PythonFile): Beside | undefined {
  const method = calledName(call, file);
  const modern = method === undefined ? undefined : MODERN[method];
  const session = receiverOf(call);
  const context = session?.kind === 'attribute' && file.textOf(session.get('attribute') ?? session) === 'session' ? session.get('object') : undefined;
  if (modern === undefined || !context) return undefined;
  const statement = statementOf(call);
  const siblings = statement.parent?.children ?? [];
  const at = siblings.indexOf(statement);
  const near = [siblings[at - 1], siblings[at + 1]].some((other) => other !== undefined && file.textOf(other).includes(`.${modern}(`));
  if (near) return { state: 'told', edit: undefined };
  if (statement.kind !== 'expression_statement' || statement.children[0]?.kind !== 'await' || statement.children[0].children[0] !== call) return undefined;
  if (!sdkTypesOf(context, file).some(({ name }) => CONTEXT.test(name))) return undefined;
  const lineStart = file.text.lastIndexOf('\n', statement.start - 1) + 1;
  const indent = file.text.slice(lineStart, statement.start);
  const lineEnd = /[^\r\n]*/.exec(file.text.slice(statement.end))?.[0] ?? '';
  if (indent.trim() !== '' || /^\s*;/.test(lineEnd)) return undefined;
  const args = argumentsOf(call, file).node;
  const end = statement.end + lineEnd.length;
  return {
    state: 'writable',
    edit: { start: end, end, text: `${file.eol}${indent}await ${file.textOf(context)}.${modern}${args ? file.textOf(args) : '()'}` },
  };
}
