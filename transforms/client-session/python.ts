import type { Detector } from '../../src/core/index.js';
import { argumentsOf, calledName, eachNode, statementOf, type PyNode, type PythonFile } from '../../src/languages/python/index.js';
import { hasOwnPackage, lastNameOf, nodesOf, receiverOf } from '../_mcp/python/nodes.js';
import { isSdkName, relationOf } from '../_mcp/python/paths.js';
import { sdkTypesOf } from '../_mcp/python/types.js';

type Kind = 'handshake-call' | 'sse-client' | 'removed-call' | 'ping-call' | 'handshake-result' | 'question-handler' | 'notification-handler';

const SESSION = 'mcp.ClientSession';
const REMOVED: ReadonlySet<string> = new Set([
  'set_logging_level',
  'subscribe_resource',
  'unsubscribe_resource',
  'send_roots_list_changed',
  'send_progress_notification',
]);
const QUESTIONS: ReadonlySet<string> = new Set([
  'sampling_callback',
  'elicitation_callback',
  'list_roots_callback',
  'sampling_handler',
  'elicitation_handler',
  'roots',
]);
const NOTICES: ReadonlySet<string> = new Set(['logging_callback', 'message_handler', 'log_handler']);

/** Sessions, handshakes and removed calls of Python clients. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    if (hasOwnPackage(file, around)) return;
    const relation = relationOf(file);
    /** Is an object the session of a client? `likely` by its name alone. */
    const sessionOf = (node: PyNode): 'certain' | 'likely' | undefined => {
      const types = sdkTypesOf(node, file).map(({ name }) => name);
      if (types.includes(SESSION) || types.includes('fastmcp.Client')) return 'certain';
      if (types.some((name) => name.startsWith('mcp.server.'))) return undefined;
      const own = types.find((name) => name.startsWith('@'))?.slice(1);
      const definition = own === undefined ? undefined : file.bindings.root.names.get(own)?.sites.find(({ how }) => how === 'class')?.node;
      if (definition && argumentsOf(definition, file).positional.some((base) => isSdkName(base, file, SESSION))) return 'certain';
      const named =
        types.length === 0 || types.every((name) => /^(?:object|@|Any)/.test(name))
          ? /(?:^|_)(?:session|client_session|raw_session)\d*$/i.test(lastNameOf(node, file) ?? '')
          : false;
      return named && (relation.sdk || relation.framework) ? 'likely' : undefined;
    };
    /** Sessions that the statement behind them initializes, by the place of that call: one handshake, told once. */
    const openings = new Map<number, PyNode>();
    for (const call of nodesOf(file, 'call')) {
      const callee = call.get('function');
      if (!callee) continue;
      if (isSdkName(callee, file, SESSION) || derivesFromSession(callee)) {
        const opened = initializedBehind(call, file);
        if (opened) openings.set(opened.start, callee);
        else report.finding('handshake-call', callee, { group: 'sessions in Python', data: { call: 'ClientSession' } });
        for (const { name, node, value } of argumentsOf(call, file).keywords) {
          if (file.textOf(value) === 'None') continue;
          if (QUESTIONS.has(name)) report.finding('question-handler', node, { group: 'questions in Python', data: { call: name } });
          else if (NOTICES.has(name)) report.finding('notification-handler', node, { group: 'notifications in Python', data: { call: name } });
        }
      }
      if (isSdkName(callee, file, 'mcp.client.sse.sse_client')) report.finding('sse-client', callee, { group: 'sse in Python' });
      const method = calledName(call, file);
      const receiver = receiverOf(call);
      if (!receiver || method === undefined) continue;
      if (method === 'initialize' && argumentsOf(call, file).positional.length === 0) {
        const session = openings.get(call.start);
        const sure = session ? 'certain' : sessionOf(receiver);
        const related = session ? [{ ...file.site(session), label: 'the session' }] : [];
        if (sure) report.finding('handshake-call', call, { group: 'sessions in Python', certainty: sure, related, data: { call: 'initialize()' } });
      } else if (REMOVED.has(method)) {
        const sure = sessionOf(receiver);
        const handler = call.parent?.kind === 'decorator';
        if (sure && !handler) report.finding('removed-call', call, { group: 'calls in Python', certainty: sure, data: { call: method } });
      } else if (method === 'send_ping' || method === 'ping') {
        const sure = sessionOf(receiver);
        if (sure && (method === 'send_ping' || sure === 'certain'))
          report.finding('ping-call', call, { group: 'pings in Python', certainty: sure, data: { call: method } });
      } else if (method === 'get_server_capabilities') {
        const sure = sessionOf(receiver);
        if (sure) report.finding('handshake-result', call, { group: 'results in Python', certainty: sure, data: { call: method } });
      }
    }
    function derivesFromSession(callee: PyNode): boolean {
      const definition = callee.kind === 'identifier' ? file.bindings.of(callee)?.sites.find(({ how }) => how === 'class')?.node : undefined;
      return definition !== undefined && argumentsOf(definition, file).positional.some((base) => isSdkName(base, file, SESSION));
    }
  },
});

/** The `initialize()` of a session in the statement behind the one that opens it: first in the body of its `with`, or next to it. */
function initializedBehind(opening: PyNode, file: PythonFile): PyNode | undefined {
  const statement = statementOf(opening);
  const siblings = statement.parent?.children ?? [];
  const behind = statement.kind === 'with_statement' ? statement.get('body')?.children[0] : siblings[siblings.indexOf(statement) + 1];
  let found: PyNode | undefined;
  if (behind?.kind === 'expression_statement')
    eachNode(behind, (node) => {
      if (node.kind === 'call' && calledName(node, file) === 'initialize' && argumentsOf(node, file).positional.length === 0) found ??= node;
      return undefined;
    });
  return found;
}
