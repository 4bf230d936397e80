import {
  type KeywordArgument,
  type PyNode,
  argumentsOf,
  calledName,
  constantOf,
  dependencies,
  eachNode,
  enclosingFunction,
  functionRef,
  originOf,
  outcomesOf,
  statementOf,
  symbolOf,
  unwrap,
} from '../../../src/languages/python/index.js';
import { removeStatement } from './names.js';
import type { Pass } from './pass.js';
import { targetOf } from './targets.js';

const SERVER = 'mcp.server.mcpserver.MCPServer';

/** Parameters of `FastMCP(...)` that may be given by position. Source: 1.28.1. */
const POSITIONAL = ['name', 'instructions', 'website_url', 'icons', 'auth_server_provider', 'token_verifier', 'event_store', 'retry_interval'];

const HTTP = ['streamable_http_path', 'json_response', 'stateless_http', 'event_store', 'retry_interval', 'transport_security'];
const SSE = ['sse_path', 'message_path', 'transport_security'];

/** What each way of serving takes in SDK 2.x. Source: signatures of 2.3.0. */
const TAKES: Readonly<Record<'stdio' | 'sse' | 'http' | 'sse-app' | 'http-app', ReadonlySet<string>>> = {
  stdio: new Set(),
  sse: new Set(['host', 'port', ...SSE]),
  http: new Set(['host', 'port', ...HTTP]),
  'sse-app': new Set(['host', ...SSE]),
  'http-app': new Set(['host', ...HTTP]),
};
type Way = keyof typeof TAKES;

/** Keywords of the constructor that say how the server is served; in SDK 2.x they belong to the call that serves it. */
const TRANSPORT: ReadonlySet<string> = new Set(['host', 'port', ...HTTP, ...SSE]);

/** The construction of a `FastMCP`. */
interface Construction {
  readonly pass: Pass;
  readonly call: PyNode;
  /** Names under which it is known: the variable, and the function that returns it. */
  readonly symbols: ReadonlySet<string>;
}

/** A call that serves a server. */
interface Serving {
  readonly pass: Pass;
  readonly call: PyNode;
  readonly symbol: string;
  /** `undefined` when the transport is decided while the program runs. */
  readonly way: Way | undefined;
}

const has =
  (pass: Pass) =>
  (path: string): boolean =>
    pass.project.has(path);

const keyOf = (ref: { readonly file: string; readonly name: string } | undefined): string | undefined => ref && `${ref.file}#${ref.name}`;

/** Servers of all files: arguments of the constructor go where SDK 2.x wants them. */
export function moveServers(passes: readonly Pass[]): void {
  const constructions = passes.flatMap((pass) => pass.all('call').flatMap((call) => construction(pass, call) ?? []));
  if (constructions.length === 0) return;
  const symbols = new Set(constructions.flatMap((each) => [...each.symbols]));
  const servings = passes.flatMap((pass) => pass.all('call').flatMap((call) => serving(pass, call, symbols) ?? []));
  // What is set later wins over what the constructor was given.
  for (const pass of passes) settings(pass, symbols, servings);
  for (const each of constructions) {
    const own = servings.filter(({ symbol }) => each.symbols.has(symbol));
    positions(each);
    transport(each, own);
  }
}

/** True when an expression is the class `FastMCP` of SDK 1.x. */
export function isServerClass(pass: Pass, node: PyNode): boolean {
  const origin = originOf(node, pass.file);
  if (!origin || (origin.imported && pass.isDual(origin.imported))) return false;
  const target = targetOf(origin.path);
  return target?.kind === 'moved' && target.path === SERVER;
}

function construction(pass: Pass, call: PyNode): Construction | undefined {
  const callee = call.get('function');
  if (!callee) return undefined;
  const inherits = pass.text(callee) === 'super().__init__' ? ownBase(pass, call) : false;
  if (!inherits && !isServerClass(pass, callee)) return undefined;
  const symbols = new Set<string>();
  let value = call;
  while (value.parent?.kind === 'parenthesized_expression') value = value.parent;
  const assignment = value.parent;
  if (assignment?.kind === 'assignment' && value.field === 'right') {
    const left = assignment.get('left');
    const key = left && keyOf(symbolOf(left, pass.file, has(pass)));
    if (key !== undefined) symbols.add(key);
  }
  const fn = enclosingFunction(call);
  if (fn) {
    for (const result of outcomesOf(fn, 'return_statement')) {
      const key = keyOf(symbolOf(result, pass.file, has(pass)));
      if (unwrap(result) === call || (key !== undefined && symbols.has(key))) symbols.add(`${keyOf(functionRef(fn, pass.file)) ?? ''}()`);
    }
  }
  return { pass, call, symbols };
}

/** `super().__init__(…)` in a class that derives from `FastMCP`. */
function ownBase(pass: Pass, call: PyNode): boolean {
  let at: PyNode | undefined = call;
  while (at && at.kind !== 'class_definition') at = at.parent;
  return at !== undefined && argumentsOf(at, pass.file).positional.some((base) => isServerClass(pass, base));
}

/** The key of the server that an expression is: the variable, or the function whose result it is. */
export function serverKey(pass: Pass, node: PyNode, symbols: ReadonlySet<string>): string | undefined {
  const own = keyOf(symbolOf(node, pass.file, has(pass)));
  if (own !== undefined && symbols.has(own)) return own;
  const made = (value: PyNode): string | undefined => {
    const callee = value.kind === 'call' ? value.get('function') : undefined;
    const key = callee && `${keyOf(symbolOf(callee, pass.file, has(pass))) ?? ''}()`;
    return key !== undefined && symbols.has(key) ? key : undefined;
  };
  const bare = unwrap(node);
  if (bare.kind === 'call') return made(bare);
  const sites = bare.kind === 'identifier' ? pass.file.bindings.of(bare)?.sites : undefined;
  const value = sites?.length === 1 && sites[0]?.how === 'assign' ? sites[0].node.get('right') : undefined;
  return value && made(unwrap(value));
}

const SERVES: Readonly<Record<string, Way | 'run'>> = {
  run: 'run',
  run_stdio_async: 'stdio',
  run_sse_async: 'sse',
  run_streamable_http_async: 'http',
  sse_app: 'sse-app',
  streamable_http_app: 'http-app',
};

function serving(pass: Pass, call: PyNode, symbols: ReadonlySet<string>): Serving | undefined {
  const callee = call.get('function');
  const object = callee?.kind === 'attribute' ? callee.get('object') : undefined;
  const way = SERVES[calledName(call, pass.file) ?? ''];
  if (!object || way === undefined) return undefined;
  const symbol = serverKey(pass, object, symbols);
  if (symbol === undefined) return undefined;
  return { pass, call, symbol, way: way === 'run' ? transportOf(pass, call) : way };
}

function transportOf(pass: Pass, call: PyNode): Way | undefined {
  const args = argumentsOf(call, pass.file);
  if (args.spread || args.splat) return undefined;
  const value = args.keyword('transport')?.value ?? args.positional[0];
  if (!value) return 'stdio';
  const name = constantOf(value, pass.file);
  return name === 'stdio' || name === 'sse' ? name : name === 'streamable-http' ? 'http' : undefined;
}

/** A second positional argument means another parameter in SDK 2.x, without an error. */
function positions({ pass, call }: Construction): void {
  const args = argumentsOf(call, pass.file);
  if (args.spread) {
    pass.mark('positional-argument', call, 'The order of the parameters is another one: give everything after the name by keyword.');
    return;
  }
  args.positional.forEach((value, index) => {
    const name = POSITIONAL[index];
    if (index > 0 && name !== undefined) pass.edits.insert(value.start, `${name}=`);
  });
  // The reported name was "FastMCP" then and is "mcp-server" now; the clients see it.
  if (
    args.positional.length === 0 &&
    args.keywords.length === 0 &&
    !args.splat &&
    args.node &&
    call.get('function')?.kind !== 'attribute' &&
    pass.text(call).endsWith('()')
  )
    pass.edits.insert(args.node.start + 1, '"FastMCP"');
}

function transport(each: Construction, servings: readonly Serving[]): void {
  const { pass, call } = each;
  const args = argumentsOf(call, pass.file);
  const mount = args.keyword('mount_path');
  if (mount) pass.mark('constructor-transport', mount.node, '`mount_path` is gone: mount the app under that path instead.');
  if (args.splat) pass.mark('constructor-transport', call, 'Transport options in `**` are refused by the constructor: give them to the call that serves.');
  const index = POSITIONAL.indexOf('event_store');
  if (args.positional.length > index) pass.mark('constructor-transport', call, '`event_store` and `retry_interval` belong to the call that serves.');
  const moving = args.keywords.filter(({ name }) => TRANSPORT.has(name));
  if (moving.length === 0) return;
  const problem = obstacle(each, servings, moving);
  if (problem !== undefined) {
    pass.mark(
      'constructor-transport',
      call,
      `${problem} Give ${moving.map(({ node }) => `\`${oneLine(pass.text(node))}\``).join(', ')} to the call that serves.`,
    );
    return;
  }
  for (const { pass: other, call: at, way } of servings) {
    if (way === undefined) continue;
    const given = new Set([
      ...argumentsOf(at, other.file).keywords.map(({ name }) => name),
      ...(other.appended.get(at) ?? []).map((text) => text.slice(0, text.indexOf('='))),
    ]);
    const own = moving.filter(({ name }) => TAKES[way].has(name) && !given.has(name));
    for (const { name, value } of own) other.append(at, `${name}=${pass.edits.textAfter(value)}`);
    for (const { value } of own) carryImports(pass, other, value);
  }
  if (args.node)
    pass.edits.removeArguments(
      args.node,
      moving.map(({ node }) => node),
    );
  const lost = moving.filter(({ name }) => servings.every(({ way }) => way === undefined || !TAKES[way].has(name)));
  if (lost.length > 0)
    pass.notes.add(`${pass.file.path}: ${lost.map(({ name }) => `\`${name}\``).join(', ')} had no effect on the way that the server is served, and is gone.`);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Why the keywords cannot be moved, in a sentence. */
function obstacle(each: Construction, servings: readonly Serving[], moving: readonly KeywordArgument[]): string | undefined {
  if (each.symbols.size === 0) return 'The constructor no longer takes transport options, and it is not clear what serves this object.';
  if (servings.length === 0) return 'The constructor no longer takes transport options, and no call that serves was found.';
  if (servings.some(({ way }) => way === undefined))
    return 'The constructor no longer takes transport options, and the transport is chosen while the program runs.';
  for (const { pass, call, way } of servings) {
    for (const { name, value } of moving) {
      if (way === undefined || !TAKES[way].has(name)) continue;
      if (!isVisible(each.pass, value, pass, call))
        return `The constructor no longer takes transport options, and \`${name}\` is not known where the server is served.`;
    }
  }
  return undefined;
}

/** True when an expression means the same at another place: constants, and names that are bound once and seen from there. */
function isVisible(from: Pass, value: PyNode, to: Pass, at: PyNode): boolean {
  let visible = true;
  eachNode(value, (node) => {
    if (node.kind === 'await' || node.kind === 'lambda' || node.kind === 'named_expression' || node.kind === 'yield') visible = false;
    if (node.kind === 'attribute') return undefined;
    if (
      node.kind !== 'identifier' ||
      (node.parent?.kind === 'attribute' && node.field === 'attribute') ||
      (node.parent?.kind === 'keyword_argument' && node.field === 'name')
    )
      return undefined;
    const binding = from.file.bindings.of(node);
    if (!binding) return undefined;
    const sites = binding.sites.length === 1;
    if (from === to) {
      const seen = to.file.bindings.lookup(binding.name, at);
      const ordered = binding.scope.kind === 'module' || (binding.sites[0]?.identifier.start ?? Infinity) < at.start;
      if (seen !== binding || !sites || !ordered) visible = false;
    } else if (!(sites && binding.scope.kind === 'module' && binding.sites[0]?.how === 'import')) visible = false;
    return undefined;
  });
  return visible;
}

/** Names that a moved expression uses come along. */
function carryImports(from: Pass, to: Pass, value: PyNode): void {
  if (from === to) return;
  eachNode(value, (node) => {
    const binding = node.kind === 'identifier' ? from.file.bindings.of(node) : undefined;
    const origin = binding && originOf(node, from.file);
    if (origin?.imported?.form === 'from') to.need(origin.imported.module, origin.imported.name);
    return undefined;
  });
}

/** Writes the arguments that were added to a call. */
export function writeAppended(pass: Pass, call: PyNode, added: readonly string[]): void {
  const list = call.get('arguments');
  if (!list || added.length === 0) return;
  const last = list.children.at(-1);
  if (!last) {
    pass.edits.insert(list.start + 1, added.join(', '));
    return;
  }
  const rest = pass.file.text.slice(last.end, list.end - 1);
  const comma = /^\s*,/.exec(rest);
  if (comma && rest.includes('\n')) {
    const indent = /\n([ \t]*)$/.exec(pass.file.text.slice(0, last.start))?.[1];
    const separator = indent === undefined ? ' ' : pass.file.eol + indent;
    pass.edits.insert(last.end + comma[0].length, added.map((text) => `${separator}${text},`).join(''));
  } else if (comma) pass.edits.insert(last.end + comma[0].length, added.map((text) => ` ${text},`).join(''));
  else pass.edits.insert(last.end, added.map((text) => `, ${text}`).join(''));
}

/** `server.settings.port = 1`: SDK 2.x refuses it, so the value goes to the one call that serves. */
function settings(pass: Pass, symbols: ReadonlySet<string>, servings: readonly Serving[]): void {
  for (const assignment of pass.all('assignment')) {
    const left = assignment.get('left');
    const value = assignment.get('right');
    const name = left?.kind === 'attribute' ? left.get('attribute') : undefined;
    const holder = left?.get('object');
    const object = holder?.kind === 'attribute' && pass.text(holder.get('attribute') ?? holder) === 'settings' ? holder.get('object') : undefined;
    if (!name || !value || !object) continue;
    const setting = pass.text(name);
    const symbol = serverKey(pass, object, symbols);
    if (symbol === undefined || (!TRANSPORT.has(setting) && setting !== 'mount_path')) continue;
    const statement = statementOf(assignment);
    const own = servings.filter((each) => each.symbol === symbol);
    const takers = own.filter(({ pass: other, way }) => way !== undefined && TAKES[way].has(setting) && (other === pass || imports(other, pass)));
    const [only] = takers;
    const movable =
      only !== undefined &&
      takers.length === 1 &&
      own.every(({ way }) => way !== undefined) &&
      isVisible(pass, value, only.pass, only.call) &&
      comesFirst(statement, only, pass) &&
      argumentsOf(only.call, only.pass.file).keyword(setting) === undefined;
    if (!movable) {
      pass.mark(
        'settings-access',
        statement,
        `The settings no longer carry \`${setting}\`: give \`${setting}=${oneLine(pass.text(value))}\` to the call that serves.`,
      );
      continue;
    }
    only.pass.append(only.call, `${setting}=${pass.edits.textAfter(value)}`);
    removeStatement(pass, statement);
  }
}

/** True when one file imports the other: what the other does to a shared object happens before. */
const imports = (from: Pass, to: Pass): boolean => dependencies(from.file, (path) => from.project.has(path)).includes(to.file.path);

/** True when the statement always runs before the call: a block of it, or the module for a call inside of a function. */
function comesFirst(statement: PyNode, { pass, call }: Serving, from: Pass): boolean {
  const block = statement.parent;
  if (from !== pass) return block?.kind === 'module';
  if (block?.kind === 'module' && enclosingFunction(call)) return true;
  let at: PyNode | undefined = call;
  while (at && at.parent !== block) at = at.parent;
  return at !== undefined && at.start > statement.start && enclosingFunction(at) === enclosingFunction(statement);
}
