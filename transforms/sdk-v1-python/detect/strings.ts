import { argumentsOf, calledName, constantOf, resolvePath, stringValue, type PyNode } from '../../../src/languages/python/index.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import { isSdkPath } from '../../_mcp/python/paths.js';
import { isShaped, targetOf } from '../rewrite/targets.js';
import type { Scene } from './scene.js';

const DOTTED = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
/** Names of the SDK that tests replace in the module that imported them. */
const REPLACED: ReadonlySet<string> = new Set([
  'ClientSession',
  'streamablehttp_client',
  'streamable_http_client',
  'sse_client',
  'stdio_client',
  'websocket_client',
  'stdio_server',
  'FastMCP',
  'McpError',
  'StreamableHTTPSessionManager',
  'SseServerTransport',
  'ClientSessionGroup',
  'create_mcp_http_client',
  'StdioServerParameters',
]);
/** Members of an SDK module or object that are asked for by a string although they moved. */
const MEMBERS: Readonly<Record<string, string>> = {
  McpError: '`MCPError`',
  FastMCP: '`MCPServer` of `mcp.server.mcpserver`',
  streamablehttp_client: '`streamable_http_client`',
  root: 'nothing: the message is no longer wrapped',
  request_ctx: 'the context that the handler is given',
  _mcp_server: '`_lowlevel_server`',
  _tool_manager: '`list_tools`, `add_tool` and `remove_tool` of the server',
  _session_manager: '`session_manager`',
  session: 'nothing that outlives the request: the object is a new one each time',
  request_context: 'the context that the handler is given; on a low-level server it is gone',
};
/** What is asked of an object before its wrapper is taken off. */
const WRAPPED = /(?:^|[._])(?:message|request|req|notification|notif|result|msg|event|resp|response|item|r\d?|m)$/i;

/** Module paths, patched names and members that are named in strings. */
export function detectStrings(scene: Scene): void {
  const { file, say } = scene;
  for (const node of nodesOf(file, 'string')) {
    if (node.parent?.kind === 'concatenated_string' || node.end - node.start > 200) continue;
    const value = stringValue(node, file);
    if (value === undefined || (!DOTTED.test(value) && value !== 'mcp' && value !== 'fastmcp')) continue;
    const patched = isPatched(node, scene);
    if (isAsked(node, scene)) {
      say('guarded-import', node, { name: value, state: 'the code asks whether it is installed' });
      if (targetOf(value) === undefined) continue;
    }
    if (!DOTTED.test(value)) continue;
    if (isSdkPath(value) && (value === 'mcp' || /^mcp\.(?:types|client|server|shared|cli)\b/.test(value))) {
      const target = targetOf(value);
      if (patched) say('patched-name', node, { name: value }, target || isShaped(value) ? {} : { impact: 'tidies' });
      else if (target || isShaped(value))
        say('dynamic-name', node, {
          name: value,
          form: 'a dotted path',
          target: target?.kind === 'moved' ? `\`${target.path}\`` : target?.kind === 'text' ? `\`${target.text}\`` : 'what replaces it',
        });
      continue;
    }
    if (!patched) continue;
    const last = value.slice(value.lastIndexOf('.') + 1);
    if (!REPLACED.has(last) || /(?:^|\.)(?:aiohttp|requests|httpx)\.\w+$/.test(value)) continue;
    const own =
      resolvePath(file.path, value, (path) => scene.around.has(path)) ?? resolvePath(file.path, value.replace(/^src\./, ''), (path) => scene.around.has(path));
    if (own?.name !== undefined) say('patched-name', node, { name: value }, { certainty: 'likely' });
  }
  for (const call of nodesOf(file, 'call')) detectMember(call, scene);
}

/** `find_spec("mcp")`: is the SDK there? */
function isAsked(node: PyNode, { file }: Scene): boolean {
  const call = node.parent?.kind === 'argument_list' ? node.parent.parent : undefined;
  return call?.kind === 'call' && calledName(call, file) === 'find_spec' && /^(?:mcp|fastmcp)\b/.test(stringValue(node, file) ?? '');
}

/** An argument of `patch`, `patch.object`, `monkeypatch.setattr`, `mocker.patch`, `setitem(sys.modules, …)`. */
function isPatched(node: PyNode, { file }: Scene): boolean {
  const call = node.parent?.kind === 'argument_list' ? node.parent.parent : undefined;
  if (call?.kind !== 'call') return false;
  const callee = call.get('function');
  const text = callee ? file.textOf(callee) : '';
  return /(?:^|\.|_)(?:patch|setattr|delattr|setitem|stub|spy)(?:\.\w+)?$/.test(text) && argumentsOf(call, file).positional.indexOf(node) <= 1;
}

function detectMember(call: PyNode, { file, relation, say }: Scene): void {
  const called = calledName(call, file);
  if (called !== 'getattr' && called !== 'hasattr') return;
  const [object, name] = argumentsOf(call, file).positional;
  const value = name && constantOf(name, file);
  if (!object || typeof value !== 'string') return;
  const target = MEMBERS[value];
  if (target !== undefined && (relation.sdk || relation.framework)) {
    if (value === 'root' && !WRAPPED.test(file.textOf(object))) return;
    if ((value === 'request_context' || value === 'session') && !/(?:^|[._])(?:ctx|context|server|app|mcp)$/i.test(file.textOf(object))) return;
    const sure = value !== 'root' && value !== 'request_context' && value !== 'session';
    say(
      'dynamic-name',
      call,
      { name: value, form: `\`${called}\``, target },
      sure ? {} : { certainty: 'likely', ...(value === 'root' ? {} : { impact: 'degrades' }) },
    );
  }
}
