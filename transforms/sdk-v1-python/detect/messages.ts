import { argumentsOf, calledName, enclosingFunction, originsOf, outcomesOf, functionAt, valueAt, type PyNode } from '../../../src/languages/python/index.js';
import { lastNameOf, nodesOf, receiverOf } from '../../_mcp/python/nodes.js';
import { isSdkName, sdkPaths } from '../../_mcp/python/paths.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import { UNIONS } from './imports.js';
import type { Scene } from './scene.js';

const FIELD_NAMES = 'mimeType|structuredContent|isError|inputSchema|outputSchema|annotations|uriTemplate';
const ERROR = 'mcp.shared.exceptions.McpError';
const DUMPS: ReadonlySet<string> = new Set(['model_dump', 'model_dump_json', 'dict', 'json']);
const VALIDATES = /^(?:model_validate|model_validate_json|parse_obj|parse_raw)$/;
/** What a message of the SDK is called where nothing says its type. */
const MESSAGE =
  /(?:^|_)(?:message|msg|request|req|notification|notif|response|resp|result|res|event|item|raw|r|m|out|caps|capabilities|resource)\d*$|^(?:result|resp|response|r)\d*$/i;
const PARTS: ReadonlySet<string> = new Set(['host', 'scheme', 'path', 'query', 'fragment', 'port', 'username', 'unicode_string']);

/** Wrappers around unions of messages, dumps, URIs. */
export function detectMessages(scene: Scene): void {
  const { file, relation, say } = scene;
  for (const call of nodesOf(file, 'call')) {
    const callee = call.get('function');
    if (!callee) continue;
    const union = sdkPaths(callee, file).find((path) => UNIONS.has(path));
    if (union !== undefined) say('union-wrapper', callee, { form: `\`${file.textOf(callee)}(…)\`` });
    const method = calledName(call, file);
    const receiver = receiverOf(call);
    if (!receiver || method === undefined) continue;
    if (VALIDATES.test(method) && sdkPaths(receiver, file).some((path) => UNIONS.has(path)))
      say('union-wrapper', callee, { form: `\`${file.textOf(callee)}(…)\`` });
    else if (DUMPS.has(method)) detectDump(call, receiver, method, scene);
    else if (method === 'read_resource' || method === 'subscribe_resource' || method === 'unsubscribe_resource')
      detectUri(argumentsOf(call, file).positional[0] ?? argumentsOf(call, file).keyword('uri')?.value, method, scene);
  }
  for (const call of nodesOf(file, 'call')) {
    const callee = call.get('function');
    const uri = argumentsOf(call, file).keyword('uri')?.value;
    if (uri && callee && sdkPaths(callee, file).length > 0) detectUri(uri, file.textOf(callee), scene);
    if (calledName(call, file) === 'isinstance') {
      const [object, type] = argumentsOf(call, file).positional;
      if (object && type && isUrl(type, scene) && /(?:^|\.|_)uri$/i.test(file.textOf(object)) && relation.sdk)
        say('uri-type', call, { form: `\`${file.textOf(call)}\`` }, { certainty: 'likely' });
    }
  }
  for (const node of nodesOf(file, 'attribute')) {
    const object = node.get('object');
    const name = file.textOf(node.get('attribute') ?? node);
    if (!object) continue;
    if (name === 'root') detectRoot(node, object, scene);
    else if (PARTS.has(name) && object.kind === 'attribute' && file.textOf(object.get('attribute') ?? object) === 'uri') {
      const owner = object.get('object');
      if (owner && sdkTypesOf(owner, file).some((type) => type.name.startsWith('mcp.types.'))) say('uri-type', node, { form: `\`${file.textOf(node)}\`` });
    }
  }
}

function detectRoot(node: PyNode, object: PyNode, { file, relation, say }: Scene): void {
  if (!relation.sdk && !relation.framework) {
    // Wrapped messages reach tests and helpers that import nothing: only the chain itself is telling there.
    if (
      /\.(?:message|request)\.root$/.test(file.textOf(node)) ||
      /\.root\.(?:isError|content|tools|contents|params|method|result|messages|resources|prompts|error|id)\b/.test(file.text.slice(node.start, node.end + 16))
    )
      say('union-wrapper', node, { form: '`.root`' }, { certainty: 'possible' });
    return;
  }
  const types = sdkTypesOf(object, file).map(({ name }) => name);
  if (types.some((name) => name.startsWith('@')) && !types.some((name) => name.startsWith('mcp.'))) return;
  const name = lastNameOf(object, file) ?? '';
  const next = /^\.(\w+)/.exec(file.text.slice(node.end))?.[1];
  const telling =
    next !== undefined &&
    /^(?:isError|is_error|content|tools|contents|params|method|result|messages|resources|prompts|resourceTemplates|error|id|capabilities|structuredContent|completion|jsonrpc|uri|name|nextCursor|meta|tasks|model|role)$/.test(
      next,
    );
  if (types.some((each) => each.startsWith('mcp.')) || telling || MESSAGE.test(name))
    say('union-wrapper', node, { form: '`.root`' }, { certainty: telling || types.length > 0 ? 'certain' : 'likely' });
}

function detectDump(call: PyNode, receiver: PyNode, method: string, { file, relation, say }: Scene): void {
  const types = sdkTypesOf(receiver, file).map(({ name }) => name);
  if (argumentsOf(call, file).keyword('by_alias')) return;
  if (types.some((name) => name.startsWith('mcp.types.'))) say('model-dump', call, { call: `${method}()` }, { certainty: 'likely' });
  else if (types.every((name) => name === 'Any' || name === 'object') && relation.sdk && method.startsWith('model_dump') && hasFields(receiver, file))
    say('model-dump', call, { call: `${method}()` }, { certainty: 'possible' });
}

/** The function around reads fields of the same object that only the SDK has. */
function hasFields(receiver: PyNode, file: Scene['file']): boolean {
  let root: PyNode | undefined = receiver;
  while (root?.kind === 'attribute') root = root.get('object');
  const fn = enclosingFunction(receiver);
  if (root?.kind !== 'identifier' || !fn) return false;
  const name = file.textOf(root);
  return new RegExp(`\\b${name}(?:\\.|, ["'])(?:${FIELD_NAMES})\\b`).test(file.textOf(fn));
}

const isUrl = (node: PyNode, { file }: Scene): boolean =>
  originsOf(node, file).some(({ path }) => /^(?:pydantic(?:\.networks)?|mcp\.types)\.(?:AnyUrl|AnyHttpUrl|FileUrl|HttpUrl)$/.test(path));

function detectUri(value: PyNode | undefined, callee: string, scene: Scene): void {
  const { file, say } = scene;
  const target = value?.kind === 'call' ? value.get('function') : undefined;
  const made = target && isUrl(target, scene) ? value : undefined;
  if (made) say('uri-type', made, { form: `\`${callee}\` is given \`${file.textOf(target ?? made)}(…)\`` });
}

/** Names of SDK error classes; shared so that both spellings stay together. */
export function isErrorClass(node: PyNode | undefined, { file }: Scene): boolean {
  if (isSdkName(node, file, ERROR)) return true;
  if (node?.kind !== 'identifier') return false;
  // `REFUSAL = _refusal_type()`: what a function of the file found by name.
  return (file.bindings.of(node)?.sites ?? []).some((site) => {
    const call = valueAt(site);
    const fn = call?.kind === 'call' && call.get('function') ? functionAt(call.get('function') as PyNode, file) : undefined;
    return fn !== undefined && outcomesOf(fn, 'return_statement').some((value) => isSdkName(value, file, ERROR));
  });
}
