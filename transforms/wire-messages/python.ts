import type { Detector, Span } from '../../src/core/index.js';
import { argumentsOf, calledName, constantOf, stringValue, type PyNode } from '../../src/languages/python/index.js';
import { insteadOf, isMcpMethod, roleOfMethod, type MethodRole } from '../_mcp/methods.js';
import { hasOwnPackage, nodesOf } from '../_mcp/python/nodes.js';
import { relationOf } from '../_mcp/python/paths.js';

type Kind =
  'initialize-message' | 'initialized-notification' | 'ping-message' | 'removed-request' | 'client-question' | 'pushed-notification' | 'method-branch';

const KINDS: Readonly<Record<Exclude<MethodRole, 'task'>, Kind>> = {
  initialize: 'initialize-message',
  initialized: 'initialized-notification',
  ping: 'ping-message',
  removed: 'removed-request',
  question: 'client-question',
  pushed: 'pushed-notification',
};
const SENDS =
  /(?:^|_)(?:request|rpc|jsonrpc|send|call|message|msg|post|notify|notification|invoke|execute|dispatch|handle|make|build|create)(?:_|$)|Request$|Message$|Notification$/i;
/** Other protocols that begin with `initialize`. */
const OTHER = /Content-Length|textDocument\/|\bagent_client_protocol\b|from acp\b|"initialize",\s*"launch"|session\/new|session\/prompt/;

/** Messages that Python code builds by hand, and branches and tables that tell them apart. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    if (hasOwnPackage(file, around)) return;
    const relation = relationOf(file);
    const speaks =
      /mcp-session-id|notifications\/initialized|["']tools\/(?:list|call)["']|modelcontextprotocol/i.test(file.text) || relation.sdk || relation.framework;
    if (OTHER.test(file.text) && !relation.sdk && !/["']tools\/(?:list|call)["']/.test(file.text)) return;
    const say = (kind: Kind, node: Span, method: string): void => {
      report.finding(kind, node, { group: 'messages in Python', certainty: speaks ? 'certain' : 'likely', data: { method, instead: insteadOf(method) } });
    };
    // Agent to Agent has tasks of its own.
    const agents = /\ba2a\b|["']message\/send["']/i.test(file.text);
    const known = (method: unknown): method is string =>
      typeof method === 'string' &&
      !(agents && method.startsWith('tasks/')) &&
      (isMcpMethod(method) || (speaks && (method === 'initialize' || method === 'ping')));
    const built = (method: string, node: Span): void => {
      const role = roleOfMethod(method);
      if (role !== undefined && role !== 'task') say(KINDS[role], node, method);
    };
    for (const pair of nodesOf(file, 'pair')) {
      const key = pair.get('key');
      const value = pair.get('value');
      const name = key && stringValue(key, file);
      if (!value || name === undefined) continue;
      const method = name === 'method' ? constantOf(value, file) : undefined;
      // A message is seen from its brace on: that line names what is sent.
      if (known(method)) built(method, { start: pair.parent?.start ?? pair.start, end: pair.end });
      else if (key && known(name) && isHandler(value) && siblings(pair).some(isMcpMethod)) say('method-branch', key, name);
    }
    for (const call of nodesOf(file, 'call')) {
      const called = calledName(call, file);
      if (called === undefined) continue;
      const args = argumentsOf(call, file);
      const keyword = args.keyword('method');
      const named = keyword && constantOf(keyword.value, file);
      if (known(named)) built(named, { start: call.start, end: keyword ? keyword.node.end : call.end });
      else if (SENDS.test(called) && !/^_?fire_/.test(called)) {
        const argument = args.positional.find((each) => known(constantOf(each, file)));
        const method = argument && constantOf(argument, file);
        if (argument && typeof method === 'string') built(method, { start: call.start, end: argument.end });
      }
    }
    for (const comparison of nodesOf(file, 'comparison_operator')) {
      const [left, right] = comparison.children;
      if (!left || !right) continue;
      const constants = [left, right]
        .flatMap((side) => (/^(?:list|tuple|set)$/.test(side.kind) ? side.children : [side]))
        .map((each) => constantOf(each, file));
      const method = constants.find(known);
      if (method === undefined) continue;
      const text = file.textOf(comparison);
      if (!comparison.words.includes('in') && !comparison.words.includes('not in') && /\.name\b/.test(text)) continue;
      const telling = method === 'ping' ? /method|call_args/i : /method|\bmsg|message|request|\btype\b|call_args/i;
      if (isMcpMethod(method) || telling.test(text)) say('method-branch', comparison, method);
    }
    for (const clause of nodesOf(file, 'case_clause')) {
      for (const pattern of clause.children.filter(({ kind }) => kind === 'case_pattern')) {
        const literal = pattern.children[0];
        const method = literal && stringValue(literal, file);
        if (method !== undefined && literal && known(method)) say('method-branch', literal, method);
      }
    }
    function siblings(pair: PyNode): readonly string[] {
      return (pair.parent?.children ?? []).flatMap((other) => {
        const key = other.get('key');
        const name = key && stringValue(key, file);
        return name === undefined ? [] : [name];
      });
    }
    function isHandler(value: PyNode): boolean {
      return /^(?:identifier|attribute|lambda|call|dictionary|tuple)$/.test(value.kind);
    }
  },
});
