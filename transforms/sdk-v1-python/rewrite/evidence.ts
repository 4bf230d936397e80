import {
  type Binding,
  type PyNode,
  type PythonFile,
  argumentsOf,
  calledName,
  eachNode,
  enclosingFunction,
  parametersOf,
  stringValue,
  symbolOf,
  unwrap,
} from '../../../src/languages/python/index.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import { relationOf } from '../../_mcp/python/paths.js';
import type { Pass, Project } from './pass.js';

/** What is known about the object that a member is read from. */
export type Evidence =
  /** Its class is one of the SDK's: by constructor, annotation, `with`, loop, result of a known method. */
  | { readonly kind: 'typed'; readonly types: readonly string[] }
  /** Its class is not written down, but what is read from it exists together on one SDK class only. */
  | { readonly kind: 'shaped'; readonly types: readonly string[] }
  /** It is something else. */
  | { readonly kind: 'other' }
  | { readonly kind: 'unknown' };

/** Members of SDK classes that are recognised by what is read from them. Source: models of 1.28.1. */
const SHAPES: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    Tool: 'name title description inputSchema outputSchema icons annotations meta execution',
    ToolAnnotations: 'title readOnlyHint destructiveHint idempotentHint openWorldHint',
    CallToolResult: 'content structuredContent isError meta',
    ListToolsResult: 'tools nextCursor meta',
    ListResourcesResult: 'resources nextCursor meta',
    ListPromptsResult: 'prompts nextCursor meta',
    ListResourceTemplatesResult: 'resourceTemplates nextCursor meta',
    InitializeResult: 'protocolVersion capabilities serverInfo instructions meta',
    ResourceTemplate: 'uriTemplate name title description mimeType icons annotations meta',
    Resource: 'uri name title description mimeType size icons annotations meta',
    ImageContent: 'type data mimeType annotations meta',
    CreateMessageRequestParams: 'messages modelPreferences systemPrompt includeContext temperature maxTokens stopSequences metadata tools toolChoice',
  }).map(([name, fields]) => [name, new Set(fields.split(' '))]),
);

/** Names that no other protocol has: one of them is enough. */
const ALONE: ReadonlySet<string> = new Set([
  'structuredContent',
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
  'isError',
  'resourceTemplates',
]);

/** `self.name = …`. */
const ownMember = (node: PyNode, file: PythonFile): boolean => node.kind === 'attribute' && /^(?:self|cls)$/.test(file.textOf(node.get('object') ?? node));

/** Members of every model: they say nothing. */
const GENERAL: ReadonlySet<string> = new Set(['model_dump', 'model_dump_json', 'model_copy', 'dict', 'json', 'meta']);

const isSdkType = (name: string): boolean => /^mcp\.(?:types|server|client|shared)\.|^mcp\.[A-Z]/.test(name);

/** What flows into a node, and from how many files it has been looked for. */
export class EvidenceBook {
  readonly #parameters = new Map<string, Evidence>();
  readonly #running = new Set<string>();
  /** Names that classes of the repository declare themselves. */
  readonly #declared = new Set<string>();
  readonly #calls = new Map<string, { readonly file: PythonFile; readonly call: PyNode }[]>();

  constructor(readonly project: Project) {
    for (const file of project.files.values()) {
      eachNode(file.tree, (node) => {
        const left = node.kind === 'assignment' ? node.get('left') : undefined;
        if (left && (left.kind === 'identifier' ? file.bindings.of(left)?.scope.kind === 'class' : ownMember(left, file)))
          this.#declared.add(file.textOf(left.get('attribute') ?? left));
        const callee = node.kind === 'call' ? node.get('function') : undefined;
        const symbol = callee && symbolOf(callee, file, (path) => project.has(path));
        if (!symbol) return undefined;
        const key = `${symbol.file}#${symbol.name}`;
        const list = this.#calls.get(key);
        if (list) list.push({ file, call: node });
        else this.#calls.set(key, [{ file, call: node }]);
        return undefined;
      });
    }
  }

  /** What is known about an expression. */
  of(node: PyNode, file: PythonFile): Evidence {
    const at = unwrap(node);
    const types = sdkTypesOf(at, file).map(({ name }) => name);
    if (types.some(isSdkType)) return { kind: 'typed', types: types.filter(isSdkType) };
    if (types.some((name) => name.startsWith('@') || name.startsWith('fastmcp.'))) return { kind: 'other' };
    if (at.kind === 'call') return this.#ofCall(at, file);
    if (at.kind === 'subscript') {
      const list = at.get('value');
      return list ? this.#element(list, file) : { kind: 'unknown' };
    }
    if (at.kind === 'attribute') {
      const object = at.get('object');
      const name = at.get('attribute');
      return object && name ? this.#member(this.of(object, file), file.textOf(name)) : { kind: 'unknown' };
    }
    const binding = at.kind === 'identifier' ? file.bindings.of(at) : undefined;
    return binding ? this.#ofBinding(binding, file) : { kind: 'unknown' };
  }

  #member(owner: Evidence, name: string): Evidence {
    if (owner.kind !== 'typed' && owner.kind !== 'shaped') return { kind: 'unknown' };
    const types = owner.types.flatMap((type) => FLOWS[`${type.slice(type.lastIndexOf('.') + 1)}.${name}`] ?? []);
    return types.length > 0 ? { kind: owner.kind, types: types.map((type) => `mcp.types.${type}`) } : { kind: 'unknown' };
  }

  /** `getattr(tool, "annotations", None)`, and methods that only sessions have: `await peer.list_tools(…)`. */
  #ofCall(call: PyNode, file: PythonFile): Evidence {
    const args = argumentsOf(call, file);
    const called = calledName(call, file);
    const [first, second] = args.positional;
    if (called === 'getattr' && call.get('function')?.kind === 'identifier' && first && second)
      return this.#member(this.of(first, file), stringValue(second, file) ?? '');
    const result = RESULTS[called ?? ''];
    const relation = relationOf(file);
    if (result === undefined || call.get('function')?.kind !== 'attribute' || !relation.sdk || relation.framework || relation.other) return { kind: 'unknown' };
    const object = call.get('function')?.get('object');
    const known = object ? this.of(object, file) : { kind: 'unknown' as const };
    return known.kind === 'other' ? known : { kind: 'shaped', types: [`mcp.types.${result}`] };
  }

  #ofBinding(binding: Binding, file: PythonFile): Evidence {
    const key = `${file.path}#${binding.name}@${String(binding.sites[0]?.identifier.start)}`;
    const known = this.#parameters.get(key);
    if (known) return known;
    if (this.#running.has(key)) return { kind: 'unknown' };
    this.#running.add(key);
    const found = this.#flow(binding, file);
    this.#running.delete(key);
    const answer = found.kind === 'unknown' ? shapeOf(binding, file, this.#declared) : found;
    this.#parameters.set(key, answer);
    return answer;
  }

  #flow(binding: Binding, file: PythonFile): Evidence {
    const [site, ...more] = binding.sites;
    if (!site || more.length > 0) return { kind: 'unknown' };
    if (site.how === 'assign' && site.path.length === 0) {
      const value = site.node.get('right');
      return value ? this.of(value, file) : { kind: 'unknown' };
    }
    if (site.how === 'for' && site.path.length === 0) {
      const list = site.node.get('right');
      return list ? this.#element(list, file) : { kind: 'unknown' };
    }
    return site.how === 'parameter' ? this.#parameter(binding, file) : { kind: 'unknown' };
  }

  #element(list: PyNode, file: PythonFile): Evidence {
    const owner = unwrap(list);
    const object = owner.kind === 'attribute' ? owner.get('object') : undefined;
    const name = owner.get('attribute');
    return object && name ? this.#member(this.of(object, file), file.textOf(name)) : { kind: 'unknown' };
  }

  /** A parameter is what all callers in the repository give it. */
  #parameter(binding: Binding, file: PythonFile): Evidence {
    const identifier = binding.sites[0]?.identifier;
    const fn = identifier && enclosingOf(identifier);
    const parameters = fn ? parametersOf(fn, file) : [];
    const index = parameters.findIndex((parameter) => parameter.identifier === identifier);
    const name = fn?.get('name');
    const symbol = name && symbolOf(name, file, (path) => this.project.has(path));
    if (!fn || index < 0 || !symbol) return { kind: 'unknown' };
    const method = parameters[0]?.name === 'self' || parameters[0]?.name === 'cls' ? 1 : 0;
    const found = (this.#calls.get(`${symbol.file}#${symbol.name}`) ?? []).flatMap(({ file: other, call }): readonly Evidence[] => {
      const args = argumentsOf(call, other);
      const value = args.keyword(binding.name)?.value ?? args.positional[index - method];
      return value ? [this.of(value, other)] : [];
    });
    const good = found.filter((each) => each.kind === 'typed' || each.kind === 'shaped');
    if (good.length === 0 || found.some((each) => each.kind === 'other')) return { kind: 'unknown' };
    const types = [...new Set(good.flatMap((each) => ('types' in each ? each.types : [])))];
    return { kind: good.length === found.length && good.every((each) => each.kind === 'typed') ? 'typed' : 'shaped', types };
  }
}

function enclosingOf(identifier: PyNode): PyNode | undefined {
  let at = identifier.parent;
  while (at && at.kind !== 'function_definition' && at.kind !== 'lambda') at = at.parent;
  return at;
}

/** Members that lead from one SDK class to another. */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  'Tool.annotations': ['ToolAnnotations'],
  'ListToolsResult.tools': ['Tool'],
  'ListResourcesResult.resources': ['Resource'],
  'ListResourceTemplatesResult.resourceTemplates': ['ResourceTemplate'],
  'ListPromptsResult.prompts': ['Prompt'],
  'CallToolResult.content': ['ContentBlock'],
  'ContentBlock.resource': ['ResourceContents'],
  'EmbeddedResource.resource': ['ResourceContents'],
  'ReadResourceResult.contents': ['ResourceContents'],
  'InitializeResult.serverInfo': ['Implementation'],
  'InitializeResult.capabilities': ['ServerCapabilities'],
};

/** Results of methods whose names only MCP sessions have. */
const RESULTS: Readonly<Record<string, string>> = {
  list_tools: 'ListToolsResult',
  call_tool: 'CallToolResult',
  list_resources: 'ListResourcesResult',
  list_resource_templates: 'ListResourceTemplatesResult',
  list_prompts: 'ListPromptsResult',
  read_resource: 'ReadResourceResult',
};

/** The SDK class that has everything that is read from a name, when there is one and the names are not everyday ones. */
function shapeOf(binding: Binding, file: PythonFile, declared: ReadonlySet<string>): Evidence {
  const relation = relationOf(file);
  if (!relation.sdk || relation.framework || relation.other) return { kind: 'unknown' };
  const members = new Set<string>();
  for (const use of file.bindings.usesOf(binding)) {
    const parent = use.parent;
    if (parent?.kind === 'attribute' && use.field === 'object') members.add(file.textOf(parent.get('attribute') ?? use));
    const call = parent?.kind === 'argument_list' ? parent.parent : undefined;
    const args = call?.kind === 'call' && calledName(call, file) === 'getattr' ? argumentsOf(call, file) : undefined;
    const name = args?.positional[0] === use && args.positional[1] ? stringValue(args.positional[1], file) : undefined;
    if (name !== undefined) members.add(name);
  }
  for (const name of GENERAL) members.delete(name);
  const camel = [...members].filter((name) => /[a-z][A-Z]/.test(name));
  if (camel.length === 0 || camel.some((name) => declared.has(name)) || (members.size < 2 && !camel.some((name) => ALONE.has(name))))
    return { kind: 'unknown' };
  const fitting = Object.entries(SHAPES).filter(([, fields]) => [...members].every((name) => fields.has(name)));
  return fitting.length === 1 && fitting[0] ? { kind: 'shaped', types: [`mcp.types.${fitting[0][0]}`] } : { kind: 'unknown' };
}

const books = new WeakMap<Project, EvidenceBook>();

/** Evidence about the files of a project, gathered once. */
export function evidenceOf(pass: Pass, node: PyNode): Evidence {
  let book = books.get(pass.project);
  if (!book) books.set(pass.project, (book = new EvidenceBook(pass.project)));
  return book.of(node, pass.file);
}

/** True when a node stands in code that runs only with SDK 1.x or 2.x, behind a test of the version. */
export const isVersionBranch = (pass: Pass, node: PyNode): boolean => {
  let at: PyNode | undefined = node;
  for (; at; at = at.parent) {
    const condition = at.kind === 'if_statement' || at.kind === 'conditional_expression' ? (at.get('condition') ?? at.children[1]) : undefined;
    if (condition && /(?:SDK|MCP|mcp)_?\w*(?:V2|v2|MAJOR|major|VERSION|version)|sdk_major|hasattr\(/.test(pass.text(condition))) return true;
  }
  return enclosingFunction(node) === undefined ? false : isReader(pass, node);
};

/** A function that tries both spellings, such as `def is_error(result): return getattr(result, "is_error", …) or getattr(result, "isError", …)`. */
function isReader(pass: Pass, node: PyNode): boolean {
  let at: PyNode | undefined = node;
  while (at && !/statement$|^return_statement$/.test(at.kind)) at = at.parent;
  const text = at ? pass.text(at) : '';
  return /["']is_error["']|["']input_schema["']|["']next_cursor["']|["']structured_content["']|["']mime_type["']/.test(text);
}
