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
};

/** Module paths, patched names and members that are named in strings. */
export function detectStrings(scene: Scene): void {
  const { file, say } = scene;
  for (const node of nodesOf(file, 'string')) {
    if (node.parent?.kind === 'concatenated_string' || node.end - node.start > 200) continue;
    const value = stringValue(node, file);
    if (value === undefined || !DOTTED.test(value)) continue;
    const patched = isPatched(node, scene);
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
    if (value === 'root' && !/message|request|notification|result|msg|event|resp|^r\d?$|value|m$/i.test(file.textOf(object))) return;
    say('dynamic-name', call, { name: value, form: `\`${called}\``, target }, { certainty: value === 'root' ? 'likely' : 'certain' });
  }
}
