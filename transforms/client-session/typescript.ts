import { ts } from 'ts-morph';
import type { Certainty, Detector, FindingDetails } from '../../src/core/index.js';
import { constantOf, declarationOf, instanceOrigin, referencesOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { dialectOf, speaksMcp } from '../_mcp/typescript/dialect.js';
import { namesSessionHeader } from '../_mcp/typescript/headers.js';
import { calledMember, memberName, nameText, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';
import { isNothing, readOptions } from '../_mcp/typescript/options.js';
import { clientTransport, sdkName } from '../_mcp/typescript/sdk.js';
import { replayedCookies } from './cookies.js';

export type Kind =
  | 'session-end'
  | 'session-resumed'
  | 'stream-resumption'
  | 'sse-client'
  | 'removed-call'
  | 'ping-call'
  | 'handshake-result'
  | 'elicitation-undeclared'
  | 'question-handler'
  | 'replayed-cookies'
  | 'notification-handler';

const CALLS: Readonly<Record<string, { readonly kind: Kind; readonly instead?: string }>> = {
  terminateSession: { kind: 'session-end' },
  setLoggingLevel: { kind: 'removed-call', instead: 'the log level in `_meta` of each request' },
  subscribeResource: { kind: 'removed-call', instead: '`subscriptions/listen` with the resources that are needed' },
  unsubscribeResource: { kind: 'removed-call', instead: 'closing the `subscriptions/listen` stream' },
  sendRootsListChanged: { kind: 'removed-call', instead: 'the roots in the answer to `inputRequests`' },
  getServerCapabilities: { kind: 'handshake-result' },
  getServerVersion: { kind: 'handshake-result' },
  getInstructions: { kind: 'handshake-result' },
  resumeStream: { kind: 'stream-resumption' },
};

const QUESTIONS = /^(?:(?:CreateMessage|Elicit|ListRoots)RequestSchema|sampling\/createMessage|elicitation\/create|roots\/list)$/;
const NOTIFICATIONS =
  /^(?:(?:LoggingMessage|ResourceUpdated|ResourceListChanged|ToolListChanged|PromptListChanged|ElicitationComplete|TaskStatus|Cancelled)\w*NotificationSchema|notifications\/(?:message|resources\/updated|\w+\/list_changed|elicitation\/complete|tasks\/status))$/;

const RESUMPTION: ReadonlySet<string> = new Set(['reconnectionOptions', 'resumptionToken', 'onresumptiontoken']);

/** Reports what only makes sense for a client with a session, and calls of methods that are removed. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  if (dialectOf(file).implementation) return {};
  const end = (): void => {
    for (const node of replayedCookies(file)) report.finding('replayed-cookies', file.span(node), { group: 'cookies', certainty: 'possible' });
  };
  if (!speaksMcp(file)) return { end };
  const say = (kind: Kind, node: ts.Node, call: string, details: FindingDetails = {}): void => {
    report.finding(kind, file.span(node), { group: 'client', ...details, data: { call, ...details.data } });
  };
  return {
    end,
    CallExpression(call) {
      const method = calledMember(call) ?? bareName(call, file);
      if (endsSession(call, file)) say('session-end', call, 'DELETE', { certainty: 'likely' });
      if (method === undefined) return;
      const known = Object.hasOwn(CALLS, method) ? CALLS[method] : undefined;
      if (known !== undefined && !isOwnSubscription(call, method, file)) {
        say(known.kind, call, method, { certainty: certaintyOf(call, file), ...(known.instead === undefined ? {} : { data: { instead: known.instead } }) });
      } else if (method === 'ping') {
        if (isPeer(receiverOf(call), file)) say('ping-call', call, call.expression.getText(file.tree).slice(0, 60), { certainty: certaintyOf(call, file) });
      } else if (method === 'setRequestHandler' || method === 'setNotificationHandler' || method === 'removeNotificationHandler') {
        handlers(call, method, file, say);
      }
    },
    NewExpression(node) {
      const name =
        clientTransport(node.expression, file) ??
        (ts.isIdentifier(node.expression) && /^(?:SSE|StreamableHTTP)ClientTransport$/.test(node.expression.text) ? node.expression.text : undefined);
      if (name === 'SSEClientTransport') say('sse-client', node, name, { data: { deprecated: 'http-sse' } });
      if (sdkName(node.expression, file) === 'Client' && canonical(instanceOrigin(node, file))?.name !== undefined) {
        const options = readOptions(node.arguments?.[1], file);
        const capabilities = readOptions(options.values.get('capabilities'), file);
        if (options.complete && capabilities.complete && !capabilities.values.has('elicitation'))
          say('elicitation-undeclared', node, 'Client', { certainty: 'possible' });
      }
      if (name !== 'StreamableHTTPClientTransport') return;
      const id = readOptions(node.arguments?.[1], file).values.get('sessionId');
      if (id !== undefined && !isNothing(id)) say('session-resumed', node, name);
    },
    BinaryExpression(node) {
      if (givesId(node, file)) say('session-resumed', node, 'StreamableHTTPClientTransport', { certainty: 'likely' });
    },
    PropertyAssignment(node) {
      const name = nameText(node.name);
      if (name !== undefined && RESUMPTION.has(name) && !isNothing(node.initializer)) say('stream-resumption', node, name);
    },
    ShorthandPropertyAssignment(node) {
      if (RESUMPTION.has(node.name.text)) say('stream-resumption', node, node.name.text);
    },
  };
};

/** `fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': … } })` in any client that takes options. Tests that send it to a server of their own end a session too. */
function endsSession(call: ts.CallExpression, file: TypeScriptFile): boolean {
  const given = call.arguments.at(-1);
  if (given === undefined || !ts.isObjectLiteralExpression(unwrap(given))) return false;
  const { values } = readOptions(given, file);
  const verb = values.get('method');
  const headers = values.get('headers');
  // `axios.delete(url, { headers })` says the verb in its name.
  const deletes = verb === undefined ? calledMember(call) === 'delete' && call.arguments.length >= 2 : /^delete$/i.test(String(constantOf(verb, file)));
  if (headers === undefined || !deletes) return false;
  const { properties } = readOptions(headers, file);
  const named = ts.isObjectLiteralExpression(unwrap(headers)) ? (unwrap(headers) as ts.ObjectLiteralExpression).properties : [...properties.values()];
  return named.some(
    (property) => property.name !== undefined && (nameText(property.name)?.toLowerCase() === 'mcp-session-id' || namesHeader(property.name, file)),
  );
}

/** `options.sessionId = saved`, where the options are those of a client transport. */
function givesId(node: ts.BinaryExpression, file: TypeScriptFile): boolean {
  const left = unwrap(node.left);
  if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken || memberName(left) !== 'sessionId' || isNothing(node.right)) return false;
  const holder = ts.isPropertyAccessExpression(left) ? unwrap(left.expression) : left;
  const declared = ts.isIdentifier(holder) ? declarationOf(holder, file) : undefined;
  return (
    declared !== undefined &&
    referencesOf(declared, file).some(
      (use) =>
        ts.isNewExpression(use.parent) && use.parent.arguments?.[1] === use && clientTransport(use.parent.expression, file) === 'StreamableHTTPClientTransport',
    )
  );
}

const namesHeader = (name: ts.PropertyName, file: TypeScriptFile): boolean =>
  ts.isComputedPropertyName(name) && namesSessionHeader(name.expression, file) !== undefined;

/** A helper that is called like the method: one that wraps it here, or one that is imported from a client. */
function bareName(call: ts.CallExpression, file: TypeScriptFile): string | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isIdentifier(callee) || !(callee.text === 'terminateSession' || callee.text === 'setLoggingLevel')) return undefined;
  return file.text.includes(`.${callee.text}(`) || declarationOf(callee, file)?.kind === 'import' ? callee.text : undefined;
}

/** `certain` for an SDK client or client transport by construction or type. */
function certaintyOf(call: ts.CallExpression, file: TypeScriptFile): Certainty {
  const receiver = receiverOf(call);
  return receiver !== undefined && canonical(instanceOrigin(receiver, file)) !== undefined ? 'certain' : 'likely';
}

/** `session.subscribeResource(uri)` in the code that answers the request: the server's own list, no call of a client. */
function isOwnSubscription(call: ts.CallExpression, method: string, file: TypeScriptFile): boolean {
  const first = call.arguments[0] === undefined ? undefined : unwrap(call.arguments[0]);
  const named = first !== undefined && ts.isIdentifier(first) && /ur[il]$/i.test(first.text);
  return method.endsWith('subscribeResource') && named && /\b(?:Uns|S)ubscribeRequest\b/.test(file.text);
}

const FOREIGN = /redis|socket|\bws\b|webhook|database|\bdb\b|\bpool\b|postgres|mongo|prisma|kafka|nats|heartbeat/i;

/** An MCP peer that can be pinged: an SDK client or server, or what is plainly called one. */
function isPeer(receiver: ts.Node | undefined, file: TypeScriptFile): boolean {
  if (receiver === undefined) return false;
  const origin = instanceOrigin(receiver, file);
  if (origin !== undefined && canonical(origin) === undefined && !origin.module.startsWith('.')) return false;
  const text = receiver.getText(file.tree);
  if (FOREIGN.test(text) || ts.isCallExpression(receiver)) return false;
  const name = ts.isIdentifier(receiver) ? receiver.text : memberName(receiver);
  return name !== undefined && /client\w*$|^\w*server$|connection$|upstream$|^mcp$|^session$/i.test(name);
}

type Say = (kind: Kind, node: ts.Node, call: string, details?: FindingDetails) => void;

/** Handlers that wait for what a modern server sends on no stream of its own. The first argument is a v1 schema or a v2 method. */
function handlers(call: ts.CallExpression, method: string, file: TypeScriptFile, say: Say): void {
  const [first] = call.arguments;
  if (first === undefined) return;
  const constant = constantOf(first, file);
  const name = typeof constant === 'string' ? constant : (memberName(unwrap(first)) ?? unwrap(first).getText(file.tree));
  if (method === 'setRequestHandler') {
    if (QUESTIONS.test(name)) say('question-handler', call.expression, name);
  } else if (
    NOTIFICATIONS.test(name) ||
    (!isKnownServer(receiverOf(call), file) && /notification/i.test(name) && !/Initialized|RootsListChanged|initialized|roots|[Pp]rogress/.test(name))
  ) {
    if (!isKnownServer(receiverOf(call), file)) say('notification-handler', call.expression, name);
  }
}

const isKnownServer = (receiver: ts.Node | undefined, file: TypeScriptFile): boolean => {
  if (receiver === undefined) return false;
  const name = canonical(instanceOrigin(receiver, file))?.name;
  return name === 'Server' || name === 'McpServer' || /(?:^|\.)(?:mcp)?server$/i.test(receiver.getText(file.tree));
};
