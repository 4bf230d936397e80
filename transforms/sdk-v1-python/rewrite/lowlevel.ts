import { type PyNode, argumentsOf, importedNames } from '../../../src/languages/python/index.js';
import { isSdkName, sdkPaths } from '../../_mcp/python/paths.js';
import { LOW_LEVEL_DECORATORS } from '../decorators.js';
import { handlers } from './adapter.js';
import type { Pass } from './pass.js';
import { serverKind } from './registry.js';

const SERVER = 'mcp.server.Server';

/** Parameters of `Server(...)` after the name. Source: 1.28.1. */
const POSITIONAL = ['name', 'version', 'instructions', 'website_url', 'icons', 'lifespan'];

/** The low-level server: decorators become those of a module that is written into the project. */
export function moveLowLevel(pass: Pass): void {
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    if (!callee) continue;
    if (isSdkName(callee, pass.file, SERVER)) construct(pass, call);
    const object = callee.kind === 'attribute' ? callee.get('object') : undefined;
    const name = callee.kind === 'attribute' ? callee.get('attribute') : undefined;
    if (!object || !name || !isLowLevel(pass, object)) continue;
    if (LOW_LEVEL_DECORATORS.has(pass.text(name)) && isRegistration(call)) register(pass, call, object, pass.text(name));
    else if (pass.text(name) === 'run') stateless(pass, call);
  }
  for (const node of pass.all('attribute')) member(pass, node);
  for (const node of [...pass.all('subscript'), ...pass.all('generic_type')]) generic(pass, node);
  ambient(pass);
}

/** A low-level server, or the one inside of a `FastMCP`. */
function isLowLevel(pass: Pass, node: PyNode): boolean {
  if (serverKind(pass, node) === 'low') return true;
  const inner = node.kind === 'attribute' ? node.get('object') : undefined;
  return inner !== undefined && pass.text(node.get('attribute') ?? node) === '_mcp_server' && serverKind(pass, inner) === 'fast';
}

/** `@server.list_tools()` and `server.list_tools()(handler)`; a call that is awaited asks something. */
const isRegistration = (call: PyNode): boolean => call.parent?.kind === 'decorator' || (call.parent?.kind === 'call' && call.field === 'function');

function construct(pass: Pass, call: PyNode): void {
  const args = argumentsOf(call, pass.file);
  if (args.spread) pass.mark('positional-argument', call, 'Everything after the name is given by keyword.');
  else
    args.positional.forEach((value, index) => {
      const name = POSITIONAL[index];
      if (index > 0 && name !== undefined) pass.edits.insert(value.start, `${name}=`);
    });
}

function register(pass: Pass, call: PyNode, object: PyNode, name: string): void {
  const args = argumentsOf(call, pass.file);
  const callee = call.get('function');
  if (!args.node || !callee || args.positional.length > 0) return;
  const module = handlers(pass);
  const server = lowLevelText(pass, object);
  pass.edits.replace(callee, `${module}.${name}`);
  pass.edits.insert(args.node.start + 1, args.keywords.length > 0 || args.splat ? `${server}, ` : server);
}

/** The text of the low-level server under its name in SDK 2.x. */
function lowLevelText(pass: Pass, object: PyNode): string {
  const name = object.kind === 'attribute' ? object.get('attribute') : undefined;
  const inner = object.get('object');
  return name && inner && pass.text(name) === '_mcp_server' ? `${pass.text(inner)}._lowlevel_server` : pass.text(object);
}

/** Whether a server keeps sessions is a matter of its transport. */
function stateless(pass: Pass, call: PyNode): void {
  const args = argumentsOf(call, pass.file);
  const gone = args.keyword('stateless');
  if (gone && args.node) pass.edits.removeArguments(args.node, [gone.node]);
}

function member(pass: Pass, node: PyNode): void {
  const object = node.get('object');
  const name = node.get('attribute');
  if (!object || !name) return;
  const text = pass.text(name);
  if (text === '_mcp_server' && serverKind(pass, object) === 'fast') {
    pass.edits.replace(name, '_lowlevel_server');
    return;
  }
  if (text !== 'request_context' && text !== 'request_handlers' && text !== 'notification_handlers') return;
  if (!isLowLevel(pass, object)) return;
  if (text === 'request_context') {
    pass.edits.replace(node, `${handlers(pass)}.request_context(${lowLevelText(pass, object)})`);
    return;
  }
  const holder = node.parent;
  const assignment = holder?.kind === 'subscript' && node.field === 'value' ? holder.parent : undefined;
  const key = holder?.get('subscript');
  const value = assignment?.kind === 'assignment' && holder?.field === 'left' ? assignment.get('right') : undefined;
  if (assignment && key && value && value.kind !== 'assignment') {
    const register = text === 'request_handlers' ? 'request_handler' : 'notification_handler';
    pass.edits.replace({ start: assignment.start, end: key.start }, `${handlers(pass)}.${register}(${lowLevelText(pass, object)}, `);
    pass.edits.replace({ start: key.end, end: value.start }, ', ');
    pass.edits.insert(value.end, ')');
    return;
  }
  if (holder?.kind === 'comparison_operator' && holder.children.length === 2 && holder.children[1] === node && text === 'request_handlers') {
    const [left] = holder.children;
    const negated = holder.words.includes('not in');
    if (left) {
      pass.edits.insert(holder.start, `${negated ? 'not ' : ''}${handlers(pass)}.has_request_handler(${lowLevelText(pass, object)}, `);
      pass.edits.replace({ start: left.end, end: holder.end }, ')');
      return;
    }
  }
  pass.mark(
    'handler-table',
    node,
    'Handlers are kept by the name of their method: use `add_request_handler` and `get_request_handler`; a handler takes `(ctx, params)`.',
  );
}

/** `Server[L, R]` has one parameter. */
function generic(pass: Pass, node: PyNode): void {
  const head = node.children[0];
  if (!head || !isSdkName(head, pass.file, SERVER)) return;
  const listed = node.kind === 'generic_type' ? (node.first('type_parameter')?.children ?? []) : node.all('subscript');
  const [first, second] = listed;
  if (first && second) pass.edits.remove({ start: first.end, end: second.end });
}

/** `request_ctx.get()`: the context of the request, without the server. */
function ambient(pass: Pass): void {
  const names = importedNames(pass.file).filter((each) => `${each.module}.${each.name}` === 'mcp.server.lowlevel.server.request_ctx');
  if (names.length === 0) return;
  let left = false;
  for (const node of pass.all('identifier')) {
    if (
      !sdkPaths(node, pass.file).includes('mcp.server.lowlevel.server.request_ctx') ||
      pass.file.bindings.of(node)?.sites.some(({ identifier }) => identifier === node) === true
    )
      continue;
    const attribute = node.parent;
    const call = attribute?.kind === 'attribute' && node.field === 'object' ? attribute.parent : undefined;
    const read = call?.kind === 'call' && pass.text(attribute?.get('attribute') ?? node) === 'get' && argumentsOf(call, pass.file).positional.length === 0;
    if (read) pass.edits.replace(call, `${handlers(pass)}.request_context()`);
    else left = true;
  }
  for (const each of names)
    if (left) pass.mark('ambient-context', each.node, 'There is no ambient request context: take the `ctx` of the handler.');
    else pass.dropped.add(each);
}
