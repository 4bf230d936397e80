import { argumentsOf, calledName, type PyNode } from '../../../src/languages/python/index.js';
import { lastNameOf, nodesOf, receiverOf } from '../../_mcp/python/nodes.js';
import { isSdkName } from '../../_mcp/python/paths.js';
import { isInstance, sdkTypesOf } from '../../_mcp/python/types.js';
import type { Scene } from './scene.js';
import { isTimedelta } from './timeouts.js';

const OLD = 'mcp.client.streamable_http.streamablehttp_client';
const NEW = 'mcp.client.streamable_http.streamable_http_client';
const SESSION = 'mcp.ClientSession';
const MEMORY = 'mcp.shared.memory.create_connected_server_and_client_session';
const CALLBACKS: ReadonlySet<string> = new Set(['sampling_callback', 'elicitation_callback', 'list_roots_callback', 'logging_callback', 'message_handler']);
const LISTS: ReadonlySet<string> = new Set(['list_tools', 'list_prompts', 'list_resources', 'list_resource_templates']);
const MEMBERS: Readonly<Record<string, string>> = {
  get_server_capabilities: 'Read `server_capabilities`.',
  get_session_id: 'A modern connection has no session id; where a legacy one must be known, read the header of the response.',
  send_request: 'Pass the request itself, without a wrapper around it, and a timeout in seconds.',
  send_notification: 'Pass the notification itself, without a wrapper around it; `related_request_id` is gone.',
};

/** Sessions and transports of clients. */
export function detectClients(scene: Scene): void {
  const { file, say } = scene;
  for (const call of nodesOf(file, 'call')) {
    const callee = call.get('function');
    if (!callee) continue;
    if (isSdkName(callee, file, OLD)) detectOldTransport(call, callee, scene);
    else if (isSdkName(callee, file, NEW))
      say(
        'client-transport',
        callee,
        { form: '`streamable_http_client(…)`', detail: 'It gives three values in SDK v1 and two in SDK v2.', advice: 'Unpack two values.' },
        { impact: 'tidies' },
      );
    if (isSdkName(callee, file, 'mcp.client.websocket.websocket_client', 'mcp.server.websocket.websocket_server'))
      say('removed-name', callee, { name: file.textOf(callee), advice: 'The WebSocket transport is gone: use Streamable HTTP.' });
    if (isSdkName(callee, file, MEMORY)) say('memory-helper', callee, { name: 'create_connected_server_and_client_session' });
    if (isSdkName(callee, file, SESSION) || isSubclassOfSession(callee, scene)) detectSession(call, scene);
    const method = calledName(call, file);
    const receiver = receiverOf(call);
    if (receiver && method !== undefined) detectMethod(call, method, receiver, scene);
  }
  for (const node of nodesOf(file, 'attribute')) detectPrivate(node, scene);
  for (const item of nodesOf(file, 'with_item')) {
    const pattern = item.get('value');
    const target = pattern?.kind === 'as_pattern' ? pattern.get('alias')?.children[0] : undefined;
    if (target && pattern?.children[0]) detectUnpack(target, pattern.children[0], scene);
  }
  for (const assignment of nodesOf(file, 'assignment')) {
    const left = assignment.get('left');
    const right = assignment.get('right');
    if (left && right) detectUnpack(left, right, scene);
  }
}

const PRIVATE: ReadonlySet<string> = new Set([
  '_request_id',
  '_read_stream',
  '_write_stream',
  '_response_streams',
  '_in_flight',
  '_received_request',
  '_send_response',
]);

/** Members of the session that SDK v2 does not have; a class of the repository may have fields of that name. */
function detectPrivate(node: PyNode, { file, relation, say }: Scene): void {
  const name = node.get('attribute');
  const object = node.get('object');
  if (!name || !object || !PRIVATE.has(file.textOf(name)) || file.textOf(object) === 'self') return;
  const known = isInstance(object, file, SESSION);
  if (!known && !(relation.sdk && /session/i.test(lastNameOf(object, file) ?? ''))) return;
  say(
    'private-member',
    node,
    { name: file.textOf(name), advice: 'The session is another class in SDK v2; a request has its id in what it returns or in its callbacks.' },
    known ? {} : { certainty: 'likely' },
  );
}

const SHAPE = 'SDK v2 gives two streams; the third value, which told the session id, is gone.';

/** Targets that take the streams of a transport apart. */
function detectUnpack(target: PyNode, source: PyNode, { file, relation, say }: Scene): void {
  if (target.kind !== 'tuple' && target.kind !== 'pattern_list' && target.kind !== 'tuple_pattern') return;
  const count = target.children.length;
  const starred = target.children.some(({ kind }) => kind === 'list_splat_pattern');
  const types = sdkTypesOf(source, file);
  const http = types.some(
    (type) =>
      type.args.some((inner) => inner.args.length === 3) || (type.name === 'tuple' && type.args.length === 3 && type.args[2]?.name === 'mcp.GetSessionId'),
  );
  const streams =
    types.some((type) => type.name === 'tuple' && type.args[0]?.name === 'mcp.Read') || types.some((type) => type.args[0]?.args[0]?.name === 'mcp.Read');
  const names = target.children.map((child) => file.textOf(child));
  const third = names[2];
  const named =
    relation.sdk &&
    /read/i.test(names[0] ?? '') &&
    /write/i.test(names[1] ?? '') &&
    !/^(?:asyncio|socket|os|serial)\./.test(file.textOf(source)) &&
    !/open_connection|create_task|os\.pipe/.test(file.textOf(source));
  const told = http && count === 3 ? target.children[2] : undefined;
  const binding = told && file.bindings.of(told);
  for (const use of binding ? file.bindings.usesOf(binding) : [])
    say('client-transport', use, {
      form: `asks \`${file.textOf(use)}\` for the session id`,
      detail: 'SDK v2 has no such callback.',
      advice: 'Where the id of a legacy session must be known, read the header `mcp-session-id` in a response hook of the `httpx2` client; else drop it.',
    });
  if (http && count >= 3)
    return say('client-transport', target, {
      form: third?.startsWith('_') === true ? 'takes three values' : `takes \`${third ?? ''}\` as the third value`,
      detail: SHAPE,
      advice: third?.startsWith('_') === true ? 'Take two values.' : 'Drop the third value and what is done with it.',
    });
  if (!streams && !http && named && (count === 3 || count === 2 || starred))
    say(
      'client-transport',
      target,
      { form: `unpacks the streams of a transport (${String(count)} values)`, detail: SHAPE, advice: 'Take two values, whatever the transport is.' },
      { certainty: 'possible', impact: count === 2 ? 'tidies' : 'breaks' },
    );
}

function detectOldTransport(call: PyNode, callee: PyNode, { file, say }: Scene): void {
  const options = argumentsOf(call, file)
    .keywords.map(({ name }) => name)
    .filter((name) => name !== 'url' && name !== 'terminate_on_close');
  say('client-transport', callee, {
    form: options.length === 0 ? '`streamablehttp_client(…)`' : `\`streamablehttp_client(…)\` with ${options.map((name) => `\`${name}\``).join(', ')}`,
    detail:
      'SDK v2 has `streamable_http_client(url, http_client=…)`, which gives two streams and takes headers, timeouts and credentials from the HTTP client.',
    advice: options.length === 0 ? 'Call `streamable_http_client`.' : 'Build an `httpx2.AsyncClient` with these options and pass it as `http_client=`.',
  });
}

function isSubclassOfSession(callee: PyNode, { file }: Scene): boolean {
  const definition = callee.kind === 'identifier' ? file.bindings.of(callee)?.sites.find(({ how }) => how === 'class')?.node : undefined;
  return definition !== undefined && argumentsOf(definition, file).positional.some((base) => isSdkName(base, file, SESSION));
}

function detectSession(call: PyNode, { file, say }: Scene): void {
  const args = argumentsOf(call, file);
  for (const keyword of args.keywords)
    if (CALLBACKS.has(keyword.name))
      say('client-callback', keyword.node, { name: keyword.name }, file.textOf(keyword.value) === 'None' ? { impact: 'tidies' } : {});
  const third = args.positional[2];
  if (third) say('timeout-value', third, { form: file.textOf(third).slice(0, 60) }, isTimedelta(third, file) ? {} : { certainty: 'likely' });
}

function detectMethod(call: PyNode, method: string, receiver: PyNode, scene: Scene): void {
  const { file, relation, say } = scene;
  const args = argumentsOf(call, file);
  const known = isInstance(receiver, file, SESSION);
  const named = /session|client/i.test(lastNameOf(receiver, file) ?? '') && (relation.sdk || relation.framework);
  if (LISTS.has(method)) {
    const cursor = args.keyword('cursor')?.node ?? (args.positional.length === 1 && !args.spread ? args.positional[0] : undefined);
    if (!cursor || isInstance(receiver, file, 'fastmcp.Client', 'mcp.server.fastmcp.FastMCP')) return;
    if (known || (args.keyword('cursor') && (named || relation.sdk)) || (named && /cursor/i.test(file.textOf(cursor))))
      say('cursor-argument', call, { call: `${method}(${file.textOf(cursor)})` }, known ? {} : { certainty: 'likely' });
    return;
  }
  const advice = MEMBERS[method];
  if (method === 'send_request' || method === 'send_notification') {
    const session = known || (relation.sdk && /(?:^|[._])(?:client_|upstream_)?session$/.test(file.textOf(receiver)));
    if (session && advice !== undefined && !isInstance(receiver, file, 'mcp.server.session.ServerSession'))
      say('client-member', call, { name: `${method}()`, advice }, { impact: 'degrades', ...(known ? {} : { certainty: 'likely' }) });
    return;
  }
  if (advice !== undefined && (known || method === 'get_session_id' ? known || relation.sdk : named && /session/i.test(lastNameOf(receiver, file) ?? '')))
    return say('client-member', call, { name: `${method}()`, advice }, known ? {} : { certainty: 'likely' });
  if (method === 'call_tool' && args.keyword('args') && isInstance(receiver, file, 'mcp.client.session_group.ClientSessionGroup'))
    say('client-member', call, { name: 'call_tool(args=…)', advice: 'Write `arguments=`; both majors take it.' });
}
