import {
  type Binding,
  type KeywordArgument,
  type PyNode,
  above,
  argumentsOf,
  assignedValue,
  constantOf,
  eachNode,
  originOf,
  unwrap,
} from '../../../src/languages/python/index.js';
import { isSdkName } from '../../_mcp/python/paths.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import type { Pass } from './pass.js';
import { isTimedelta } from './timeouts.js';

const OLD = 'mcp.client.streamable_http.streamablehttp_client';
const NEW = 'mcp.client.streamable_http.streamable_http_client';
const READER = 'mcp.GetSessionId';

/** The Streamable HTTP client: options live on an `httpx2` client, and it hands out two streams instead of three things. */
export function moveHttpClients(pass: Pass): void {
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    if (callee && isSdkName(callee, pass.file, OLD)) options(pass, call);
    else if (callee && isSdkName(callee, pass.file, NEW)) ownClient(pass, call);
  }
  for (const pattern of [...pass.all('tuple_pattern'), ...pass.all('pattern_list'), ...pass.all('as_pattern_target')]) triple(pass, pattern);
}

/** `as (read, write, _)` and `read, write, _ = …`. */
function triple(pass: Pass, node: PyNode): void {
  const pattern = node.kind === 'as_pattern_target' ? node.children[0] : node;
  if (!pattern || (node.kind === 'as_pattern_target' && pattern.kind !== 'tuple' && pattern.kind !== 'tuple_pattern')) return;
  if (node.kind === 'tuple_pattern' && node.parent?.kind === 'as_pattern_target') return;
  const [, second, third] = pattern.children;
  if (!second || !third || pattern.children.length !== 3 || third.kind !== 'identifier') return;
  if (!isTriple(pass, node)) return;
  const binding = pass.file.bindings.of(third);
  const uses = binding ? pass.usesOf(binding).filter((use) => belongs(binding, third, use)) : [];
  if (uses.length > 0) {
    pass.mark(
      'client-transport',
      uses[0] ?? third,
      'The callback that tells the session id is gone: read the header `mcp-session-id` in a response hook of the `httpx2` client; clients of 2026-07-28 have none.',
    );
    for (const other of uses.slice(1)) pass.mark('client-transport', other, 'The callback that tells the session id is gone.');
    return;
  }
  pass.edits.remove({ start: second.end, end: third.end });
}

/** With several places that bind the name, a use counts for the last one before it. */
const belongs = (binding: Binding, third: PyNode, use: PyNode): boolean =>
  binding.sites.filter(({ identifier }) => identifier.start < use.start).at(-1)?.identifier === third || binding.sites.length === 1;

function isTriple(pass: Pass, node: PyNode): boolean {
  const holder = node.kind === 'as_pattern_target' ? node.parent : node.parent;
  const source = node.kind === 'as_pattern_target' ? holder?.children[0] : holder?.kind === 'assignment' ? assignedValue(holder) : undefined;
  if (!source) return false;
  return sdkTypesOf(source, pass.file).some((type) => {
    const inner = type.name === 'enter' ? type.args[0] : type;
    return inner?.name === 'tuple' && inner.args[2]?.name === READER;
  });
}

/** `streamable_http_client(url, http_client=client)`: the client is one of `httpx2` in SDK 2.x. */
function ownClient(pass: Pass, call: PyNode): void {
  const value = argumentsOf(call, pass.file).keyword('http_client')?.value;
  if (!value) return;
  const binding = value.kind === 'identifier' ? pass.file.bindings.of(value) : undefined;
  const makers = value.kind === 'call' ? [value] : (binding?.sites ?? []).flatMap((site) => makerOf(site.node) ?? []);
  for (const maker of makers) {
    const path = originOf(maker.get('function') ?? maker, pass.file)?.path;
    if (!path?.startsWith('httpx.')) continue;
    eachNode(maker, (node) => {
      const name = node.kind === 'identifier' && !(node.parent?.kind === 'attribute' && node.field === 'attribute') ? node : undefined;
      const origin = name && originOf(name, pass.file);
      if (name && origin?.path === 'httpx') pass.edits.replace(name, 'httpx2');
      else if (name && origin?.path.startsWith('httpx.') === true && origin.imported?.form === 'from')
        pass.mark('client-transport', name, 'The HTTP client that the SDK is given is one of `httpx2` now.');
      return undefined;
    });
    if (pass.text(maker).startsWith('httpx.')) pass.wanted.push({ module: 'httpx2', name: '*' });
  }
  if (makers.length === 0 && value.kind !== 'none' && !isHttpx2(pass, value))
    pass.mark('client-transport', value, 'The HTTP client that the SDK is given is one of `httpx2` now: make it with that library.');
}

const isHttpx2 = (pass: Pass, value: PyNode): boolean => /httpx2|create_mcp_http_client/.test(pass.text(value)) || !/\bhttpx\b/.test(pass.file.text);

/** The call that makes what a `with` or an assignment binds. */
function makerOf(node: PyNode): PyNode | undefined {
  const value = node.kind === 'assignment' ? assignedValue(node) : node.kind === 'with_item' ? node.get('value')?.children[0] : undefined;
  const bare = value && unwrap(value);
  return bare?.kind === 'call' ? bare : undefined;
}

const KEPT: ReadonlySet<string> = new Set(['url', 'terminate_on_close']);

/** `streamablehttp_client(url, headers=…, timeout=…)`. */
function options(pass: Pass, call: PyNode): void {
  const args = argumentsOf(call, pass.file);
  const moving = args.keywords.filter(({ name }) => !KEPT.has(name));
  if (args.splat || args.spread || args.positional.length > 1) {
    pass.mark('client-transport', call, 'Options go to an `httpx2.AsyncClient` that is passed as `http_client=`.');
    return;
  }
  if (moving.length === 0 || !args.node) return;
  const client = clientText(pass, moving);
  if (client === undefined) {
    pass.mark(
      'client-transport',
      call,
      `Give ${moving.map(({ name }) => `\`${name}\``).join(', ')} to an \`httpx2.AsyncClient\` and pass it as \`http_client=\`.`,
    );
    return;
  }
  const item = withItem(call);
  const stack = stackOf(pass, call);
  if (item) {
    const name = freeName(pass, 'http_client');
    pass.edits.insert(item.start, `${client} as ${name}, `);
    replaceOptions(pass, args.node, moving, `http_client=${name}`);
  } else if (stack !== undefined) replaceOptions(pass, args.node, moving, `http_client=await ${stack}.enter_async_context(${client})`);
  else {
    pass.mark(
      'client-transport',
      call,
      `Give ${moving.map(({ name }) => `\`${name}\``).join(', ')} to an \`httpx2.AsyncClient\`, enter it, and pass it as \`http_client=\`.`,
    );
    return;
  }
  pass.wanted.push({ module: 'httpx2', name: '*' });
}

/** Puts one argument in the place of several. */
function replaceOptions(pass: Pass, list: PyNode, moving: readonly KeywordArgument[], text: string): void {
  const [first, ...rest] = moving;
  if (!first) return;
  pass.edits.replace(first.node, text);
  pass.edits.removeArguments(
    list,
    rest.map(({ node }) => node),
  );
}

/** The `httpx2` client that behaves like the one that SDK 1.x made: it follows redirects, and waits 30 seconds, 300 for a stream. */
function clientText(pass: Pass, moving: readonly KeywordArgument[]): string | undefined {
  const parts: string[] = [];
  const value = (name: string): PyNode | undefined => moving.find((each) => each.name === name)?.value;
  if (moving.some(({ name }) => !['headers', 'timeout', 'sse_read_timeout', 'auth'].includes(name))) return undefined;
  const headers = value('headers');
  if (headers && headers.kind !== 'none') parts.push(`headers=${pass.edits.textAfter(headers)}`);
  const timeout = value('timeout');
  const read = value('sse_read_timeout');
  const connect = timeout ? secondsOf(pass, timeout) : '30';
  const stream = read ? secondsOf(pass, read) : '300';
  if (connect === undefined || stream === undefined) return undefined;
  parts.push(`timeout=httpx2.Timeout(${connect}, read=${stream})`);
  const auth = value('auth');
  if (auth && auth.kind !== 'none') parts.push(`auth=${pass.edits.textAfter(auth)}`);
  parts.push('follow_redirects=True');
  return `httpx2.AsyncClient(${parts.join(', ')})`;
}

/** An expression in seconds: numbers, inline `timedelta`s, and names that are declared or bound as one of them. */
function secondsOf(pass: Pass, node: PyNode): string | undefined {
  if (isTimedelta(pass, node)) {
    const args = argumentsOf(node, pass.file);
    const [only] = args.keywords;
    return args.keywords.length === 1 && args.positional.length === 0 && only?.name === 'seconds'
      ? pass.text(only.value)
      : `${pass.text(node)}.total_seconds()`;
  }
  if (typeof constantOf(node, pass.file) === 'number') return pass.text(node);
  const binding = node.kind === 'identifier' ? pass.file.bindings.of(node) : undefined;
  if (binding && pass.inSeconds.has(binding)) return pass.text(node);
  const site = binding?.sites[0];
  const annotation = site?.node.get('type');
  const type = annotation && pass.text(annotation);
  if (type === 'float' || type === 'int') return pass.text(node);
  if (type === 'timedelta') return `${pass.text(node)}.total_seconds()`;
  const value = site?.how === 'assign' && site.path.length === 0 ? assignedValue(site.node) : undefined;
  return value && isTimedelta(pass, value) ? `${pass.text(node)}.total_seconds()` : undefined;
}

/** The item of an `async with` that the call is, with or without `as`. */
function withItem(call: PyNode): PyNode | undefined {
  const holder = call.parent?.kind === 'as_pattern' && call.parent.children[0] === call ? call.parent : call;
  return holder.parent?.kind === 'with_item' ? holder.parent : undefined;
}

/** The exit stack whose `enter_async_context` is given the call. */
function stackOf(pass: Pass, call: PyNode): string | undefined {
  const outer = call.parent?.kind === 'argument_list' ? call.parent.parent : undefined;
  const callee = outer?.kind === 'call' ? outer.get('function') : undefined;
  const name = callee?.get('attribute');
  const object = callee?.get('object');
  const awaited = outer && above(outer, ({ kind }) => kind === 'await')?.children[0] === outer;
  return name && object && pass.text(name) === 'enter_async_context' && awaited ? pass.text(object) : undefined;
}

function freeName(pass: Pass, wanted: string): string {
  if (!pass.isTaken(wanted)) return wanted;
  for (let n = 1; ; n++) if (!pass.isTaken(`mcp_${wanted}${n > 1 ? String(n) : ''}`)) return `mcp_${wanted}${n > 1 ? String(n) : ''}`;
}
