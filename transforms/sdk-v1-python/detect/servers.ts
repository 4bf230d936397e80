import { argumentsOf, calledName, constantOf, enclosingFunction, originsOf, ownClass, valueAt, type PyNode } from '../../../src/languages/python/index.js';
import { decoratorMethods, lastNameOf, nodesOf, receiverOf } from '../../_mcp/python/nodes.js';
import { isFrameworkPath, isSdkName } from '../../_mcp/python/paths.js';
import { optionOf, startWays } from '../../_mcp/python/servers.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import type { Scene } from './scene.js';
import { isDual } from './imports.js';

const SERVER = 'mcp.server.fastmcp.FastMCP';
const TRANSPORT: ReadonlySet<string> = new Set([
  'host',
  'port',
  'sse_path',
  'message_path',
  'mount_path',
  'streamable_http_path',
  'json_response',
  'stateless_http',
  'transport_security',
  'event_store',
  'retry_interval',
]);
/** Settings that both majors have. */
const KEPT: ReadonlySet<string> = new Set([
  'debug',
  'log_level',
  'warn_on_duplicate_tools',
  'warn_on_duplicate_resources',
  'warn_on_duplicate_prompts',
  'dependencies',
  'lifespan',
  'auth',
]);
const STARTS: ReadonlySet<string> = new Set([
  'run',
  'run_sse_async',
  'run_stdio_async',
  'run_streamable_http_async',
  'streamable_http_app',
  'sse_app',
  'run_async',
]);
const ANSWERS: ReadonlySet<string> = new Set(['call_tool', 'read_resource', 'get_prompt']);
const PRIVATE: Readonly<Record<string, string>> = {
  _mcp_server: 'It is `_lowlevel_server` in SDK v2; use `get_request_handler` and `add_request_handler` where they do.',
  _session_manager: 'Use `session_manager`, which exists after the app was built.',
  _tool_manager: 'Use `list_tools`, `add_tool` and `remove_tool` of the server.',
  _resource_manager: 'Use `list_resources` and `add_resource` of the server.',
  _prompt_manager: 'Use `list_prompts` and `add_prompt` of the server.',
};
/** What a server variable is called when nothing else is known about it. */
const NAMED = /(?:^|_)(?:mcp|server|app|fastmcp)(?:_?(?:server|app|mcp))?\d*$/i;

/** What an object is as a server: of the SDK, of the standalone framework, of this repository, or unknown. */
export function serverKind(node: PyNode, scene: Scene): 'sdk' | 'framework' | 'other' | 'named' | 'unknown' {
  const { file } = scene;
  const types = sdkTypesOf(node, file);
  const self = ownClass(node, file)?.get('name');
  const names = (self ? [{ name: `@${file.textOf(self)}` }, ...types] : types).flatMap((type) =>
    type.name.startsWith('@') ? basesOf(type.name.slice(1), scene) : [type.name],
  );
  if (names.includes(SERVER) || names.includes('mcp.server.mcpserver.MCPServer')) return 'sdk';
  if (names.includes('fastmcp.FastMCP')) return 'framework';
  if (types.length > 0) return 'other';
  const origins = originsOf(node, file);
  if (origins.some(({ path }) => isFrameworkPath(path))) return 'framework';
  const name = lastNameOf(node, file);
  return name !== undefined && NAMED.test(name) ? 'named' : 'unknown';
}

/** Bases of a class of this file, transitively. */
function basesOf(name: string, scene: Scene, depth = 0): readonly string[] {
  const definition = scene.file.bindings.root.names.get(name)?.sites.find(({ how }) => how === 'class')?.node;
  if (!definition || depth > 5) return [];
  return argumentsOf(definition, scene.file).positional.flatMap((base) => {
    const own = base.kind === 'identifier' ? basesOf(scene.file.textOf(base), scene, depth + 1) : [];
    if (own.length > 0) return own;
    const target = base.kind === 'subscript' ? (base.get('value') ?? base) : base;
    return isSdkName(target, scene.file, SERVER)
      ? [SERVER]
      : originsOf(target, scene.file).some(({ path }) => /^fastmcp\..*FastMCP$/.test(path))
        ? ['fastmcp.FastMCP']
        : [];
  });
}

/** The high-level server: construction, settings, start, members, handlers. */
export function detectServers(scene: Scene): void {
  const { file } = scene;
  for (const call of nodesOf(file, 'call')) {
    detectConstruction(call, scene);
    detectCall(call, scene);
  }
  for (const definition of nodesOf(file, 'class_definition')) {
    const base = argumentsOf(definition, file).positional.find((each) => isSdkName(each.kind === 'subscript' ? each.get('value') : each, file, SERVER));
    if (base) scene.say('server-class', base);
  }
  for (const node of nodesOf(file, 'attribute')) detectMember(node, scene);
  for (const definition of nodesOf(file, 'function_definition')) detectHandler(definition, scene);
}

function isServerClass(callee: PyNode, scene: Scene): boolean {
  if (!isSdkName(callee, scene.file, SERVER)) return false;
  // A class that is imported for both majors is built in a form that fits both.
  return !originsOf(callee, scene.file).some(({ imported }) => imported !== undefined && isDual(imported, scene));
}

function detectConstruction(call: PyNode, scene: Scene): void {
  const { file, say } = scene;
  const callee = call.get('function');
  const inherited =
    callee?.kind === 'attribute' && calledName(call, file) === '__init__' && file.textOf(receiverOf(call) ?? call).startsWith('super(')
      ? superClass(call, scene)
      : undefined;
  if (!callee || !(isServerClass(callee.kind === 'subscript' ? (callee.get('value') ?? callee) : callee, scene) || inherited)) return;
  const args = argumentsOf(call, file);
  say('server-class', callee);
  const moved = args.keywords.filter(({ name }) => TRANSPORT.has(name));
  for (const keyword of moved) say('constructor-transport', keyword.node, { names: `\`${keyword.name}\`` });
  const second = args.positional[1];
  if (second && !inherited) say('positional-argument', second, { names: 'more than the name of the server' });
}

function superClass(call: PyNode, { file }: Scene): boolean {
  for (let at = call.parent; at; at = at.parent)
    if (at.kind === 'class_definition')
      return argumentsOf(at, file).positional.some((base) => isSdkName(base.kind === 'subscript' ? base.get('value') : base, file, SERVER));
  return false;
}

function detectCall(call: PyNode, scene: Scene): void {
  const { file, relation, say } = scene;
  const method = calledName(call, file);
  const receiver = receiverOf(call);
  if (isSdkName(call.get('function'), file, 'mcp.server.streamable_http_manager.StreamableHTTPSessionManager'))
    say('server-start', call.get('function') ?? call, { call: 'StreamableHTTPSessionManager' });
  if (!receiver || method === undefined) return;
  if (STARTS.has(method)) {
    const kind = serverKind(receiver, scene);
    const distinctive = method === 'streamable_http_app' || method === 'sse_app' || method.startsWith('run_s');
    const own =
      kind === 'sdk' ||
      (distinctive && kind !== 'framework') ||
      (kind === 'named' && method === 'run' && relation.sdk && !relation.framework && isPlainStart(call, scene));
    if (own) say('server-start', call.get('function') ?? call, { call: `${method}()` }, kind === 'sdk' ? {} : { certainty: 'likely' });
    if (kind === 'sdk') hosts(call, method, scene);
    if (own && argumentsOf(call, file).positional.length > (method === 'run' ? 1 : 0)) say('positional-argument', call, { names: `options of \`${method}\`` });
    return;
  }
  if (method === 'get_context' && (relation.sdk || relation.framework)) {
    const kind = serverKind(receiver, scene);
    if (kind === 'sdk' || (kind === 'named' && relation.sdk)) say('ambient-context', call, { call: file.textOf(call) });
    return;
  }
  if (ANSWERS.has(method) && serverKind(receiver, scene) === 'sdk') say('server-method', call, { call: `${method}()` });
}

const LOOPBACK = /^(?:127\.|localhost$|::1$)/;

/** Which of two states the check of `Host` ends in once the address has moved to the start. */
function hosts(call: PyNode, method: string, { file, say }: Scene): void {
  if (!startWays(call, method, file).some((way) => way !== 'stdio') || optionOf(call, ['transport_security'], file)) return;
  const address = optionOf(call, ['host'], file);
  const value = address && constantOf(address, file);
  const state =
    address && typeof value !== 'string'
      ? `whether the check is armed depends on \`${file.textOf(address)}\``
      : typeof value === 'string' && !LOOPBACK.test(value)
        ? `\`host="${value}"\` leaves the check off in SDK v2`
        : 'the check is armed for localhost only in SDK v2';
  say('host-allow-list', call.get('function') ?? call, { state }, typeof value === 'string' && LOOPBACK.test(value) ? { impact: 'none' } : {});
}

/** `mcp.run()`, `mcp.run("stdio")`, `mcp.run(transport=…)`: what a program or an event loop is run with looks different. */
function isPlainStart(call: PyNode, { file }: Scene): boolean {
  const receiver = receiverOf(call);
  const values = receiver?.kind === 'identifier' ? (file.bindings.of(receiver)?.sites.flatMap((site) => valueAt(site) ?? []) ?? []) : [];
  const made = values.flatMap((value) => (value.kind === 'call' && value.get('function') ? originsOf(value.get('function') as PyNode, file) : []));
  if (made.some(({ path }) => /^(?:uvicorn|hypercorn|granian|aiohttp|gunicorn)\./.test(path))) return false;
  // `async with app.run() as …` enters something else.
  if (call.parent?.kind === 'as_pattern' || call.parent?.kind === 'with_item') return false;
  const args = argumentsOf(call, file);
  return (
    args.keywords.every(({ name }) => name === 'transport' || name === 'mount_path') && (args.positional.length === 0 || args.positional[0]?.kind === 'string')
  );
}

function detectMember(node: PyNode, scene: Scene): void {
  const { file, relation, say } = scene;
  const object = node.get('object');
  const name = node.get('attribute');
  if (!object || !name) return;
  const text = file.textOf(name);
  const advice = PRIVATE[text];
  if (advice !== undefined) {
    const kind = serverKind(object, scene);
    const own = object.kind === 'identifier' && file.textOf(object) === 'self' && kind !== 'sdk' && assignsOwn(text, scene);
    if (!own && (kind === 'sdk' || kind === 'framework' || ((kind === 'named' || kind === 'unknown') && (relation.sdk || relation.framework))))
      say('private-member', node, { name: text, advice }, kind === 'sdk' ? {} : { certainty: 'likely' });
    return;
  }
  if (text === 'session_manager' && (relation.sdk || relation.framework)) {
    const kind = serverKind(object, scene);
    if (kind === 'sdk' || (kind !== 'framework' && relation.sdk && !relation.framework))
      say('server-start', node, { call: 'session_manager' }, kind === 'sdk' ? {} : { certainty: kind === 'named' ? 'likely' : 'possible' });
    return;
  }
  // `mcp.settings.port`: the setting is what is named.
  if (object.kind !== 'attribute' || file.textOf(object.get('attribute') ?? object) !== 'settings') return;
  const server = object.get('object');
  if (!server || KEPT.has(text) || !TRANSPORT.has(text)) return;
  const kind = serverKind(server, scene);
  if (kind === 'sdk' || (kind === 'named' && !relation.framework)) say('settings-access', node, { name: text }, kind === 'sdk' ? {} : { certainty: 'likely' });
}

/** The repository's own classes may use such names for fields of their own. */
const assignsOwn = (name: string, { file }: Scene): boolean => new RegExp(`\\bself\\.${name}\\s*(?::[^=\\n]+)?=[^=]`).test(file.text);

const REGISTER: ReadonlySet<string> = new Set(['tool', 'resource', 'prompt', 'completion']);
const LOOP = /\b(?:asyncio\.(?:get_running_loop|get_event_loop|create_task|ensure_future|current_task)|threading\.local|contextvars|sqlite3)\b/;

function detectHandler(definition: PyNode, scene: Scene): void {
  const { file, say } = scene;
  if (definition.isAsync) return;
  const registered = decoratorMethods(definition, file).find(({ method, receiver, called }) => {
    if (!called || !REGISTER.has(method) || !receiver) return false;
    const kind = serverKind(receiver, scene);
    return (
      kind === 'sdk' ||
      (kind === 'named' && scene.relation.sdk && !scene.relation.framework) ||
      (kind === 'named' && !scene.relation.framework && ownServer(receiver, scene))
    );
  });
  if (!registered) return;
  const name = definition.get('name');
  const body = definition.get('body');
  if (!name || !body) return;
  const loop = LOOP.test(file.textOf(body));
  const detail = loop ? 'It uses the event loop or objects of one thread.' : 'It uses nothing here that depends on the thread.';
  say('sync-handler', { start: registered.node.start, end: name.end }, { name: file.textOf(name), detail }, loop ? { impact: 'breaks' } : {});
}

/** A server that another module of the repository offers, or that a function is given. */
function ownServer(receiver: PyNode, { file, around }: Scene): boolean {
  const origins = originsOf(receiver, file);
  if (origins.some(({ path }) => path.startsWith('.') || around.has(`${path.split('.')[0] ?? ''}.py`))) return true;
  const fn = enclosingFunction(receiver);
  return fn !== undefined && receiver.kind === 'identifier' && file.bindings.of(receiver)?.sites[0]?.how === 'parameter';
}
