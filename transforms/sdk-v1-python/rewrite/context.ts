import {
  type ImportedName,
  type PyNode,
  argumentsOf,
  calledName,
  decoratorsOf,
  enclosingFunction,
  importedNames,
  originOf,
  parametersOf,
} from '../../../src/languages/python/index.js';
import { isSdkName, sdkPaths } from '../../_mcp/python/paths.js';
import { isInstance } from '../../_mcp/python/types.js';
import type { Pass } from './pass.js';
import { serverKind } from './registry.js';

const CONTEXT = 'mcp.server.fastmcp.Context';
const REQUEST = 'mcp.shared.context.RequestContext';

/** Contexts of requests: their types, and the members that have another name. */
export function moveContexts(pass: Pass): void {
  for (const node of [...pass.all('generic_type'), ...pass.all('subscript')]) generic(pass, node);
  bareRequestContexts(pass);
  for (const node of pass.all('attribute')) member(pass, node);
  for (const call of pass.all('call')) {
    logging(pass, call);
    ambient(pass, call);
  }
  messages(pass);
}

const parametersIn = (node: PyNode): readonly PyNode[] =>
  node.kind === 'generic_type' ? (node.first('type_parameter')?.children ?? []) : node.all('subscript');
const bareType = (node: PyNode): PyNode => (node.kind === 'type' && node.children[0] ? node.children[0] : node);

/** `Context[ServerSession, App]` is `Context[App]`; `RequestContext[ServerSession, …]` and `RequestContext[ClientSession, …]` are two classes. */
function generic(pass: Pass, node: PyNode): void {
  const head = node.children[0];
  if (!head) return;
  const listed = parametersIn(node);
  const [first, second] = listed;
  if (!first) return;
  if (isSdkName(head, pass.file, CONTEXT)) {
    if (!isSdkName(bareType(first), pass.file, 'mcp.server.session.ServerSession') && pass.text(first) !== 'Any' && listed.length < 2) return;
    if (!second || inTemplate(pass, node)) pass.edits.remove({ start: head.end, end: node.end });
    else pass.edits.remove({ start: first.start, end: second.start });
    return;
  }
  if (!isSdkName(head, pass.file, REQUEST)) return;
  if (isSdkName(bareType(first), pass.file, 'mcp.ClientSession')) pass.edits.replace(node, pass.need('mcp.client', 'ClientRequestContext'));
  else if (isSdkName(bareType(first), pass.file, 'mcp.server.session.ServerSession')) {
    pass.edits.replace(head, pass.need('mcp.server', 'ServerRequestContext'));
    if (second) pass.edits.remove({ start: first.start, end: second.start });
    else pass.edits.remove({ start: head.end, end: node.end });
  } else pass.mark('context-type', node, '`RequestContext` is split: `ClientRequestContext` of `mcp.client`, `ServerRequestContext` of `mcp.server`.');
}

/** Prompts and resource templates take the context without parameters. */
function inTemplate(pass: Pass, node: PyNode): boolean {
  let at: PyNode | undefined = node;
  while (at && at.kind !== 'function_definition') at = at.parent;
  return at !== undefined && decoratorsOf(at).some((decorator) => /\.(?:prompt|resource)\(/.test(pass.text(decorator)));
}

/** `RequestContext` without parameters: the side follows from what else the file uses. */
function bareRequestContexts(pass: Pass): void {
  const names = importedNames(pass.file).filter((each) => sdkPathOf(each) === REQUEST);
  const modules = importedNames(pass.file).map((each) => (each.form === 'from' ? `${each.module}.${each.name}` : each.module));
  const client = modules.some((path) => /^mcp\.(?:client|ClientSession)/.test(path));
  const server = modules.some((path) => path.startsWith('mcp.server'));
  let left = false;
  for (const node of [...pass.all('identifier'), ...pass.all('attribute')]) {
    if (node.kind === 'identifier' && pass.file.bindings.of(node)?.sites.some(({ identifier }) => identifier === node) === true) continue;
    if (!sdkPaths(node, pass.file).includes(REQUEST) || pass.edits.isTaken(node)) continue;
    if (node.kind === 'identifier' && node.parent?.kind === 'attribute' && node.field === 'attribute') continue;
    if (client === server) {
      left = true;
      pass.mark('context-type', node, '`RequestContext` is split: `ClientRequestContext` of `mcp.client`, `ServerRequestContext` of `mcp.server`.');
    } else pass.edits.replace(node, client ? pass.need('mcp.client', 'ClientRequestContext') : pass.need('mcp.server', 'ServerRequestContext'));
  }
  if (!left) for (const each of names) pass.dropped.add(each);
}

const sdkPathOf = (each: ImportedName): string | undefined => (/^mcp\.(?:\w+\.)*RequestContext$/.test(`${each.module}.${each.name}`) ? REQUEST : undefined);

function member(pass: Pass, node: PyNode): void {
  const object = node.get('object');
  const name = node.get('attribute');
  if (!object || !name) return;
  const text = pass.text(name);
  if (text === 'fastmcp' && isInstance(object, pass.file, CONTEXT)) pass.edits.replace(name, 'mcp_server');
  else if (text === 'client_id' && isInstance(object, pass.file, CONTEXT))
    pass.mark('context-member', node, '`client_id` never was the OAuth client: take it from `get_access_token()`, or from `_meta` if the client sends it.');
  else if (text === '_session_manager' && serverKind(pass, object) === 'fast') pass.edits.replace(name, 'session_manager');
  else if (/^_(?:tool|resource|prompt)_manager$/.test(text) && serverKind(pass, object) === 'fast')
    pass.mark('private-member', node, 'The managers behind the server changed: use `add_tool`, `list_tools` and `call_tool` of the server.');
}

const LEVELS: ReadonlySet<string> = new Set(['debug', 'info', 'warning', 'error', 'log']);

/** Helpers that log take `data`, positionally the same as before. */
function logging(pass: Pass, call: PyNode): void {
  const callee = call.get('function');
  const object = callee?.kind === 'attribute' ? callee.get('object') : undefined;
  if (!object || !LEVELS.has(calledName(call, pass.file) ?? '') || !isInstance(object, pass.file, CONTEXT)) return;
  const args = argumentsOf(call, pass.file);
  const message = args.keyword('message');
  if (message) pass.edits.replace(message.nameNode, 'data');
  const known: ReadonlySet<string> = new Set(['message', 'data', 'level', 'logger_name']);
  const extra = args.keywords.filter(({ name }) => !known.has(name));
  if (extra.length > 0 || args.splat) pass.mark('context-member', call, 'The helper takes no further fields: put them into `data`.');
}

/** `server.get_context()` in a tool: the context is a parameter. */
function ambient(pass: Pass, call: PyNode): void {
  const callee = call.get('function');
  const object = callee?.kind === 'attribute' ? callee.get('object') : undefined;
  if (!object || calledName(call, pass.file) !== 'get_context' || serverKind(pass, object) !== 'fast') return;
  const fn = enclosingFunction(call);
  const registered = fn && decoratorsOf(fn).some((decorator) => isRegistration(pass, decorator));
  if (!fn || !registered) {
    pass.mark('ambient-context', call, '`get_context()` is gone: give the function a parameter `ctx: Context`, and pass it on.');
    return;
  }
  const parameters = parametersOf(fn, pass.file);
  const own = parameters.find(({ annotation }) => annotation !== undefined && isSdkName(headOf(bareType(annotation)), pass.file, CONTEXT));
  if (own) {
    pass.edits.replace(call, own.name);
    return;
  }
  if (parameters.some(({ name }) => name === 'ctx') || pass.file.bindings.lookup('ctx', call)) {
    pass.mark('ambient-context', call, '`get_context()` is gone: give the function a parameter that is declared as `Context`.');
    return;
  }
  const list = fn.get('parameters');
  const last = parameters.filter(({ form }) => form !== 'kwargs').at(-1);
  if (!list) return;
  const context = contextName(pass);
  if (!last) pass.edits.insert(list.start + 1, `ctx: ${context}`);
  else pass.edits.insert(last.node.end, `, ctx: ${context}${last.value ? ' | None = None' : ''}`);
  if (last?.value) {
    pass.mark('ambient-context', call, '`get_context()` is gone: the context is the parameter `ctx` now.');
    return;
  }
  pass.edits.replace(call, 'ctx');
}

const headOf = (node: PyNode): PyNode => (node.kind === 'generic_type' || node.kind === 'subscript' ? (node.children[0] ?? node) : node);

function contextName(pass: Pass): string {
  const known = importedNames(pass.file).find(
    (each) => each.form === 'from' && /^mcp\.server\.fastmcp\.(?:server\.)?Context$/.test(`${each.module}.${each.name}`),
  );
  return known?.local ?? pass.need('mcp.server.mcpserver', 'Context');
}

/** `@server.tool()`, `@server.prompt()`, `@server.resource("…{x}")`. */
function isRegistration(pass: Pass, decorator: PyNode): boolean {
  const callee = decorator.kind === 'call' ? decorator.get('function') : undefined;
  const object = callee?.kind === 'attribute' ? callee.get('object') : undefined;
  const name = calledName(decorator, pass.file);
  if (!object || serverKind(pass, object) !== 'fast') return false;
  return name === 'tool' || name === 'prompt' || (name === 'resource' && pass.text(decorator).includes('{'));
}

/** `RequestResponder[…] | ServerNotification | Exception`, the parameter of a message handler, is `IncomingMessage`. */
function messages(pass: Pass): void {
  const names = importedNames(pass.file).filter((each) => /^mcp\.(?:shared|client|server)\.session\.RequestResponder$/.test(`${each.module}.${each.name}`));
  if (names.length === 0) return;
  let left = false;
  for (const node of pass.all('identifier')) {
    if (
      originOf(node, pass.file)?.path.endsWith('.RequestResponder') !== true ||
      pass.file.bindings.of(node)?.sites.some(({ identifier }) => identifier === node) === true
    )
      continue;
    let union: PyNode = node;
    while (union.parent && /^(?:generic_type|subscript|type|binary_operator|union_type)$/.test(union.parent.kind)) union = union.parent;
    const text = pass.text(union);
    if (union.kind === 'type' && /\bServerNotification\b/.test(text) && /\bException\b/.test(text))
      pass.edits.replace(union, pass.need('mcp.client', 'IncomingMessage'));
    else {
      left = true;
      pass.mark('removed-name', node, 'Handlers no longer receive requests: a message handler takes `IncomingMessage` of `mcp.client`.');
    }
  }
  if (!left) for (const each of names) pass.dropped.add(each);
}
