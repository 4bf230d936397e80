import type { TextEdit } from '../../../src/core/index.js';
import { argumentsOf, constantOf, enclosingFunction, statementOf, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';
import { receiverOf } from '../../_mcp/python/nodes.js';
import { constructionsOf } from '../../_mcp/python/servers.js';
import type { UsedName } from './asks.js';

const MODULE = 'mcp.server.subscriptions';
const BUS = 'subscription_bus';
/** What is kept of clients that asked to be told; those of the modern era are not among them. */
const SUBSCRIBERS = /session|subscri|watch|listener|client/i;
/** Parts of a receiver that say nothing about which session it is. */
const AROUND: ReadonlySet<string> = new Set(['self', 'ctx', 'context', 'request_context', 'mcp_handlers']);

/** What publishes a notification to the listeners of the modern era. */
export interface Publication {
  /** The statement beside the old call, without its indentation. */
  readonly statement: string;
  /** What gives the server a bus; empty when it has one. */
  readonly edits: readonly TextEdit[];
  readonly names: readonly UsedName[];
}

/**
 * The event of a notification on the bus of the only server of the file, which reaches listeners from anywhere in the process: from handlers of
 * a low-level server, from helpers and from background tasks. `undefined` when the server is not one variable, when it is not visible at the
 * call, or when whether and how often it is told hangs on the sessions that are connected.
 */
export function publicationOf(call: PyNode, event: string, file: PythonFile): Publication | undefined {
  const constructions = constructionsOf(file);
  const only = constructions[0];
  if (constructions.length !== 1 || !only || only.family === 'framework') return undefined;
  const statement = statementOf(only.call);
  const assignment = statement.children[0];
  if (assignment?.kind !== 'assignment' || assignment.get('right') !== only.call) return undefined;
  const host = enclosingFunction(statement);
  if (!isUnder(call, host) || hangsOnSessions(call, file)) return undefined;

  const args = argumentsOf(only.call, file);
  if (args.spread || args.splat || !args.node) return undefined;
  const high = only.family !== 'low-level';
  const given = args.keyword(high ? 'subscriptions' : 'on_subscriptions_listen')?.value;
  const known = given && (high ? given : argumentsOf(given, file).positional[0]);
  if (given && known?.kind !== 'identifier') return undefined;
  if (!given && file.bindings.all.some(({ name }) => name === BUS)) return undefined;
  const uri = argumentsOf(call, file).positional[0] ?? argumentsOf(call, file).keyword('uri')?.value;
  if (event === 'ResourceUpdated' && !uri) return undefined;

  const bus = known ? file.textOf(known) : BUS;
  const made = `${event}(${event === 'ResourceUpdated' && uri ? `uri=${asText(uri, file)}` : ''})`;
  const names: UsedName[] = [{ module: MODULE, name: event }];
  const edits: TextEdit[] = [];
  if (!known) {
    const start = file.text.lastIndexOf('\n', statement.start - 1) + 1;
    const indent = file.text.slice(start, statement.start);
    if (indent.trim() !== '') return undefined;
    const last = args.node.children.at(-1);
    const trailing = last !== undefined && /,\s*$/.test(file.text.slice(last.end, args.node.end - 1));
    const option = high ? `subscriptions=${BUS}` : `on_subscriptions_listen=ListenHandler(${BUS})`;
    edits.push({ start, end: start, text: `${indent}${BUS} = InMemorySubscriptionBus()${file.eol}` });
    const at = last?.end ?? args.node.end - 1;
    edits.push({ start: at, end: at, text: `${last === undefined ? '' : ', '}${option}` });
    if (trailing && file.text.slice(at, args.node.end).includes('#')) return undefined;
    names.push({ module: MODULE, name: 'InMemorySubscriptionBus' });
    if (!high) names.push({ module: MODULE, name: 'ListenHandler' });
  }
  return { statement: `await ${bus}.publish(${made})`, edits, names };
}

/** An event names its resource by a text; old code has an `AnyUrl` as well. */
function asText(uri: PyNode, file: PythonFile): string {
  const text = file.textOf(uri);
  return uri.kind === 'string' || typeof constantOf(uri, file) === 'string' ? text : `str(${text})`;
}

function isUnder(node: PyNode, host: PyNode | undefined): boolean {
  for (let at = enclosingFunction(node); at; at = enclosingFunction(at)) if (at === host) return true;
  return host === undefined;
}

/** A loop over sessions tells each of them, and a branch asks whether there is one: listeners of the modern era hear it once, and always. */
function hangsOnSessions(call: PyNode, file: PythonFile): boolean {
  const receiver = receiverOf(call);
  const names = new Set(receiver ? wordsOf(receiver, file).filter((name) => !AROUND.has(name)) : []);
  const fn = enclosingFunction(call);
  for (let at = call.parent; at && at !== fn; at = at.parent) {
    const asked = at.kind === 'for_statement' ? at.get('left') : /^(?:if|while|elif)_/.test(at.kind) ? at.get('condition') : undefined;
    if (asked && wordsOf(asked, file).some((name) => names.has(name) || SUBSCRIBERS.test(name))) return true;
  }
  return false;
}

const wordsOf = (node: PyNode, file: PythonFile): readonly string[] => file.textOf(node).match(/\w+/g) ?? [];
