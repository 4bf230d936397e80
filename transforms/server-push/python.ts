import type { Detector, Report } from '../../src/core/index.js';
import { argumentsOf, calledName, enclosingFunction, originsOf, type PythonFile } from '../../src/languages/python/index.js';
import { decoratorMethods, hasOwnPackage, nodesOf, receiverOf } from '../_mcp/python/nodes.js';
import { isHandlerStatement, pushOf, type PythonPush } from '../_mcp/python/pushes.js';
import { besideOf } from './py/beside.js';
import { questionOf } from './py/resolve.js';
import { relationOf } from '../_mcp/python/paths.js';
import { constructionsOf, familyOf } from '../_mcp/python/servers.js';

type Kind =
  | 'elicitation'
  | 'sampling'
  | 'roots'
  | 'server-request'
  | 'ping'
  | 'log-message'
  | 'log-level-handler'
  | 'list-change'
  | 'resource-update'
  | 'resource-subscription'
  | 'request-progress'
  | 'process-bus'
  | 'runtime-tool-change';

const KINDS: Readonly<Partial<Record<PythonPush['what'], Kind>>> = {
  elicitation: 'elicitation',
  sampling: 'sampling',
  roots: 'roots',
  request: 'server-request',
  ping: 'ping',
  logging: 'log-message',
  notification: 'server-request',
  progress: 'request-progress',
  'list-changed': 'list-change',
  'resource-updated': 'resource-update',
};
const HANDLERS: Readonly<Record<string, { readonly kind: Kind; readonly what: string }>> = {
  set_logging_level: { kind: 'log-level-handler', what: 'logging' },
  subscribe_resource: { kind: 'resource-subscription', what: 'resource-updated' },
  unsubscribe_resource: { kind: 'resource-subscription', what: 'resource-updated' },
};
const DEPRECATED: Readonly<Record<string, string>> = { sampling: 'sampling', roots: 'roots', logging: 'logging' };

/** Reports every push of Python servers, by what the `_mcp` recogniser says about the call. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    if (hasOwnPackage(file, around)) return;
    for (const call of nodesOf(file, 'call')) {
      const push = pushOf(call, file);
      const kind = push && KINDS[push.what];
      if (!push || !kind) continue;
      const what = push.what === 'notification' ? 'request' : push.what;
      const beside = besideOf(call, file);
      const told = beside?.state === 'told';
      const proved = beside?.state === 'writable' || (/^(?:elicitation|sampling|roots)$/.test(what) && questionOf(call, file) !== undefined);
      report.finding(kind, call, {
        group: `${what} in Python`,
        certainty: push.certain ? 'certain' : 'likely',
        ...(told ? { impact: 'none' as const } : {}),
        evidence: [
          told
            ? 'the listeners of the modern era are told beside it'
            : push.through === 'request'
              ? 'it goes through the context of the request'
              : 'it goes through the session of the request',
        ],
        data: {
          call: calledName(call, file) ?? '',
          what,
          through: push.through,
          handler: isHandlerStatement(call, file),
          before: 0,
          ...(proved ? { proved } : {}),
          ...(DEPRECATED[what] === undefined ? {} : { feature: DEPRECATED[what] }),
        },
      });
    }
    buses(file, report);
    if (!relationOf(file).sdk) return;
    for (const definition of nodesOf(file, 'function_definition')) {
      for (const { node, method } of decoratorMethods(definition, file)) {
        const handler = HANDLERS[method];
        if (handler && enclosingFunction(node) !== definition)
          report.finding(handler.kind, node, { group: `${handler.what} in Python`, data: { call: method, what: handler.what } });
      }
    }
  },
});

const CHANGES: ReadonlySet<string> = new Set(['add_tool', 'remove_tool', 'add_prompt', 'add_resource', 'disable', 'enable']);
const NOTICES: ReadonlySet<PythonPush['what']> = new Set(['list-changed', 'resource-updated']);

/** Lists that a handler changes while the server runs, and the bus of one process that tells about it. */
function buses(file: PythonFile, report: Report<Kind>): void {
  let notices = false;
  for (const call of nodesOf(file, 'call')) {
    const method = calledName(call, file) ?? '';
    const push = pushOf(call, file);
    if ((push && NOTICES.has(push.what)) || /^notify_\w+_(?:changed|updated)$/.test(method)) notices = true;
    const receiver = receiverOf(call);
    const fn = enclosingFunction(call);
    if (!receiver || !fn || !CHANGES.has(method) || !familyOf(receiver, file)) continue;
    if (decoratorMethods(fn, file).some((decorator) => decorator.receiver !== undefined && familyOf(decorator.receiver, file) !== undefined))
      report.finding('runtime-tool-change', call, { group: 'lists in Python', data: { call: method } });
  }
  if (!notices) return;
  for (const { call, family } of constructionsOf(file))
    if (family === 'sdk-v2' && !argumentsOf(call, file).keyword('subscriptions')) report.finding('process-bus', call, { group: 'lists in Python' });
  for (const call of nodesOf(file, 'call')) {
    const callee = call.get('function');
    if (callee && originsOf(callee, file).some(({ path }) => path === 'mcp.server.subscriptions.InMemorySubscriptionBus'))
      report.finding('process-bus', call, { group: 'lists in Python' });
  }
}
