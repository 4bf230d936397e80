import { ts } from 'ts-morph';
import type { Detector, MessageData } from '../../src/core/index.js';
import { constantOf, enclosingFunction, moduleRequests, originOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { expressionOf } from '../_hosts/emit.js';
import { speaksMcp } from '../_mcp/typescript/dialect.js';
import { calledMember, receiverOf, wrapped } from '../_mcp/typescript/nodes.js';
import { isRuleText } from '../_mcp/typescript/rule-texts.js';
import { transportKind, transportValue } from '../_mcp/typescript/sdk.js';
import { isShimFile, sessionCode } from '../_mcp/typescript/sessions.js';
import { planHandlers } from './handlers.js';
import { planModern } from './plan.js';
import { queryId, sseRoute, streamText } from './routes.js';

/** Does the file name the SDK's class, as a value or as a type? */
const namesTransport = (file: TypeScriptFile): boolean => moduleRequests(file).some((request) => request.names.includes('SSEServerTransport'));

/** Reports constructions of the SDK's HTTP+SSE server transport and the routes that feed it. The client class is not meant. */
export const typescript: Detector<
  'typescript',
  'stream-route' | 'message-route' | 'stream-url' | 'message-url' | 'query-session-id' | 'endpoint-event' | 'keep-alive' | 'message-dispatch' | 'silent-miss'
> = (file, report, around) => {
  if (isShimFile(file) || !speaksMcp(file)) return {};
  const text = (node: ts.Node): void => {
    const kind = streamText(node.getText(file.tree).slice(1));
    if (kind !== undefined && !isRuleText(node)) report.finding(kind, file.span(node), { group: 'http-sse', certainty: 'likely' });
  };
  // Products have streams and message boxes too: something in the file must be of the transport.
  const evident = /SSEServerTransport|SSEConnection|\bevent: ?endpoint\b|\bsession_?id\b/i.test(file.text);
  /** What this file proves of a modern endpoint beside the stream: its path, or why there can be none. */
  const beside = (node: ts.NewExpression): MessageData => {
    const has = (other: string): boolean => around.has(other);
    const plan = planHandlers(node, file, has) ?? planModern(node, file, has);
    return plan.ok ? { modern: plan.path } : { why: plan.reason.why, next: plan.reason.next };
  };
  return {
    PropertyAccessExpression(node) {
      if (queryId(node)) report.finding('query-session-id', file.span(node), { group: 'http-sse' });
    },
    StringLiteral: text,
    NoSubstitutionTemplateLiteral: text,
    TemplateExpression: text,
    NewExpression(node) {
      if (transportKind(node.expression, file)?.kind !== 'sse' && !isBorrowed(node.expression, file)) return;
      const first = node.arguments?.[0];
      const path = first === undefined ? undefined : constantOf(first, file);
      report.finding('stream-route', file.span(node), {
        group: 'http-sse',
        evidence: ['`SSEServerTransport` of the SDK is constructed'],
        data: { path: typeof path === 'string' ? path : (expressionOf(first, file).expression ?? '…'), deprecated: 'http-sse', ...beside(node) },
      });
    },
    CallExpression(node) {
      const route = evident ? sseRoute(node, file) : undefined;
      if (route !== undefined) report.finding(route.kind, file.span(node.expression), { group: 'http-sse', certainty: 'likely', data: { path: route.name } });
      if (queryId(node)) report.finding('query-session-id', file.span(node), { group: 'http-sse' });
      if (calledMember(node) !== 'handlePostMessage') return;
      if (isSkipped(node) && /SSE(?:Server)?Transport/.test(file.text))
        report.finding('silent-miss', file.span(node), { group: 'http-sse', certainty: 'likely' });
      const receiver = receiverOf(node);
      if (receiver !== undefined && /SSE(?:Server)?Transport/.test(file.text) && !(sessionCode(file).dispatches.includes(node) && namesTransport(file)))
        report.finding('message-dispatch', file.span(node), { group: 'http-sse', certainty: 'likely', data: { call: 'handlePostMessage' } });
      // The method is also a common name: without the SDK's class in the file it is somebody else's.
      if (receiver === undefined || !sessionCode(file).dispatches.includes(node) || !namesTransport(file)) return;
      report.finding('message-route', file.span(node), {
        group: 'http-sse',
        certainty: transportValue(receiver, file) === undefined ? 'likely' : 'certain',
        evidence: [`${receiver.getText(file.tree)} takes a message of a stream that is open already`],
        data: { call: ts.isIdentifier(receiver) ? `${receiver.text}.handlePostMessage` : 'handlePostMessage', deprecated: 'http-sse' },
      });
    },
  };
};

/** `streams.get(id)?.handlePostMessage(…)` as all that a handler does: no `??`, no test of the value around it. */
function isSkipped(call: ts.CallExpression): boolean {
  if (!ts.isOptionalChain(call)) return false;
  const outer = wrapped(call);
  const statement = ts.isAwaitExpression(outer.parent) ? outer.parent.parent : outer.parent;
  if (ts.isArrowFunction(statement)) return true;
  if (!ts.isExpressionStatement(statement) && !ts.isReturnStatement(statement)) return false;
  const fn = enclosingFunction(call);
  return fn?.body !== undefined && !/\.(?:status|sendStatus|writeHead|end|json|send)\(/.test(fn.body.getText());
}

/** The class under its own name from a module of the same repository: the SDK's own examples, a vendored copy. */
const isBorrowed = (node: ts.Node, file: TypeScriptFile): boolean =>
  ts.isIdentifier(node) && node.text === 'SSEServerTransport' && originOf(node, file)?.module.startsWith('.') === true;
