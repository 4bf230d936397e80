import { argumentsOf, calledName, type PyNode } from '../../../src/languages/python/index.js';
import { nodesOf, receiverOf } from '../../_mcp/python/nodes.js';
import { isSdkName, sdkPaths } from '../../_mcp/python/paths.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import type { Scene } from './scene.js';

const CONTEXT = 'mcp.server.fastmcp.Context';
const GENERIC: ReadonlySet<string> = new Set([CONTEXT, 'mcp.shared.context.RequestContext', 'mcp.server.Server']);
const MEMBERS: Readonly<Record<string, string>> = {
  fastmcp: 'Write `ctx.mcp_server`.',
  client_id: 'Take the identity from the access token (`get_access_token()`), or the value from `_meta`; it never was the OAuth client.',
};
const LOGS: ReadonlySet<string> = new Set(['debug', 'info', 'warning', 'error', 'log']);

/** Request contexts: their type parameters, renamed members, and the ones that were reachable from anywhere. */
export function detectContexts(scene: Scene): void {
  const { file, say } = scene;
  for (const kind of ['subscript', 'generic_type']) for (const node of nodesOf(file, kind)) detectGeneric(node, scene);
  for (const node of nodesOf(file, 'attribute')) {
    const name = node.get('attribute');
    const object = node.get('object');
    if (!name || !object) continue;
    const text = file.textOf(name);
    const advice = MEMBERS[text];
    if (advice !== undefined) {
      if (sdkTypesOf(object, file).some((type) => type.name === CONTEXT)) say('context-member', node, { name: text, advice });
    } else if (text === 'request_context') ambient(node, object, scene);
  }
  for (const call of nodesOf(file, 'call')) {
    const method = calledName(call, file);
    const receiver = receiverOf(call);
    if (!receiver || method === undefined) continue;
    if (LOGS.has(method) && argumentsOf(call, file).keyword('message') && sdkTypesOf(receiver, file).some((type) => type.name === CONTEXT))
      say('context-member', call, { name: `${method}(message=…)`, advice: 'Write `data=`, or pass the text by position, which both majors take.' });
    else if ((method === 'get' || method === 'set' || method === 'reset') && isSdkName(receiver, file, 'mcp.server.lowlevel.server.request_ctx'))
      say('ambient-context', call, { call: `request_ctx.${method}()` });
  }
}

/** `server.request_context` of a low-level server; `ctx.request_context` of a high-level context stays. */
function ambient(node: PyNode, object: PyNode, { file, relation, say }: Scene): void {
  const types = sdkTypesOf(object, file).map(({ name }) => name);
  const text = file.textOf(object);
  if (types.includes('mcp.server.Server') || /(?:_mcp_server|_lowlevel_server)$/.test(text)) return say('ambient-context', node, { call: file.textOf(node) });
  if (types.length === 0 && relation.sdk && /(?:^|[._])(?:server|app|mcp_server)$/.test(text))
    say('ambient-context', node, { call: file.textOf(node) }, { certainty: 'likely' });
}

function detectGeneric(node: PyNode, { file, say }: Scene): void {
  const head = node.kind === 'subscript' ? node.get('value') : node.children[0];
  if (!head) return;
  const path = sdkPaths(head, file).find((each) => GENERIC.has(each));
  if (path === undefined) return;
  const args = node.kind === 'subscript' ? node.all('subscript') : (node.first('type_parameter')?.children ?? []);
  const first = args[0];
  const rest = args
    .slice(1)
    .map((each) => file.textOf(each))
    .join(', ');
  const isType = (name: string): boolean => first !== undefined && isSdkName(first.kind === 'type' ? first.children[0] : first, file, name);
  if (path === 'mcp.server.Server') {
    if (args.length > 1) say('context-type', node, { name: file.textOf(node), target: `\`Server[${args[0] ? file.textOf(args[0]) : 'Any'}]\`` });
  } else if (path === CONTEXT) {
    if (isType('mcp.server.session.ServerSession') || args.length > 1)
      say('context-type', node, { name: file.textOf(node), target: rest === '' ? '`Context`' : `\`Context[${rest}]\`` });
  } else if (isType('mcp.ClientSession')) say('context-type', node, { name: file.textOf(node), target: '`ClientRequestContext` of `mcp.client`' });
  else
    say('context-type', node, {
      name: file.textOf(node),
      target: isType('mcp.server.session.ServerSession')
        ? `\`ServerRequestContext[${rest || 'Any'}]\` of \`mcp.server\``
        : '`ClientRequestContext` or `ServerRequestContext`, whichever side it is',
    });
}
