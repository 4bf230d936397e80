import type { Detector } from '../../src/core/index.js';
import { insteadOf, roleOfMethod, type MethodRole } from '../_mcp/methods.js';
import { messagesOf } from '../_mcp/python/messages.js';
import { hasOwnPackage } from '../_mcp/python/nodes.js';

type Kind =
  | 'initialize-message'
  | 'initialized-notification'
  | 'ping-message'
  | 'removed-request'
  | 'client-question'
  | 'pushed-notification'
  | 'method-branch'
  | 'method-hook';

const KINDS: Readonly<Record<Exclude<MethodRole, 'task'>, Kind>> = {
  initialize: 'initialize-message',
  initialized: 'initialized-notification',
  ping: 'ping-message',
  removed: 'removed-request',
  question: 'client-question',
  pushed: 'pushed-notification',
};

/** A module that is called after a revision speaks that one, and stays as it is: testers and gateways have one for each. */
const PINNED = /(?:^|\/)(?:v|rev|revision|protocol|mcp)?_?20(?:24|25)[-_]?(?:03|06|11)[-_]?(?:05|18|25|26)\.pyi?$/i;

/** Messages that Python code builds by hand, and branches and tables that tell them apart. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    if (hasOwnPackage(file, around) || PINNED.test(file.path)) return;
    const { speaks, built, branches, hooks } = messagesOf(file);
    const certainty = speaks ? 'certain' : 'likely';
    const say = (kind: Kind, method: string) => ({
      kind,
      with: { group: 'messages in Python', certainty, data: { method, instead: insteadOf(method) } } as const,
    });
    for (const { method, span } of built) {
      const role = roleOfMethod(method);
      if (role === undefined || role === 'task') continue;
      const told = say(KINDS[role], method);
      report.finding(told.kind, span, told.with);
    }
    for (const { method, span } of branches) {
      const told = say('method-branch', method);
      report.finding(told.kind, span, told.with);
    }
    for (const { method, span } of hooks) report.finding('method-hook', span, { group: 'hooks in Python', certainty, data: { method } });
  },
});
