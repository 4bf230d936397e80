import { argumentsOf, calledName, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';
import { receiverOf } from '../../_mcp/python/nodes.js';

/** A name that an edit uses, and its module. */
export interface UsedName {
  readonly module: string;
  readonly name: string;
}

/** What a call asks the client, in the words of a resolver. */
export interface Ask {
  /** The context of the request, through which it is asked. */
  readonly context: PyNode;
  /** What the resolver returns: its type and the expression. */
  readonly marker: string;
  readonly returned: string;
  /** The type of what the tool is given. */
  readonly answer: string;
  /** Expressions of the question, which must be the same in every round. */
  readonly made: readonly PyNode[];
  /** The class that the answer is of, where the call names one. */
  readonly schema: PyNode | undefined;
  readonly names: readonly UsedName[];
}

const SERVER = 'mcp.server.mcpserver';
/** Keywords of `create_message` that `Sample` takes too. With tools the answer has another type, and is left to a person. */
const SAMPLED: ReadonlySet<string> = new Set([
  'messages',
  'max_tokens',
  'system_prompt',
  'include_context',
  'temperature',
  'stop_sequences',
  'metadata',
  'model_preferences',
]);

/** The question of `ctx.elicit`, `ctx.session.create_message` or `ctx.session.list_roots`. Source: `Elicit`, `Sample` and `ListRoots` of SDK 2.3. */
export function askOf(call: PyNode, file: PythonFile): Ask | undefined {
  const method = calledName(call, file);
  const args = argumentsOf(call, file);
  if (args.spread || args.splat) return undefined;
  if (method === 'elicit') return elicited(call, file);
  const context = sessionOwner(receiverOf(call), file);
  if (!context) return undefined;
  if (method === 'list_roots' && args.positional.length + args.keywords.length === 0) {
    const names = [server('ListRoots'), server('Resolve'), { module: 'mcp.types', name: 'ListRootsResult' }];
    return { context, marker: 'ListRoots', returned: 'ListRoots()', answer: 'ListRootsResult', made: [], schema: undefined, names };
  }
  if (method !== 'create_message' || !args.node || args.positional.length > 1 || args.keywords.some(({ name }) => !SAMPLED.has(name))) return undefined;
  return {
    context,
    marker: 'Sample',
    returned: `Sample${file.textOf(args.node)}`,
    answer: 'CreateMessageResult',
    made: [...args.positional, ...args.keywords.map(({ value }) => value)],
    schema: undefined,
    names: [server('Resolve'), server('Sample'), { module: 'mcp.types', name: 'CreateMessageResult' }],
  };
}

const server = (name: string): UsedName => ({ module: SERVER, name });

function elicited(call: PyNode, file: PythonFile): Ask | undefined {
  const args = argumentsOf(call, file);
  const context = receiverOf(call);
  const message = args.positional[0] ?? args.keyword('message')?.value;
  const schema = args.positional[1] ?? args.keyword('schema')?.value;
  if (!context || !message || schema?.kind !== 'identifier' || args.positional.length + args.keywords.length !== 2) return undefined;
  const model = file.textOf(schema);
  return {
    context,
    marker: `Elicit[${model}]`,
    returned: `Elicit(${file.textOf(message)}, ${model})`,
    answer: `ElicitationResult[${model}]`,
    made: [message],
    schema,
    names: [server('Elicit'), server('ElicitationResult'), server('Resolve')],
  };
}

/** The context in `ctx.session` and `ctx.request_context.session`. */
export function sessionOwner(session: PyNode | undefined, file: PythonFile): PyNode | undefined {
  const owner = member(session, 'session', file);
  return member(owner, 'request_context', file) ?? owner;
}

const member = (node: PyNode | undefined, name: string, file: PythonFile): PyNode | undefined =>
  node?.kind === 'attribute' && file.textOf(node.get('attribute') ?? node) === name ? node.get('object') : undefined;
