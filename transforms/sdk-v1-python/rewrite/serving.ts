import {
  type PyNode,
  argumentsOf,
  calledName,
  constantOf,
  enclosingFunction,
  functionRef,
  originOf,
  outcomesOf,
  symbolOf,
  unwrap,
} from '../../../src/languages/python/index.js';
import type { Pass } from './pass.js';
import { targetOf } from './targets.js';

const SERVER = 'mcp.server.mcpserver.MCPServer';

const HTTP = ['streamable_http_path', 'json_response', 'stateless_http', 'event_store', 'retry_interval', 'transport_security'];
const SSE = ['sse_path', 'message_path', 'transport_security'];

/** What each way of serving takes in SDK 2.x. Source: signatures of 2.3.0. */
export const TAKES: Readonly<Record<'stdio' | 'sse' | 'http' | 'sse-app' | 'http-app', ReadonlySet<string>>> = {
  stdio: new Set(),
  sse: new Set(['host', 'port', ...SSE]),
  http: new Set(['host', 'port', ...HTTP]),
  'sse-app': new Set(['host', ...SSE]),
  'http-app': new Set(['host', ...HTTP]),
};
type Way = keyof typeof TAKES;

/** Keywords of the constructor that say how the server is served; in SDK 2.x they belong to the call that serves it. */
export const TRANSPORT: ReadonlySet<string> = new Set(['host', 'port', ...HTTP, ...SSE]);

/** The construction of a `FastMCP`. */
export interface Construction {
  readonly pass: Pass;
  readonly call: PyNode;
  /** Names under which it is known: the variable, and the function that returns it. */
  readonly symbols: ReadonlySet<string>;
}

/** A call that serves a server. */
export interface Serving {
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

/** True when an expression is the class `FastMCP` of SDK 1.x. */
function isServerClass(pass: Pass, node: PyNode): boolean {
  const origin = originOf(node, pass.file);
  if (!origin || (origin.imported && pass.isDual(origin.imported))) return false;
  const target = targetOf(origin.path);
  return target?.kind === 'moved' && target.path === SERVER;
}

/** What a call builds, when it builds a `FastMCP`. */
export function construction(pass: Pass, call: PyNode): Construction | undefined {
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

/** What a call serves, when it serves one of the servers. */
export function serving(pass: Pass, call: PyNode, symbols: ReadonlySet<string>): Serving | undefined {
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
