import { argumentsOf, calledName, constantOf, parametersOf, type PyNode } from '../../../src/languages/python/index.js';
import { decoratorMethods, nodesOf, receiverOf } from '../../_mcp/python/nodes.js';
import { isSdkName, sdkPaths } from '../../_mcp/python/paths.js';
import { familyOf } from '../../_mcp/python/servers.js';
import { isInstance, sdkTypesOf } from '../../_mcp/python/types.js';
import type { Scene } from './scene.js';

/** Fields of models that SDK 1.x kept although nobody declared them. Source: models of 1.28.1; aliases and snake case included. */
const DECLARED: Readonly<Record<string, ReadonlySet<string>>> = {
  'mcp.types.Tool': new Set('name title description inputSchema input_schema outputSchema output_schema icons annotations meta _meta execution'.split(' ')),
  'mcp.types.TextContent': new Set('type text annotations meta _meta'.split(' ')),
  'mcp.types.CallToolResult': new Set('content structuredContent structured_content isError is_error meta _meta result_type'.split(' ')),
};
const LOOKUPS: ReadonlySet<string> = new Set(['get_resource', 'read_resource']);
const TASKS = /^mcp\.types\.(?:Task|TaskStatus|TaskMetadata|CreateTaskResult|GetTask\w*|ListTasks\w*|CancelTask\w*|RelatedTaskMetadata)$/;

/** What works without an error on both majors and does something else, and what the new checks of SDK 2.x refuse. */
export function detectBehaviours(scene: Scene): void {
  const { file, say } = scene;
  for (const call of nodesOf(file, 'call')) {
    const callee = call.get('function');
    if (!callee) continue;
    extraFields(call, callee, scene);
    const raising = calledName(call, file) === 'run' ? argumentsOf(call, file).keyword('raise_exceptions') : undefined;
    if (raising && file.textOf(raising.value) === 'True' && isInstance(receiverOf(call) ?? call, file, 'mcp.server.Server'))
      say('changed-behaviour', raising.node, {
        form: '`raise_exceptions=True`',
        detail: 'raises what handlers raise, and no longer what the transport does',
        advice: 'Watch the transport by its own errors.',
      });
    if (calledName(call, file) === 'elicit') question(call, scene);
  }
  for (const definition of nodesOf(file, 'function_definition')) staticResource(definition, scene);
  for (const clause of nodesOf(file, 'except_clause')) lookup(clause, scene);
  for (const node of nodesOf(file, 'attribute')) {
    const path = sdkPaths(node, file).find((each) => TASKS.test(each));
    if (path !== undefined)
      say('removed-name', node, {
        name: path,
        advice: 'The experimental tasks left the SDK: use the Tasks extension, or a tool that starts and one that asks.',
      });
  }
  environment(scene);
}

/** Unknown members of a model, which SDK 2.x drops without a word. */
function extraFields(call: PyNode, callee: PyNode, { file, say }: Scene): void {
  const path = sdkPaths(callee, file).find((each) => DECLARED[each] !== undefined);
  const declared = path === undefined ? undefined : DECLARED[path];
  if (!declared) return;
  for (const { name, node } of argumentsOf(call, file).keywords)
    if (!declared.has(name))
      say('changed-behaviour', node, {
        form: `\`${name}=\` of \`${file.textOf(callee)}\``,
        detail: 'is no field of the model: v1 sent it along, v2 drops it',
        advice: 'Put it into `_meta`.',
      });
}

/** The form of a question may hold plain values only. */
function question(call: PyNode, { file, say }: Scene): void {
  const schema = argumentsOf(call, file).keyword('schema')?.value ?? argumentsOf(call, file).positional[1];
  const receiver = receiverOf(call);
  if (schema?.kind !== 'identifier' || !receiver || !sdkTypesOf(receiver, file).some(({ name }) => name.endsWith('.Context'))) return;
  const model = file.bindings.of(schema)?.sites.find(({ how }) => how === 'class')?.node;
  for (const statement of model?.get('body')?.children ?? []) {
    const field = statement.kind === 'expression_statement' ? statement.children[0] : undefined;
    const type = field?.kind === 'assignment' ? field.get('type') : undefined;
    if (!type) continue;
    const text = file.textOf(type);
    const nested =
      file.bindings.root.names.get(text)?.sites.some(({ how }) => how === 'class') === true && !/\bEnum\b|Literal/.test(text) && isModel(text, file);
    const mixed = /\bdict\b|\bDict\b|list\[(?!str\])|\b(?:int|float|bool)\b\s*\|\s*str\b|\bstr\b\s*\|\s*(?:int|float|bool)\b/.test(text);
    if (nested || mixed)
      say('changed-behaviour', field ?? statement, {
        form: `the field \`${file.textOf(field?.get('left') ?? statement)}\` of a question`,
        detail: 'is no plain value: `elicit` raises `TypeError` for it',
        advice: 'Ask for strings, numbers, booleans and lists of choices only.',
      });
  }
}

function isModel(name: string, file: Scene['file']): boolean {
  const definition = file.bindings.root.names.get(name)?.sites.find(({ how }) => how === 'class')?.node;
  return definition !== undefined && argumentsOf(definition, file).positional.some((base) => file.textOf(base).endsWith('BaseModel'));
}

/** A resource without variables that is given the context: registering it raises in SDK 2.x. */
function staticResource(definition: PyNode, { file, say }: Scene): void {
  for (const { node, method, receiver } of decoratorMethods(definition, file)) {
    if (method !== 'resource' || node.kind !== 'call' || !receiver || familyOf(receiver, file) !== 'sdk-v1') continue;
    const [uri] = argumentsOf(node, file).positional;
    const value = uri && constantOf(uri, file);
    const parameters = parametersOf(definition, file);
    const context = parameters.find(({ annotation }) => annotation && isSdkName(annotation.children[0] ?? annotation, file, 'mcp.server.fastmcp.Context'));
    if (typeof value === 'string' && !value.includes('{') && context && parameters.length === 1)
      say('changed-behaviour', context.node, {
        form: `the resource \`${value}\``,
        detail: 'has no variable and takes the context, which SDK v2 refuses when it is registered',
        advice: 'Leave the context out, or give the address a variable.',
      });
  }
}

/** `except ValueError` around a lookup of a resource on the server object. */
function lookup(clause: PyNode, { file, say }: Scene): void {
  const caught = clause.get('value');
  const body = clause.parent?.get('body');
  if (!caught || !body || !/\bValueError\b/.test(file.textOf(caught))) return;
  const asks = nodesOf(file, 'call').some((call) => {
    const receiver = receiverOf(call);
    return call.start >= body.start && call.end <= body.end && receiver && LOOKUPS.has(calledName(call, file) ?? '') && familyOf(receiver, file) === 'sdk-v1';
  });
  if (asks)
    say('changed-behaviour', caught, {
      form: '`except ValueError` around a lookup of a resource',
      detail: 'no longer catches a missing one, which is a `ResourceNotFoundError`',
      advice: 'Catch `ResourceNotFoundError` and `ResourceError`.',
    });
}

/** `FASTMCP_PORT` and its like were settings of SDK 1.x. */
function environment({ file, relation, say }: Scene): void {
  if (!relation.sdk || relation.framework) return;
  for (const node of nodesOf(file, 'string')) {
    const value = constantOf(node, file);
    if (typeof value === 'string' && /^FASTMCP_[A-Z_]+$/.test(value) && isSet(node, file))
      say('settings-access', node, { name: value }, { certainty: 'likely', impact: 'degrades' });
  }
}

/** `os.environ["…"] = …`, `setdefault`, `monkeypatch.setenv`: a program may read such a variable for itself. */
function isSet(node: PyNode, file: Scene['file']): boolean {
  const { parent } = node;
  if (parent?.kind === 'subscript') return parent.parent?.kind === 'assignment' && parent.field === 'left';
  const call = parent?.kind === 'argument_list' ? parent.parent : undefined;
  return call !== undefined && /^(?:setdefault|setenv|putenv)$/.test(calledName(call, file) ?? '');
}
