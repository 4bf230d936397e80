import type { TextEdit } from '../../../src/core/index.js';
import {
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
import { decoratorMethods, nodesOf } from '../../_mcp/python/nodes.js';
import { familyOf } from '../../_mcp/python/servers.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import { askOf, type Ask, type UsedName } from './asks.js';
import { namesIn } from './plain.js';

const CONTEXT = /^mcp\.server\.(?:fastmcp|mcpserver)\.Context$/;

/** A question that becomes a parameter of its tool. */
export interface Question {
  readonly edits: readonly TextEdit[];
  /** Names that the edits use. */
  readonly names: readonly UsedName[];
}

/** The tool around a question, and where the function that asks is written. */
interface Tool {
  readonly fn: PyNode;
  readonly name: string;
  readonly definition: PyNode;
  /** Indentation of the tool. */
  readonly base: string;
  readonly statements: readonly PyNode[];
  readonly parameters: readonly Parameter[];
}

/**
 * `answer = await ctx.elicit(…)`, `ctx.session.create_message(…)` or `ctx.session.list_roots()` as a parameter
 * `answer: Annotated[…, Resolve(ask_…)]`, which works on both eras and leaves the rest of the body as it is. With several rounds the question
 * is rendered anew each time, so it must be the first thing that the tool does, be made of the arguments only, and nothing may decide whether
 * it is asked. Variables that are made of the arguments in front of it go with it. `undefined` when one of these is not proved.
 */
export function questionOf(call: PyNode, file: PythonFile): Question | undefined {
  const tool = toolAround(call, file);
  const ask = tool && askOf(call, file);
  if (!tool || ask?.context.kind !== 'identifier' || !sdkTypesOf(ask.context, file).some((type) => CONTEXT.test(type.name))) return undefined;
  if (otherQuestions(tool.fn, call, file)) return undefined;
  if (ask.schema && !isVisible(ask.schema, tool, file)) return undefined;

  const statement = statementOf(call);
  const answer = answerOf(statement, call, file);
  const at = tool.statements.indexOf(statement);
  const next = tool.statements[at + 1];
  const moved = at < 0 || !next || answer === undefined ? undefined : preludeOf(tool, at, ask, file);
  const given = tool.parameters.find((each) => each.name === file.textOf(ask.context));
  if (!moved || !next || !given || given.value || given.form !== 'plain' || moved.parameters.includes(given)) return undefined;
  if (tool.parameters.slice(0, tool.parameters.indexOf(given)).some((each) => each.value !== undefined || each.form !== 'plain')) return undefined;
  if (moved.parameters.some((each) => !each.annotation)) return undefined;

  const asks = `ask_${tool.name}`;
  if (file.bindings.all.some((binding) => binding.name === asks) || tool.parameters.some((each) => each.name === answer)) return undefined;
  const gone = [...moved.statements.filter((each) => isSpare(each, [...moved.statements, statement], file)), statement];
  if (gone.some((each) => hidesComment(each, ask, call, file))) return undefined;

  const { eol } = file;
  const typed = `${String(answer)}: Annotated[${ask.answer}, Resolve(${asks})]`;
  const contextBinding = file.bindings.of(given.identifier) ?? file.bindings.of(ask.context);
  const spare = contextBinding !== undefined && file.bindings.usesOf(contextBinding).every((use) => use === ask.context);
  const step = indentOf(statement, file);
  const body = [...moved.statements.map((each) => file.textOf(each)), `return ${ask.returned}`].map((line) => step + line + eol).join('');
  const signature = moved.parameters.map(({ node }) => file.textOf(node)).join(', ');
  const apart = tool.base === '' ? eol + eol : eol;
  return {
    names: [...ask.names, { module: 'typing', name: 'Annotated' }],
    edits: [
      {
        start: tool.definition.start,
        end: tool.definition.start,
        text: `async def ${asks}(${signature}) -> ${ask.marker}:${eol}${body}${apart}${tool.base}`,
      },
      spare ? { start: given.node.start, end: given.node.end, text: typed } : { start: given.node.end, end: given.node.end, text: `, ${typed}` },
      ...gone.map((each) => {
        const follower = tool.statements[tool.statements.indexOf(each) + 1] ?? next;
        return { start: each.start, end: follower.start, text: commentsBetween(each, follower, file) };
      }),
    ],
  };
}

/** A tool of the SDK and nothing else, of the module or of a function that builds a server: what another decorator checks would run behind the question. */
function toolAround(call: PyNode, file: PythonFile): Tool | undefined {
  const fn = enclosingFunction(call);
  const name = fn?.get('name');
  const body = fn?.get('body');
  const definition = fn?.parent?.kind === 'decorated_definition' ? fn.parent : undefined;
  if (!fn?.isAsync || fn.kind !== 'function_definition' || !name || !body || !definition || !isTool(fn, file)) return undefined;
  const host = definition.parent;
  const nested = host?.kind === 'block' && host.parent?.kind === 'function_definition';
  // Annotations that are kept as text are looked up in the module, where a function of a function is not found.
  if (nested ? nodesOf(file, 'future_import_statement').some((each) => /\bannotations\b/.test(file.textOf(each))) : host?.kind !== 'module') return undefined;
  const base = indentOf(definition, file);
  if (base.trim() !== '') return undefined;
  return { fn, name: file.textOf(name), definition, base, statements: body.children, parameters: parametersOf(fn, file) };
}

const indentOf = (node: PyNode, file: PythonFile): string => file.text.slice(file.text.lastIndexOf('\n', node.start - 1) + 1, node.start);

const isTool = (fn: PyNode, file: PythonFile): boolean =>
  decoratorsOf(fn).length === 1 &&
  decoratorMethods(fn, file).length === 1 &&
  decoratorMethods(fn, file).every(({ method, receiver, called }) => {
    const family = receiver && familyOf(receiver, file);
    return method === 'tool' && called && (family === 'sdk-v1' || family === 'sdk-v2');
  });

/** The model of the answer can be named in front of the tool. */
function isVisible(schema: PyNode, tool: Tool, file: PythonFile): boolean {
  const binding = file.bindings.of(schema);
  if (!binding) return false;
  const around = file.bindings.scopeAt(tool.definition);
  return binding.scope.kind === 'module' || (binding.scope === around && binding.sites.every(({ node }) => node.end <= tool.definition.start));
}

/** The variable that keeps the answer, when nothing else is done with the call and nothing else sets it. */
function answerOf(statement: PyNode, call: PyNode, file: PythonFile): string | undefined {
  const assignment = statement.children[0]?.kind === 'assignment' ? statement.children[0] : undefined;
  const target = assignment?.get('left');
  const awaited = assignment?.get('right');
  if (target?.kind !== 'identifier' || awaited?.kind !== 'await' || awaited.children[0] !== call) return undefined;
  return file.bindings.of(target)?.sites.length === 1 ? file.textOf(target) : undefined;
}

/** What the function that asks needs of the tool: variables made in front of the question, and parameters; `undefined` when more is done there. */
function preludeOf(tool: Tool, at: number, ask: Ask, file: PythonFile): { statements: readonly PyNode[]; parameters: readonly Parameter[] } | undefined {
  const first = tool.statements[0] && isDocstring(tool.statements[0]) ? 1 : 0;
  const known = new Set(tool.parameters.map(({ name }) => name));
  const reads = new Map<PyNode, ReadonlySet<string>>();
  const sets = new Map<string, PyNode>();
  for (const statement of tool.statements.slice(first, at)) {
    const assignment = statement.children[0]?.kind === 'assignment' ? statement.children[0] : undefined;
    const target = assignment?.get('left');
    const value = assignment?.get('right');
    const names = value && namesIn(value, known, file);
    if (target?.kind !== 'identifier' || !names || known.has(file.textOf(target)) || file.bindings.of(target)?.sites.length !== 1) return undefined;
    reads.set(statement, names);
    sets.set(file.textOf(target), statement);
    known.add(file.textOf(target));
  }
  const wanted = new Set<string>();
  for (const node of ask.made) {
    const names = namesIn(node, known, file);
    if (!names) return undefined;
    for (const name of names) wanted.add(name);
  }
  const statements = [...reads.keys()].reverse().filter((statement) => {
    const needed = [...wanted].some((name) => sets.get(name) === statement);
    if (needed) for (const name of reads.get(statement) ?? []) wanted.add(name);
    return needed;
  });
  return { statements: statements.reverse(), parameters: tool.parameters.filter(({ name }) => wanted.has(name)) };
}

/** Nothing but the question and what goes with it reads the variable that the statement makes. */
function isSpare(statement: PyNode, together: readonly PyNode[], file: PythonFile): boolean {
  const target = statement.children[0]?.get('left');
  const binding = target && file.bindings.of(target);
  return binding !== undefined && file.bindings.usesOf(binding).every((use) => together.some(({ start, end }) => use.start >= start && use.end <= end));
}

/** A comment inside of a statement that goes is lost, unless it is copied with the arguments of the call. */
function hidesComment(statement: PyNode, ask: Ask, call: PyNode, file: PythonFile): boolean {
  const copied = ask.marker === 'Sample' ? call.get('arguments') : undefined;
  return file.comments.some(
    (comment) => comment.start >= statement.start && comment.end <= statement.end && !(copied && comment.start >= copied.start && comment.end <= copied.end),
  );
}

/** Comments between a statement that goes and what follows stay. */
function commentsBetween(statement: PyNode, next: PyNode, file: PythonFile): string {
  const first = file.comments.find((comment) => comment.start >= statement.end && comment.end <= next.start);
  return first ? file.text.slice(first.start, next.start) : '';
}

const isDocstring = (statement: PyNode): boolean => statement.kind === 'expression_statement' && statement.children[0]?.kind === 'string';

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
