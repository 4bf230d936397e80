import { type Binding, type ImportedName, type PyNode, argumentsOf, importedNames, statementOf, unwrap } from '../../../src/languages/python/index.js';
import { isSdkName } from '../../_mcp/python/paths.js';
import { indentAt } from './edits.js';
import type { Pass } from './pass.js';

const HELPER = 'mcp.shared.memory.create_connected_server_and_client_session';

/** Parameters of the helper after the server, in their order. Source: 1.28.1. */
const PARAMETERS = [
  '',
  'read_timeout_seconds',
  'sampling_callback',
  'list_roots_callback',
  'logging_callback',
  'message_handler',
  'client_info',
  'raise_exceptions',
  'elicitation_callback',
];

/** What a `Client` does under the same name with the same arguments; anything else is asked of its session. */
const SHARED: ReadonlySet<string> = new Set([
  'call_tool',
  'get_prompt',
  'read_resource',
  'list_tools',
  'list_resources',
  'list_prompts',
  'list_resource_templates',
  'send_ping',
  'complete',
  'set_logging_level',
  'subscribe_resource',
  'unsubscribe_resource',
]);

/** Servers that tests reach in memory: `Client(server, mode="legacy")` speaks to them with the handshake, as before. */
export function moveMemoryHelper(pass: Pass): void {
  const imported = importedNames(pass.file).filter((each) => `${each.module}.${each.name}` === HELPER);
  let left = false;
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    if (callee && isSdkName(callee, pass.file, HELPER) && !move(pass, call, callee)) left = true;
  }
  const used = (each: ImportedName): boolean => {
    const binding = pass.file.bindings.all.find((candidate) =>
      candidate.sites.some((site) => site.node === each.statement && site.identifier.start >= each.node.start && site.identifier.end <= each.node.end),
    );
    return binding !== undefined && pass.usesOf(binding).some((use) => !(use.parent?.kind === 'call' && use.field === 'function'));
  };
  if (left || imported.some(used))
    for (const each of imported) pass.mark('memory-helper', each.node, 'This helper is gone: connect with `Client(server, mode="legacy")` of `mcp.client`.');
  else for (const each of imported) pass.dropped.add(each);
}

function move(pass: Pass, call: PyNode, callee: PyNode): boolean {
  const args = argumentsOf(call, pass.file);
  const [server] = args.positional;
  const given = server ?? args.keyword('server')?.value;
  if (!given || args.spread || args.splat || !args.node) return false;
  const holder = call.parent?.kind === 'as_pattern' && call.parent.children[0] === call ? call.parent : call;
  const inWith = holder.parent?.kind === 'with_item';
  const outer = call.parent?.kind === 'argument_list' ? call.parent.parent : undefined;
  const entered =
    outer?.kind === 'call' && pass.text(outer.get('function') ?? outer).endsWith('.enter_async_context') && outer.parent?.kind === 'await'
      ? outer.parent
      : undefined;
  const handed = call.parent?.kind === 'return_statement' ? false : undefined;
  if (!inWith && !entered) return handed ?? false;
  if (inWith && !session(pass, holder)) return false;
  pass.edits.replace(callee, pass.needAt('mcp.client', 'Client', callee));
  args.positional.forEach((value, index) => {
    const name = PARAMETERS[index];
    if (index > 0 && name !== undefined) pass.edits.insert(value.start, `${name}=`);
  });
  const bare = unwrap(given);
  const wrapped = bare.kind === 'attribute' ? bare.get('attribute') : undefined;
  const inner = bare.get('object');
  // A `Client` takes the high-level server itself.
  if (wrapped && inner && pass.text(wrapped) === '_mcp_server') pass.edits.remove({ start: inner.end, end: bare.end });
  pass.edits.insert(given.end, ', mode="legacy"');
  if (entered) {
    pass.edits.insert(entered.start, '(');
    pass.edits.insert(entered.end, ').session');
  }
  return true;
}

/** The name after `as` keeps what it was: a session, unless everything that is asked of it a `Client` answers as well. */
function session(pass: Pass, holder: PyNode): boolean {
  const target = holder.kind === 'as_pattern' ? holder.get('alias')?.children[0] : undefined;
  if (!target) return true;
  if (target.kind !== 'identifier') return false;
  const binding = pass.file.bindings.of(target);
  const uses = binding ? pass.usesOf(binding).filter((use) => lastBefore(binding, use) === target) : [];
  if (uses.every((use) => isShared(pass, use))) return true;
  const statement = statementOf(target);
  const body = statement.get('body');
  const first = body?.children[0];
  if (!first || !/^\s*$/.test(pass.file.text.slice(pass.file.text.lastIndexOf('\n', first.start - 1) + 1, first.start))) return false;
  const name = pass.text(target);
  const client = pass.isTaken(`${name}_client`) ? `${name}_owner` : `${name}_client`;
  pass.edits.replace(target, client);
  pass.edits.insert(first.start, `${name} = ${client}.session${pass.file.eol}${indentAt(pass.file.text, first.start)}`);
  return true;
}

const lastBefore = (binding: Binding, use: PyNode): PyNode | undefined =>
  binding.sites.filter(({ identifier }) => identifier.start < use.start).at(-1)?.identifier;

function isShared(pass: Pass, use: PyNode): boolean {
  const attribute = use.parent;
  const call = attribute?.kind === 'attribute' && use.field === 'object' ? attribute.parent : undefined;
  const name = attribute?.get('attribute');
  if (call?.kind !== 'call' || !name || !SHARED.has(pass.text(name))) return false;
  const args = argumentsOf(call, pass.file);
  if (pass.text(name).startsWith('list_')) return args.positional.length === 0 && args.keywords.length === 0;
  return !args.splat;
}
