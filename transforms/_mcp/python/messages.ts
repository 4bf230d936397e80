import type { Span } from '../../../src/core/index.js';
import { above, argumentsOf, calledName, constantOf, stringValue, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';
import { isMcpMethod, roleOfMethod } from '../methods.js';
import { nodesOf } from './nodes.js';
import { relationOf } from './paths.js';

const SENDS =
  /(?:^|_)(?:request|rpc|jsonrpc|send|call|message|msg|post|notify|notification|invoke|execute|dispatch|handle|make|build|create)(?:_|$)|Request$|Message$|Notification$/i;
/** Other protocols that begin with `initialize`. */
const OTHER = /Content-Length|textDocument\/|\bagent_client_protocol\b|from acp\b|"initialize",\s*"launch"|session\/new|session\/prompt/;

/** An import from a module that is named after the protocol: `from mcp_kernel.server import …`. */
const NAMED_AFTER = /^[ \t]*(?:from|import)[ \t]+(?:\w+\.)*(?:\w+_)?mcp(?:_\w+)?(?:\.\w+)*[ \t]*(?:import\b|as\b|$)/m;

/** A place that names a method: where a message is built, or where messages are told apart. */
export interface NamedMethod {
  readonly method: string;
  readonly span: Span;
}

/** The messages of a file, and whether it surely speaks MCP. */
export interface Messages {
  readonly speaks: boolean;
  readonly built: readonly NamedMethod[];
  /** Comparisons, `case` patterns and entries of tables. */
  readonly branches: readonly NamedMethod[];
  /** Branches and entries of hooks in front of the real dispatcher, for methods that stay. */
  readonly hooks: readonly NamedMethod[];
}

const known = new WeakMap<PythonFile, Messages>();

/** Messages that a file builds by hand, and the places where it tells them apart by their method. */
export function messagesOf(file: PythonFile): Messages {
  const before = known.get(file);
  if (before) return before;
  const found = read(file);
  known.set(file, found);
  return found;
}

function read(file: PythonFile): Messages {
  const relation = relationOf(file);
  const speaks =
    /mcp-session-id|notifications\/initialized|["']tools\/(?:list|call)["']|modelcontextprotocol/i.test(file.text) ||
    relation.sdk ||
    relation.framework ||
    (NAMED_AFTER.test(file.text) && /["']jsonrpc["']/.test(file.text));
  const built: NamedMethod[] = [];
  const branches: NamedMethod[] = [];
  const hooks: NamedMethod[] = [];
  if (OTHER.test(file.text) && !relation.sdk && !/["']tools\/(?:list|call)["']/.test(file.text)) return { speaks, built, branches, hooks };
  // Agent to Agent has tasks of its own.
  const agents = /\ba2a\b|["']message\/send["']/i.test(file.text);
  const isKnown = (method: unknown): method is string =>
    typeof method === 'string' &&
    !(agents && method.startsWith('tasks/')) &&
    (isMcpMethod(method) || (speaks && (method === 'initialize' || method === 'ping')));
  for (const pair of nodesOf(file, 'pair')) {
    const key = pair.get('key');
    const value = pair.get('value');
    const name = key && stringValue(key, file);
    if (!value || name === undefined) continue;
    const method = name === 'method' ? constantOf(value, file) : undefined;
    // A message is seen from its brace on: that line names what is sent.
    if (isKnown(method)) built.push({ method, span: { start: pair.parent?.start ?? pair.start, end: pair.end } });
    else if (key && isKnown(name) && REAL.test(name) && HANDLER.test(value.kind) && siblings(pair, file).some(isMcpMethod)) {
      const builder = above(pair, ({ kind }) => kind === 'function_definition');
      (isHook(name, builder, file) ? hooks : branches).push({ method: name, span: key });
    }
  }
  for (const call of nodesOf(file, 'call')) {
    const called = calledName(call, file);
    if (called === undefined) continue;
    const args = argumentsOf(call, file);
    const keyword = args.keyword('method');
    const named = keyword && constantOf(keyword.value, file);
    if (isKnown(named)) built.push({ method: named, span: { start: call.start, end: keyword ? keyword.node.end : call.end } });
    else if (SENDS.test(called) && !/^_?fire_/.test(called)) {
      const argument = args.positional.find((each) => isKnown(constantOf(each, file)));
      const method = argument && constantOf(argument, file);
      if (argument && typeof method === 'string') built.push({ method, span: { start: call.start, end: argument.end } });
    }
  }
  for (const comparison of nodesOf(file, 'comparison_operator')) {
    const [left, right] = comparison.children;
    if (!left || !right) continue;
    const constants = [left, right].flatMap((side) => (/^(?:list|tuple|set)$/.test(side.kind) ? side.children : [side])).map((each) => constantOf(each, file));
    const method = constants.find(isKnown);
    if (method === undefined) continue;
    const text = file.textOf(comparison);
    if (!comparison.words.includes('in') && !comparison.words.includes('not in') && /\.name\b/.test(text)) continue;
    const telling = method === 'ping' ? /method|call_args/i : /method|\bmsg|message|request|\btype\b|call_args/i;
    if (isMcpMethod(method) || telling.test(text)) branches.push({ method, span: comparison });
  }
  for (const clause of nodesOf(file, 'case_clause')) {
    for (const pattern of clause.children.filter(({ kind }) => kind === 'case_pattern')) {
      const literal = pattern.children[0];
      const method = literal && stringValue(literal, file);
      if (method !== undefined && literal && isKnown(method)) (isHook(method, clause, file) ? hooks : branches).push({ method, span: literal });
    }
  }
  return { speaks, built, branches, hooks };
}

/** Code that hands the message on with `call_next`, for a method that stays. */
const isHook = (method: string, around: PyNode | undefined, file: PythonFile): boolean =>
  around !== undefined && roleOfMethod(method) === undefined && /\bcall_next\b/.test(file.textOf(around));

/** Methods that some revision has: tables of permissions have keys of the same form that nobody sends. */
const REAL =
  /^(?:initialize|ping|tools\/(?:list|call)|prompts\/(?:list|get)|resources\/(?:list|read|subscribe|unsubscribe|templates\/list)|completion\/complete|sampling\/createMessage|elicitation\/create|roots\/list|logging\/setLevel|tasks\/\w+|notifications\/[\w/]+|server\/discover|subscriptions\/listen)$/;
const HANDLER = /^(?:identifier|attribute|lambda|call|dictionary|tuple)$/;

const siblings = (pair: PyNode, file: PythonFile): readonly string[] =>
  (pair.parent?.children ?? []).flatMap((other) => {
    const key = other.get('key');
    const name = key && stringValue(key, file);
    return name === undefined ? [] : [name];
  });
