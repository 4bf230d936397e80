import { ts } from 'ts-morph';
import type { FactOf, FactSource } from '../../../../src/core/index.js';
import { type TypeScriptFile, constantOf, declarationOf, instanceOrigin } from '../../../../src/languages/typescript/index.js';
import { canonical } from '../../canonical.js';
import { ancestor, calledMember, memberName, receiverOf, unwrap, unwrapAwait } from '../nodes.js';
import { readOptions } from '../options.js';
import { heldBy, sdkName } from '../sdk.js';
import { dialectOf } from '../dialect.js';
import { sessionCode } from '../sessions.js';
import { takenMethod } from '../taken.js';
import { within } from './servers.js';

type What = FactOf<'push'>['what'];

/** Methods of a server object that send to the client. */
const INSTANCE: Readonly<Record<string, What>> = {
  elicitInput: 'elicitation',
  createMessage: 'sampling',
  listRoots: 'roots',
  ping: 'ping',
  sendLoggingMessage: 'logging',
  sendResourceUpdated: 'resource-updated',
  sendResourceListChanged: 'list-changed',
  sendToolListChanged: 'list-changed',
  sendPromptListChanged: 'list-changed',
};

/** Methods of the request context, v2 spelling below `mcpReq`. */
const REQUEST: Readonly<Record<string, What>> = { elicitInput: 'elicitation', requestSampling: 'sampling', log: 'logging' };

/** Helpers that are called like what they send. */
const WRAPPERS: Readonly<Record<string, What | undefined>> = { requestSampling: 'sampling', requestElicitation: 'elicitation' };

/** Methods of the contexts that frameworks hand to their handlers. */
const FRAMEWORK: Readonly<Record<string, What | undefined>> = { elicit: 'elicitation', elicitUrl: 'elicitation', sample: 'sampling' };

const BY_METHOD: Readonly<Record<string, What>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
  ping: 'ping',
  'notifications/message': 'logging',
  'notifications/progress': 'progress',
  'notifications/resources/updated': 'resource-updated',
  'notifications/resources/list_changed': 'list-changed',
  'notifications/tools/list_changed': 'list-changed',
  'notifications/prompts/list_changed': 'list-changed',
};

const REGISTRATIONS = /^(?:register)?(?:tool|resource|prompt)(?:Template)?$/i;
const TOGGLES: ReadonlySet<string> = new Set(['enable', 'disable', 'update', 'remove']);

/** `push`: messages that a server sends on its own initiative. */
export const pushes: FactSource = {
  id: 'push',
  literals: { strong: ['@modelcontextprotocol/'], weak: ['notifications/', 'elicitation/create', 'sampling/createMessage', 'inputRequired'] },
  detect: {
    typescript: (file, report) => ({
      CallExpression(call) {
        if (!sessionCode(file).sdk && dialectOf(file).framework === undefined) return;
        const asked = questionOf(call, file);
        if (asked !== undefined) report.fact({ type: 'question', site: file.site(call), ...within(call, file), what: asked });
        const found = pushOf(call, file);
        if (found !== undefined) report.fact({ type: 'push', site: file.site(call), ...within(call, file), ...found });
      },
    }),
  },
};

/** `inputRequired.elicit(…)` and its kin: a question in a result. */
function questionOf(call: ts.CallExpression, file: TypeScriptFile): FactOf<'question'>['what'] | undefined {
  const receiver = receiverOf(call);
  if (receiver === undefined || sdkName(receiver, file) !== 'inputRequired') return undefined;
  return QUESTIONS[calledMember(call) ?? ''];
}

const QUESTIONS: Readonly<Record<string, FactOf<'question'>['what'] | undefined>> = {
  elicit: 'elicitation',
  elicitUrl: 'elicitation',
  elicitURL: 'elicitation',
  createMessage: 'sampling',
  sample: 'sampling',
  listRoots: 'roots',
};

/** What a call pushes and through what; `undefined` when it sends nothing on its own initiative. */
export function pushOf(call: ts.CallExpression, file: TypeScriptFile): { what: What; through: 'request' | 'instance' } | undefined {
  const method = calledMember(call);
  const receiver = receiverOf(call);
  if (method === undefined || receiver === undefined) {
    const callee = unwrap(call.expression);
    const wrapper = ts.isIdentifier(callee) ? WRAPPERS[callee.text] : undefined;
    if (wrapper !== undefined) return { what: wrapper, through: 'request' };
    if (ts.isIdentifier(callee) && asksServer(call, file)) return undefined;
    const taken = takenMethod(call, file);
    const what = taken !== undefined && isServerValue(taken.receiver, file) ? INSTANCE[taken.method] : undefined;
    if (what !== undefined) return { what, through: 'instance' };
    if (!ts.isIdentifier(callee) || (callee.text !== 'sendNotification' && callee.text !== 'sendRequest')) return undefined;
    const sent = methodOf(call, file);
    // A function of that name sends for clients too: what both sides may ask says nothing, unless it was taken out of a context.
    if (callee.text === 'sendRequest' && (sent === undefined || sent === 'ping') && !isTakenOut(callee, file)) return undefined;
    return { what: sent ?? (callee.text === 'sendRequest' ? 'request' : 'notification'), through: 'request' };
  }
  const spoken = methodOf(call, file);
  // Connectors of clients have methods of that name too; only what a context sends without a known method is a push.
  if (
    (method === 'sendNotification' || method === 'sendRequest') &&
    spoken === undefined &&
    !/^_?(?:extra|ctx|context|requestContext|this|mcpReq)$/.test(receiver.getText(file.tree))
  )
    return undefined;
  if (asksServer(call, file)) return undefined;
  if (method === 'sendNotification' || method === 'sendRequest')
    return { what: methodOf(call, file) ?? (method === 'sendRequest' ? 'request' : 'notification'), through: 'request' };
  if (method === 'listRoots' && /(?:getContext\(\)|^_?(?:ctx|context|extra))$/.test(receiver.getText(file.tree))) return { what: 'roots', through: 'request' };
  const asked = FRAMEWORK[method];
  if (asked !== undefined && /^(?:_?extra|_?ctx|_?context|this)$/.test(receiver.getText(file.tree))) return { what: asked, through: 'request' };
  if (memberName(receiver) === 'mcpReq') {
    if (method === 'notify' || method === 'send') return { what: methodOf(call, file) ?? (method === 'send' ? 'request' : 'notification'), through: 'request' };
    const what = REQUEST[method];
    return what === undefined ? undefined : { what, through: 'request' };
  }
  if (!isServerValue(receiver, file)) return togglesRegistration(call, method, receiver, file) ? { what: 'list-changed', through: 'instance' } : undefined;
  if (method === 'notification' || method === 'request') {
    const what = methodOf(call, file) ?? method;
    return { what, through: 'instance' };
  }
  const what = INSTANCE[method];
  return what === undefined ? undefined : { what, through: 'instance' };
}

/** `{ sendRequest }` of a parameter or of a context. */
function isTakenOut(name: ts.Identifier, file: TypeScriptFile): boolean {
  const declared = declarationOf(name, file)?.node;
  return declared !== undefined && ts.isBindingElement(declared);
}

/** A literal method that only clients send: the caller is one. */
function asksServer(call: ts.CallExpression, file: TypeScriptFile): boolean {
  const value = readOptions(call.arguments[0], file).values.get('method');
  const method = value === undefined ? undefined : constantOf(value, file);
  return typeof method === 'string' && /^(?:(?:tools|resources|prompts|completion|logging|server|subscriptions|tasks)\/|initialize$)/.test(method);
}

/** The `method` of a message literal. */
function methodOf(call: ts.CallExpression, file: TypeScriptFile): What | undefined {
  const value = readOptions(call.arguments[0], file).values.get('method');
  const constant = value === undefined ? undefined : constantOf(value, file);
  return typeof constant === 'string' ? BY_METHOD[constant] : undefined;
}

/** An SDK server by construction or annotation, its low-level `.server`, or what is plainly called one. */
function isServerValue(node: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrapAwait(node);
  const known = canonical(instanceOrigin(value, file))?.name;
  if (known !== undefined) return known === 'McpServer' || known === 'Server';
  if (ts.isIdentifier(value)) {
    const declared = declarationOf(value, file);
    const type = declared !== undefined && (ts.isParameter(declared.node) || ts.isVariableDeclaration(declared.node)) ? declared.node.type : undefined;
    if (type !== undefined) return heldBy(type, file) === 'server';
    return /(?:^|mcp)server$/i.test(value.text);
  }
  const name = memberName(value);
  return name !== undefined && /(?:^|mcp)server$/i.test(name);
}

/** `tool.enable()` on what `registerTool` returned. */
function togglesRegistration(call: ts.CallExpression, method: string, receiver: ts.Node, file: TypeScriptFile): boolean {
  if (!TOGGLES.has(method) || !ts.isIdentifier(receiver)) return false;
  const node = declarationOf(receiver, file)?.node;
  const holder = node === undefined ? undefined : ancestor(node, ts.isVariableDeclaration);
  if (holder?.initializer === undefined) return false;
  const made = unwrapAwait(holder.initializer);
  return ts.isCallExpression(made) && REGISTRATIONS.test(calledMember(made) ?? '') && made !== call;
}
