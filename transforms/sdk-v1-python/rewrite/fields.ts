import {
  type PyNode,
  argumentsOf,
  assignedValue,
  calledName,
  contentSpan,
  originOf,
  parametersOf,
  stringValue,
  enclosingFunction,
} from '../../../src/languages/python/index.js';
import { isCommonField, snakeField } from '../../_mcp/python/fields.js';
import { relationOf, sdkPaths } from '../../_mcp/python/paths.js';
import { readsBoth } from '../both.js';
import { type Evidence, evidenceOf, isVersionBranch } from './evidence.js';
import type { Pass } from './pass.js';

/** What a project reads under its new name, and what is left under the old one: doubles in tests follow the readers. */
export interface FieldUse {
  readonly moved: Set<string>;
  readonly left: Set<string>;
}

const META = 'mcp.types.RequestParamsMeta';
const isModel = (evidence: Evidence): boolean =>
  (evidence.kind === 'typed' || evidence.kind === 'shaped') && evidence.types.some((type) => type.startsWith('mcp.types.'));
const isMeta = (evidence: Evidence): boolean => evidence.kind === 'typed' && evidence.types.includes(META);

/** Camel-case fields of SDK models: reads, writes, `getattr`, copies and dumps, each with a proof of what the object is. */
export function moveFields(pass: Pass, use: FieldUse): void {
  for (const node of pass.all('attribute')) attribute(pass, node, use);
  for (const call of pass.all('call')) {
    const called = calledName(call, pass.file);
    if (/^(?:getattr|hasattr|setattr|delattr)$/.test(called ?? '') && call.get('function')?.kind === 'identifier') byName(pass, call, called ?? '', use);
    else if (called === 'model_copy' || called === 'model_dump' || called === 'model_dump_json' || called === 'dict' || called === 'json')
      copies(pass, call, called);
    addresses(pass, call);
  }
  unions(pass);
}

/** A read of a field whose object nobody can name: reported when the name belongs to MCP alone and the file uses the SDK. */
function leave(pass: Pass, node: PyNode, field: string, use: FieldUse): void {
  const relation = relationOf(pass.file);
  use.left.add(field);
  if (isCommonField(field) || !relation.sdk || relation.framework || relation.other) return;
  pass.mark(
    node.kind === 'attribute' ? 'camel-read' : 'camel-default',
    node,
    `In SDK 2.x this field is \`${snakeField(field) ?? field}\`; rename it if the object is one of the SDK.`,
  );
}

function attribute(pass: Pass, node: PyNode, use: FieldUse): void {
  const object = node.get('object');
  const name = node.get('attribute');
  const field = name && pass.text(name);
  if (!object || !name || field === undefined) return;
  const snake = snakeField(field);
  if (snake === undefined && !/^meta$|^\w+$/.test(field)) return;
  if (snake === undefined) return;
  if (originOf(node, pass.file) || isVersionBranch(pass, node) || readsBoth(node, object, snake, pass.file)) return;
  const evidence = evidenceOf(pass, object);
  if (isMeta(evidence)) {
    if (!isTarget(node)) pass.edits.replace({ start: object.end, end: node.end }, `.get("${snake}")`);
    else
      pass.mark(
        'request-meta',
        node,
        `In SDK 2.x the metadata of a request are a dictionary: set \`${pass.text(object)}["${snake}"]\`, or make the dictionary anew.`,
      );
    return;
  }
  if (isModel(evidence)) {
    pass.edits.replace(name, snake);
    use.moved.add(field);
  } else if (evidence.kind === 'unknown' && !isDouble(pass, object)) leave(pass, node, field, use);
}

/** Something is stored there, or deleted: a call cannot stand in its place. */
function isTarget(node: PyNode): boolean {
  let at = node;
  while (
    at.parent &&
    /^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list|list_splat_pattern|parenthesized_expression)$/.test(at.parent.kind)
  )
    at = at.parent;
  const holder = at.parent;
  return at.field === 'left' || at.field === 'alias' || holder?.kind === 'delete_statement' || holder?.kind === 'as_pattern_target';
}

/** `getattr(result, "isError", False)`: the most dangerous place, for the default hides the rename. */
function byName(pass: Pass, call: PyNode, called: string, use: FieldUse): void {
  const args = argumentsOf(call, pass.file);
  const [object, literal, fallback] = args.positional;
  const field = literal && stringValue(literal, pass.file);
  const span = literal && contentSpan(literal);
  const snake = field === undefined ? undefined : snakeField(field);
  if (!object || !literal || field === undefined || !span || snake === undefined || isVersionBranch(pass, call)) return;
  if (readsBoth(call, object, snake, pass.file)) return;
  const evidence = evidenceOf(pass, object);
  if (isMeta(evidence) && called === 'getattr') {
    pass.edits.replace(call, `(${pass.text(object)} or {}).get("${snake}"${fallback && pass.text(fallback) !== 'None' ? `, ${pass.text(fallback)}` : ''})`);
    return;
  }
  if (isModel(evidence)) {
    pass.edits.replace(span, snake);
    use.moved.add(field);
  } else if (evidence.kind === 'unknown' && !isDouble(pass, object)) leave(pass, literal, field, use);
}

/** Keys of `model_copy(update=…)`, and dumps: SDK 2.x spells both in snake case unless it is asked for the names of the wire. */
function copies(pass: Pass, call: PyNode, called: string): void {
  const callee = call.get('function');
  const object = callee?.kind === 'attribute' ? callee.get('object') : undefined;
  if (!object) return;
  const args = argumentsOf(call, pass.file);
  const evidence = evidenceOf(pass, object);
  if (!isModel(evidence)) return;
  for (const name of ['update', 'include', 'exclude']) {
    const value = args.keyword(name)?.value;
    const keys = value?.kind === 'dictionary' ? value.children.flatMap((pair) => pair.get('key') ?? []) : value?.kind === 'set' ? value.children : [];
    for (const key of keys) {
      const field = stringValue(key, pass.file);
      const span = contentSpan(key);
      const snake = field === undefined ? undefined : snakeField(field);
      if (span && snake !== undefined) pass.edits.replace(span, snake);
    }
  }
  if (called === 'model_copy' || args.splat || args.keyword('by_alias') || !args.node) return;
  const last = args.node.children.at(-1);
  if (last) pass.edits.insert(last.end, ', by_alias=True');
  else pass.edits.insert(args.node.start + 1, 'by_alias=True');
}

const ADDRESSED: ReadonlySet<string> = new Set(['read_resource', 'subscribe_resource', 'unsubscribe_resource', 'send_resource_updated']);

/** Addresses are plain strings in SDK 2.x, and an `AnyUrl` is refused. */
function addresses(pass: Pass, call: PyNode): void {
  const callee = call.get('function');
  if (!callee) return;
  const args = argumentsOf(call, pass.file);
  const model = sdkPaths(callee, pass.file).some((path) => /^mcp\.types\.[A-Z]/.test(path) || path.startsWith('mcp.server.fastmcp.resources.'));
  const method = callee.kind === 'attribute' && ADDRESSED.has(calledName(call, pass.file) ?? '');
  const value = model ? args.keyword('uri')?.value : method ? (args.keyword('uri')?.value ?? args.positional[0]) : undefined;
  if (!value) return;
  if (method && !model) {
    const object = callee.get('object');
    const evidence = object ? evidenceOf(pass, object) : undefined;
    if (evidence?.kind === 'other' || (evidence?.kind === 'unknown' && !relationOf(pass.file).sdk)) return;
  }
  if (value.kind === 'call') {
    const inner = value.get('function');
    const wrapped = inner && argumentsOf(value, pass.file);
    if (!inner || !isUrl(pass, inner) || wrapped?.positional.length !== 1 || wrapped.keywords.length > 0 || !wrapped.positional[0]) return;
    pass.edits.remove({ start: value.start, end: wrapped.positional[0].start });
    pass.edits.remove({ start: wrapped.positional[0].end, end: value.end });
  } else if (value.kind === 'identifier' && isUrlName(pass, value)) {
    pass.edits.insert(value.start, 'str(');
    pass.edits.insert(value.end, ')');
  }
}

const isUrl = (pass: Pass, node: PyNode): boolean =>
  /^(?:pydantic(?:\.networks)?|mcp\.types)\.(?:AnyUrl|FileUrl|AnyHttpUrl|HttpUrl)$/.test(originOf(node, pass.file)?.path ?? '');

/** A parameter that is declared as `AnyUrl`, or a variable that holds one. */
function isUrlName(pass: Pass, node: PyNode): boolean {
  const binding = pass.file.bindings.of(node);
  const site = binding?.sites[0];
  if (!binding || !site || binding.sites.length > 1) return false;
  if (site.how === 'parameter') {
    const fn = enclosingFunction(node);
    const parameter = fn && parametersOf(fn, pass.file).find(({ identifier }) => identifier === site.identifier);
    const annotation = parameter?.annotation?.kind === 'type' ? parameter.annotation.children[0] : parameter?.annotation;
    return annotation !== undefined && isUrl(pass, annotation);
  }
  const value = site.how === 'assign' ? assignedValue(site.node) : undefined;
  const callee = value?.kind === 'call' ? value.get('function') : undefined;
  return callee !== undefined && isUrl(pass, callee);
}

const UNIONS = /^mcp\.types\.(?:ClientRequest|ClientNotification|ClientResult|ServerRequest|ServerNotification|ServerResult|JSONRPCMessage)$/;

/** The wrappers around messages are plain unions in SDK 2.x. */
function unions(pass: Pass): void {
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    if (!callee) continue;
    const args = argumentsOf(call, pass.file);
    const [path] = sdkPaths(callee, pass.file);
    if (path !== undefined && UNIONS.test(path)) {
      const inner = args.positional[0] ?? args.keyword('root')?.value;
      if (!inner || args.positional.length + args.keywords.length !== 1)
        pass.mark('union-wrapper', call, 'Message unions have no constructor: use the message itself.');
      else {
        pass.edits.remove({ start: call.start, end: inner.start });
        pass.edits.remove({ start: inner.end, end: call.end });
      }
      continue;
    }
    const object = callee.kind === 'attribute' ? callee.get('object') : undefined;
    const method = calledName(call, pass.file);
    const [owner] = object ? sdkPaths(object, pass.file) : [];
    if (!object || owner === undefined || !UNIONS.test(owner)) continue;
    const name = owner.slice(owner.lastIndexOf('.') + 1);
    const adapter = `${name === 'JSONRPCMessage' ? 'jsonrpc_message' : name.replace(/[A-Z]/g, (letter, at: number) => (at > 0 ? '_' : '') + letter.toLowerCase())}_adapter`;
    const validate = method === 'model_validate' ? 'validate_python' : method === 'model_validate_json' ? 'validate_json' : undefined;
    if (validate === undefined) pass.mark('union-wrapper', call, `Message unions have no methods: use \`${adapter}\` of \`mcp.types\`.`);
    else pass.edits.replace(callee, `${pass.needAt('mcp.types', adapter, call)}.${validate}`);
  }
}

const DOUBLES = /^(?:unittest\.mock\.|mock\.)?(?:Magic|Async|NonCallable)?Mock$|SimpleNamespace$/;

/** A stand-in of a test. */
function isDouble(pass: Pass, node: PyNode): boolean {
  const site = node.kind === 'identifier' ? pass.file.bindings.of(node)?.sites[0] : undefined;
  const value = site?.how === 'assign' ? assignedValue(site.node) : undefined;
  const callee = value?.kind === 'call' ? value.get('function') : undefined;
  return callee !== undefined && DOUBLES.test(pass.text(callee).replace(/^.*\.(?=\w+$)/, ''));
}

/**
 * Stand-ins for SDK objects in tests take the new names of what the code reads now, as long as nothing reads the old one any longer:
 * a stand-in with the old name would answer every question with its default.
 */
export function moveDoubles(pass: Pass, use: FieldUse): void {
  const follows = (field: string): boolean => use.moved.has(field) && !use.left.has(field);
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    if (!callee || !DOUBLES.test(pass.text(callee).replace(/^.*\.(?=\w+$)/, ''))) continue;
    const args = argumentsOf(call, pass.file);
    for (const { name, nameNode } of args.keywords) {
      const snake = snakeField(name);
      // One that carries both names stands for code that reads both.
      if (snake !== undefined && follows(name) && !args.keyword(snake)) pass.edits.replace(nameNode, snake);
    }
  }
  for (const node of pass.all('attribute')) {
    const object = node.get('object');
    const name = node.get('attribute');
    const snake = name && snakeField(pass.text(name));
    if (object && name && snake !== undefined && follows(pass.text(name)) && isDouble(pass, object)) pass.edits.replace(name, snake);
  }
}
