import { argumentsOf, attributesOf, constantOf, originsOf, ownClass, valueAt, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';
import { nodesOf, receiverOf } from './nodes.js';
import { canonicalPath } from './paths.js';
import { sdkTypesOf } from './types.js';

/** Which server class an object is of. */
export type ServerFamily = 'sdk-v1' | 'sdk-v2' | 'low-level' | 'framework';

const FAMILIES: Readonly<Record<string, ServerFamily>> = {
  'mcp.server.fastmcp.FastMCP': 'sdk-v1',
  'mcp.server.mcpserver.MCPServer': 'sdk-v2',
  'mcp.server.Server': 'low-level',
  'fastmcp.FastMCP': 'framework',
};

/** Classes of the file may derive from a server class through several steps; more than this is nobody's code. */
const MAX_BASES = 5;

const headOf = (node: PyNode): PyNode => (node.kind === 'subscript' ? (node.get('value') ?? node) : node);

/** The server class that a class expression stands for, through classes of the same file. */
function familyOfClass(node: PyNode, file: PythonFile, depth = 0): ServerFamily | undefined {
  const head = headOf(node);
  for (const { path } of originsOf(head, file)) {
    const family = FAMILIES[canonicalPath(path)];
    if (family) return family;
  }
  if (head.kind !== 'identifier' || depth > MAX_BASES) return undefined;
  const definition = file.bindings.of(head)?.sites.find(({ how }) => how === 'class')?.node;
  if (!definition) return undefined;
  for (const base of argumentsOf(definition, file).positional) {
    const family = familyOfClass(base, file, depth + 1);
    if (family) return family;
  }
  return undefined;
}

/** The server class of an object, as far as the file shows. */
export function familyOf(node: PyNode, file: PythonFile): ServerFamily | undefined {
  for (const { name } of sdkTypesOf(node, file)) {
    const known = FAMILIES[name];
    if (known) return known;
    const own = name.startsWith('@') ? file.bindings.root.names.get(name.slice(1))?.sites.find(({ how }) => how === 'class')?.node : undefined;
    for (const base of own ? argumentsOf(own, file).positional : []) {
      const family = familyOfClass(base, file);
      if (family) return family;
    }
  }
  return undefined;
}

/** Every place of the file that builds a server. */
export const constructionsOf = (file: PythonFile): readonly { readonly call: PyNode; readonly family: ServerFamily }[] =>
  nodesOf(file, 'call').flatMap((call) => {
    const callee = call.get('function');
    const family = callee && familyOfClass(callee, file);
    return family ? [{ call, family }] : [];
  });

/** The call that built a server object: what its variable or field was given, else the only one of the file. */
export function constructionOf(server: PyNode, file: PythonFile): PyNode | undefined {
  const all = constructionsOf(file).map(({ call }) => call);
  const given: PyNode[] = [];
  if (server.kind === 'identifier') given.push(...(file.bindings.of(server)?.sites.flatMap((site) => valueAt(site) ?? []) ?? []));
  const owner = server.kind === 'attribute' && server.get('object') ? ownClass(server.get('object') as PyNode, file) : undefined;
  const member = server.get('attribute');
  if (owner && member)
    given.push(
      ...(attributesOf(owner, file)
        .get(file.textOf(member))
        ?.places.flatMap(({ value }) => value ?? []) ?? []),
    );
  return all.find((call) => call === server || given.includes(call)) ?? (all.length === 1 ? all[0] : undefined);
}

/**
 * The value of an option of a server that is started: given at the start, else set on its settings, else given to the constructor.
 * @param start the call that starts it or builds its app
 */
export function optionOf(start: PyNode, names: readonly string[], file: PythonFile): PyNode | undefined {
  const server = receiverOf(start);
  const given = (call: PyNode | undefined): PyNode | undefined => {
    const args = call && argumentsOf(call, file);
    return names.flatMap((name) => args?.keyword(name)?.value ?? [])[0];
  };
  const direct = given(start);
  if (direct || !server) return direct;
  const settings = `${file.textOf(server)}.settings.`;
  for (const assignment of nodesOf(file, 'assignment')) {
    const left = assignment.get('left');
    if (left?.kind === 'attribute' && names.some((name) => file.textOf(left) === settings + name)) return assignment.get('right');
  }
  return given(constructionOf(server, file));
}

/** A switch as a fact says it; `otherwise` when it is not given. */
export function switchOf(value: PyNode | undefined, file: PythonFile, otherwise: 'on' | 'off'): 'on' | 'off' | 'unknown' {
  if (!value) return otherwise;
  const constant = constantOf(value, file);
  return constant === true ? 'on' : constant === false ? 'off' : 'unknown';
}

/** How a call brings a server to its clients. */
export type StartWay = 'streamable-http' | 'sse' | 'stdio';

const BY_METHOD: Readonly<Record<string, StartWay>> = {
  streamable_http_app: 'streamable-http',
  http_app: 'streamable-http',
  run_streamable_http_async: 'streamable-http',
  run_http_async: 'streamable-http',
  sse_app: 'sse',
  create_sse_app: 'sse',
  run_sse_async: 'sse',
  run_stdio_async: 'stdio',
};
const BY_NAME: Readonly<Record<string, StartWay>> = { http: 'streamable-http', 'streamable-http': 'streamable-http', sse: 'sse', stdio: 'stdio' };

/** The ways in which a call starts a high-level server; more than one when the transport is chosen at run time; empty when it starts none. */
export function startWays(call: PyNode, method: string, file: PythonFile): readonly StartWay[] {
  const fixed = BY_METHOD[method];
  // `run_http_async(transport="sse")` and `http_app(transport="sse")` of the framework serve HTTP+SSE.
  const asked = fixed === 'streamable-http' ? argumentsOf(call, file).keyword('transport')?.value : undefined;
  if (fixed) return [asked && constantOf(asked, file) === 'sse' ? 'sse' : fixed];
  if (method !== 'run' && method !== 'run_async') return [];
  const args = argumentsOf(call, file);
  const chosen = args.keyword('transport')?.value ?? args.positional[0];
  if (!chosen) return args.keywords.length > 0 && args.keyword('port') ? ['streamable-http'] : ['stdio'];
  const constant = constantOf(chosen, file);
  if (typeof constant === 'string') return BY_NAME[constant] ? [BY_NAME[constant]] : [];
  // `transport = "http" if port else "stdio"`: each literal of the file that names one may be meant.
  const named = nodesOf(file, 'string').flatMap((node) => {
    const value = constantOf(node, file);
    return typeof value === 'string' && BY_NAME[value] ? [BY_NAME[value]] : [];
  });
  return [...new Set(named)];
}
