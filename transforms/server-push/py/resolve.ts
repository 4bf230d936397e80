import type { TextEdit } from '../../../src/core/index.js';
import {
  argumentsOf,
  calledName,
  decoratorsOf,
  eachNode,
  enclosingFunction,
  parametersOf,
  statementOf,
  type Parameter,
  type PyNode,
  type PythonFile,
} from '../../../src/languages/python/index.js';
import { decoratorMethods, receiverOf } from '../../_mcp/python/nodes.js';
import { familyOf } from '../../_mcp/python/servers.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';

const CONTEXT = /^mcp\.server\.(?:fastmcp|mcpserver)\.Context$/;

/** A question that becomes a parameter of its tool. */
export interface Question {
  readonly edits: readonly TextEdit[];
  /** Names that the edits use, of `mcp.server.mcpserver`. */
  readonly names: readonly string[];
  /** Name of the function that asks. */
  readonly asks: string;
}

/**
 * `answer = await ctx.elicit(message, schema=Model)` as a parameter `answer: Annotated[ElicitationResult[Model], Resolve(ask_…)]`, which works
 * on both eras and leaves the rest of the body as it is. With several rounds the tool runs again from its start, so the question must be the
 * first thing that it does, its text may depend on the arguments only, and nothing may decide whether it is asked.
 * `undefined` when one of these is not proved.
 */
export function questionOf(call: PyNode, file: PythonFile): Question | undefined {
  const fn = enclosingFunction(call);
  const name = fn?.get('name');
  const body = fn?.get('body');
  const context = receiverOf(call);
  if (!fn?.isAsync || fn.kind !== 'function_definition' || !name || !body || context?.kind !== 'identifier' || calledName(call, file) !== 'elicit')
    return undefined;
  const definition = fn.parent?.kind === 'decorated_definition' ? fn.parent : undefined;
  if (definition?.parent?.kind !== 'module' || !isTool(fn, file)) return undefined;
  if (!sdkTypesOf(context, file).some((type) => CONTEXT.test(type.name))) return undefined;

  const statements = body.children;
  const first = statements[0] && isDocstring(statements[0]) ? 1 : 0;
  const statement = statementOf(call);
  const assignment = statement.children[0];
  const answer = assignment?.kind === 'assignment' && !assignment.get('type') ? assignment.get('left') : undefined;
  const awaited = assignment?.get('right');
  if (statements[first] !== statement || statements.length < first + 2 || answer?.kind !== 'identifier') return undefined;
  if (awaited?.kind !== 'await' || awaited.children[0] !== call || file.bindings.of(answer)?.sites.length !== 1) return undefined;
  if (otherQuestions(fn, call, file)) return undefined;

  const args = argumentsOf(call, file);
  const message = args.positional[0] ?? args.keyword('message')?.value;
  const schema = args.positional[1] ?? args.keyword('schema')?.value;
  if (args.spread || args.splat || !message || schema?.kind !== 'identifier' || args.positional.length + args.keywords.length !== 2) return undefined;
  if (file.bindings.of(schema)?.scope.kind !== 'module') return undefined;

  const parameters = parametersOf(fn, file);
  const given = parameters.find((each) => each.name === file.textOf(context));
  const used = usedParameters(message, parameters, file);
  if (!given || given.value || given.form !== 'plain' || !used || used.includes(given)) return undefined;
  if (parameters.slice(0, parameters.indexOf(given)).some((each) => each.value !== undefined || each.form !== 'plain')) return undefined;
  if (used.some((each) => !each.annotation)) return undefined;

  const asks = `ask_${file.textOf(name)}`;
  const answers = file.textOf(answer);
  if (file.bindings.all.some((binding) => binding.name === asks) || parameters.some((each) => each.name === answers)) return undefined;
  const model = file.textOf(schema);
  const { eol } = file;
  const typed = `${answers}: Annotated[ElicitationResult[${model}], Resolve(${asks})]`;
  const contextBinding = file.bindings.of(given.identifier) ?? file.bindings.of(context);
  const spare = contextBinding !== undefined && file.bindings.usesOf(contextBinding).every((use) => use === context);
  const signature = used.map(({ node }) => file.textOf(node)).join(', ');
  const step = file.text.slice(file.text.lastIndexOf('\n', statement.start - 1) + 1, statement.start);
  const next = statements[first + 1] as PyNode;
  return {
    asks,
    names: ['Elicit', 'ElicitationResult', 'Resolve'],
    edits: [
      {
        start: definition.start,
        end: definition.start,
        text: `async def ${asks}(${signature}) -> Elicit[${model}]:${eol}${step}return Elicit(${file.textOf(message)}, ${model})${eol}${eol}${eol}`,
      },
      spare ? { start: given.node.start, end: given.node.end, text: typed } : { start: given.node.end, end: given.node.end, text: `, ${typed}` },
      { start: statement.start, end: next.start, text: commentsBetween(statement, next, file) },
    ],
  };
}

/** Comments between the question and what follows stay. */
function commentsBetween(statement: PyNode, next: PyNode, file: PythonFile): string {
  const first = file.comments.find((comment) => comment.start >= statement.end && comment.end <= next.start);
  return first ? file.text.slice(first.start, next.start) : '';
}

const isDocstring = (statement: PyNode): boolean => statement.kind === 'expression_statement' && statement.children[0]?.kind === 'string';

/** A tool of the SDK and nothing else: what another decorator checks would run behind the question. */
const isTool = (fn: PyNode, file: PythonFile): boolean =>
  decoratorsOf(fn).length === 1 &&
  decoratorMethods(fn, file).length === 1 &&
  decoratorMethods(fn, file).every(({ method, receiver, called }) => {
    const family = receiver && familyOf(receiver, file);
    return method === 'tool' && called && (family === 'sdk-v1' || family === 'sdk-v2');
  });

/** Another question of the same tool would be asked in another round. */
function otherQuestions(fn: PyNode, call: PyNode, file: PythonFile): boolean {
  let found = false;
  eachNode(fn, (node) => {
    if (node.kind === 'call' && node !== call && /^(?:elicit|elicit_url|elicit_form|create_message|list_roots)$/.test(calledName(node, file) ?? ''))
      found = true;
    return undefined;
  });
  return found;
}

/** Parameters that a message is made of; `undefined` when it is made of anything else: calls, attributes, names of the module. */
function usedParameters(message: PyNode, parameters: readonly Parameter[], file: PythonFile): readonly Parameter[] | undefined {
  const used = new Set<Parameter>();
  let plain = true;
  eachNode(message, (node) => {
    if (/^(?:call|attribute|subscript|await|lambda|named_expression)$/.test(node.kind)) plain = false;
    else if (node.kind === 'identifier') {
      const parameter = parameters.find((each) => each.name === file.textOf(node));
      if (parameter) used.add(parameter);
      else plain = false;
    }
    return undefined;
  });
  return plain ? parameters.filter((each) => used.has(each)) : undefined;
}
